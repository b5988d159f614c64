//! The table of states that a search and the process that runs the program both look in.
//!
//! It is a file in memory. The process maps it at an address that is drawn at random, between pages that nothing may touch: a
//! program that writes where it should not hardly meets it. Either side writes only while the other one waits.

#![allow(unsafe_code)]

use crate::region::memory_file;
use sojourner_native_rt::protocol::{
    OwnSearch, Place, SLOTS_OF_TABLE_AT, TableHead, TableSlot, look_up, put, table_bytes,
};
use sojourner_program::SharedSet;
use std::cell::Cell;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::sync::Mutex;

/// The first number of slots, as a power of two.
const FIRST: u32 = 12;

/// Addresses of the program's memory where a table may lie: behind everything of the runtime, before libraries.
const LOWEST: u64 = 0x2800_0000_0000;
const ROOM: u64 = 0x2000_0000_0000;

/// Bytes of a table that has been copied to a larger one that are given back in one go.
const CHUNK: usize = 1 << 20;

/// A table. It grows when it is full.
pub(crate) struct SharedTable(Mutex<Table>);

struct Table {
    start: *mut u8,
    bits: u32,
    number: u32,
    at: u64,
    file: File,
}

// SAFETY: the mapping is owned, and used only by the holder of the lock.
unsafe impl Send for Table {}

impl SharedTable {
    /// An empty one.
    pub fn new() -> io::Result<SharedTable> {
        Table::new(FIRST, 1).map(|table| SharedTable(Mutex::new(table)))
    }

    /// Says in a region where the table is.
    pub fn tell(&self, search: &OwnSearch) {
        let table = self.0.lock().expect("no holder panics");
        search.table_at.set(table.at);
        search.table_bits.set(table.bits);
        search.table_number.set(table.number);
        let path = format!("/proc/{}/fd/{}\0", std::process::id(), table.file.as_raw_fd());
        search.table_path.iter().zip(path.as_bytes()).for_each(|(place, byte)| place.set(*byte));
    }
}

impl SharedSet for SharedTable {
    fn insert(&self, fingerprint: u128) -> Option<bool> {
        let state = [fingerprint as u64, (fingerprint >> 64) as u64];
        let mut table = self.0.lock().expect("no holder panics");
        loop {
            match look_up(table.head(), table.slots(), state) {
                Place::Known => return Some(false),
                Place::New(at) => {
                    put(table.head(), table.slots(), at, state);
                    return Some(true);
                }
                Place::Full => table.grow().ok()?,
            }
        }
    }

    fn states(&self) -> u64 {
        self.0.lock().expect("no holder panics").head().states.get()
    }

    fn bytes(&self) -> u64 {
        table_bytes(self.0.lock().expect("no holder panics").bits) as u64
    }
}

impl Table {
    fn new(bits: u32, number: u32) -> io::Result<Table> {
        let bytes = table_bytes(bits);
        let file = memory_file(c"sojourner-states")?;
        file.set_len(bytes as u64)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
        // SAFETY: a new mapping of a file of that size.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = LOWEST + RandomState::new().build_hasher().finish() % ROOM / 4096 * 4096;
        Ok(Table { start: start.cast(), bits, number, at, file })
    }

    fn head(&self) -> &TableHead {
        // SAFETY: the first bytes of the mapping, which lie in cells.
        unsafe { &*self.start.cast() }
    }

    fn slots(&self) -> &[TableSlot] {
        // SAFETY: the mapping has as many behind its first page. All of it lies in cells.
        unsafe {
            let first = self.start.add(SLOTS_OF_TABLE_AT).cast();
            std::slice::from_raw_parts(first, 1 << self.bits)
        }
    }

    /// Doubles the table. The homes of states are in the same order in both, so both are walked from front to back, and what has been
    /// copied is given back on the way.
    fn grow(&mut self) -> io::Result<()> {
        let larger = Table::new(self.bits + 1, self.number + 1)?;
        let mut behind = 0;
        for (nth, slot) in self.slots().iter().enumerate() {
            let state = slot.each_ref().map(Cell::get);
            if state[0] != 0
                && let Place::New(at) = look_up(larger.head(), larger.slots(), state)
            {
                put(larger.head(), larger.slots(), at, state);
            }
            let done = SLOTS_OF_TABLE_AT + nth * size_of::<TableSlot>();
            if done >= behind + CHUNK {
                let flags = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
                // SAFETY: gives back pages of our own file that are not read any more.
                unsafe {
                    libc::fallocate(self.file.as_raw_fd(), flags, behind as i64, CHUNK as i64);
                }
                behind += CHUNK;
            }
        }
        *self = larger;
        Ok(())
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and no reference outlives it.
        unsafe { libc::munmap(self.start.cast(), table_bytes(self.bits)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_keeps_all_states_when_it_grows() {
        let table = SharedTable::new().unwrap();
        let state =
            |nth: u64| u128::from(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) << 64 | u128::from(nth);
        // Many have the same home, also the last one.
        let states = || (1..100_000).map(state).chain((1..200).map(|nth| u128::from(u64::MAX) << 64 | nth));
        assert!(states().all(|state| table.insert(state) == Some(true)));
        assert!(states().all(|state| table.insert(state) == Some(false)));
        assert_eq!(table.states(), 99_999 + 199);
        assert!(table.bytes() <= 40 * table.states() + 8192);
    }
}
