//! Reading and writing by descriptors.
//!
//! Each descriptor has a position in its file, and each read or write moves it. So a read or write is a step, except on the standard
//! streams, whose positions no thread of the program can notice.

use crate::protocol::{How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::base::syscalls;
use crate::rt::libc::eventfd;
use crate::rt::libc::out_buffers::fill;
use crate::rt::libc::random;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::races::Order;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use core::cell::Cell;

export! {
    read => read_some;
    write => write_some;
    pread => read_at;
    pread64 => read_at;
    pwrite => write_at;
    pwrite64 => write_at;
    readv => read_parts;
    lseek => seek;
    lseek64 => seek;
}

const READ: usize = 0;
const WRITE: usize = 1;
const SEEK: usize = 8;
const READ_AT: usize = 17;
const WRITE_AT: usize = 18;
const READ_PARTS: usize = 19;
const STANDARD_ERROR: i32 = 2;

/// Descriptors beyond this many share the last place.
const MOST: usize = 1024;

/// Positions for where each descriptor is in its file.
static PLACES: Restored<[Cell<u64>; MOST]> = Restored::new([const { Cell::new(0) }; MOST]);

/// A descriptor is moved on in its file. That orders nothing else.
fn advance(frame: &Frame, descriptor: i32) {
    const RELAXED: i32 = 0;
    if runtime().running.get() && descriptor >= 0 {
        let place = &raw const PLACES[(descriptor as usize).min(MOST - 1)] as u64;
        Operation::new(Op::AtomicUpdate, How::Write, place, 8).order(Order::of(RELAXED)).take(frame);
        crate::rt::sched::spin_loops::changed();
        crate::rt::sched::state_hash::moved_on(place);
    }
}

fn call<const N: usize>(number: usize, arguments: [usize; N]) -> isize {
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    // SAFETY: what the program asks for.
    let result = unsafe { syscalls::call(number, all) };
    if result < 0 {
        errno::set(-result as i32);
        return -1;
    }
    result
}

/// A thread that reads moves the descriptor on. Standard input cannot be read a second time.
fn begin_to_read(frame: &Frame, descriptor: i32) {
    if runtime().running.get() && descriptor == 0 {
        defect::refuse(b"read from standard input");
    }
    advance(frame, descriptor);
}

extern "C" fn read_some(descriptor: i32, to: usize, length: usize) -> isize {
    let frame = Frame::here();
    if runtime().running.get() && descriptor > STANDARD_ERROR {
        if let Some(read) = eventfd::read(frame, descriptor, to, length) {
            return read;
        }
        if random::read(frame, descriptor, to, length) {
            return length as isize;
        }
    }
    begin_to_read(frame, descriptor);
    fill(frame, to, length);
    call(READ, [descriptor as usize, to, length])
}

/// The descriptor stays where it is; but what is read others may write by it.
extern "C" fn read_at(descriptor: i32, to: usize, length: usize, offset: usize) -> isize {
    let frame = Frame::here();
    begin_to_read(frame, descriptor);
    fill(frame, to, length);
    call(READ_AT, [descriptor as usize, to, length, offset])
}

/// Memory that is read into, as the C library describes it.
#[repr(C)]
struct IoVector {
    start: usize,
    length: usize,
}

extern "C" fn read_parts(descriptor: i32, parts: *const IoVector, count: usize) -> isize {
    let frame = Frame::here();
    begin_to_read(frame, descriptor);
    for nth in 0..count {
        // SAFETY: the program passes that many.
        let part = unsafe { &*parts.add(nth) };
        fill(frame, part.start, part.length);
    }
    call(READ_PARTS, [descriptor as usize, parts as usize, count])
}

extern "C" fn write_at(descriptor: i32, from: usize, length: usize, offset: usize) -> isize {
    let frame = Frame::here();
    advance(frame, descriptor);
    range(frame, from as u64, length as u64, false);
    call(WRITE_AT, [descriptor as usize, from, length, offset])
}

extern "C" fn write_some(descriptor: i32, from: usize, length: usize) -> isize {
    let frame = Frame::here();
    if descriptor > STANDARD_ERROR {
        if runtime().running.get()
            && let Some(written) = eventfd::write(frame, descriptor, from, length)
        {
            return written;
        }
        advance(frame, descriptor);
    }
    range(frame, from as u64, length as u64, false);
    call(WRITE, [descriptor as usize, from, length])
}

extern "C" fn seek(descriptor: i32, offset: usize, from: i32) -> isize {
    advance(Frame::here(), descriptor);
    call(SEEK, [descriptor as usize, offset, from as usize])
}
