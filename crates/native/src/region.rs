//! The memory that is shared with a worker, see `sojourner_native_rt::protocol`.
//!
//! The program under test may overwrite it, or be killed while it writes. So nothing here is trusted: offsets and
//! counts are checked before they are used, and what cannot be right reads as empty.

use sojourner_native_rt::protocol::{
    CHOICES_AT, EXTRAS_AT, Header, MOST_EXTRAS, MOST_STEPS, MOST_THREADS, OFFSETS_AT, Origin, Pending,
    REGION_BYTES, ROW_BYTES, ROWS_AT, Row, THREADS_AT, Taken, Touch,
};
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
    // SAFETY: a name that ends in a zero; the descriptor that comes back belongs to nobody else.
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

    /// The header.
    pub fn header(&self) -> &Header {
        // SAFETY: the first bytes of the region. Fields that the worker writes while it is asked for nothing are atomic.
        unsafe { &*self.start.cast() }
    }

    /// The header, to be changed while the worker waits.
    pub fn header_mut(&mut self) -> &mut Header {
        // SAFETY: as above.
        unsafe { &mut *self.start.cast() }
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

    /// Where a thread comes from.
    pub fn origin(&self, thread: usize) -> Origin {
        self.at(THREADS_AT, thread.min(MOST_THREADS - 1))
    }

    /// A row's head and what its threads are about to do.
    #[inline]
    pub fn row(&self, number: usize) -> (Row, &[Pending]) {
        let offset = self.at::<u32>(OFFSETS_AT, number.min(MOST_STEPS)) as usize * 8;
        let empty = Row { taken: Taken { thread: 0, value: 0 }, threads: 0, extras: 0 };
        if offset + size_of::<Row>() > ROW_BYTES {
            return (empty, &[]);
        }
        let row: Row = self.at(ROWS_AT + offset, 0);
        let threads = row.threads as usize;
        if threads > MOST_THREADS || offset + size_of::<Row>() + threads * size_of::<Pending>() > ROW_BYTES {
            return (empty, &[]);
        }
        // SAFETY: within the region, as has been checked; the worker does not write while it is asked for nothing.
        let pending = unsafe {
            std::slice::from_raw_parts(self.start.add(ROWS_AT + offset + size_of::<Row>()).cast(), threads)
        };
        (row, pending)
    }

    /// The further objects of an operation.
    pub fn extras(&self, pending: &Pending) -> impl Iterator<Item = Touch> {
        let first = (pending.extra as usize).min(MOST_EXTRAS);
        let last = (first + usize::from(pending.extras)).min(MOST_EXTRAS);
        (first..last).map(|index| self.at(EXTRAS_AT, index))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and no reference outlives it.
        unsafe { libc::munmap(self.start.cast(), REGION_BYTES) };
    }
}
