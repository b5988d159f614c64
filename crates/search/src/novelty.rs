//! What is new in what a search does: states, and orders of conflicting accesses, that no search beside it has seen lately.
//!
//! `auto` gives more turns to the searches that get on. What counts is novelty and not time, so that a run on one thread is a function of
//! its seed. Searches that keep states count new states, those that sample executions count new orders.

use foldhash::HashMap;
use sojourner_program::{Footprint, ObjectId, ThreadId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A set of hashes that forgets: when a quarter of its bits is set, it is emptied.
pub struct Novelty {
    words: Box<[AtomicU64]>,
    taken: AtomicUsize,
}

impl fmt::Debug for Novelty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Novelty").field("taken", &self.taken).finish_non_exhaustive()
    }
}

impl Default for Novelty {
    fn default() -> Self {
        let words = (0..Novelty::BITS / 64).map(|_| AtomicU64::new(0)).collect();
        Novelty { words, taken: AtomicUsize::new(0) }
    }
}

impl Novelty {
    const BITS: usize = 1 << 22;

    /// Whether the hash was not seen lately. From now on it was.
    pub fn is_new(&self, hash: u64) -> bool {
        let bit = (hash >> 42) as usize;
        let mask = 1 << (bit % 64);
        if self.words[bit / 64].fetch_or(mask, Relaxed) & mask != 0 {
            return false;
        }
        if self.taken.fetch_add(1, Relaxed) + 1 == Novelty::BITS / 4 {
            self.words.iter().for_each(|word| word.store(0, Relaxed));
            self.taken.store(0, Relaxed);
        }
        true
    }

    /// Whether a state was not seen lately.
    pub fn is_new_state(&self, print: u128) -> bool {
        self.is_new(mix(print as u64, (print >> 64) as u64))
    }
}

/// The orders of conflicting accesses in an execution.
pub(crate) struct Orders {
    novelty: Arc<Novelty>,
    /// By object: the last access that changed it, and the last one of any kind.
    last: HashMap<ObjectId, [Option<Event>; 2]>,
    accesses: HashMap<(ObjectId, ThreadId), u8>,
}

/// A thread's nth access to an object. All from the 255th on are taken for the same: of a loop, much more is not new.
#[derive(Clone, Copy, PartialEq)]
struct Event {
    thread: ThreadId,
    nth: u8,
}

impl Orders {
    pub fn new(novelty: Arc<Novelty>) -> Self {
        Orders { novelty, last: HashMap::default(), accesses: HashMap::default() }
    }

    /// An execution begins.
    pub fn begin(&mut self) {
        self.last.clear();
        self.accesses.clear();
    }

    /// How many accesses of a step follow an access of another thread that they conflict with, in an order that is new.
    pub fn note(&mut self, thread: ThreadId, footprint: &Footprint) -> u64 {
        let mut new = 0;
        for access in footprint.accesses().unwrap_or_default() {
            let nth = self.accesses.entry((access.object, thread)).or_default();
            *nth = nth.saturating_add(1);
            let event = Event { thread, nth: *nth };
            let [change, any] = self.last.entry(access.object).or_default();
            let before = if access.mode.only_looks() { *change } else { *any };
            if let Some(before) = before.filter(|before| before.thread != thread) {
                let pair = [before, event].map(|event| u64::from(event.thread.0) << 8 | u64::from(event.nth));
                new += u64::from(self.novelty.is_new(mix(access.object.0, mix(pair[0], pair[1]))));
            }
            *any = Some(event);
            if !access.mode.only_looks() {
                *change = Some(event);
            }
        }
        new
    }
}

/// A hash of two numbers, the same in every run.
fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    let folded = wide as u64 ^ (wide >> 64) as u64;
    folded.wrapping_add(a).wrapping_mul(0x2545_f491_4f6c_dd1d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_program::Mode;

    #[test]
    fn hash_is_new_once_until_it_is_forgotten() {
        let novelty = Novelty::default();
        assert!(novelty.is_new_state(7) && !novelty.is_new_state(7));
        let others = (1..2_000_000_u64).filter(|&n| novelty.is_new(mix(n, n))).count();
        assert!(others > 1_500_000, "{others}");
        assert!(novelty.is_new_state(7));
    }

    #[test]
    fn order_of_two_conflicting_accesses_is_new_once() {
        let mut orders = Orders::new(Arc::default());
        let mut execution = |accesses: &[(u32, Mode)]| {
            orders.begin();
            let note = |&(thread, mode): &(u32, Mode)| {
                let mut footprint = Footprint::nothing();
                footprint.touch(ObjectId(1), mode);
                orders.note(ThreadId(thread), &footprint)
            };
            accesses.iter().map(note).collect::<Vec<_>>()
        };
        use Mode::{Read, Write};
        assert_eq!(execution(&[(0, Write), (0, Write), (1, Write)]), [0, 0, 1]);
        assert_eq!(execution(&[(0, Write), (0, Write), (1, Write)]), [0, 0, 0]);
        assert_eq!(execution(&[(0, Write), (1, Write), (0, Write)]), [0, 1, 1]);
        // Reads conflict with the write before them, and with each other they do not.
        assert_eq!(execution(&[(2, Read), (3, Read), (2, Write), (3, Read)]), [0, 0, 1, 1]);
    }
}
