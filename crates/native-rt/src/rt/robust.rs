//! Robust mutexes: who ends with one leaves it to the next, who is told so and has to put right what it guards.

use super::context::{Frame, export};
use super::mutex::sound;
use super::objects::{Mutex, ROBUST, change};
use super::schedule::Operation;
use super::state::runtime;
use super::{defect, errno};
use crate::protocol::{How, Op};

export! {
    pthread_mutex_consistent => consistent;
}

/// Robust mutexes that a thread may have at once.
const MOST: usize = 16;

/// Those that a thread has.
#[repr(C)]
pub struct Held {
    locks: [u64; MOST],
    count: u32,
}

impl Held {
    /// Those of a new thread: none.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    fn add(&mut self, lock: u64) {
        let Some(place) = self.locks.get_mut(self.count as usize) else {
            defect::refuse(b"more than 16 robust mutexes that one thread has");
        };
        *place = lock;
        self.count += 1;
    }

    fn remove(&mut self, lock: u64) {
        let count = self.count as usize;
        if let Some(at) = self.locks[..count].iter().position(|&other| other == lock) {
            self.locks.swap(at, count - 1);
            self.count -= 1;
        }
    }
}

/// The running thread has taken a mutex. What it is told.
pub fn taken(mutex: &mut Mutex) -> i32 {
    if mutex.kind & ROBUST == 0 {
        return 0;
    }
    runtime().thread().robust.add(&raw const *mutex as u64);
    match mutex.health {
        Mutex::ORPHANED => {
            mutex.health = Mutex::INCONSISTENT;
            errno::EOWNERDEAD
        }
        _ => 0,
    }
}

/// The running thread gives a mutex back. Who has not put right what it guards leaves it to nobody.
pub fn given_back(mutex: &mut Mutex) {
    if mutex.kind & ROBUST == 0 {
        return;
    }
    runtime().thread().robust.remove(&raw const *mutex as u64);
    if mutex.health == Mutex::INCONSISTENT {
        mutex.health = Mutex::LOST;
    }
}

/// The running thread ends: what it has is left to others, one after the other.
pub fn leave_all(frame: &Frame) {
    while let held = &runtime().thread().robust
        && let Some(last) = held.count.checked_sub(1)
    {
        let address = held.locks[last as usize];
        Operation::new(Op::Unlock, How::Release, address, 0).take(frame);
        runtime().thread().robust.count = last;
        let mutex: &mut Mutex = change(address);
        super::watch::turn(address, -i64::from(mutex.count));
        super::guarded::gave_back(address);
        (mutex.locked, mutex.count, mutex.owner, mutex.health) = (0, 0, 0, Mutex::ORPHANED);
    }
}

extern "C" fn consistent(address: u64) -> i32 {
    Frame::here();
    let mutex = sound(address, b"repairs");
    if mutex.holder() != runtime().current || mutex.health != Mutex::INCONSISTENT {
        return errno::EINVAL;
    }
    mutex.health = 0;
    0
}
