//! Open files.

use crate::bytes::Bytes;
use crate::machine::{Console, Machine, Run, Trouble};
use crate::memory::Ref;
use std::io;
use std::os::unix::fs::MetadataExt;

/// The descriptors of standard input, output and error come first.
const FIRST: i32 = 3;

/// Files that have been opened. A descriptor stands for a path and what was found there, so that a state's descriptors mean
/// the same for ever, and whoever opens a file again gets the same one.
#[derive(Default)]
pub struct Files {
    open: Vec<Open>,
    /// What has been read of standard input so far.
    input: Vec<u8>,
}

#[derive(PartialEq, Eq)]
struct Open {
    path: String,
    contents: Contents,
}

/// What a descriptor gives its readers.
#[derive(Clone, PartialEq, Eq)]
enum Contents {
    /// The bytes of a file when it was opened.
    Bytes(Bytes),
    /// A device of random bytes: the same ones in every run.
    Random,
    /// A directory, which can be looked at but not read.
    Directory,
}

impl Files {
    /// Opens a file for reading; its descriptor.
    pub fn open(&mut self, path: &str) -> io::Result<i32> {
        let contents = if matches!(path, "/dev/random" | "/dev/urandom") {
            Contents::Random
        } else if std::fs::metadata(path)?.is_dir() {
            Contents::Directory
        } else {
            Contents::Bytes(Bytes::new(std::fs::read(path)?))
        };
        let open = Open { path: path.into(), contents };
        let known = self.open.iter().position(|known| *known == open);
        let index = known.unwrap_or_else(|| {
            self.open.push(open);
            self.open.len() - 1
        });
        Ok(FIRST + index as i32)
    }

    fn contents(&self, descriptor: i32) -> io::Result<&Contents> {
        let index = usize::try_from(descriptor - FIRST).ok();
        let open = index.and_then(|index| self.open.get(index));
        open.map(|open| &open.contents).ok_or_else(|| io::Error::from_raw_os_error(libc::EBADF))
    }

    /// The path that a descriptor was opened by.
    pub fn path(&self, descriptor: i32) -> io::Result<&str> {
        let index = usize::try_from(descriptor - FIRST).ok();
        let open = index.and_then(|index| self.open.get(index));
        open.map(|open| open.path.as_str()).ok_or_else(|| io::Error::from_raw_os_error(libc::EBADF))
    }

    /// The number of bytes of a file.
    pub fn length(&self, descriptor: i32) -> io::Result<u64> {
        if descriptor < FIRST {
            return Ok(0);
        }
        Ok(match self.contents(descriptor)? {
            Contents::Bytes(bytes) => bytes.len() as u64,
            Contents::Random => 0,
            Contents::Directory => std::fs::metadata(self.path(descriptor)?)?.size(),
        })
    }

    /// Up to `count` bytes from a position on; none at the end. Standard input is read no further than it must be.
    pub fn read(
        &mut self,
        console: &mut dyn Console,
        descriptor: i32,
        position: u64,
        count: usize,
    ) -> io::Result<Vec<u8>> {
        if descriptor == 0 {
            let position = position as usize;
            if position >= self.input.len() {
                let mut more = vec![0; count.clamp(1, 8192)];
                let read = console.input(&mut more)?;
                self.input.extend_from_slice(&more[..read]);
            }
            let rest = self.input.get(position..).unwrap_or_default();
            return Ok(rest[..count.min(rest.len())].to_vec());
        }
        match self.contents(descriptor)? {
            Contents::Bytes(bytes) => {
                let rest = usize::try_from(position).ok().and_then(|start| bytes.get(start..));
                let rest = rest.unwrap_or_default();
                Ok(rest[..count.min(rest.len())].to_vec())
            }
            Contents::Random => Ok((position..position + count as u64).map(random).collect()),
            Contents::Directory => Err(io::Error::from_raw_os_error(libc::EISDIR)),
        }
    }
}

/// The byte of the random devices at a position.
fn random(position: u64) -> u8 {
    xxhash_rust::xxh3::xxh3_64(&position.to_le_bytes()) as u8
}

impl Machine {
    /// The number that a `FileDescriptor` holds.
    pub(super) fn descriptor_number(&self, object: Ref) -> Run<i32> {
        if object.is_null() { Err(Trouble::null()) } else { Ok(self.int_in(object, "fd")) }
    }

    /// Where the reader of a `FileDescriptor` stands. A new one has -1 in this field.
    pub(super) fn position_of(&self, object: Ref) -> u64 {
        (self.long_in(object, "handle") + 1) as u64
    }

    /// Notes where the reader of a `FileDescriptor` stands.
    pub(super) fn set_position(&mut self, object: Ref, position: u64) {
        self.set_long(object, "handle", position as i64 - 1);
    }

    /// Reads from where a `FileDescriptor` stands, and goes on from there.
    pub(super) fn read_from(&mut self, object: Ref, count: usize) -> Run<io::Result<Vec<u8>>> {
        let (number, position) = (self.descriptor_number(object)?, self.position_of(object));
        let read = self.files.read(&mut *self.options.console, number, position, count);
        if let Ok(bytes) = &read {
            self.set_position(object, position + bytes.len() as u64);
        }
        Ok(read)
    }
}
