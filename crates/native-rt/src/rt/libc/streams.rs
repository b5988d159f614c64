//! Streams of the C library.
//!
//! Memory that a thread reads into or writes from is the program's. The first thread that reads gets the first bytes, so reading is an
//! operation of the schedule. Printing is not: no thread of the program can notice it.

use crate::protocol::{How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{Mutex, RECURSIVE};
use crate::rt::sched::races::Order;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sync::mutex;
use core::cell::Cell;

export! {
    __sojourner_fgets => read_line;
    __sojourner_fread => read_items;
    __sojourner_fwrite => write_items;
    __sojourner_fgetc => read_byte;
    __sojourner_getc => read_byte;
    __sojourner__IO_getc => read_byte;
    __sojourner_getline => read_any_line;
    flockfile => lock;
    ftrylockfile => try_lock;
    funlockfile => unlock;
}

unsafe extern "C" {
    static stdin: u64;
    static stdout: u64;
    static stderr: u64;
    fn isatty(descriptor: i32) -> i32;
    fn setvbuf(stream: u64, buffer: *mut u8, mode: i32, size: usize) -> i32;
    fn fgets(to: *mut u8, size: i32, stream: u64) -> *mut u8;
    fn fread(to: *mut u8, size: usize, count: usize, stream: u64) -> usize;
    fn fwrite(from: *const u8, size: usize, count: usize, stream: u64) -> usize;
    fn fgetc(stream: u64) -> i32;
    fn getline(line: *mut *mut u8, size: *mut usize, stream: u64) -> isize;
}

/// A stream is read from, which is a step that orders: the C library has a lock for each. A thread that has locked the stream itself keeps
/// others out.
pub fn advance(frame: &Frame, stream: u64) {
    const SEQUENTIAL: i32 = 5;
    if runtime().running.get() && stream != 0 {
        // SAFETY: a variable of the C library.
        if runtime().driven.get() && stream == unsafe { stdin } {
            defect::refuse(b"reading standard input");
        }
        if let Some(mutex) = mutex_of(stream, false) {
            mutex::take_lock(frame, mutex);
            mutex::give_back(frame, mutex);
        }
        Operation::new(Op::AtomicUpdate, How::Write, stream, 8).order(Order::of(SEQUENTIAL)).take(frame);
        crate::rt::sched::spin_loops::changed();
        crate::rt::sched::state_hash::moved_on(stream);
    }
}

/// Gives the program's output a buffer of the runtime. The C library would take one from the heap of the thread that prints first, and what
/// that thread allocates later would lie elsewhere.
pub fn keep_apart() {
    const FULLY: i32 = 0;
    const BY_LINES: i32 = 1;
    const STANDARD_OUTPUT: i32 = 1;
    runtime().printing.set([&raw const stdout, &raw const stderr]);
    let buffer = runtime().printed.as_ptr();
    // SAFETY: the program has not begun, and the buffer stays.
    unsafe {
        let mode = if isatty(STANDARD_OUTPUT) != 0 { BY_LINES } else { FULLY };
        setvbuf(stdout, buffer.cast(), mode, (*buffer).len());
    }
}

extern "C" fn read_line(to: *mut u8, size: i32, stream: u64) -> *mut u8 {
    /// Longer lines are read at once, and announced by their first byte.
    const MOST: usize = 4096;
    let frame = Frame::here();
    advance(frame, stream);
    if size < 2 || size as usize > MOST {
        range(frame, to as u64, size.clamp(0, 1) as u64, true);
        // SAFETY: the program asks for this.
        return unsafe { fgets(to, size, stream) };
    }
    let mut line = [0; MOST];
    // SAFETY: there is room for so many bytes.
    if unsafe { fgets(line.as_mut_ptr(), size, stream) }.is_null() {
        return core::ptr::null_mut();
    }
    let length = line.iter().position(|byte| *byte == 0).unwrap_or(0) + 1;
    crate::rt::libc::memory_functions::place(frame, to, &line[..length]);
    to
}

extern "C" fn read_items(to: *mut u8, size: usize, count: usize, stream: u64) -> usize {
    let frame = Frame::here();
    advance(frame, stream);
    let bytes = size.saturating_mul(count);
    range(frame, to as u64, bytes as u64, true);
    // The system itself may write there.
    runtime().memory.about_to_write(to as usize, bytes);
    // SAFETY: the program asks for this.
    unsafe { fread(to, size, count, stream) }
}

extern "C" fn write_items(from: *const u8, size: usize, count: usize, stream: u64) -> usize {
    range(Frame::here(), from as u64, size.saturating_mul(count) as u64, false);
    // SAFETY: as above.
    unsafe { fwrite(from, size, count, stream) }
}

extern "C" fn read_byte(stream: u64) -> i32 {
    advance(Frame::here(), stream);
    // SAFETY: as above.
    unsafe { fgetc(stream) }
}

extern "C" fn read_any_line(line: *mut *mut u8, size: *mut usize, stream: u64) -> isize {
    let frame = Frame::here();
    advance(frame, stream);
    range(frame, line as u64, 8, true);
    range(frame, size as u64, 8, true);
    // SAFETY: as above.
    unsafe { getline(line, size, stream) }
}

/// Locks that a program takes on streams itself, each for as long as it likes. Those of the C library would stop the process.
struct Lock {
    stream: Cell<u64>,
    mutex: Mutex,
}

const MOST: usize = 64;

impl Lock {
    const fn none() -> Lock {
        let [locked, count, owner, health] = [const { Cell::new(0) }; 4];
        Lock {
            stream: Cell::new(0),
            mutex: Mutex { locked, count, owner, health, kind: Cell::new(RECURSIVE) },
        }
    }
}

static LOCKS: Restored<[Lock; MOST]> = Restored::new([const { Lock::none() }; MOST]);

/// The mutex of a stream. There is one from the first time on that the program locks it.
fn mutex_of(stream: u64, make: bool) -> Option<u64> {
    let known = |lock: &&Lock| lock.stream.get() == stream || make && lock.stream.get() == 0;
    match LOCKS.iter().find(known) {
        Some(lock) => {
            lock.stream.set(stream);
            Some(&raw const lock.mutex as u64)
        }
        None if make => defect::refuse(b"flockfile for more than 64 streams"),
        None => None,
    }
}

extern "C" fn lock(stream: u64) {
    let frame = Frame::here();
    if let Some(mutex) = mutex_of(stream, true).filter(|_| runtime().running.get()) {
        mutex::take_lock(frame, mutex);
    }
}

extern "C" fn try_lock(stream: u64) -> i32 {
    let frame = Frame::here();
    match mutex_of(stream, true).filter(|_| runtime().running.get()) {
        Some(mutex) => mutex::try_to_lock(frame, mutex, Op::TryLock, errno::EBUSY),
        None => 0,
    }
}

extern "C" fn unlock(stream: u64) {
    let frame = Frame::here();
    if let Some(mutex) = mutex_of(stream, false).filter(|_| runtime().running.get()) {
        mutex::give_back(frame, mutex);
    }
}
