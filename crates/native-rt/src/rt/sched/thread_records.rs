//! What is kept of a thread for parts of the thread library: its name, what it runs once, the locks that it has.

use crate::rt::sched::defect;
use core::cell::Cell;

/// The bytes of a name, with the one that ends it.
pub const NAME_BYTES: usize = 16;

/// What a thread is called.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Name(pub [u8; NAME_BYTES]);

impl Name {
    /// That of a new thread.
    pub const OF_NEW_THREAD: Name = Name(*b"thread\0\0\0\0\0\0\0\0\0\0");
}

/// What a thread runs once: what it is in, innermost last.
#[repr(C)]
pub struct Running {
    pub count: Cell<u32>,
    /// Where its frame lies, and the object.
    pub all: [Cell<(u64, u64)>; Running::MOST],
}

impl Running {
    const MOST: usize = 8;

    pub fn reset(&self) {
        self.count.set(0);
    }

    /// Whether the thread runs what is run once with that object.
    pub fn contains(&self, object: u64) -> bool {
        self.all[..self.count.get() as usize].iter().any(|running| running.get().1 == object)
    }
}

/// Robust mutexes that a thread may have at once.
const MOST_ROBUST: usize = 16;

/// Those that a thread has.
#[repr(C)]
pub struct Held {
    pub locks: [Cell<u64>; MOST_ROBUST],
    pub count: Cell<u32>,
}

impl Held {
    /// Those of a new thread: none.
    pub fn clear(&self) {
        self.count.set(0);
    }

    pub fn add(&self, lock: u64) {
        let Some(place) = self.locks.get(self.count.get() as usize) else {
            defect::refuse(b"more than 16 robust mutexes that one thread has");
        };
        place.set(lock);
        self.count.update(|count| count + 1);
    }

    pub fn remove(&self, lock: u64) {
        let count = self.count.get() as usize;
        if let Some(at) = self.locks[..count].iter().position(|other| other.get() == lock) {
            self.locks[at].set(self.locks[count - 1].get());
            self.count.set(count as u32 - 1);
        }
    }
}

/// Locks that are kept in mind of those that a thread shares with others.
const MOST_SHARES: usize = 8;

/// The read-write locks that a thread has for reading, each as often as it has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Shares {
    locks: [u64; MOST_SHARES],
    count: u32,
    /// Whether there have been more than are kept in mind.
    more: bool,
}

impl Shares {
    pub const NONE: Shares = Shares { locks: [0; MOST_SHARES], count: 0, more: false };

    /// All of them, if they are kept in mind.
    pub fn known(&self) -> Option<&[u64]> {
        (!self.more).then(|| &self.locks[..self.count as usize])
    }

    pub fn add(&mut self, lock: u64) {
        match self.locks.get_mut(self.count as usize) {
            Some(place) => {
                *place = lock;
                self.count += 1;
            }
            None => self.more = true,
        }
    }

    /// Takes one away. Whether it may have been there.
    pub fn remove(&mut self, lock: u64) -> bool {
        let count = self.count as usize;
        let Some(at) = self.locks[..count].iter().position(|&other| other == lock) else {
            return self.more;
        };
        self.locks.swap(at, count - 1);
        self.count -= 1;
        true
    }
}
