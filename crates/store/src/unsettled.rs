//! States that a worker has begun and of which it does not know yet whether an end can be reached from them.
//!
//! Workers of one search ask each other about such states for every transition, so this takes no lock: each worker has a
//! small hash table that only it writes and that all others read. A worker announces a state before it inserts it into the
//! store. So a worker that finds the state in the store sees the announcement, too: the fences below order the two. A table
//! that is full says of every state that it may be in there, which is always a safe answer.

use crate::sync::{AtomicU64, Ordering, Padded, fence};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The slots of a table. Few states are unsettled at a time: those since the last state that was settled.
const SLOTS: usize = if cfg!(any(test, loom)) { 16 } else { 1 << 13 };
/// The slots that are used at most.
const MOST: usize = SLOTS / 4 * 3;

/// The unsettled states of all workers of a search.
pub struct Unsettled {
    workers: Box<[Padded<WorkerStates>]>,
}

/// The states of one worker.
struct WorkerStates {
    slots: Box<[AtomicU64]>,
    /// There are more states than have found room.
    full: AtomicBool,
}

impl Unsettled {
    /// For that many workers.
    pub fn new(workers: usize) -> Arc<Self> {
        let states = |_| {
            let slots = (0..SLOTS).map(|_| AtomicU64::new(0)).collect();
            Padded(WorkerStates { slots, full: AtomicBool::new(false) })
        };
        Arc::new(Unsettled { workers: (0..workers).map(states).collect() })
    }

    /// Whether a worker has announced the state, which the caller has found in the store. If the announcement is withdrawn at
    /// this moment, either answer is possible.
    pub fn holds(&self, fingerprint: u128) -> bool {
        self.any(fingerprint, |_| true)
    }

    fn any(&self, fingerprint: u128, of: impl Fn(usize) -> bool) -> bool {
        // Pairs with the fence of `Announcer::announce`: the caller has read what was inserted behind that.
        fence(Ordering::Acquire);
        let word = word(fingerprint);
        self.workers.iter().enumerate().any(|(number, states)| of(number) && states.0.holds(word))
    }
}

impl WorkerStates {
    fn holds(&self, word: u64) -> bool {
        if self.full.load(Ordering::Acquire) {
            return true;
        }
        let mut at = home(word);
        loop {
            // Acquire: a worker that sees that a state is gone sees what its worker did before it withdrew it.
            match self.slots[at].load(Ordering::Acquire) {
                0 => return false,
                other if other == word => return true,
                _ => at = (at + 1) % SLOTS,
            }
        }
    }
}

/// The hand of one worker: it alone changes what that worker has announced.
pub struct Announcer {
    all: Arc<Unsettled>,
    number: usize,
    /// The slots that are used, in the order in which they were filled.
    used: Vec<u32>,
    /// How many states have found no room.
    beyond: usize,
}

impl Announcer {
    /// For the worker of that number. There must be one for each number at most.
    pub fn new(all: &Arc<Unsettled>, number: usize) -> Self {
        Announcer { all: all.clone(), number, used: Vec::new(), beyond: 0 }
    }

    /// Announces a state, which is inserted into the store only after that.
    #[inline]
    pub fn announce(&mut self, fingerprint: u128) {
        let states = &self.all.workers[self.number].0;
        if self.used.len() == MOST {
            self.beyond += 1;
            states.full.store(true, Ordering::Relaxed);
        } else {
            let word = word(fingerprint);
            let mut at = home(word);
            while states.slots[at].load(Ordering::Relaxed) != 0 {
                at = (at + 1) % SLOTS;
            }
            states.slots[at].store(word, Ordering::Relaxed);
            self.used.push(at as u32);
        }
        fence(Ordering::Release);
    }

    /// Takes back what was announced last.
    #[inline]
    pub fn withdraw(&mut self) {
        let states = &self.all.workers[self.number].0;
        if self.beyond > 0 {
            self.beyond -= 1;
            states.full.store(self.beyond > 0, Ordering::Release);
        } else if let Some(at) = self.used.pop() {
            // Nothing was put behind it since, so that no other search for a slot has passed it.
            states.slots[at as usize].store(0, Ordering::Release);
        }
    }

    /// Takes back all that was announced.
    #[inline]
    pub fn clear(&mut self) {
        let states = &self.all.workers[self.number].0;
        for at in self.used.drain(..) {
            states.slots[at as usize].store(0, Ordering::Release);
        }
        if std::mem::take(&mut self.beyond) > 0 {
            states.full.store(false, Ordering::Release);
        }
    }

    /// Whether another worker has announced the state, which this one has found in the store.
    pub fn others_hold(&self, fingerprint: u128) -> bool {
        self.all.any(fingerprint, |number| number != self.number)
    }
}

/// A word that stands for the state and is not 0.
#[inline]
fn word(fingerprint: u128) -> u64 {
    ((fingerprint >> 64) as u64 ^ (fingerprint as u64).rotate_left(32)).max(1)
}

#[inline]
fn home(word: u64) -> usize {
    (word % SLOTS as u64) as usize
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn announced_states_are_held_until_they_are_withdrawn() {
        let all = Unsettled::new(2);
        let (mut one, other) = (Announcer::new(&all, 0), Announcer::new(&all, 1));
        // All of them have the same home.
        let prints = [1u128, 1 + SLOTS as u128, 1 + 2 * SLOTS as u128].map(|print| print << 64);
        for print in prints {
            one.announce(print);
        }
        assert!(prints.iter().all(|&print| other.others_hold(print) && !one.others_hold(print)));
        one.withdraw();
        assert_eq!(prints.map(|print| all.holds(print)), [true, true, false]);
        one.clear();
        assert_eq!(prints.map(|print| all.holds(print)), [false; 3]);
    }

    #[test]
    fn full_table_holds_everything_until_there_is_room() {
        let all = Unsettled::new(1);
        let mut one = Announcer::new(&all, 0);
        for print in 0..MOST as u128 {
            one.announce(print + 1);
        }
        assert!(!all.holds(1 << 100));
        one.announce(1000);
        assert!(all.holds(1 << 100));
        one.withdraw();
        assert!(!all.holds(1 << 100) && all.holds(1));
        one.announce(1000);
        one.clear();
        assert!((0..=1000).all(|print| !all.holds(print)));
    }
}
