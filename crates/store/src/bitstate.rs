//! A few bits for each state, in an array that does not grow: for state spaces that no other store can hold.
//!
//! A state is taken for seen if all its bits are set, so states are left out, more of them as the array fills up
//! (Holzmann's bit-state hashing; a Bloom filter). The report says how many are to be expected: where a part q of the
//! unseen states would be taken for seen, there are q / (1 - q) left out for each that is told to be new.

use crate::memory::{Budget, Zeroed};
use crate::seat::Seats;
use crate::sync::{AtomicU64, Ordering, Padded};
use crate::{Key, Omission, Report, Seat, Seen, Store, Wants};
use std::sync::Arc;
use std::sync::atomic::AtomicU64 as Count;

pub(crate) struct Bitstate {
    words: Zeroed<AtomicU64>,
    hashes: u32,
    seats: Arc<Seats>,
    workers: Box<[Padded<WorkerCounts>]>,
    /// The bits that are set, as far as the workers have said so.
    set: Padded<Count>,
}

/// What one worker has counted. Only that worker writes it.
#[derive(Default)]
struct WorkerCounts {
    /// The states that were new.
    states: Count,
    /// The bits that it has set and not yet added to those of all.
    set: Count,
    /// The states that are expected to be left out, as the bits of an `f64`.
    omitted: Count,
}

/// After how many new states a worker tells the others what it has set.
const BATCH: u64 = 64;

impl Bitstate {
    pub(crate) fn new(bytes: u64, hashes: u32, seats: &Arc<Seats>, budget: &Arc<Budget>) -> Option<Self> {
        let words = Zeroed::new(usize::try_from(bytes / 8).ok()?, budget)?;
        let workers = (0..seats.workers()).map(|_| Padded::default()).collect();
        Some(Bitstate { words, hashes, seats: seats.clone(), workers, set: Padded::default() })
    }

    /// The states left out for each new one, while `set` bits are set.
    fn omitted_for_one(&self, set: u64) -> f64 {
        let bits = self.words.len() as f64 * 64.0;
        let taken_for_seen = (set as f64 / bits).powi(self.hashes as i32);
        // The last state fills the array, and has still been told to be new.
        taken_for_seen / (1.0 - taken_for_seen).max(1.0 / bits)
    }

    /// Sets the state's bits, and says how many of them were not.
    fn set(&self, fingerprint: u128) -> u64 {
        // Double hashing: two independent numbers give as many as are wanted.
        let step = (fingerprint >> 64) as u64 | 1;
        let mut hash = fingerprint as u64;
        let mut set = 0;
        for _ in 0..self.hashes {
            let at = ((u128::from(hash) * (self.words.len() as u128 * 64)) >> 64) as usize;
            let (word, bit) = (&self.words[at / 64], 1 << (at % 64));
            // Looking first keeps the cache line shared if there is nothing to do.
            if word.load(Ordering::Relaxed) & bit == 0 {
                set += u64::from(word.fetch_or(bit, Ordering::Relaxed) & bit == 0);
            }
            hash = hash.wrapping_add(step);
        }
        set
    }
}

impl Store for Bitstate {
    fn wants(&self) -> Wants {
        Wants::Fingerprint
    }

    fn seat(&self) -> Seat {
        self.seats.take()
    }

    /// Two workers that insert one state at the same moment may each set some of its bits, and both be told that it is
    /// new.
    fn insert(&self, seat: &mut Seat, key: Key<'_>, _depth: u32) -> Seen {
        let worker = self.seats.number(seat);
        let set = self.set(key.fingerprint());
        if set == 0 {
            return Seen::Again;
        }
        let share = &self.workers[worker].0;
        let add = |count: &Count, more| {
            let sum = count.load(Ordering::Relaxed) + more;
            count.store(sum, Ordering::Relaxed);
            sum
        };
        let unsaid = add(&share.set, set);
        if add(&share.states, 1) % BATCH == 0 {
            let all = self.set.0.fetch_add(unsaid, Ordering::Relaxed) + unsaid;
            share.set.store(0, Ordering::Relaxed);
            let omitted = f64::from_bits(share.omitted.load(Ordering::Relaxed));
            let omitted = omitted + BATCH as f64 * self.omitted_for_one(all);
            share.omitted.store(omitted.to_bits(), Ordering::Relaxed);
        }
        Seen::New
    }

    fn states(&self) -> u64 {
        self.workers.iter().map(|share| share.0.states.load(Ordering::Relaxed)).sum()
    }

    fn bytes(&self) -> u64 {
        self.words.bytes()
    }

    fn report(&self) -> Report {
        let omitted =
            self.workers.iter().map(|share| f64::from_bits(share.0.omitted.load(Ordering::Relaxed)));
        let unsaid: u64 = self.workers.iter().map(|share| share.0.set.load(Ordering::Relaxed)).sum();
        let states = self.states();
        let rest =
            self.workers.iter().map(|share| share.0.states.load(Ordering::Relaxed) % BATCH).sum::<u64>();
        let last = self.omitted_for_one(self.set.0.load(Ordering::Relaxed) + unsaid);
        Report {
            name: "bitstate",
            states,
            bytes: self.bytes(),
            omission: Omission::Expected(omitted.sum::<f64>() + rest as f64 * last),
            pools: Vec::new(),
        }
    }
}
