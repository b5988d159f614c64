//! Robust mutexes: if a thread ends while it owns one, the next owner inherits it. That owner is told so, and has to repair the data
//! that the mutex guards.

use crate::protocol::{How, Op};
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::objects::{Mutex, ROBUST, look};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sync::mutex::sound;

export! {
    pthread_mutex_consistent => consistent;
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

/// The running thread gives a mutex back. If the thread has not put right what it guards, no thread can have it any more.
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
        crate::rt::sched::spin_loops::turn(address, -i64::from(mutex.count.get()));
        crate::rt::sched::locksets::gave_back(address);
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
