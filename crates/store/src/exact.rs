//! Whole states, packed: the plainest lossless store, and the one to measure the others by.
//!
//! The packed states lie one behind the other in an arena. A slot holds 64 bits of hash, and where the state is; the
//! bytes are compared, so the hash only saves comparisons.

use crate::arena::Arena;
use crate::compact::{DEPTH_BITS, lower, with_depth};
use crate::gate::Gate;
use crate::memory::Budget;
use crate::seat::Seats;
use crate::table::{Claimed, Growth, LOST, Pair, Table, first};
use crate::tally::Tally;
use crate::{Key, Omission, Pool, Report, Seat, Seen, Store, Wants};
use std::cell::Cell;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const GROWTH: Growth = Growth { first: first(1024), load: 0.8, steep: 4 << 20, gentle: 1.5 };

/// Positions in the arena share a word with a depth, and are counted from 1.
const POSITIONS: u64 = (1 << (64 - DEPTH_BITS)) - 2;

pub(crate) struct Exact<const DEPTHS: bool> {
    seats: Arc<Seats>,
    table: Gate<Table<Pair>>,
    arena: Arena,
    states: Tally,
    budget: Arc<Budget>,
}

impl<const DEPTHS: bool> Exact<DEPTHS> {
    pub(crate) fn new(seats: &Arc<Seats>, budget: &Arc<Budget>) -> Self {
        Exact {
            seats: seats.clone(),
            table: Gate::new(Table::new(GROWTH, budget), seats),
            arena: Arena::new(budget),
            states: Tally::new(seats),
            budget: budget.clone(),
        }
    }
}

impl<const DEPTHS: bool> Store for Exact<DEPTHS> {
    fn wants(&self) -> Wants {
        Wants::Encoding
    }

    fn seat(&self) -> Seat {
        self.seats.take()
    }

    fn insert(&self, seat: &mut Seat, key: Key<'_>, depth: u32) -> Seen {
        thread_local! {
            static WIRE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
        }
        let mut wire = WIRE.take();
        wire.clear();
        key.encoded().to_wire(&mut wire);

        let same = |second| second != LOST && self.arena.is((second >> DEPTH_BITS) - 1, &wire);
        let add = || self.arena.push(&wire, POSITIONS).map(|at| with_depth(at + 1, depth));
        let attempt = |table: &Table<Pair>| {
            table.insert(xxh3_64(&wire).max(1), same, add).map(|claimed| match claimed {
                Claimed::New => Seen::New,
                Claimed::Old(kept) if DEPTHS => lower(kept, depth),
                Claimed::Old(_) => Seen::Again,
            })
        };
        let seen = self.table.insert(seat, attempt, Table::relieve).unwrap_or(Seen::Full);
        if seen == Seen::New {
            self.states.add(seat);
        }
        WIRE.set(wire);
        seen
    }

    fn states(&self) -> u64 {
        self.states.total()
    }

    fn bytes(&self) -> u64 {
        self.budget.used()
    }

    fn report(&self) -> Report {
        let states = self.states();
        let index = self.table.alone(|table| table.bytes());
        Report {
            name: "exact",
            states,
            bytes: self.bytes(),
            omission: Omission::Impossible,
            pools: vec![
                Pool { name: "packed states".to_owned(), entries: states, bytes: self.arena.bytes() },
                Pool { name: "index".to_owned(), entries: states, bytes: index },
            ],
        }
    }
}
