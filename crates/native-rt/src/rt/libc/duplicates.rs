//! Further descriptors of what a descriptor stands for: `dup` and its kin.
//!
//! The system makes them. A duplicate of an `eventfd` stands for the same counter, which the runtime keeps.

use crate::rt::base::syscalls;
use crate::rt::libc::eventfd;
use crate::rt::libc::isolation::{outlasts, system};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::state::runtime;

export! {
    dup => duplicate;
    dup2 => duplicate_to;
    dup3 => duplicate_with;
    fcntl => control;
    fcntl64 => control;
}

const DUP: usize = 32;
const DUP2: usize = 33;
const DUP3: usize = 292;
const FCNTL: usize = 72;
/// The commands of `fcntl` that duplicate.
const DUPLICATES: [i32; 2] = [0, 1030];

/// Duplicates a descriptor by a system call that gives the number of the duplicate.
fn duplicate_by(frame: &Frame, from: i32, number: usize, arguments: [usize; 6]) -> isize {
    let counter = if runtime().running.get() { eventfd::to_duplicate(frame, from) } else { None };
    let made = system(number, arguments);
    if let Some(counter) = counter
        && made >= 0
    {
        eventfd::duplicated(made as i32, counter);
    }
    made
}

extern "C" fn duplicate(from: i32) -> isize {
    duplicate_by(Frame::here(), from, DUP, [from as usize, 0, 0, 0, 0, 0])
}

/// Duplicates a descriptor to a number that is given.
fn duplicate_there(frame: &Frame, from: i32, to: i32, number: usize, flags: usize) -> isize {
    // What takes the place of a standard stream stays there.
    if (0..crate::rt::FIRST_DESCRIPTOR as i32).contains(&to) {
        outlasts();
    }
    let arguments = [from as usize, to as usize, flags, 0, 0, 0];
    if from == to || !runtime().running.get() || !is_open(from) {
        return system(number, arguments);
    }
    eventfd::leave(frame, to);
    duplicate_by(frame, from, number, arguments)
}

fn is_open(descriptor: i32) -> bool {
    const GET_FLAGS: usize = 1;
    // SAFETY: asks for flags.
    unsafe { syscalls::call(FCNTL, [descriptor as usize, GET_FLAGS, 0, 0, 0, 0]) >= 0 }
}

extern "C" fn duplicate_to(from: i32, to: i32) -> isize {
    duplicate_there(Frame::here(), from, to, DUP2, 0)
}

extern "C" fn duplicate_with(from: i32, to: i32, flags: i32) -> isize {
    duplicate_there(Frame::here(), from, to, DUP3, flags as usize)
}

extern "C" fn control(descriptor: i32, command: i32, argument: usize) -> isize {
    let arguments = [descriptor as usize, command as usize, argument, 0, 0, 0];
    if DUPLICATES.contains(&command) {
        return duplicate_by(Frame::here(), descriptor, FCNTL, arguments);
    }
    system(FCNTL, arguments)
}
