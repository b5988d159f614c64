//! Zip archives, as far as jars need them: entries that are stored or deflated, with zip64.
//!
//! The reader is our own since an archive is untrusted. The `zip` crate goes back through everything that looks like the end of an archive
//! and reads a whole directory for each. That takes 0.2 s for a hostile file of 100 KB, and four times as long for one of twice the size.
//! Here the last end counts, and sizes are compared with what there is before memory is asked for.

use super::LARGEST;
use crate::bytes::Bytes;
use hashbrown::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: u64 = 22;
const END64_LOCATOR: &[u8] = b"PK\x06\x07";
const END64_LOCATOR_SIZE: u64 = 20;
const END64: &[u8] = b"PK\x06\x06";
const END64_SIZE: u64 = 56;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: u64 = 30;

/// Where the bytes of an archive are.
pub enum Source {
    /// A file, which is read piece by piece. It is not mapped: to build a jar anew during a run must not end us.
    File(File),
    /// The memory.
    Bytes(Bytes),
}

/// An archive whose directory has been read.
pub struct Archive {
    source: Source,
    len: u64,
    entries: Vec<Entry>,
    by_name: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
}

/// What the directory says of one entry.
struct Entry {
    flags: u16,
    method: u16,
    crc: u32,
    compressed: u64,
    size: u64,
    /// Where its local header begins.
    header: u64,
}

/// Why an archive or an entry of it could not be read.
pub enum ArchiveError {
    /// The file could not be read.
    Io(io::Error),
    /// What was read makes no sense.
    Corrupt(&'static str),
    /// The directory or the entry is larger than any should be.
    TooLarge,
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        ArchiveError::Io(error)
    }
}

use ArchiveError::Corrupt;

impl Archive {
    /// Reads the directory of an archive.
    pub fn open(source: Source) -> Result<Archive, ArchiveError> {
        let len = match &source {
            Source::File(file) => file.metadata()?.len(),
            Source::Bytes(bytes) => bytes.len() as u64,
        };
        let mut archive = Archive { source, len, entries: Vec::new(), by_name: HashMap::default() };
        let (end, size, offset) = archive.directory()?;
        let start = end.checked_sub(size).ok_or(Corrupt("its directory is larger than what is before it"))?;
        // Offsets count from where the archive begins, which a program that was put before it has moved.
        let moved = start.checked_sub(offset).ok_or(Corrupt("its directory lies outside"))?;
        let directory = archive.read(start, size)?;
        archive.index(&directory, moved)?;
        Ok(archive)
    }

    /// The names of all entries, directories among them, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(|name| &**name)
    }

    /// The number by which `contents` finds the entry of a name. Of several with one name it is the last.
    pub fn position(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The decompressed bytes of an entry, which have the size and the checksum that the directory promises.
    pub fn contents(&self, position: u32) -> Result<Vec<u8>, ArchiveError> {
        let entry = self.entries.get(position as usize).ok_or(Corrupt("there is no such entry"))?;
        if entry.size > LARGEST {
            return Err(ArchiveError::TooLarge);
        }
        if entry.flags & 1 != 0 {
            return Err(Corrupt("it is encrypted"));
        }
        let header = self.read(entry.header, LOCAL_SIZE)?;
        if !header.starts_with(LOCAL) {
            return Err(Corrupt("its header is missing"));
        }
        let names = u64::from(short(&header, 26)) + u64::from(short(&header, 28));
        let packed = self.read(entry.header + LOCAL_SIZE + names, entry.compressed)?;
        let contents = match entry.method {
            0 => packed,
            8 => {
                let mut contents = Vec::new();
                let inflated = flate2::read::DeflateDecoder::new(&packed[..]).take(entry.size + 1);
                { inflated }
                    .read_to_end(&mut contents)
                    .map_err(|_| Corrupt("its compressed bytes are damaged"))?;
                contents
            }
            _ => return Err(Corrupt("it is compressed in a way that jars do not use")),
        };
        if contents.len() as u64 != entry.size {
            return Err(Corrupt("it does not have the size that the jar promises"));
        }
        let mut crc = flate2::Crc::new();
        crc.update(&contents);
        if crc.sum() != entry.crc {
            return Err(Corrupt("its checksum is wrong"));
        }
        Ok(contents)
    }

    /// Where the directory ends, its size, and the offset at which it says to begin.
    fn directory(&self) -> Result<(u64, u64, u64), ArchiveError> {
        // Only a comment may follow the end record, and its length is a short.
        let tail_size = self.len.min(END_SIZE + u64::from(u16::MAX));
        let tail_start = self.len - tail_size;
        let tail = self.read(tail_start, tail_size)?;
        let at = (0..=tail.len().saturating_sub(END_SIZE as usize)).rev().find(|&at| {
            tail[at..].starts_with(END)
                && tail.len() - at >= END_SIZE as usize
                && at + END_SIZE as usize + short(&tail, at + 20) as usize <= tail.len()
        });
        let at = at.ok_or(Corrupt("it does not end as a zip archive does"))?;
        let end = tail_start + at as u64;
        let (count, size, offset) = (short(&tail, at + 10), int(&tail, at + 12), int(&tail, at + 16));
        let large = count == u16::MAX || size == u32::MAX || offset == u32::MAX;
        if large && end >= END64_LOCATOR_SIZE {
            let locator = self.read(end - END64_LOCATOR_SIZE, END64_LOCATOR_SIZE)?;
            if locator.starts_with(END64_LOCATOR) {
                let end64 = long(&locator, 8);
                let record = self.read(end64, END64_SIZE)?;
                if !record.starts_with(END64) {
                    return Err(Corrupt("its zip64 end record is missing"));
                }
                return Ok((end64, long(&record, 40), long(&record, 48)));
            }
        }
        Ok((end, size.into(), offset.into()))
    }

    fn index(&mut self, directory: &[u8], moved: u64) -> Result<(), ArchiveError> {
        let mut rest = directory;
        while !rest.is_empty() {
            let (head, after) = rest
                .split_at_checked(ENTRY_SIZE)
                .filter(|(head, _)| head.starts_with(ENTRY))
                .ok_or(Corrupt("its directory is damaged"))?;
            let [name, extra, comment] = [28, 30, 32].map(|at| short(head, at) as usize);
            let cut_off = || Corrupt("its directory is cut off");
            let (name, after) = after.split_at_checked(name).ok_or_else(cut_off)?;
            let (extra, after) = after.split_at_checked(extra).ok_or_else(cut_off)?;
            rest = after.get(comment..).ok_or_else(cut_off)?;
            let mut entry = Entry {
                flags: short(head, 8),
                method: short(head, 10),
                crc: int(head, 16),
                compressed: int(head, 20).into(),
                size: int(head, 24).into(),
                header: int(head, 42).into(),
            };
            entry.widen(extra);
            entry.header = entry.header.checked_add(moved).ok_or(Corrupt("an entry lies outside"))?;
            // A name in another encoding than UTF-8 cannot be that of a class that is ever asked for.
            if let Ok(name) = std::str::from_utf8(name) {
                self.by_name.insert(name.into(), self.entries.len() as u32);
                self.entries.push(entry);
            }
        }
        Ok(())
    }

    /// A piece of the archive. Its size is looked at before memory is asked for: a file may be as large as it likes
    /// without taking up space.
    fn read(&self, start: u64, size: u64) -> Result<Vec<u8>, ArchiveError> {
        if size > LARGEST {
            return Err(ArchiveError::TooLarge);
        }
        let end = start.checked_add(size).filter(|&end| end <= self.len).ok_or(Corrupt("it is cut off"))?;
        match &self.source {
            Source::File(file) => {
                let mut piece = vec![0; size as usize];
                file.read_exact_at(&mut piece, start)?;
                Ok(piece)
            }
            Source::Bytes(bytes) => Ok(bytes[start as usize..end as usize].to_vec()),
        }
    }
}

impl Entry {
    /// Takes from the zip64 field what did not fit: each value that is all ones stands there, in this order.
    fn widen(&mut self, extra: &[u8]) {
        let mut rest = extra;
        while let Some((head, after)) = rest.split_at_checked(4) {
            let Some((mut field, after)) = after.split_at_checked(short(head, 2) as usize) else { return };
            rest = after;
            if short(head, 0) != 1 {
                continue;
            }
            for value in [&mut self.size, &mut self.compressed, &mut self.header] {
                if *value == u64::from(u32::MAX) {
                    let Some((wide, after)) = field.split_at_checked(8) else { return };
                    *value = long(wide, 0);
                    field = after;
                }
            }
        }
    }
}

/// These three read within records whose length is known; what is missing counts as zero.
fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u16::from_le_bytes(*word))
}

fn int(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}
