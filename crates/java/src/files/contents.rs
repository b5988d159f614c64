//! The bytes of a changed file.

use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

/// Bytes that are copied when one of them changes and another state still has them.
const CHUNK: u64 = 4096;
/// The longest file: a program that wants more has to be refused before the memory is full.
const LONGEST: u64 = 1 << 30;

/// The bytes of a file, in chunks that states share. A chunk that is not there is all zeros, and so is the rest of one
/// that is shorter than others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    chunks: BTreeMap<u64, Rc<Vec<u8>>>,
    length: u64,
}

impl Contents {
    /// The bytes of a file that was not changed before.
    pub fn of(bytes: &[u8]) -> Contents {
        let chunks = bytes.chunks(CHUNK as usize).enumerate();
        let chunks = chunks.map(|(index, chunk)| (index as u64, Rc::new(chunk.to_vec()))).collect();
        Contents { chunks, length: bytes.len() as u64 }
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Up to `count` bytes from a position on; none at the end.
    pub fn read(&self, position: u64, count: usize) -> Vec<u8> {
        let left = self.length.saturating_sub(position);
        let count = left.min(count as u64);
        let mut bytes = vec![0; count as usize];
        for (&index, chunk) in self.chunks.range(position / CHUNK..=(position + count) / CHUNK) {
            let start = index * CHUNK;
            let (from, to) = (start.max(position), (start + chunk.len() as u64).min(position + count));
            if from < to {
                let part = &chunk[(from - start) as usize..(to - start) as usize];
                bytes[(from - position) as usize..(to - position) as usize].copy_from_slice(part);
            }
        }
        bytes
    }

    /// Writes bytes at a position, behind the end if it lies there.
    pub fn write(&mut self, position: u64, bytes: &[u8]) -> io::Result<()> {
        let end = position.checked_add(bytes.len() as u64).filter(|&end| end <= LONGEST);
        let end = end.ok_or_else(too_long)?;
        let mut at = position;
        while at < end {
            let (index, offset) = (at / CHUNK, (at % CHUNK) as usize);
            let count = (end - at).min(CHUNK - offset as u64) as usize;
            let chunk = Rc::make_mut(self.chunks.entry(index).or_default());
            if chunk.len() < offset + count {
                chunk.resize(offset + count, 0);
            }
            let from = (at - position) as usize;
            chunk[offset..offset + count].copy_from_slice(&bytes[from..from + count]);
            at += count as u64;
        }
        if !bytes.is_empty() {
            self.length = self.length.max(end);
        }
        Ok(())
    }

    /// Cuts off what lies behind a length, or adds zeros up to it.
    pub fn set_len(&mut self, length: u64) -> io::Result<()> {
        if length > LONGEST {
            return Err(too_long());
        }
        self.chunks.retain(|&index, _| index * CHUNK < length);
        if let Some((&index, chunk)) = self.chunks.iter_mut().next_back()
            && index * CHUNK + chunk.len() as u64 > length
        {
            Rc::make_mut(chunk).truncate((length - index * CHUNK) as usize);
        }
        self.length = length;
        Ok(())
    }

    /// Everything, for an encoding of the state.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.length.to_le_bytes());
        for (index, chunk) in &self.chunks {
            out.extend_from_slice(&index.to_le_bytes());
            out.extend_from_slice(&(chunk.len() as u64).to_le_bytes());
            out.extend_from_slice(chunk);
        }
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "a file of more than 1 GB that the program writes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_behind_the_end_are_zeros() {
        let mut contents = Contents::default();
        contents.write(3, b"ab").unwrap();
        contents.write(2 * CHUNK - 1, b"xyz").unwrap();
        assert_eq!(contents.len(), 2 * CHUNK + 2);
        assert_eq!(contents.read(0, 6), b"\0\0\0ab\0");
        assert_eq!(contents.read(2 * CHUNK - 2, 10), b"\0xyz");
        assert!(contents.read(2 * CHUNK + 2, 10).is_empty());
    }

    #[test]
    fn extended_file_reads_zeroes_after_truncation() {
        let mut contents = Contents::of(&[7; 9000]);
        contents.set_len(5).unwrap();
        contents.set_len(9).unwrap();
        assert_eq!(contents.read(0, 100), [7, 7, 7, 7, 7, 0, 0, 0, 0]);
        assert!(contents.set_len(LONGEST + 1).is_err());
    }

    #[test]
    fn copies_keep_what_they_had() {
        let mut contents = Contents::of(b"before");
        let copy = contents.clone();
        contents.write(0, b"B").unwrap();
        assert_eq!((contents.read(0, 6), copy.read(0, 6)), (b"Before".to_vec(), b"before".to_vec()));
    }
}
