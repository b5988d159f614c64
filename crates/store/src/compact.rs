//! Fingerprints instead of states: 16 bytes a slot, whatever a state's size.
//!
//! Two states with the same fingerprint are taken for one. With n states and b bits that happens with a probability
//! of about n² / 2^(b+1) (the birthday bound), which the report states: for a billion states and 128 bits, one in
//! 10^21.

use crate::gate::Gate;
use crate::memory::Budget;
use crate::seat::Seats;
use crate::sync::{AtomicU64, Ordering};
use crate::table::{Claimed, Growth, Pair, PrefetchAddress, Table, first};
use crate::tally::Tally;
use crate::{Key, Omission, Report, Seat, Seen, Store, Wants};
use std::sync::Arc;

/// Linear probing looks at 3 slots on average for a seen state and 13 for a new one at this load, most of them in one
/// or two cache lines.
const GROWTH: Growth = Growth { first: first(4096), load: 0.8, steep: 4 << 20, gentle: 1.5 };

/// With `DEPTHS`, the low bits of the second word hold the least depth, at the expense of the fingerprint.
pub(crate) struct Compact<const DEPTHS: bool> {
    table: Gate<Table<Pair>>,
    /// Where the table is, to prefetch from it.
    prefetch_address: PrefetchAddress<Pair>,
    seats: Arc<Seats>,
    states: Tally,
    budget: Arc<Budget>,
}

impl<const DEPTHS: bool> Compact<DEPTHS> {
    /// The bits of a fingerprint that are compared.
    const BITS: i32 = if DEPTHS { 128 - DEPTH_BITS as i32 } else { 128 };

    pub(crate) fn new(seats: &Arc<Seats>, budget: &Arc<Budget>) -> Self {
        let table = Table::new(GROWTH, budget);
        Compact {
            prefetch_address: PrefetchAddress::default(),
            table: Gate::new(table, seats),
            seats: seats.clone(),
            states: Tally::new(seats),
            budget: budget.clone(),
        }
    }

    /// The two words of a slot. Neither may be 0, so 0 becomes [`NOT_ZERO`]: of 2^64 values two fall together, which the
    /// birthday bound does not notice.
    #[inline(always)]
    fn words(fingerprint: u128, depth: u32) -> (u64, u64) {
        let low = fingerprint as u64;
        // All bits go into the high ones of the first word, which decide the home, even where the fingerprints of one
        // store agree in some bits because others went to another machine. For a given second word it is one to one.
        let first = ((fingerprint >> 64) as u64).wrapping_add(low).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let second = if DEPTHS { with_depth(not_zero(low >> DEPTH_BITS), depth) } else { not_zero(low) };
        (not_zero(first), second)
    }

    /// Whether second words stand for the same state, given that the first ones are the same.
    #[inline(always)]
    fn same(one: u64, other: u64) -> bool {
        if DEPTHS { one >> DEPTH_BITS == other >> DEPTH_BITS } else { one == other }
    }

    /// Inserts what was not found at a glance.
    #[inline(never)]
    fn add(&self, seat: &mut Seat, first: u64, second: u64) -> Seen {
        let same = |other| Self::same(other, second);
        let attempt = |table: &Table<Pair>| {
            table.insert(first, same, || Some(second)).map(|claimed| match claimed {
                Claimed::New => Seen::New,
                Claimed::Old(kept) => again::<DEPTHS>(kept, (second & DEPTH) as u32),
            })
        };
        let relieve = |table: &mut Table<Pair>| {
            table.relieve();
            self.prefetch_address.follow(table);
        };
        let seen = self.table.insert(seat, attempt, relieve).unwrap_or(Seen::Full);
        if seen == Seen::New {
            self.states.add(seat);
        }
        seen
    }
}

/// What is said of a state that was there, by its second word.
#[inline(always)]
fn again<const DEPTHS: bool>(kept: &AtomicU64, depth: u32) -> Seen {
    if DEPTHS { lower(kept, depth) } else { Seen::Again }
}

impl<const DEPTHS: bool> Store for Compact<DEPTHS> {
    fn wants(&self) -> Wants {
        Wants::Fingerprint
    }

    fn seat(&self) -> Seat {
        self.seats.take()
    }

    #[inline]
    fn insert(&self, seat: &mut Seat, key: Key<'_>, depth: u32) -> Seen {
        let (first, second) = Self::words(key.fingerprint(), depth);
        let found = self.table.enter(seat, |table| {
            table.glance(first, |other| Self::same(other, second)).map(|kept| again::<DEPTHS>(kept, depth))
        });
        found.unwrap_or_else(|| self.add(seat, first, second))
    }

    #[inline]
    fn prefetch(&self, fingerprint: u128) {
        self.prefetch_address.prefetch(Self::words(fingerprint, 0).0);
    }

    fn states(&self) -> u64 {
        self.states.total()
    }

    fn bytes(&self) -> u64 {
        self.budget.used()
    }

    fn report(&self) -> Report {
        let states = self.states();
        Report {
            name: "compact",
            states,
            bytes: self.bytes(),
            omission: Omission::of_fingerprints(states, Self::BITS),
            pools: Vec::new(),
        }
    }
}

/// What stands for 0, which marks an empty slot. Any other value of at most 40 bits would do as well; a small one might
/// meet fingerprints that were made by hand.
const NOT_ZERO: u64 = 0xd1_b54a_32d1;

#[inline(always)]
fn not_zero(word: u64) -> u64 {
    if word == 0 { NOT_ZERO } else { word }
}

/// How many bits a depth has. Deeper states count as being at the greatest depth that fits.
pub(crate) const DEPTH_BITS: u32 = 24;
const DEPTH: u64 = (1 << DEPTH_BITS) - 1;

/// A word with `high`, which must not be 0, above a depth.
#[inline(always)]
pub(crate) fn with_depth(high: u64, depth: u32) -> u64 {
    high << DEPTH_BITS | u64::from(depth).min(DEPTH)
}

/// Lowers the depth that a word keeps, if `depth` is less.
#[inline(always)]
pub(crate) fn lower(kept: &AtomicU64, depth: u32) -> Seen {
    let word = kept.load(Ordering::Relaxed);
    // The high bits never change, so the lesser word is the one with the lesser depth.
    let lower = word & !DEPTH | u64::from(depth).min(DEPTH);
    if lower < word && kept.fetch_min(lower, Ordering::Relaxed) > lower {
        Seen::Shallower
    } else {
        Seen::Again
    }
}
