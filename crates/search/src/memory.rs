//! The memory of a search, counted by what its parts hold. The resident memory of the process has much more in it, and is that of all
//! searches in the process together.

use sojourner_program::{Garbage, Usage};

/// Bytes that a search holds, or the most that each of its parts has held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The visited states.
    pub store: u64,
    /// The open states, the path, and what the program keeps to go back along it.
    pub queue: u64,
    /// The components of states that the program can go to.
    pub pools: u64,
}

impl Memory {
    /// All together.
    pub fn total(&self) -> u64 {
        self.store + self.queue + self.pools
    }

    /// Adds what another search holds at the same time.
    pub fn add(&mut self, other: &Memory) {
        self.store += other.store;
        self.queue += other.queue;
        self.pools += other.pools;
    }

    /// The larger one of each part.
    #[must_use]
    pub fn max(self, other: Memory) -> Memory {
        Memory {
            store: self.store.max(other.store),
            queue: self.queue.max(other.queue),
            pools: self.pools.max(other.pools),
        }
    }
}

/// A search at some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Transitions taken so far.
    pub transitions: u64,
    /// States visited so far.
    pub states: u64,
    /// Time since the start.
    pub elapsed: std::time::Duration,
    /// The depth at which the worker is that took the sample.
    pub depth: u64,
    /// What all workers hold.
    pub memory: Memory,
}

/// What one worker has told of its memory, so that it can tell the difference the next time.
pub(crate) struct WorkerShare {
    pub queue: u64,
    pub pools: u64,
    pub garbage: Option<Garbage>,
}

impl WorkerShare {
    /// A worker begins, on a program that may have been used before.
    pub fn new(usage: &Usage) -> WorkerShare {
        WorkerShare { queue: 0, pools: 0, garbage: usage.garbage }
    }
}

/// When a worker takes samples: every so many of its transitions.
pub(crate) struct Sampling {
    every: u64,
    next: u64,
    taken: u64,
}

impl Sampling {
    /// Without `every`, there are none.
    pub fn new(every: Option<u64>) -> Sampling {
        let every = every.map_or(u64::MAX, |every| every.max(1));
        Sampling { every, next: every, taken: 0 }
    }

    /// The worker has taken so many transitions. Whether a sample is due.
    pub fn count(&mut self, transitions: u64) -> bool {
        self.taken += transitions;
        let due = self.taken >= self.next;
        if due {
            self.next = (self.taken / self.every + 1).saturating_mul(self.every);
        }
        due
    }

    /// Transitions until the next one.
    pub fn left(&self) -> u64 {
        self.next - self.taken
    }
}

/// The bytes that the elements of a vector take, with the room for more.
pub(crate) fn capacity<T>(vector: &Vec<T>) -> u64 {
    (vector.capacity() * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_taken_at_multiples() {
        let mut sampling = Sampling::new(Some(100));
        assert_eq!(sampling.left(), 100);
        assert!(!sampling.count(60));
        assert_eq!(sampling.left(), 40);
        assert!(sampling.count(40));
        assert_eq!(sampling.left(), 100);
        // A program that takes steps by itself may come too late.
        assert!(sampling.count(250));
        assert_eq!(sampling.left(), 50);
        assert!(!Sampling::new(None).count(1 << 60));
    }

    #[test]
    fn most_of_each_part_is_kept() {
        let [early, late] =
            [(1, 9, 0), (5, 2, 3)].map(|(store, queue, pools)| Memory { store, queue, pools });
        assert_eq!(early.max(late), Memory { store: 5, queue: 9, pools: 3 });
        assert_eq!(early.max(late).total(), 17);
    }
}
