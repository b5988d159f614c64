//! What changes names: making, removing, renaming, linking, and what is known of files.

use super::names::{Source, join, on_disk, parent};
use super::{Contents, Disk, Kind, Layer, Node, NodeId, Open, OpenMode, Opened, Path, error};
use std::io;
use std::rc::Rc;

/// Permissions that new files and directories do not have.
const UMASK: u32 = 0o022;
/// The most files that move with a directory of the disk.
const MOST_MOVED: usize = 10_000;

/// What a file was opened as.
pub enum OpenedAs {
    /// A descriptor of the layer.
    Descriptor(i32),
    /// Something that is not in the layer.
    Other(Opened),
}

impl Layer {
    /// Opens a file for a thread, and makes or empties it if that is asked for. Numbers of descriptors begin with `first`.
    pub fn open(
        &mut self,
        disk: &mut dyn Disk,
        path: &[u8],
        how: OpenMode,
        (thread, first): (u64, i32),
        now: i64,
    ) -> io::Result<OpenedAs> {
        let OpenMode { reads, writes, appends, truncates, creates, exclusively, no_follow, mode } = how;
        let follow = !(no_follow || creates && exclusively);
        let path = self.resolve(path, follow)?;
        let id = match self.stat_here(&path) {
            Err(failed) if creates && failed.raw_os_error() == Some(libc::ENOENT) => {
                self.make(&path, Kind::File(Contents::default()), mode & !UMASK, now)?
            }
            Err(failed) => return Err(failed),
            Ok(_) if creates && exclusively => return Err(error(libc::EEXIST)),
            Ok(stat) if stat.is_link() => return Err(error(libc::ELOOP)),
            Ok(stat) if stat.is_directory() && (writes || creates) => return Err(error(libc::EISDIR)),
            Ok(stat) if !stat.is_directory() && !stat.is_file() => {
                return special(&path).map(OpenedAs::Other);
            }
            Ok(_) => {
                let wanted = [(reads, libc::R_OK), (writes, libc::W_OK)];
                let wanted =
                    wanted.into_iter().filter(|(wants, _)| *wants).fold(0, |all, (_, bit)| all | bit);
                self.may_here(&path, wanted)?;
                match self.source(&path) {
                    Source::Node(id) => id,
                    _ if writes => self.adopt(&path)?,
                    _ => return Ok(OpenedAs::Other(Opened::Disk(path))),
                }
            }
        };
        if truncates && writes {
            self.contents(disk, id, now)?.set_len(0)?;
        }
        let open = Open { node: id, appends, reads, writes };
        Ok(OpenedAs::Descriptor(self.keep_open(open, thread, first)))
    }

    /// What a path of the disk is opened as that is only read; `None` if it is in the layer.
    pub fn open_on_disk(&self, path: &[u8], how: OpenMode) -> io::Result<Option<Opened>> {
        let path = self.resolve(path, !how.no_follow)?;
        if self.source(&path) != Source::Disk {
            return Ok(None);
        }
        let stat = on_disk(&path)?;
        match () {
            () if stat.is_link() => Err(error(libc::ELOOP)),
            () if stat.is_file() || stat.is_directory() => {
                self.may_here(&path, libc::R_OK)?;
                Ok(Some(Opened::Disk(path)))
            }
            () => special(&path).map(Some),
        }
    }

    /// Puts something new at a path where nothing is.
    fn make(&mut self, path: &[u8], kind: Kind, mode: u32, now: i64) -> io::Result<NodeId> {
        let directory = parent(path);
        if !self.stat_here(directory)?.is_directory() {
            return Err(error(libc::ENOTDIR));
        }
        self.may_here(directory, libc::W_OK)?;
        let id = self.new_node(Node { kind, mode, changed: now });
        self.names.insert(path.into(), Some(id));
        self.touch_directory(path, now);
        Ok(id)
    }

    fn new_node(&mut self, node: Node) -> NodeId {
        let id = (0..).find(|id| !self.nodes.contains_key(id)).unwrap_or(NodeId::MAX);
        self.nodes.insert(id, node);
        id
    }

    /// A directory of the layer changes with its names.
    fn touch_directory(&mut self, path: &[u8], now: i64) {
        if let Source::Node(id) = self.source(parent(path))
            && let Some(node) = self.nodes.get_mut(&id)
        {
            node.changed = now;
        }
    }

    /// The node of what is at a path: that of the disk becomes one.
    fn adopt(&mut self, path: &Path) -> io::Result<NodeId> {
        if let Source::Node(id) = self.source(path) {
            return Ok(id);
        }
        let stat = self.stat_here(path)?;
        let kind = match () {
            () if stat.is_directory() => Kind::Directory { real: true },
            () if stat.is_link() => Kind::Link(self.read_link(path)?),
            () if stat.is_file() => Kind::Copy(Rc::clone(path)),
            () => return Err(unsupported(path)),
        };
        let id = self.new_node(Node { kind, mode: stat.mode & 0o7777, changed: stat.changed });
        self.names.insert(Rc::clone(path), Some(id));
        if stat.is_file() {
            self.adopted.insert(Rc::clone(path), id);
        }
        Ok(id)
    }

    /// Takes a name away.
    fn forget(&mut self, path: &Path, now: i64) {
        let prefix = join(path, b"");
        let node = self.names.remove(path);
        // What was below a directory has gone before.
        self.names.retain(|known, _| !known.starts_with(&prefix));
        if self.source(path) == Source::Disk && on_disk(path).is_ok() {
            self.names.insert(Rc::clone(path), None);
        }
        if let Some(Some(node)) = node {
            self.release(node);
        }
        self.touch_directory(path, now);
    }

    /// Takes away a file or link.
    pub fn unlink(&mut self, path: &[u8], now: i64) -> io::Result<()> {
        let path = self.resolve(path, false)?;
        if self.stat_here(&path)?.is_directory() {
            return Err(error(libc::EISDIR));
        }
        self.may_here(parent(&path), libc::W_OK)?;
        // Readers that have opened it go on reading.
        self.adopt(&path)?;
        self.forget(&path, now);
        Ok(())
    }

    /// Takes away an empty directory.
    pub fn remove_directory(&mut self, path: &[u8], now: i64) -> io::Result<()> {
        let path = self.resolve(path, false)?;
        if !self.stat_here(&path)?.is_directory() {
            return Err(error(libc::ENOTDIR));
        }
        if !self.list_here(&path)?.is_empty() {
            return Err(error(libc::ENOTEMPTY));
        }
        self.may_here(parent(&path), libc::W_OK)?;
        self.forget(&path, now);
        Ok(())
    }

    /// Makes a directory.
    pub fn make_directory(&mut self, path: &[u8], mode: u32, now: i64) -> io::Result<()> {
        let path = self.free(path)?;
        self.make(&path, Kind::Directory { real: false }, mode & !UMASK, now).map(drop)
    }

    /// Makes a symbolic link to a path as it is written.
    pub fn make_link(&mut self, target: &[u8], path: &[u8], now: i64) -> io::Result<()> {
        let path = self.free(path)?;
        self.make(&path, Kind::Link(target.to_vec()), 0o777, now).map(drop)
    }

    /// Gives a file another name beside the one that it has.
    pub fn link(&mut self, existing: &[u8], path: &[u8], now: i64) -> io::Result<()> {
        let existing = self.resolve(existing, false)?;
        if self.stat_here(&existing)?.is_directory() {
            return Err(error(libc::EPERM));
        }
        let path = self.free(path)?;
        self.may_here(parent(&path), libc::W_OK)?;
        let id = self.adopt(&existing)?;
        self.names.insert(Rc::clone(&path), Some(id));
        self.touch_directory(&path, now);
        Ok(())
    }

    /// A path at which nothing is yet.
    fn free(&self, path: &[u8]) -> io::Result<Path> {
        let path = self.resolve(path, false)?;
        match self.stat_here(&path) {
            Ok(_) => Err(error(libc::EEXIST)),
            Err(failed) if failed.raw_os_error() == Some(libc::ENOENT) => Ok(path),
            Err(failed) => Err(failed),
        }
    }

    /// Gives a file or directory another name, in place of what had that.
    pub fn rename(&mut self, from: &[u8], to: &[u8], now: i64) -> io::Result<()> {
        let (from, to) = (self.resolve(from, false)?, self.resolve(to, false)?);
        let old = self.stat_here(&from)?;
        if from == to {
            return Ok(());
        }
        if to.starts_with(&join(&from, b"")) {
            return Err(error(libc::EINVAL));
        }
        let directory = parent(&to);
        if !self.stat_here(directory)?.is_directory() {
            return Err(error(libc::ENOTDIR));
        }
        self.may_here(directory, libc::W_OK)?;
        self.may_here(parent(&from), libc::W_OK)?;
        if let Ok(replaced) = self.stat_here(&to) {
            match (old.is_directory(), replaced.is_directory()) {
                (true, false) => return Err(error(libc::ENOTDIR)),
                (false, true) => return Err(error(libc::EISDIR)),
                (true, true) if !self.list_here(&to)?.is_empty() => return Err(error(libc::ENOTEMPTY)),
                _ => {}
            }
            // Two names of one file stay.
            if let (Source::Node(one), Source::Node(other)) = (self.source(&from), self.source(&to))
                && one == other
            {
                return Ok(());
            }
            if !replaced.is_directory() {
                self.adopt(&to)?;
            }
            self.forget(&to, now);
        }
        let mut all = Vec::new();
        self.collect(&from, &mut all)?;
        let mut moved = Vec::new();
        for path in &all {
            let renamed: Path = [&to[..], &path[from.len()..]].concat().into();
            moved.push((renamed, self.adopt(path)?));
        }
        for path in &all {
            self.names.remove(path);
        }
        for (path, id) in moved {
            // All that it had on the disk has moved with it.
            if let Some(Node { kind: Kind::Directory { real }, .. }) = self.nodes.get_mut(&id) {
                *real = false;
            }
            self.names.insert(path, Some(id));
        }
        self.forget(&from, now);
        self.touch_directory(&to, now);
        Ok(())
    }

    /// A path and all that lies below it, from the top down.
    fn collect(&self, path: &Path, out: &mut Vec<Path>) -> io::Result<()> {
        if out.len() >= MOST_MOVED {
            let text = format!("moving a directory with more than {MOST_MOVED} files");
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        out.push(Rc::clone(path));
        if self.stat_here(path)?.is_directory() {
            for name in self.list_here(path)? {
                self.collect(&join(path, &name).into(), out)?;
            }
        }
        Ok(())
    }

    /// Sets the permissions of what a path of the program means.
    pub fn set_mode(&mut self, path: &[u8], mode: u32) -> io::Result<()> {
        let id = self.existing(path)?;
        self.set_mode_of(id, mode);
        Ok(())
    }

    /// Sets when what a path of the program means was changed last.
    pub fn set_changed(&mut self, path: &[u8], changed: i64) -> io::Result<()> {
        let id = self.existing(path)?;
        self.set_changed_of(id, changed);
        Ok(())
    }

    fn existing(&mut self, path: &[u8]) -> io::Result<NodeId> {
        let path = self.resolve(path, true)?;
        self.stat_here(&path)?;
        self.adopt(&path)
    }

    /// Sets the permissions of a node.
    pub fn set_mode_of(&mut self, id: NodeId, mode: u32) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.mode = mode & 0o7777;
        }
    }

    /// Sets when a node was changed last.
    pub fn set_changed_of(&mut self, id: NodeId, changed: i64) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.changed = changed;
        }
    }

    /// The node of what was opened.
    pub fn adopt_opened(&mut self, opened: &Opened) -> io::Result<NodeId> {
        match self.current(opened) {
            Opened::Node(id) => Ok(id),
            Opened::Disk(path) => self.adopt(&path),
            Opened::Null | Opened::Random => Err(error(libc::EINVAL)),
        }
    }
}

fn special(path: &[u8]) -> io::Result<Opened> {
    match path {
        b"/dev/null" => Ok(Opened::Null),
        b"/dev/random" | b"/dev/urandom" => Ok(Opened::Random),
        _ => Err(unsupported(path)),
    }
}

fn unsupported(path: &[u8]) -> io::Error {
    let text = format!("{}, which is neither a file nor a directory,", String::from_utf8_lossy(path));
    io::Error::new(io::ErrorKind::Unsupported, text)
}
