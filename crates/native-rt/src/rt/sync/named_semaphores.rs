//! Semaphores with names. Names are each execution's own: what other processes have made is not there.

use crate::protocol::{How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::objects::{Semaphore, look};
use crate::rt::sched::schedule::Operation;
use core::cell::Cell;
use core::ffi::{CStr, c_char};

export! {
    sem_open => open;
    sem_close => close;
    sem_unlink => unlink;
}

const MOST: usize = 64;
/// The longest name, and the byte that ends it.
const LONGEST: usize = 252;
/// The bytes of a `sem_t`.
const BYTES: u64 = 32;

#[derive(Clone, Copy)]
struct Named {
    name: [u8; LONGEST],
    /// Where it lies; 0: there is none.
    semaphore: u64,
}

static NAMES: Restored<[Cell<Named>; MOST]> =
    Restored::new([const { Cell::new(Named { name: [0; LONGEST], semaphore: 0 }) }; MOST]);

const CREATE: i32 = 0o100;
const EXCLUSIVELY: i32 = 0o200;

fn failed(error: i32) -> u64 {
    errno::set(error);
    0
}

/// The names are about to be looked at, and perhaps changed.
fn turn_to_names(frame: &Frame) -> &'static [Cell<Named>; MOST] {
    Operation::new(Op::Initialise, How::Write, NAMES.as_ptr() as u64, 0).take(frame);
    &NAMES
}

fn bytes(name: *const c_char) -> &'static [u8] {
    // SAFETY: the program passes a string.
    unsafe { CStr::from_ptr(name) }.to_bytes_with_nul()
}

fn find(names: &[Cell<Named>; MOST], name: &[u8]) -> Option<usize> {
    names.iter().map(Cell::get).position(|named| named.semaphore != 0 && named.name.starts_with(name))
}

/// The two last arguments are there only if one may be made.
extern "C" fn open(name: *const c_char, how: i32, _mode: u32, value: u32) -> u64 {
    let frame = Frame::here();
    let name = bytes(name);
    if name.len() > LONGEST || name.len() < 2 {
        return failed(errno::EINVAL);
    }
    let names = turn_to_names(frame);
    match find(names, name) {
        Some(_) if how & (CREATE | EXCLUSIVELY) == CREATE | EXCLUSIVELY => failed(errno::EEXIST),
        Some(at) => names[at].get().semaphore,
        None if how & CREATE == 0 => failed(errno::ENOENT),
        None if value > i32::MAX as u32 => failed(errno::EINVAL),
        None => {
            let Some(free) = names.iter().find(|named| named.get().semaphore == 0) else {
                return failed(errno::ENOMEM);
            };
            let mut named =
                Named { name: [0; LONGEST], semaphore: crate::rt::memory::allocator::allocate_own(BYTES) };
            named.name[..name.len()].copy_from_slice(name);
            look::<Semaphore>(named.semaphore).make(value);
            free.set(named);
            named.semaphore
        }
    }
}

/// Others may have it, so it stays.
extern "C" fn close(_semaphore: u64) -> i32 {
    0
}

extern "C" fn unlink(name: *const c_char) -> i32 {
    let frame = Frame::here();
    let names = turn_to_names(frame);
    match find(names, bytes(name)) {
        Some(at) => {
            names[at].update(|named| Named { semaphore: 0, ..named });
            0
        }
        None => {
            errno::set(errno::ENOENT);
            -1
        }
    }
}
