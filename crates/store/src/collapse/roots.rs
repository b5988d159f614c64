//! The collapse store: pools, and the set of roots.
//!
//! There is a set of roots for each shape, so that a root need not say its shape and is 8 bytes. Its words are mixed one
//! to one, which makes them their own hashes.

use super::{Pools, mix};
use crate::compact::{lower, with_depth};
use crate::gate::Gate;
use crate::table::{Attempt, Claimed, Growth, Pair, Slot, Table, Word, first};
use crate::tally::Tally;
use crate::{Key, Omission, Pool, Report, Seat, Seen, Store, Wants};

/// Roots are all that grows with every state, so these tables are kept fuller than others: between 0.7 and 0.875.
const GROWTH: Growth = Growth { first: first(16), load: 0.875, steep: 1 << 16, gentle: 1.25 };

/// A slot that can hold a root.
pub(crate) trait RootSlot: Slot + Send + Sync {
    /// Inserts a root's mixed pair.
    fn insert(roots: &Table<Self>, root: u64, depth: u32) -> Attempt<Seen>
    where
        Self: Sized;
}

/// Without depths.
impl RootSlot for Word {
    fn insert(roots: &Table<Self>, root: u64, _depth: u32) -> Attempt<Seen> {
        roots.insert(root).map(|new| if new { Seen::New } else { Seen::Again })
    }
}

/// With depths: the second word holds nothing else.
impl RootSlot for Pair {
    fn insert(roots: &Table<Self>, root: u64, depth: u32) -> Attempt<Seen> {
        roots.insert(root, |_| true, || Some(with_depth(1, depth))).map(|claimed| match claimed {
            Claimed::New => Seen::New,
            Claimed::Old(kept) => lower(kept, depth),
        })
    }
}

pub(crate) struct Collapse<S: RootSlot> {
    pools: Pools,
    /// The roots by shape.
    roots: Gate<Vec<Option<Box<Table<S>>>>>,
    states: Tally,
}

impl<S: RootSlot> Collapse<S> {
    pub(crate) fn new(pools: Pools) -> Self {
        let seats = pools.seats();
        Collapse { roots: Gate::new(Vec::new(), seats), states: Tally::new(seats), pools }
    }

    /// Makes room for roots of a shape.
    fn relieve(&self, roots: &mut Vec<Option<Box<Table<S>>>>, shape: usize) {
        if roots.len() <= shape {
            roots.resize_with(shape + 1, || None);
        }
        let budget = self.pools.budget();
        let table = roots[shape].get_or_insert_with(|| {
            budget.charge(size_of::<Table<S>>() as u64);
            Box::new(Table::new(GROWTH, budget))
        });
        table.relieve();
    }
}

impl<S: RootSlot> Store for Collapse<S> {
    fn wants(&self) -> Wants {
        Wants::Encoding
    }

    fn seat(&self) -> Seat {
        self.pools.seat()
    }

    fn insert(&self, seat: &mut Seat, key: Key<'_>, depth: u32) -> Seen {
        let Some(root) = self.pools.intern(seat, key.encoded()) else { return Seen::Full };
        let (shape, word) = (root.shape(), mix(root.pair()));
        let seen = self.roots.insert(
            seat,
            |roots| match roots.get(shape) {
                Some(Some(table)) => S::insert(table, word, depth),
                _ => Attempt::NoRoom,
            },
            |roots| self.relieve(roots, shape),
        );
        if seen == Some(Seen::New) {
            self.states.add(seat);
        }
        seen.unwrap_or(Seen::Full)
    }

    fn states(&self) -> u64 {
        self.states.total()
    }

    fn bytes(&self) -> u64 {
        self.pools.bytes()
    }

    fn report(&self) -> Report {
        let states = self.states();
        let tables = |roots: &mut Vec<Option<Box<Table<S>>>>| {
            roots.iter().flatten().map(|table| size_of_val(&**table) as u64 + table.bytes()).sum()
        };
        let mut pools = self.pools.report();
        pools.push(Pool { name: "roots".to_owned(), entries: states, bytes: self.roots.alone(tables) });
        Report { name: "collapse", states, bytes: self.bytes(), omission: Omission::Impossible, pools }
    }
}
