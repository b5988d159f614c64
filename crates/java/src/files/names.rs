//! Paths: what is where, and what is known of it.

use super::{Kind, Layer, NodeId, Path, error};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;

/// The device of files that exist only in a layer.
const DEVICE: u64 = 0x50_10;
/// The first of their inode numbers.
const FIRST_INODE: u64 = 1 << 40;
/// The most links on the way to a file.
const MOST_LINKS: usize = 40;
/// When programs start, in nanoseconds since 1970. What is on the disk is no younger to them.
const START: i64 = super::START_OF_CALENDAR * 1_000_000;

/// Where what is at a path comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Node(NodeId),
    /// The disk, which may have nothing there.
    Disk,
    /// There is nothing.
    Nothing,
}

/// What the system knows of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stat {
    pub mode: u32,
    pub links: u64,
    pub user: u32,
    pub group: u32,
    pub inode: u64,
    pub device: u64,
    pub special: u64,
    pub size: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub changed: i64,
}

impl Stat {
    fn on_disk(metadata: &Metadata) -> Stat {
        let changed = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
        Stat {
            mode: metadata.mode(),
            links: metadata.nlink(),
            user: metadata.uid(),
            group: metadata.gid(),
            inode: metadata.ino(),
            device: metadata.dev(),
            special: metadata.rdev(),
            size: metadata.size(),
            changed: changed.min(START),
        }
    }

    fn has_type(&self, kind: u32) -> bool {
        self.mode & libc::S_IFMT == kind
    }

    pub fn is_directory(&self) -> bool {
        self.has_type(libc::S_IFDIR)
    }

    pub fn is_file(&self) -> bool {
        self.has_type(libc::S_IFREG)
    }

    pub fn is_link(&self) -> bool {
        self.has_type(libc::S_IFLNK)
    }
}

/// Whether reading what was opened fails because it is a directory.
pub fn reads_as_directory(path: &[u8]) -> bool {
    on_disk(path).is_ok_and(|stat| stat.is_directory())
}

/// The path for calls of the system.
pub(super) fn native(path: &[u8]) -> &std::path::Path {
    OsStr::from_bytes(path).as_ref()
}

/// What is on the disk at a path, links not followed.
pub(super) fn on_disk(path: &[u8]) -> io::Result<Stat> {
    std::fs::symlink_metadata(native(path)).map(|metadata| Stat::on_disk(&metadata))
}

/// A path and a name in it.
pub(super) fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    [directory, b"/", name].concat()
}

/// The directory that a path lies in.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&byte| byte == b'/') {
        None | Some(0) => b"/",
        Some(end) => &path[..end],
    }
}

/// Whether the process may do this with a path of the disk.
#[allow(unsafe_code)]
fn may_on_disk(path: &[u8], mode: i32) -> io::Result<()> {
    let path = std::ffi::CString::new(path).map_err(|_| error(libc::EINVAL))?;
    // SAFETY: the path ends in a zero, and the call only looks at it.
    match unsafe { libc::access(path.as_ptr(), mode) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether the process may do everything.
#[allow(unsafe_code)]
fn is_root() -> bool {
    // SAFETY: the call has no conditions.
    unsafe { libc::geteuid() == 0 }
}

impl Layer {
    pub(super) fn source(&self, path: &[u8]) -> Source {
        if self.names.is_empty() {
            return Source::Disk;
        }
        if let Some(known) = self.names.get(path) {
            return known.map_or(Source::Nothing, Source::Node);
        }
        let mut above = path;
        while above != b"/" {
            above = parent(above);
            match self.names.get(above) {
                None => {}
                Some(Some(node)) if self.nodes[node].kind == (Kind::Directory { real: true }) => {
                    return Source::Disk;
                }
                Some(_) => return Source::Nothing,
            }
        }
        Source::Disk
    }

    /// What is at a path, links not followed.
    pub(super) fn stat_here(&self, path: &[u8]) -> io::Result<Stat> {
        match self.source(path) {
            Source::Nothing => Err(error(libc::ENOENT)),
            Source::Disk => on_disk(path),
            Source::Node(node) => Ok(self.stat_node(node)),
        }
    }

    pub(super) fn stat_node(&self, id: NodeId) -> Stat {
        let node = &self.nodes[&id];
        let links = self.names.values().filter(|named| **named == Some(id)).count() as u64;
        let (kind, size) = match &node.kind {
            Kind::File(contents) => (libc::S_IFREG, contents.len()),
            Kind::Copy(path) => (libc::S_IFREG, on_disk(path).map_or(0, |stat| stat.size)),
            Kind::Directory { .. } => (libc::S_IFDIR, 4096),
            Kind::Link(target) => (libc::S_IFLNK, target.len() as u64),
        };
        Stat {
            mode: kind | node.mode,
            links,
            user: 0,
            group: 0,
            inode: FIRST_INODE + u64::from(id),
            device: DEVICE,
            special: 0,
            size,
            changed: node.changed,
        }
    }

    /// The path that a path of the program means: of what is not there all but the last name must be.
    pub fn resolve(&self, path: &[u8], follow: bool) -> io::Result<Path> {
        if path.is_empty() {
            return Err(error(libc::ENOENT));
        }
        let mut left: Vec<Vec<u8>> = Vec::new();
        let expand = |left: &mut Vec<Vec<u8>>, path: &[u8]| {
            left.extend(path.split(|&byte| byte == b'/').rev().map(<[u8]>::to_vec));
        };
        expand(&mut left, path);
        let mut here = b"/".to_vec();
        if !path.starts_with(b"/") {
            expand(&mut left, std::env::current_dir()?.as_os_str().as_bytes());
        }
        let mut links = 0;
        while let Some(name) = left.pop() {
            match name.as_slice() {
                b"" | b"." => continue,
                b".." => {
                    here = parent(&here).to_vec();
                    continue;
                }
                _ => {}
            }
            let there = join(&here, &name);
            let is_last = left.iter().all(|name| matches!(name.as_slice(), b"" | b"."));
            match self.stat_here(&there) {
                Err(failed) if is_last && failed.raw_os_error() == Some(libc::ENOENT) => here = there,
                Err(failed) => return Err(failed),
                Ok(stat) if stat.is_link() && (follow || !is_last) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(error(libc::ELOOP));
                    }
                    let target = self.link_target(&there)?;
                    if target.starts_with(b"/") {
                        here = b"/".to_vec();
                    }
                    expand(&mut left, &target);
                }
                Ok(stat) if !is_last && !stat.is_directory() => return Err(error(libc::ENOTDIR)),
                Ok(_) => here = there,
            }
        }
        Ok(here.into())
    }

    /// Where the link at a path leads.
    fn link_target(&self, path: &[u8]) -> io::Result<Vec<u8>> {
        match self.source(path) {
            Source::Nothing => Err(error(libc::ENOENT)),
            Source::Disk => Ok(std::fs::read_link(native(path))?.into_os_string().into_vec()),
            Source::Node(node) => match &self.nodes[&node].kind {
                Kind::Link(target) => Ok(target.clone()),
                _ => Err(error(libc::EINVAL)),
            },
        }
    }

    /// What is known of the file that a path of the program means.
    pub fn stat(&self, path: &[u8], follow: bool) -> io::Result<Stat> {
        if self.names.is_empty() {
            let path = native(path);
            let metadata = if follow { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
            return metadata.map(|metadata| Stat::on_disk(&metadata));
        }
        self.stat_here(&self.resolve(path, follow)?)
    }

    /// Where the link that a path of the program means leads.
    pub fn read_link(&self, path: &[u8]) -> io::Result<Vec<u8>> {
        self.link_target(&self.resolve(path, false)?)
    }

    /// The path without links of something that is there.
    pub fn real_path(&self, path: &[u8]) -> io::Result<Path> {
        let path = self.resolve(path, true)?;
        self.stat_here(&path).map(|_| path)
    }

    /// The names in a directory, sorted: the system has them in an order that means nothing.
    pub fn list(&self, path: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let path = self.resolve(path, true)?;
        if !self.stat_here(&path)?.is_directory() {
            return Err(error(libc::ENOTDIR));
        }
        self.list_here(&path)
    }

    pub(super) fn list_here(&self, path: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut names = BTreeSet::new();
        let real = match self.source(path) {
            Source::Disk => true,
            Source::Node(node) => self.nodes[&node].kind == (Kind::Directory { real: true }),
            Source::Nothing => false,
        };
        if real {
            for entry in std::fs::read_dir(native(path))? {
                names.insert(entry?.file_name().into_vec());
            }
        }
        let prefix = join(path, b"");
        for (known, node) in
            self.names.range::<[u8], _>((std::ops::Bound::Included(&prefix[..]), std::ops::Bound::Unbounded))
        {
            let Some(name) = known.strip_prefix(&prefix[..]) else { break };
            if name.is_empty() || name.contains(&b'/') {
                continue;
            }
            match node {
                Some(_) => names.insert(name.to_vec()),
                None => names.remove(name),
            };
        }
        Ok(names.into_iter().collect())
    }

    /// Whether the process may do this with the file that a path of the program means: bits of `access`.
    pub fn may(&self, path: &[u8], mode: i32) -> io::Result<()> {
        if self.names.is_empty() {
            return may_on_disk(path, mode);
        }
        self.may_here(&self.resolve(path, true)?, mode)
    }

    pub(super) fn may_here(&self, path: &[u8], mode: i32) -> io::Result<()> {
        let node = match self.source(path) {
            Source::Nothing => return Err(error(libc::ENOENT)),
            Source::Disk => return may_on_disk(path, mode),
            Source::Node(node) => &self.nodes[&node],
        };
        let is_directory = matches!(node.kind, Kind::Directory { .. });
        let has = |bit: i32, of_owner: u32, of_anybody: u32| {
            mode & bit == 0 || node.mode & if is_root() { of_anybody } else { of_owner } != 0
        };
        let everything = u32::MAX;
        let executes = if is_directory { everything } else { 0o111 };
        let allowed = match is_root() {
            true => has(libc::X_OK, 0o100, executes),
            false => has(libc::R_OK, 0o400, 0) && has(libc::W_OK, 0o200, 0) && has(libc::X_OK, 0o100, 0),
        };
        if allowed { Ok(()) } else { Err(error(libc::EACCES)) }
    }
}
