//! What the program has changed of the files: a layer in memory over those on the disk, which stay as they are.
//!
//! A layer is a value. The machine's marks hold on to the layers that they have to go back to, and a change copies what they
//! share (`Layer::to_change`). It is a part of the state, by its contents. A path that the layer does not know means what is on
//! the disk; the disk is taken not to change while the program runs.

mod archives;
mod changes;
mod contents;
mod names;
mod nodes;
mod opened;

pub use archives::Archives;
pub(crate) use archives::Open as OpenArchive;
pub use changes::OpenedAs;
pub use contents::Contents;
pub use names::{Stat, reads_as_directory};
pub use opened::Files;
pub(crate) use opened::{FIRST, random};

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

/// The calendar of programs starts at this time, in milliseconds since 1970: 2024-01-01T00:00:00Z. What is on the disk is no
/// younger to them.
pub const START_OF_CALENDAR: i64 = 1_704_067_200_000;

/// A path: absolute, without links, `.` and `..`.
pub type Path = Rc<[u8]>;

/// A file, directory or link that the program has made or changed, by number.
pub type NodeId = u32;

/// All that the program has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// What is at a path; `None`: nothing, whatever the disk has there.
    names: BTreeMap<Path, Option<NodeId>>,
    nodes: BTreeMap<NodeId, Node>,
    /// Files of the disk that are nodes now, under whatever names: descriptors that were opened before go by this.
    adopted: BTreeMap<Path, NodeId>,
    /// Descriptors of nodes.
    open: BTreeMap<i32, Open>,
    /// How many temporary files each thread has named, by what stands for the thread.
    temporary: BTreeMap<u64, u32>,
    /// What is mapped into memory, by address: it must not change.
    mapped: BTreeMap<u64, Opened>,
    prints: LayerHashes,
}

/// A file, directory or link.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    kind: Kind,
    /// Permissions.
    mode: u32,
    /// When it was changed last, in nanoseconds since 1970.
    changed: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A file with bytes of its own.
    File(Contents),
    /// A file that still has the bytes of one on the disk.
    Copy(Path),
    /// A directory; `real`: what is in it on the disk counts.
    Directory { real: bool },
    /// A symbolic link.
    Link(Vec<u8>),
}

/// A descriptor of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    node: NodeId,
    /// Whether what is written goes to the end.
    appends: bool,
    reads: bool,
    writes: bool,
}

/// What was opened: what a descriptor stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A file or directory of the disk, which was not changed.
    Disk(Path),
    /// A node.
    Node(NodeId),
    /// Nothing to read, and what is written is lost: `/dev/null`.
    Null,
    /// Random bytes, the same ones in every run.
    Random,
}

/// How to open a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenMode {
    pub reads: bool,
    pub writes: bool,
    pub appends: bool,
    pub truncates: bool,
    /// Make it if it is not there; `exclusively`: or fail.
    pub creates: bool,
    pub exclusively: bool,
    /// Do not go where a link at the end of the path leads.
    pub no_follow: bool,
    /// The permissions of a new file.
    pub mode: u32,
}

/// What gives the bytes of files on the disk.
pub trait Disk {
    /// All bytes of a file.
    fn bytes(&mut self, path: &[u8]) -> io::Result<crate::bytes::Bytes>;
}

/// What stands for a layer, with the times of files and without, once it was asked for. A copy does not have it.
#[derive(Debug, Default)]
struct LayerHashes([OnceCell<u128>; 2]);

impl Clone for LayerHashes {
    fn clone(&self) -> LayerHashes {
        LayerHashes::default()
    }
}

impl PartialEq for LayerHashes {
    fn eq(&self, _: &LayerHashes) -> bool {
        true
    }
}

impl Eq for LayerHashes {}

impl std::hash::Hash for Layer {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u128(self.print(true));
    }
}

/// An error of the system.
pub fn error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

impl Layer {
    /// Whether the program has neither changed anything nor opened what it has changed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.open.is_empty() && self.temporary.is_empty() && self.nodes.is_empty()
    }

    /// The layer, to be changed: a copy, if a mark holds on to it.
    pub fn to_change(self: &mut Rc<Layer>) -> &mut Layer {
        let layer = Rc::make_mut(self);
        layer.prints = LayerHashes::default();
        layer
    }

    /// Whether a path means something else than on the disk.
    pub fn has_changed_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// 128 bits that stand for what the program can see of the layer; `times`: when files were changed is a part of it.
    pub fn print(&self, times: bool) -> u128 {
        *self.prints.0[usize::from(times)].get_or_init(|| xxhash_rust::xxh3::xxh3_128(&self.encoding(times)))
    }

    /// What the program can see of the layer, in bytes. Nodes are numbered as they are come to, so that their own numbers do
    /// not count.
    pub fn encoding(&self, times: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let mut numbers: BTreeMap<NodeId, u64> = BTreeMap::new();
        for (path, node) in &self.names {
            put(&mut out, path);
            match node {
                None => out.push(0),
                Some(node) => {
                    out.push(1);
                    self.encode_node(*node, times, &mut numbers, &mut out);
                }
            }
        }
        out.push(2);
        for (path, node) in &self.adopted {
            put(&mut out, path);
            self.encode_node(*node, times, &mut numbers, &mut out);
        }
        out.push(3);
        for (descriptor, &Open { node, appends, reads, writes }) in &self.open {
            out.extend_from_slice(&descriptor.to_le_bytes());
            out.push(u8::from(appends) | u8::from(reads) << 1 | u8::from(writes) << 2);
            self.encode_node(node, times, &mut numbers, &mut out);
        }
        out.push(4);
        for (thread, count) in &self.temporary {
            out.extend_from_slice(&thread.to_le_bytes());
            out.extend_from_slice(&count.to_le_bytes());
        }
        out
    }

    fn encode_node(&self, id: NodeId, times: bool, numbers: &mut BTreeMap<NodeId, u64>, out: &mut Vec<u8>) {
        let next = numbers.len() as u64;
        let number = *numbers.entry(id).or_insert(next);
        out.extend_from_slice(&number.to_le_bytes());
        let Some(node) = self.nodes.get(&id).filter(|_| number == next) else { return };
        out.extend_from_slice(&node.mode.to_le_bytes());
        if times {
            out.extend_from_slice(&node.changed.to_le_bytes());
        }
        match &node.kind {
            Kind::File(contents) => {
                out.push(0);
                contents.encode(out);
            }
            Kind::Copy(path) => {
                out.push(1);
                put(out, path);
            }
            Kind::Directory { real } => out.push(2 + u8::from(*real)),
            Kind::Link(target) => {
                out.push(4);
                put(out, target);
            }
        }
    }

    /// A number for the name of a temporary file of a thread: no two are the same.
    pub fn temporary_number(&mut self, thread: u64) -> u64 {
        let count = self.temporary.entry(thread).or_default();
        *count += 1;
        let bytes = [thread, u64::from(*count)].map(u64::to_le_bytes);
        xxhash_rust::xxh3::xxh3_64(bytes.as_flattened())
    }

    /// An estimate of the memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.names.keys().map(|path| path.len() + 64).sum::<usize>() + self.nodes.len() * 128
    }
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    struct Real;

    impl Disk for Real {
        fn bytes(&mut self, path: &[u8]) -> io::Result<crate::bytes::Bytes> {
            let path = std::ffi::OsStr::from_bytes(path);
            std::fs::read(path).map(crate::bytes::Bytes::new)
        }
    }

    /// A directory of the disk with a file `a` and a directory `d` with a file `b`, and paths in it.
    fn disk() -> (tempfile::TempDir, impl Fn(&str) -> Vec<u8>) {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        std::fs::write(base.join("a"), "a").unwrap();
        std::fs::create_dir(base.join("d")).unwrap();
        std::fs::write(base.join("d/b"), "b").unwrap();
        (directory, move |name| base.join(name).as_os_str().as_bytes().to_vec())
    }

    fn write(layer: &mut Layer, path: &[u8], bytes: &[u8]) {
        let how = OpenMode { writes: true, creates: true, mode: 0o666, ..OpenMode::default() };
        let Ok(OpenedAs::Descriptor(number)) = layer.open(&mut Real, path, how, (1, 3), 0) else {
            panic!("it is not opened")
        };
        let Some(Opened::Node(node)) = layer.node_of(number) else { panic!("it is no node") };
        layer.write_node(&mut Real, node, Some(0), bytes, 0).unwrap();
        layer.close(number);
    }

    fn read(layer: &Layer, path: &[u8]) -> io::Result<Vec<u8>> {
        match layer.source(&layer.resolve(path, true)?) {
            names::Source::Node(node) => layer.read_node(&mut Real, node, 0, 100),
            names::Source::Disk => Real.bytes(path).map(|bytes| bytes.to_vec()),
            names::Source::Nothing => Err(error(libc::ENOENT)),
        }
    }

    fn names(layer: &Layer, path: &[u8]) -> Vec<String> {
        let names = layer.list(path).unwrap();
        names.into_iter().map(|name| String::from_utf8(name).unwrap()).collect()
    }

    #[test]
    fn changes_lie_over_the_disk() {
        let (directory, path) = disk();
        let mut layer = Layer::default();
        write(&mut layer, &path("a"), b"changed");
        write(&mut layer, &path("d/new"), b"new");
        assert_eq!(names(&layer, &path("d")), ["b", "new"]);
        layer.unlink(&path("d/b"), 0).unwrap();
        assert_eq!(names(&layer, &path("d")), ["new"]);
        assert_eq!(read(&layer, &path("a")).unwrap(), b"changed");
        assert!(read(&layer, &path("d/b")).is_err());
        assert_eq!(std::fs::read(directory.path().join("a")).unwrap(), b"a");
        assert_eq!(std::fs::read(directory.path().join("d/b")).unwrap(), b"b");
    }

    #[test]
    fn a_directory_of_the_disk_moves_with_all_that_is_in_it() {
        let (_directory, path) = disk();
        let mut layer = Layer::default();
        layer.rename(&path("d"), &path("e"), 0).unwrap();
        assert_eq!(names(&layer, &path("")), ["a", "e"]);
        assert_eq!(read(&layer, &path("e/b")).unwrap(), b"b");
        assert!(layer.stat(&path("d/b"), true).is_err());
        // Another one in its place has nothing in it.
        layer.make_directory(&path("d"), 0o777, 0).unwrap();
        assert!(names(&layer, &path("d")).is_empty());
        let number = |result: io::Result<()>| result.unwrap_err().raw_os_error();
        assert_eq!(number(layer.rename(&path("e"), &path("e/f"), 0)), Some(libc::EINVAL));
        assert_eq!(number(layer.rename(&path("d"), &path("a"), 0)), Some(libc::ENOTDIR));
        assert_eq!(number(layer.rename(&path("d"), &path("e"), 0)), Some(libc::ENOTEMPTY));
        assert_eq!(number(layer.remove_directory(&path("e"), 0)), Some(libc::ENOTEMPTY));
    }

    #[test]
    fn links_lead_elsewhere_and_loops_fail() {
        let (_directory, path) = disk();
        let mut layer = Layer::default();
        layer.make_link(b"d/../d", &path("l"), 0).unwrap();
        assert_eq!(layer.real_path(&path("l/b")).unwrap().to_vec(), path("d/b"));
        layer.make_link(b"loop", &path("loop"), 0).unwrap();
        assert_eq!(layer.stat(&path("loop"), true).unwrap_err().raw_os_error(), Some(libc::ELOOP));
        layer.link(&path("a"), &path("h"), 0).unwrap();
        write(&mut layer, &path("h"), b"h");
        assert_eq!(read(&layer, &path("a")).unwrap(), b"h");
        assert_eq!(layer.stat(&path("h"), true).unwrap().links, 2);
    }

    #[test]
    fn what_was_made_and_deleted_leaves_nothing_behind() {
        let (_directory, path) = disk();
        let mut layer = Layer::default();
        write(&mut layer, &path("d/new"), b"new");
        layer.make_directory(&path("d/x"), 0o777, 0).unwrap();
        layer.remove_directory(&path("d/x"), 0).unwrap();
        layer.unlink(&path("d/new"), 0).unwrap();
        assert_eq!(layer, Layer::default());
    }

    #[test]
    fn layers_are_told_apart_by_what_can_be_seen() {
        let (_directory, path) = disk();
        let (mut one, mut other) = (Layer::default(), Layer::default());
        write(&mut one, &path("x"), b"x");
        write(&mut one, &path("y"), b"y");
        write(&mut other, &path("y"), b"y");
        assert_ne!(one.print(true), other.print(true));
        let mut other = other.clone();
        write(&mut other, &path("x"), b"x");
        // Nodes have other numbers.
        assert_ne!(one, other);
        assert_eq!(one.print(true), other.print(true));
        let mut other = other.clone();
        other.set_changed(&path("x"), 7).unwrap();
        assert_ne!(one.print(true), other.print(true));
        assert_eq!(one.print(false), other.print(false));
        let mut other = other.clone();
        write(&mut other, &path("x"), b"X");
        assert_ne!(one.print(false), other.print(false));
    }
}
