//! Reading and writing by descriptors. Each has a place in its file, which whoever reads or writes moves on; so that is a step,
//! except for what goes to the standard streams, which nobody in the program can notice.

use super::context::{Frame, export};
use super::hooks::range;
use super::kept::Kept;
use super::races::Order;
use super::schedule::Operation;
use super::state::runtime;
use super::{defect, errno, sys};
use crate::protocol::{How, Op};

export! {
    read => read_some;
    write => write_some;
    lseek => seek;
    lseek64 => seek;
}

const READ: usize = 0;
const WRITE: usize = 1;
const SEEK: usize = 8;
const STANDARD_ERROR: i32 = 2;

/// Descriptors beyond this many share the last place.
const MOST: usize = 1024;

/// Stands for where each descriptor is in its file.
static PLACES: Kept<[u64; MOST]> = Kept::new([0; MOST]);

/// A descriptor is moved on in its file. That orders nothing else.
fn advance(frame: &Frame, descriptor: i32) {
    const RELAXED: i32 = 0;
    if runtime().running && descriptor >= 0 {
        let place = &raw const PLACES.get()[(descriptor as usize).min(MOST - 1)] as u64;
        Operation::new(Op::AtomicUpdate, How::Write, place, 8).order(Order::of(RELAXED)).take(frame);
        super::watch::changed();
    }
}

fn call(number: usize, arguments: [usize; 3]) -> isize {
    let [a, b, c] = arguments;
    // SAFETY: what the program asks for.
    let result = unsafe { sys::call(number, [a, b, c, 0, 0, 0]) };
    if result < 0 {
        errno::set(-result as i32);
        return -1;
    }
    result
}

/// Standard input is none that could be read again.
extern "C" fn read_some(descriptor: i32, to: usize, length: usize) -> isize {
    let frame = Frame::here();
    if runtime().running && descriptor == 0 {
        defect::refuse(b"read from standard input");
    }
    advance(frame, descriptor);
    range(frame, to as u64, length as u64, true);
    runtime().memory.about_to_write(to, length);
    call(READ, [descriptor as usize, to, length])
}

extern "C" fn write_some(descriptor: i32, from: usize, length: usize) -> isize {
    let frame = Frame::here();
    if descriptor > STANDARD_ERROR {
        advance(frame, descriptor);
    }
    range(frame, from as u64, length as u64, false);
    call(WRITE, [descriptor as usize, from, length])
}

extern "C" fn seek(descriptor: i32, offset: usize, from: i32) -> isize {
    advance(Frame::here(), descriptor);
    call(SEEK, [descriptor as usize, offset, from as usize])
}
