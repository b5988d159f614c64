//! Descriptors by which threads wake each other: `eventfd`.
//!
//! The system gives the number of the descriptor and keeps whether it blocks (`fcntl`). What it counts is kept here, and each
//! execution has its own. `dup` makes further descriptors of one counter. To the schedule it is a semaphore that threads post by writing
//! and take from by reading.

use crate::protocol::{How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::base::syscalls;
use crate::rt::libc::out_buffers::fill;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::Semaphore;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::spin_loops;
use crate::rt::sched::state::runtime;
use crate::rt::sched::timeouts;
use crate::rt::time::clocks;
use core::cell::Cell;

export! {
    eventfd => make;
    eventfd_read => read_number;
    eventfd_write => write_number;
    close => close_any;
}

const EVENTFD: usize = 290;
const CLOSE: usize = 3;
const FCNTL: usize = 72;
const GET_FLAGS: usize = 3;
const NON_BLOCKING: isize = 0o4000;
/// Reading takes one, not all.
const SEMAPHORE: i32 = 1;
/// The largest number that it counts to.
const LARGEST: u64 = u64::MAX - 1;
/// The bytes that are read and written.
const BYTES: usize = 8;
/// Descriptors of a program at most.
const MOST: usize = 64;

/// What is known of one.
#[repr(C)]
struct Event {
    /// Whether it can be read from: 1, or 0.
    ready: Semaphore,
    count: Cell<u64>,
    takes_one: Cell<bool>,
}

/// A descriptor, and the counter that it stands for.
#[repr(C)]
struct Descriptor {
    /// Its number, and one more; 0 if this place is free.
    number: Cell<i32>,
    /// The place of the counter in the table.
    counter: Cell<u32>,
}

static DESCRIPTORS: Restored<[Descriptor; MOST]> =
    Restored::new([const { Descriptor { number: Cell::new(0), counter: Cell::new(0) } }; MOST]);

#[cfg_attr(sojourner_rt, unsafe(export_name = "__sojourner_eventfd_counter"))]
#[allow(non_upper_case_globals)] // The name is the one by which it is told of.
static eventfd_counter: Restored<[Event; MOST]> = Restored::new([const { Event::none() }; MOST]);

impl Event {
    const fn none() -> Event {
        let ready = Semaphore { value: Cell::new(0), destroyed: Cell::new(0) };
        Event { ready, count: Cell::new(0), takes_one: Cell::new(false) }
    }

    /// The semaphore that it is to the schedule.
    fn address(&self) -> u64 {
        &raw const self.ready as u64
    }

    fn set(&self, count: u64) {
        self.count.set(count);
        self.ready.value.set(u32::from(count > 0));
        spin_loops::changed();
    }
}

/// The place in the table of descriptors, if the descriptor is one of these.
fn entry(descriptor: i32) -> Option<&'static Descriptor> {
    let known = |entry: &&Descriptor| entry.number.get() == descriptor.wrapping_add(1);
    if descriptor < 0 { None } else { DESCRIPTORS.iter().find(known) }
}

fn event(descriptor: i32) -> Option<&'static Event> {
    entry(descriptor).map(|entry| &eventfd_counter[entry.counter.get() as usize])
}

/// From now on the descriptor stands for that counter.
fn connect(descriptor: i32, counter: u32) {
    let Some(free) = DESCRIPTORS.iter().find(|entry| entry.number.get() == 0) else {
        defect::refuse(b"more than 64 descriptors of eventfd");
    };
    free.number.set(descriptor + 1);
    free.counter.set(counter);
}

/// Whether a descriptor stands for that counter.
fn is_connected(counter: u32) -> bool {
    DESCRIPTORS.iter().any(|entry| entry.number.get() != 0 && entry.counter.get() == counter)
}

fn failed(error: i32) -> isize {
    errno::set(error);
    -1
}

extern "C" fn make(count: u32, flags: i32) -> i32 {
    Frame::here();
    if !runtime().running.get() {
        defect::refuse(b"eventfd");
    }
    // SAFETY: what the program asks for.
    let descriptor = unsafe { syscalls::call(EVENTFD, [0, flags as usize, 0, 0, 0, 0]) };
    if descriptor < 0 {
        return failed(-descriptor as i32) as i32;
    }
    // There are as many counters as descriptors: if no counter is free, then no descriptor is.
    let free = (0..MOST as u32).find(|counter| !is_connected(*counter)).unwrap_or_default();
    connect(descriptor as i32, free);
    let made = &eventfd_counter[free as usize];
    made.takes_one.set(flags & SEMAPHORE != 0);
    made.set(u64::from(count));
    descriptor as i32
}

fn blocks(descriptor: i32) -> bool {
    // SAFETY: asks for flags.
    let flags = unsafe { syscalls::call(FCNTL, [descriptor as usize, GET_FLAGS, 0, 0, 0, 0]) };
    flags >= 0 && flags & NON_BLOCKING == 0
}

/// Takes what a descriptor has counted, if it is one of these.
fn take(frame: &Frame, descriptor: i32) -> Option<Result<u64, i32>> {
    let address = event(descriptor)?.address();
    let (op, how) = if blocks(descriptor) { (Op::SemWait, How::Acquire) } else { (Op::SemTry, How::Write) };
    Operation::new(op, how, address, 0).take(frame);
    // Another thread may have closed it meanwhile.
    let Some(event) = event(descriptor) else { return Some(Err(errno::EBADF)) };
    if event.count.get() == 0 {
        return Some(Err(errno::EAGAIN));
    }
    if op == Op::SemTry {
        crate::rt::sched::races::gained(address);
    }
    let taken = if event.takes_one.get() { 1 } else { event.count.get() };
    event.set(event.count.get() - taken);
    Some(Ok(taken))
}

/// Adds to what a descriptor has counted, if it is one of these.
fn add(frame: &Frame, descriptor: i32, number: u64) -> Option<Result<(), i32>> {
    let address = event(descriptor)?.address();
    Operation::new(Op::SemPost, How::Release, address, 0).take(frame);
    let Some(event) = event(descriptor) else { return Some(Err(errno::EBADF)) };
    match event.count.get().checked_add(number).filter(|sum| *sum <= LARGEST) {
        _ if number == u64::MAX => Some(Err(errno::EINVAL)),
        Some(sum) => {
            event.set(sum);
            Some(Ok(()))
        }
        None if blocks(descriptor) => {
            defect::refuse(b"writing to an eventfd that has counted as far as it can")
        }
        None => Some(Err(errno::EAGAIN)),
    }
}

/// `read` of a descriptor, if it is one of these.
pub fn read(frame: &Frame, descriptor: i32, to: usize, length: usize) -> Option<isize> {
    event(descriptor)?;
    if length < BYTES {
        return Some(failed(errno::EINVAL));
    }
    Some(match take(frame, descriptor)? {
        Ok(number) => {
            fill(frame, to, BYTES);
            // SAFETY: the program passes room for a number.
            unsafe { (to as *mut u64).write_unaligned(number) };
            BYTES as isize
        }
        Err(error) => failed(error),
    })
}

/// `write` to a descriptor, if it is one of these.
pub fn write(frame: &Frame, descriptor: i32, from: usize, length: usize) -> Option<isize> {
    event(descriptor)?;
    if length < BYTES {
        return Some(failed(errno::EINVAL));
    }
    range(frame, from as u64, BYTES as u64, false);
    // SAFETY: the program passes a number.
    let number = unsafe { (from as *const u64).read_unaligned() };
    Some(match add(frame, descriptor, number)? {
        Ok(()) => BYTES as isize,
        Err(error) => failed(error),
    })
}

extern "C" fn read_number(descriptor: i32, out: usize) -> i32 {
    match read(Frame::here(), descriptor, out, BYTES) {
        Some(read) if read > 0 => 0,
        Some(_) => -1,
        None => failed(errno::EBADF) as i32,
    }
}

extern "C" fn write_number(descriptor: i32, number: u64) -> i32 {
    match add(Frame::here(), descriptor, number) {
        Some(Ok(())) => 0,
        Some(Err(error)) => failed(error) as i32,
        None => failed(errno::EBADF) as i32,
    }
}

/// The counter of a descriptor, looked up in a step of its own: what becomes a duplicate of it.
pub fn to_duplicate(frame: &Frame, descriptor: i32) -> Option<u32> {
    let address = event(descriptor)?.address();
    Operation::new(Op::SemLook, How::Read, address, 0).take(frame);
    entry(descriptor).map(|entry| entry.counter.get())
}

/// A descriptor is closed, or another file takes its number.
pub fn leave(frame: &Frame, descriptor: i32) {
    if let Some(address) = event(descriptor).map(Event::address) {
        Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
        if let Some(entry) = entry(descriptor) {
            entry.number.set(0);
        }
    }
}

/// The system has given a duplicate of a counter's descriptor that number.
pub fn duplicated(descriptor: i32, counter: u32) {
    connect(descriptor, counter);
}

extern "C" fn close_any(descriptor: i32) -> i32 {
    leave(Frame::here(), descriptor);
    // SAFETY: what the program asks for.
    match unsafe { syscalls::call(CLOSE, [descriptor as usize, 0, 0, 0, 0, 0]) } {
        0.. => 0,
        error => failed(-error as i32) as i32,
    }
}

/// An entry of `poll`.
#[repr(C)]
pub struct Polled {
    descriptor: i32,
    asked: i16,
    given: i16,
}

const READABLE: i16 = 1;
const WRITABLE: i16 = 4;

/// `poll` of such descriptors. `None`: there are none among them.
pub fn poll(frame: &Frame, entries: &mut [Polled], time: i32) -> Option<isize> {
    let events = entries.iter().filter(|entry| event(entry.descriptor).is_some()).count();
    if events == 0 {
        return None;
    }
    let to_write = entries.iter().any(|entry| entry.asked & WRITABLE != 0);
    match entries {
        _ if events < entries.len() => defect::refuse(b"poll of an eventfd together with something else"),
        [entry] if time != 0 && !to_write => {
            let address = event(entry.descriptor)?.address();
            let (op, how) = if time < 0 { (Op::SemWait, How::Look) } else { (Op::SemTimed, How::Write) };
            if time > 0 {
                timeouts::withhold(time as u64 * crate::rt::sched::virtual_clock::MILLISECOND);
            }
            Operation::new(op, how, address, 0).take(frame);
            timeouts::release();
        }
        _ if time != 0 && !to_write => defect::refuse(b"poll that waits for one of several descriptors"),
        _ => {
            for entry in entries.iter() {
                let address = event(entry.descriptor)?.address();
                Operation::new(Op::SemLook, How::Read, address, 0).take(frame);
            }
        }
    }
    range(frame, entries.as_ptr() as u64, size_of_val(entries) as u64, true);
    let mut ready = 0;
    for entry in entries.iter_mut() {
        let readable = event(entry.descriptor).is_some_and(|event| event.count.get() > 0);
        entry.given = entry.asked & (WRITABLE | if readable { READABLE } else { 0 });
        ready += isize::from(entry.given != 0);
    }
    if ready == 0 && time > 0 {
        clocks::pass_millis(time as u64);
    }
    Some(ready)
}
