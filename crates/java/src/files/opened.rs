//! Files of the disk that the program has opened, by descriptor.

use super::{Disk, Opened};
use crate::bytes::Bytes;
use hashbrown::HashMap;
use std::io;
use std::os::unix::ffi::OsStrExt;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// The descriptors of standard input, output and error come first, those of the layer next, and those of the disk last.
pub(crate) const FIRST: i32 = 3;
const FIRST_OF_DISK: i32 = 1 << 30;

/// What is the same in every state: files of the disk that have been opened, and standard input.
#[derive(Default)]
pub struct Files {
    pub(crate) opened: Map<i32, Opened>,
    pub(crate) contents: DiskContents,
    /// What has been read of standard input so far.
    pub(crate) input: Vec<u8>,
}

/// The bytes of files on the disk. While a program is explored they are read once: all executions see the same.
#[derive(Default)]
pub(crate) struct DiskContents {
    pub(crate) known: Map<Vec<u8>, Bytes>,
}

impl Disk for DiskContents {
    fn bytes(&mut self, path: &[u8]) -> io::Result<Bytes> {
        if let Some(bytes) = self.known.get(path) {
            return Ok(bytes.clone());
        }
        let bytes = Bytes::new(std::fs::read(std::ffi::OsStr::from_bytes(path))?);
        self.known.insert(path.to_vec(), bytes.clone());
        Ok(bytes)
    }
}

impl Files {
    /// The descriptor of something that is not in the layer: the same one whenever it is opened.
    pub(crate) fn number(&mut self, opened: Opened) -> i32 {
        let name: &[u8] = match &opened {
            Opened::Disk(path) => path,
            Opened::Null => b"null",
            _ => b"random",
        };
        let hash = xxhash_rust::xxh3::xxh3_64(name) as i32 & (FIRST_OF_DISK - 1);
        let mut numbers = (0..).map(|nth| FIRST_OF_DISK + (hash + nth) % FIRST_OF_DISK);
        let free = |number: &i32| self.opened.get(number).is_none_or(|known| *known == opened);
        let number = numbers.find(free).unwrap_or(FIRST_OF_DISK);
        self.opened.insert(number, opened);
        number
    }
}

/// The byte of the random devices at a position.
pub(crate) fn random(position: u64) -> u8 {
    xxhash_rust::xxh3::xxh3_64(&position.to_le_bytes()) as u8
}
