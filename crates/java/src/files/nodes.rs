//! Open files: reading and writing through descriptors.

use super::{Contents, Disk, Kind, Layer, Node, NodeId, Open, Opened, Stat, error, names};
use std::io;
use std::rc::Rc;

impl Layer {
    /// What is opened is a node if the program has made or changed it.
    pub fn current(&self, opened: &Opened) -> Opened {
        match opened {
            Opened::Disk(path) => match self.adopted.get(path) {
                Some(&node) => Opened::Node(node),
                None => opened.clone(),
            },
            other => other.clone(),
        }
    }

    /// The node of a descriptor of this layer.
    pub fn node_of(&self, descriptor: i32) -> Option<Opened> {
        self.open.get(&descriptor).map(|open| Opened::Node(open.node))
    }

    /// Whether what is written through a descriptor of this layer goes to the end.
    pub fn appends(&self, descriptor: i32) -> bool {
        self.open.get(&descriptor).is_some_and(|open| open.appends)
    }

    /// Whether a descriptor is there to be written through.
    pub fn writes(&self, descriptor: i32) -> bool {
        self.open.get(&descriptor).is_some_and(|open| open.writes)
    }

    /// Whether a descriptor is there to be read through, as those of the disk are.
    pub fn reads(&self, descriptor: i32) -> bool {
        self.open.get(&descriptor).is_none_or(|open| open.reads)
    }

    /// What is known of what was opened.
    pub fn stat_opened(&self, opened: &Opened) -> io::Result<Stat> {
        match self.current(opened) {
            Opened::Node(node) if self.nodes.contains_key(&node) => Ok(self.stat_node(node)),
            Opened::Node(_) => Err(error(libc::EBADF)),
            Opened::Disk(path) => names::on_disk(&path),
            Opened::Null | Opened::Random => Ok(Stat { mode: libc::S_IFCHR | 0o666, ..Stat::default() }),
        }
    }

    /// Up to `count` bytes of a node from a position on.
    pub fn read_node(
        &self,
        disk: &mut dyn Disk,
        id: NodeId,
        position: u64,
        count: usize,
    ) -> io::Result<Vec<u8>> {
        let node = self.nodes.get(&id).ok_or_else(|| error(libc::EBADF))?;
        match &node.kind {
            Kind::File(contents) => Ok(contents.read(position, count)),
            Kind::Copy(path) => {
                let bytes = disk.bytes(path)?;
                let rest = usize::try_from(position).ok().and_then(|start| bytes.get(start..));
                let rest = rest.unwrap_or_default();
                Ok(rest[..count.min(rest.len())].to_vec())
            }
            Kind::Directory { .. } => Err(error(libc::EISDIR)),
            Kind::Link(_) => Err(error(libc::EINVAL)),
        }
    }

    /// The bytes of a node, to be changed now.
    pub(super) fn contents(
        &mut self,
        disk: &mut dyn Disk,
        id: NodeId,
        now: i64,
    ) -> io::Result<&mut Contents> {
        if self.mapped.values().any(|mapped| self.current(mapped) == Opened::Node(id)) {
            let text = "changing a file that is mapped into memory";
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        let node: &mut Node = self.nodes.get_mut(&id).ok_or_else(|| error(libc::EBADF))?;
        node.changed = now;
        if let Kind::Copy(path) = &node.kind {
            node.kind = Kind::File(Contents::of(&disk.bytes(path)?));
        }
        match &mut node.kind {
            Kind::File(contents) => Ok(contents),
            _ => Err(error(libc::EISDIR)),
        }
    }

    /// Writes bytes to a node at a position, or to its end; the position behind them.
    pub fn write_node(
        &mut self,
        disk: &mut dyn Disk,
        id: NodeId,
        position: Option<u64>,
        bytes: &[u8],
        now: i64,
    ) -> io::Result<u64> {
        let contents = self.contents(disk, id, now)?;
        let position = position.unwrap_or(contents.len());
        contents.write(position, bytes)?;
        Ok(position + bytes.len() as u64)
    }

    /// Cuts a node off at a length, or makes it that long.
    pub fn set_length(&mut self, disk: &mut dyn Disk, id: NodeId, length: u64, now: i64) -> io::Result<()> {
        self.contents(disk, id, now)?.set_len(length)
    }

    /// Keeps a descriptor of a node for a thread: its number. Each thread has numbers of its own, so that what others open does
    /// not change them.
    pub(super) fn keep_open(&mut self, open: Open, thread: u64, first: i32) -> i32 {
        const NUMBERS: i32 = 1 << 29;
        let start = (thread ^ thread >> 32) as i32 & (NUMBERS - 1);
        let mut numbers = (0..NUMBERS).map(|nth| first + (start + nth) % NUMBERS);
        let number = numbers.find(|number| !self.open.contains_key(number)).unwrap_or(first);
        self.open.insert(number, open);
        number
    }

    /// Closes a descriptor of this layer.
    pub fn close(&mut self, descriptor: i32) {
        if let Some(open) = self.open.remove(&descriptor) {
            self.release(open.node);
        }
    }

    /// A node without a name that no descriptor stands for is gone.
    pub(super) fn release(&mut self, id: NodeId) {
        let named = self.names.values().any(|named| *named == Some(id));
        let opened = self.open.values().any(|open| open.node == id);
        let adopted = self.adopted.values().any(|&node| node == id);
        if !(named || opened || adopted) {
            self.nodes.remove(&id);
        }
    }

    /// Keeps in mind that what was opened is mapped at an address, or is so no more.
    pub fn map(self: &mut Rc<Layer>, address: u64, opened: Option<Opened>) {
        let known = self.mapped.contains_key(&address);
        match opened {
            Some(opened) => {
                self.to_change().mapped.insert(address, opened);
            }
            None if known => {
                self.to_change().mapped.remove(&address);
            }
            None => {}
        }
    }
}
