//! The memory that is shared with a worker, see `sojourner_native_rt::protocol`.
//!
//! The program under test may overwrite it, or be killed while it writes. So nothing here is trusted: offsets and
//! counts are checked before they are used, and what cannot be right reads as empty.

#![allow(unsafe_code)]

use sojourner_native_rt::protocol::{
    CALL_LISTS_AT, CALLS_AT, CHOICES_AT, CODE_AT, CODE_BYTES, CODE_GRAIN, CURSORS_AT, CallList, Code, Cursor,
    ENTRIES_AT, EXTRAS_AT, GOES_ROUND, Header, MOST_CALLS, MOST_ENTRIES, MOST_EXTRAS, MOST_SECTION_TOUCHES,
    MOST_SHARED, MOST_STEPS, MOST_THREADS, MOST_UNSETTLED, OFFSETS_AT, ON_PATH_AT, OnPath, Origin, POLLED,
    Pending, REGION_BYTES, ROW_BYTES, ROWS_AT, Row, SectionTouch, THREADS_AT, Taken, Touch, UNSETTLED_AT,
};
use sojourner_program::Unsettled;
use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};

/// The region, mapped.
pub struct Region {
    start: *mut u8,
    /// The file behind it, for the worker.
    pub file: File,
}

// SAFETY: the region is owned; what the other process does to it is the same from every thread.
unsafe impl Send for Region {}

/// A file in memory.
pub fn memory_file(name: &std::ffi::CStr) -> io::Result<File> {
    // SAFETY: a name that ends in a zero; the descriptor that comes back has no other owner.
    unsafe {
        match libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}

impl Region {
    /// A region of zeros.
    pub fn new() -> io::Result<Region> {
        let file = memory_file(c"sojourner-region")?;
        file.set_len(REGION_BYTES as u64)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
        // SAFETY: a new mapping of a file of that size.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), REGION_BYTES, protection, flags, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Region { start: start.cast(), file })
    }

    /// The header. Its cells are the driver's while the worker waits.
    pub fn header(&self) -> &Header {
        // SAFETY: the first bytes of the region, which lie in cells. What the worker writes while it is asked for nothing is atomic.
        unsafe { &*self.start.cast() }
    }

    /// An element of a table. The caller has checked the index.
    fn at<T: Copy>(&self, offset: usize, index: usize) -> T {
        debug_assert!(offset + (index + 1) * size_of::<T>() <= REGION_BYTES);
        // SAFETY: within the region and aligned; every bit pattern is a value of the types used.
        unsafe { *self.start.add(offset + index * size_of::<T>()).cast::<T>() }
    }

    /// The choice that was taken at a depth.
    pub fn taken(&self, depth: usize) -> Taken {
        self.at(CHOICES_AT, depth.min(MOST_STEPS - 1))
    }

    /// Says which choice to take at a depth.
    pub fn set_taken(&mut self, depth: usize, taken: Taken) {
        assert!(depth < MOST_STEPS, "callers keep below the most steps");
        // SAFETY: within the table.
        unsafe { *self.start.add(CHOICES_AT + depth * size_of::<Taken>()).cast::<Taken>() = taken };
    }

    /// Says what the code between two addresses belongs to.
    pub fn set_code(&mut self, start: u64, end: u64, code: Code) {
        let first = ((start / CODE_GRAIN) as usize).min(CODE_BYTES);
        let behind = (end.div_ceil(CODE_GRAIN) as usize).clamp(first, CODE_BYTES);
        // SAFETY: within the table.
        unsafe { self.start.add(CODE_AT + first).write_bytes(code as u8, behind - first) };
    }

    /// Where a thread comes from.
    pub fn origin(&self, thread: usize) -> Origin {
        self.at(THREADS_AT, thread.min(MOST_THREADS - 1))
    }

    /// A state.
    #[inline]
    pub fn state(&self, number: usize) -> State<'_> {
        let offset = self.at::<u32>(OFFSETS_AT, number.min(MOST_STEPS)) as usize * 8;
        if offset + size_of::<Row>() > ROW_BYTES {
            return State {
                region: self,
                entries: &[],
                ready: &[],
                several: false,
                inside: 0,
                goes_round: false,
                polled: false,
                sum: 0,
                twin: 0,
            };
        }
        let row: Row = self.at(ROWS_AT + offset, 0);
        let threads = row.threads as usize;
        if threads > MOST_THREADS || offset + Row::bytes(threads) > ROW_BYTES {
            return State {
                region: self,
                entries: &[],
                ready: &[],
                several: false,
                inside: 0,
                goes_round: false,
                polled: false,
                sum: 0,
                twin: 0,
            };
        }
        let start = ROWS_AT + offset;
        // SAFETY: within the region, as has been checked; the worker does not write while it is asked for nothing.
        let (entries, ready) = unsafe {
            let entries = self.start.add(start + size_of::<Row>()).cast();
            let bits = self.start.add(start + Row::bits_at(threads)).cast();
            (
                std::slice::from_raw_parts(entries, threads),
                std::slice::from_raw_parts(bits, Row::words(threads)),
            )
        };
        State {
            region: self,
            entries,
            ready,
            several: row.several != 0,
            inside: row.inside,
            goes_round: row.marks & GOES_ROUND != 0,
            polled: row.marks & POLLED != 0,
            sum: row.sum,
            twin: row.twin,
        }
    }

    /// Which choices of a state of the path of a search are open.
    pub fn cursor(&self, depth: usize) -> Cursor {
        self.at(CURSORS_AT, depth.min(MOST_STEPS - 1))
    }

    /// Says which choices of a state of the path of a search are open.
    pub fn set_cursor(&mut self, depth: usize, cursor: Cursor) {
        assert!(depth < MOST_STEPS, "callers keep below the most steps");
        // SAFETY: within the table.
        unsafe { *self.start.add(CURSORS_AT + depth * size_of::<Cursor>()).cast::<Cursor>() = cursor };
    }

    /// Says which states of a search are unsettled, fewer than [`MOST_UNSETTLED`]: their fingerprints, and those on the path.
    pub fn set_unsettled(&mut self, fingerprints: &[u128], path: &[(u32, u32)]) {
        assert!(fingerprints.len() <= MOST_UNSETTLED && path.len() <= MOST_UNSETTLED, "callers keep below");
        for (nth, &fingerprint) in fingerprints.iter().enumerate() {
            let numbers = [fingerprint as u64, (fingerprint >> 64) as u64];
            // SAFETY: within the table.
            unsafe { *self.start.add(UNSETTLED_AT + nth * size_of::<[u64; 2]>()).cast() = numbers };
        }
        for (nth, &(number, low)) in path.iter().enumerate() {
            // SAFETY: within the table.
            unsafe {
                *self.start.add(ON_PATH_AT + nth * size_of::<OnPath>()).cast() = OnPath { number, low }
            };
        }
    }

    /// Reads that many of them.
    pub fn read_unsettled(&self, states: usize, on_path: usize, out: &mut Unsettled) {
        let states = states.min(MOST_UNSETTLED);
        let numbers = (0..states).map(|nth| self.at::<[u64; 2]>(UNSETTLED_AT, nth));
        out.fingerprints.clear();
        out.fingerprints.extend(numbers.map(|[sum, twin]| u128::from(twin) << 64 | u128::from(sum)));
        let path = (0..on_path.min(MOST_UNSETTLED)).map(|nth| self.at::<OnPath>(ON_PATH_AT, nth));
        out.path.clear();
        out.path.extend(path.map(|OnPath { number, low }| (number, low)));
    }

    /// What is known of atomic sections: what the driver has given, and what the run has met.
    pub fn section_touches(&self) -> Vec<SectionTouch> {
        let header = self.header();
        header.section_touch[..(header.section_touches.get() as usize).min(MOST_SECTION_TOUCHES)]
            .iter()
            .map(Cell::get)
            .collect()
    }

    /// The words that are not what words are taken for: those that the driver has given, and those that the run has met.
    pub fn shared_words(&self) -> Vec<u64> {
        let header = self.header();
        header.shared_words[..(header.shared.get() as usize).min(MOST_SHARED)].iter().map(Cell::get).collect()
    }

    /// The further objects of an operation.
    pub fn extras(&self, pending: &Pending) -> impl Iterator<Item = Touch> {
        let first = (pending.extra as usize).min(MOST_EXTRAS);
        let last = (first + usize::from(pending.extras)).min(MOST_EXTRAS);
        (first..last).map(|index| self.at(EXTRAS_AT, index))
    }
}

/// A state that the worker has recorded.
#[derive(Clone, Copy)]
pub struct State<'a> {
    region: &'a Region,
    entries: &'a [u32],
    ready: &'a [u64],
    /// Whether a thread that can move has values to choose from.
    pub several: bool,
    /// The operations beyond the first that the step before it made.
    pub inside: u16,
    /// Whether the only thread that can move comes back here again and again.
    pub goes_round: bool,
    /// Whether the step before it let time pass by looking at the clock again and again.
    pub polled: bool,
    /// The number that stands for it; 0: it is not told.
    pub sum: u64,
    /// With this one, it stands for no other.
    pub twin: u64,
}

impl<'a> State<'a> {
    /// What the step to the state behind it changed, if both are told.
    pub fn change_to(&self, next: &State<'_>) -> Option<u64> {
        (self.sum != 0 && next.sum != 0).then(|| next.sum.wrapping_sub(self.sum))
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.entries.len()
    }

    /// What a thread is about to do.
    #[inline]
    pub fn pending(&self, thread: usize) -> Option<Pending> {
        let entry = *self.entries.get(thread)? as usize;
        (entry < MOST_ENTRIES).then(|| self.region.at(ENTRIES_AT, entry))
    }

    /// The calls that a thread is in, innermost first: the addresses behind them. They are recorded only if that was asked for.
    pub fn calls(&self, thread: usize) -> impl Iterator<Item = u64> + Clone + use<'a> {
        let region = self.region;
        let entry =
            self.entries.get(thread).map(|&entry| entry as usize).filter(|&entry| entry < MOST_ENTRIES);
        let list: CallList = entry.map_or(CallList::NONE, |entry| region.at(CALL_LISTS_AT, entry));
        let end = (list.end as usize).min(MOST_CALLS);
        ((list.start as usize).min(end)..end).map(move |index| region.at(CALLS_AT, index))
    }

    /// What the threads are about to do, in order.
    pub fn all_pending(self) -> impl Iterator<Item = Pending> + use<'a> {
        (0..self.threads()).map(move |thread| self.pending(thread).unwrap_or(Pending::NONE))
    }

    /// Whether a thread can move.
    #[inline]
    pub fn is_ready(&self, thread: usize) -> bool {
        self.ready.get(thread / 64).is_some_and(|word| word >> (thread % 64) & 1 != 0)
    }

    /// The threads that can move, in order.
    #[inline]
    pub fn ready(self) -> impl Iterator<Item = usize> + use<'a> {
        self.ready.iter().enumerate().flat_map(|(nth, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then_some(rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(nth * 64 + bit as usize)
            })
        })
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and no reference outlives it.
        unsafe { libc::munmap(self.start.cast(), REGION_BYTES) };
    }
}
