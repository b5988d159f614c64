//! Open files, and when another thread can notice what is done to files.
//!
//! A descriptor of a file that the program has made or changed is known to the layer, which is a part of the state. One of a file
//! on the disk stands for its path, for ever, so that it needs no place in the state. Where a reader or writer stands is kept
//! in the program's own `FileDescriptor`, in the field that other systems keep a handle in.

use super::reason;
use crate::files::{
    Disk, FIRST, Layer, NodeId, OpenMode, Opened, OpenedAs, Stat, error, random, reads_as_directory,
};
use crate::machine::visible::{Behaviour, Operation, OperationKind};
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::Ref;
use std::io;
use std::os::unix::ffi::OsStrExt;

/// What an error of a file means to the machine: an exception for the program, or a refusal.
pub(super) fn refusal(error: &io::Error) -> Option<Abrupt> {
    let refused = error.raw_os_error().is_none() && error.kind() == io::ErrorKind::Unsupported;
    refused.then(|| Abrupt::unsupported(format!("{error} is not supported")))
}

/// An `IOException` for an error.
pub(super) fn failed(error: &io::Error) -> Abrupt {
    refusal(error).unwrap_or_else(|| Abrupt::raise("java/io/IOException", reason(error)))
}

impl Machine {
    /// Whether the program has made or changed files. The disk is as it was.
    pub fn has_changed_files(&self) -> bool {
        self.files.layer.has_changed_names()
    }

    /// Now, in nanoseconds since 1970.
    pub(super) fn time_of_files(&self) -> i64 {
        crate::machine::clock::EPOCH_MILLIS * 1_000_000 + self.clock.now
    }

    /// Whether a file cannot change: it belongs to the JDK.
    fn is_fixed(&self, path: &[u8]) -> bool {
        path.starts_with(self.library.jdk.home.as_os_str().as_bytes())
    }

    /// The program looks at what is at a path. Others can notice the order only if the program is known to change files.
    pub(super) fn look_at_path(&mut self, path: &[u8], what: &str) -> Run<()> {
        if self.is_fixed(path) {
            return Ok(());
        }
        self.look_at_files(|| format!("{what} {}", String::from_utf8_lossy(path)))
    }

    fn look_at_files(&mut self, words: impl FnOnce() -> String) -> Run<()> {
        let known =
            self.scheduling.expects(Behaviour::ChangesFiles) || !self.scheduling.settings.reduce.immutable;
        match self.scheduling.controlled && known && !self.scheduling.is_in_scope() {
            true => self.file_operation(OperationKind::LookAtFile, words),
            false => Ok(()),
        }
    }

    /// Fails if a file must not change.
    pub(super) fn refuse_fixed(&self, path: &[u8]) -> Run<()> {
        if !self.is_fixed(path) {
            return Ok(());
        }
        let path = String::from_utf8_lossy(path);
        Err(Abrupt::unsupported(format!("changing {path}, a file of the JDK, is not supported")))
    }

    /// The program is about to change what is at a path.
    pub(super) fn change_path(&mut self, path: &[u8], what: &str) -> Run<()> {
        self.refuse_fixed(path)?;
        self.change_files(|| format!("{what} {}", String::from_utf8_lossy(path)))
    }

    fn change_files(&mut self, words: impl FnOnce() -> String) -> Run<()> {
        if self.scheduling.accesses_matter {
            self.learn_behaviour(Behaviour::ChangesFiles);
        }
        self.file_operation(OperationKind::ChangeFile, words)
    }

    fn file_operation(&mut self, what: OperationKind, words: impl FnOnce() -> String) -> Run<()> {
        let free = self.scheduling.may_perform;
        self.visible(Operation::new(what, Ref::NULL))?;
        if free && !self.scheduling.may_perform {
            self.scheduling.record.note_file_operation(words);
        }
        Ok(())
    }

    /// The program is about to use a descriptor. Reading moves it, which others notice if they have the same one.
    fn use_descriptor(&mut self, object: Ref, opened: &Opened, changes: bool, what: &str) -> Run<()> {
        let words = |opened: &Opened| match opened {
            Opened::Disk(path) => format!("{what} {}", String::from_utf8_lossy(path)),
            _ => format!("{what} a file"),
        };
        let shared = !object.is_null() && self.may_be_visible(object);
        match opened {
            _ if changes || shared => self.change_files(|| words(opened)),
            Opened::Disk(path) if self.is_fixed(path) => Ok(()),
            Opened::Random | Opened::Null => Ok(()),
            _ => self.look_at_files(|| words(opened)),
        }
    }

    /// The layer, to be changed.
    pub(super) fn layer_mut(&mut self) -> &mut Layer {
        self.files.layer.to_change()
    }

    /// Opens a file; its descriptor.
    pub(super) fn open_file(&mut self, path: &[u8], how: OpenMode) -> Run<io::Result<i32>> {
        let changes = how.writes || how.creates;
        if changes {
            self.change_path(path, "opens")?;
        } else {
            self.look_at_path(path, "opens")?;
            match self.files.layer.open_on_disk(path, how) {
                Ok(Some(opened)) => return Ok(Ok(self.open_disk(opened))),
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        let (thread, now) = (self.threads.list[self.turn.thread].print, self.time_of_files());
        let layer = self.files.layer.to_change();
        let opened = layer.open(&mut self.files.disk.contents, path, how, (thread, FIRST), now);
        Ok(opened.map(|opened| match opened {
            OpenedAs::Descriptor(number) => number,
            OpenedAs::Other(opened) => self.open_disk(opened),
        }))
    }

    fn open_disk(&mut self, opened: Opened) -> i32 {
        // A program that is only run sees what the disk has when it opens a file.
        if let (Opened::Disk(path), false) = (&opened, self.scheduling.controlled) {
            self.files.disk.contents.known.remove(&path[..]);
        }
        self.files.disk.number(opened)
    }

    /// What a descriptor stands for.
    pub(super) fn opened(&self, number: i32) -> io::Result<Opened> {
        let opened =
            self.files.layer.node_of(number).or_else(|| self.files.disk.opened.get(&number).cloned());
        opened.map(|opened| self.files.layer.current(&opened)).ok_or_else(|| error(libc::EBADF))
    }

    /// Closes a descriptor by its number; `object` is the program's `FileDescriptor`, if there is one.
    pub(super) fn close_file(&mut self, object: Ref, number: i32) -> Run<()> {
        if number < FIRST {
            return Ok(());
        }
        if let Ok(opened) = self.opened(number) {
            let changes = self.files.layer.writes(number);
            self.use_descriptor(object, &opened, changes, "closes")?;
            if self.files.layer.node_of(number).is_some() {
                self.layer_mut().close(number);
            }
        }
        if !object.is_null() {
            self.set_int(object, "fd", -1);
        }
        Ok(())
    }

    /// The number that a `FileDescriptor` holds.
    pub(super) fn descriptor_number(&self, object: Ref) -> Run<i32> {
        if object.is_null() { Err(Abrupt::null()) } else { Ok(self.int_in(object, "fd")) }
    }

    /// Where the reader or writer of a `FileDescriptor` stands. A new one has -1 in this field.
    pub(super) fn position_of(&self, object: Ref) -> u64 {
        (self.long_in(object, "handle") + 1) as u64
    }

    /// Notes where the reader or writer of a `FileDescriptor` stands.
    pub(super) fn set_position(&mut self, object: Ref, position: u64) {
        self.set_long(object, "handle", position as i64 - 1);
    }

    /// Goes to another place of a file, which threads with the same descriptor notice.
    pub(super) fn move_to(&mut self, object: Ref, position: u64) -> Run<()> {
        if self.may_be_visible(object) {
            self.change_files(|| "moves in a file".into())?;
        }
        self.set_position(object, position);
        Ok(())
    }

    /// Reads from where a `FileDescriptor` stands, and goes on from there; or from a position.
    pub(super) fn read_from(
        &mut self,
        object: Ref,
        position: Option<u64>,
        count: usize,
    ) -> Run<io::Result<Vec<u8>>> {
        let number = self.descriptor_number(object)?;
        let from = position.unwrap_or_else(|| self.position_of(object));
        let read = match number {
            0 => self.read_input(from, count),
            _ => match self.opened(number) {
                Err(error) => Err(error),
                Ok(opened) => {
                    self.use_descriptor(object, &opened, false, "reads")?;
                    match self.files.layer.reads(number) {
                        true => self.read_opened(&opened, from, count),
                        false => Err(error(libc::EBADF)),
                    }
                }
            },
        };
        if let (Ok(bytes), None) = (&read, position) {
            let from = self.position_of(object);
            self.set_position(object, from + bytes.len() as u64);
        }
        Ok(read)
    }

    /// Standard input is read no further than it must be.
    fn read_input(&mut self, position: u64, count: usize) -> io::Result<Vec<u8>> {
        let (position, input) = (position as usize, &mut self.files.disk.input);
        if position >= input.len() {
            let mut more = vec![0; count.clamp(1, 8192)];
            let read = self.options.console.input(&mut more)?;
            input.extend_from_slice(&more[..read]);
        }
        let rest = input.get(position..).unwrap_or_default();
        Ok(rest[..count.min(rest.len())].to_vec())
    }

    /// Up to `count` bytes from a position on; none at the end.
    pub(super) fn read_opened(
        &mut self,
        opened: &Opened,
        position: u64,
        count: usize,
    ) -> io::Result<Vec<u8>> {
        match opened {
            Opened::Node(node) => {
                self.files.layer.read_node(&mut self.files.disk.contents, *node, position, count)
            }
            Opened::Disk(path) => {
                let bytes = match self.files.disk.contents.bytes(path) {
                    Err(_) if reads_as_directory(path) => return Err(error(libc::EISDIR)),
                    read => read?,
                };
                let rest = usize::try_from(position).ok().and_then(|start| bytes.get(start..));
                let rest = rest.unwrap_or_default();
                Ok(rest[..count.min(rest.len())].to_vec())
            }
            Opened::Random => Ok((position..position + count as u64).map(random).collect()),
            Opened::Null => Ok(Vec::new()),
        }
    }

    /// Writes to where a `FileDescriptor` stands, or to the end of a file that is appended to, and goes on from there; or to a
    /// position.
    pub(super) fn write_to(
        &mut self,
        object: Ref,
        position: Option<u64>,
        bytes: &[u8],
    ) -> Run<io::Result<()>> {
        let number = self.descriptor_number(object)?;
        match number {
            1 => self.options.console.out(bytes),
            2 => self.options.console.err(bytes),
            _ => return self.write_to_file(object, number, position, bytes),
        }
        Ok(Ok(()))
    }

    fn write_to_file(
        &mut self,
        object: Ref,
        number: i32,
        position: Option<u64>,
        bytes: &[u8],
    ) -> Run<io::Result<()>> {
        let opened = match self.opened(number) {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        let node = match opened {
            Opened::Null => return Ok(Ok(())),
            Opened::Node(node) => node,
            Opened::Disk(_) | Opened::Random => return Ok(Err(error(libc::EBADF))),
        };
        self.use_descriptor(object, &opened, true, "writes")?;
        if !self.files.layer.writes(number) {
            return Ok(Err(error(libc::EBADF)));
        }
        let at = match self.files.layer.appends(number) {
            true => None,
            false => Some(position.unwrap_or_else(|| self.position_of(object))),
        };
        let written = self.write_node(node, at, bytes);
        if let (Ok(end), None) = (&written, position) {
            self.set_position(object, *end);
        }
        Ok(written.map(drop))
    }

    /// Writes to a node at a position, or to its end; the position behind that.
    pub(super) fn write_node(&mut self, node: NodeId, at: Option<u64>, bytes: &[u8]) -> io::Result<u64> {
        let now = self.time_of_files();
        let layer = self.files.layer.to_change();
        layer.write_node(&mut self.files.disk.contents, node, at, bytes, now)
    }

    /// Gives a file another length. A writer that stands behind it goes back to its end.
    pub(super) fn set_length(&mut self, object: Ref, length: u64) -> Run<io::Result<()>> {
        let number = self.descriptor_number(object)?;
        let (opened, node) = match self.opened(number) {
            Ok(opened @ Opened::Node(node)) => (opened, node),
            Ok(_) => return Ok(Err(error(libc::EINVAL))),
            Err(error) => return Ok(Err(error)),
        };
        self.use_descriptor(object, &opened, true, "sets the length of")?;
        if !self.files.layer.writes(number) {
            return Ok(Err(error(libc::EINVAL)));
        }
        let now = self.time_of_files();
        let layer = self.files.layer.to_change();
        Ok(layer.set_length(&mut self.files.disk.contents, node, length, now))
    }

    /// What is known of an open file.
    pub(super) fn stat_file(&mut self, object: Ref, number: i32) -> Run<io::Result<Stat>> {
        if number < FIRST {
            return Ok(Ok(Stat { mode: libc::S_IFCHR | 0o620, ..Stat::default() }));
        }
        let opened = match self.opened(number) {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        let shared = !object.is_null() && self.may_be_visible(object);
        match &opened {
            Opened::Disk(path) if self.is_fixed(path) && !shared => {}
            _ => self.look_at_files(|| "looks at a file".into())?,
        }
        Ok(self.files.layer.stat_opened(&opened))
    }
}
