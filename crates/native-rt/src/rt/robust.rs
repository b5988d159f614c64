//! Robust mutexes: who ends with one leaves it to the next, who is told so and has to put right what it guards.

use super::context::{Frame, export};
use super::mutex::sound;
use super::objects::{Mutex, ROBUST, look};
use super::schedule::Operation;
use super::state::runtime;
use super::{defect, errno};
use crate::protocol::{How, Op};
use core::cell::Cell;

export! {
    pthread_mutex_consistent => consistent;
}

/// Robust mutexes that a thread may have at once.
const MOST: usize = 16;

/// Those that a thread has.
#[repr(C)]
pub struct Held {
    locks: [Cell<u64>; MOST],
    count: Cell<u32>,
}

impl Held {
    /// Those of a new thread: none.
    pub fn clear(&self) {
        self.count.set(0);
    }

    fn add(&self, lock: u64) {
        let Some(place) = self.locks.get(self.count.get() as usize) else {
            defect::refuse(b"more than 16 robust mutexes that one thread has");
        };
        place.set(lock);
        self.count.update(|count| count + 1);
    }

    fn remove(&self, lock: u64) {
        let count = self.count.get() as usize;
        if let Some(at) = self.locks[..count].iter().position(|other| other.get() == lock) {
            self.locks[at].set(self.locks[count - 1].get());
            self.count.set(count as u32 - 1);
        }
    }
}

/// The running thread has taken a mutex. What it is told.
pub fn taken(mutex: &Mutex) -> i32 {
    if mutex.kind.get() & ROBUST == 0 {
        return 0;
    }
    runtime().thread().robust.add(&raw const *mutex as u64);
    match mutex.health.get() {
        Mutex::ORPHANED => {
            mutex.health.set(Mutex::INCONSISTENT);
            errno::EOWNERDEAD
        }
        _ => 0,
    }
}

/// The running thread gives a mutex back. Who has not put right what it guards leaves it to nobody.
pub fn given_back(mutex: &Mutex) {
    if mutex.kind.get() & ROBUST == 0 {
        return;
    }
    runtime().thread().robust.remove(&raw const *mutex as u64);
    if mutex.health.get() == Mutex::INCONSISTENT {
        mutex.health.set(Mutex::LOST);
    }
}

/// The running thread ends: what it has is left to others, one after the other.
pub fn leave_all(frame: &Frame) {
    while let held = &runtime().thread().robust
        && let Some(last) = held.count.get().checked_sub(1)
    {
        let address = held.locks[last as usize].get();
        Operation::new(Op::Unlock, How::Release, address, 0).take(frame);
        held.count.set(last);
        let mutex: &Mutex = look(address);
        super::watch::turn(address, -i64::from(mutex.count.get()));
        super::guarded::gave_back(address);
        mutex.take_back();
        mutex.health.set(Mutex::ORPHANED);
    }
}

extern "C" fn consistent(address: u64) -> i32 {
    Frame::here();
    let mutex = sound(address, b"repairs");
    if mutex.holder() != runtime().current.get() || mutex.health.get() != Mutex::INCONSISTENT {
        return errno::EINVAL;
    }
    mutex.health.set(0);
    0
}
