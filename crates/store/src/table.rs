//! The hash table under every store: open-addressed, claimed by compare-and-swap, grown alone.
//!
//! The first word of a slot is 0 while the slot is empty and never changes its home afterwards. A key's home is its
//! first word scaled to the capacity (the high half of their product), and it lies in the first slot from there that
//! was empty when it came, around the end if need be. Behind the end there are a few slots more, which stay
//! empty, so that a search stops there without having to look where it is. Two things follow. The capacity can be any number, so a large
//! table need not double. And homes are ordered as words are, so growing walks both tables from front to back and
//! writes memory in sequence instead of at random.
//!
//! How full a table is, is estimated: only claims with a word in a sample are counted, one in 64 where the table
//! is large, so that workers do not fight for a counter. If the estimate were wrong, an insertion that finds no
//! empty slot on a full circle would still notice.

mod prefetch_address;
mod slot;

pub(crate) use prefetch_address::PrefetchAddress;
pub(crate) use slot::{Claimed, LOST, Pair, Slot, Tagged, Word};

use crate::memory::{Budget, Zeroed};
use crate::meter::Granted;
use crate::sync::{Ordering, Padded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How an attempt to insert ended.
pub(crate) enum Attempt<R> {
    /// Found or inserted.
    Done(R),
    /// Inserted, and the table has become so full that it should be relieved.
    Crowded(R),
    /// Not found, and there is no slot for it until the table is relieved.
    NoRoom,
    /// Not found, and there will be no slot for it.
    Full,
}

impl<R> Attempt<R> {
    pub(crate) fn map<Q>(self, change: impl FnOnce(R) -> Q) -> Attempt<Q> {
        match self {
            Attempt::Done(result) => Attempt::Done(change(result)),
            Attempt::Crowded(result) => Attempt::Crowded(change(result)),
            Attempt::NoRoom => Attempt::NoRoom,
            Attempt::Full => Attempt::Full,
        }
    }
}

/// When a table grows, and by how much.
#[derive(Clone, Copy)]
pub(crate) struct Growth {
    /// The first capacity.
    pub(crate) first: usize,
    /// The part of the slots that may be in use.
    pub(crate) load: f64,
    /// The capacity up to which it doubles.
    pub(crate) steep: usize,
    /// The factor from there on.
    pub(crate) gentle: f64,
}

/// Tests start so small that they see many growths, and Loom can only follow a few slots.
pub(crate) const fn first(capacity: usize) -> usize {
    if cfg!(any(test, loom)) { 4 } else { capacity }
}

impl Growth {
    fn next(&self, capacity: usize) -> usize {
        match capacity {
            0 => self.first,
            small if small < self.steep => small * 2,
            large => (large as f64 * self.gentle) as usize,
        }
    }
}

/// The load at which a table that may not grow takes nothing more: searches take some 200 steps there.
const BRIM: f64 = 0.95;

/// Growing by less than this would only put off the end.
const LEAST_GROWTH: f64 = 1.125;

/// The slots from a key's home that are looked at in one go: at a load of 0.8, five keys of six lie there. Loom can
/// follow one.
const AHEAD: usize = if cfg!(loom) { 1 } else { 4 };

/// A set of slots. It has no room until a worker has found so.
pub(crate) struct Table<S: Slot> {
    /// `AHEAD` more than the capacity: the last ones are never claimed.
    slots: Zeroed<S>,
    capacity: usize,
    growth: Growth,
    /// Which words are counted: those with none of these bits.
    sample: u64,
    /// The count at which to grow.
    grow_at: u64,
    /// Nothing more is taken: the memory for it, here or for what the slots refer to, was refused.
    closed: AtomicBool,
    /// A worker found it crowded.
    strained: AtomicBool,
    /// The claims in the sample.
    claimed: Padded<AtomicU64>,
}

impl<S: Slot> Table<S> {
    pub(crate) fn new(growth: Growth, budget: &Arc<Budget>) -> Self {
        let mut table = Table {
            slots: Zeroed::few(AHEAD, budget),
            capacity: 0,
            growth,
            sample: 0,
            grow_at: 0,
            closed: AtomicBool::new(false),
            strained: AtomicBool::new(false),
            claimed: Padded::default(),
        };
        table.set_load(growth.load);
        table
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.slots.bytes()
    }

    /// Takes nothing more: what the slots would refer to cannot be stored.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Where a search for `word` begins: below the capacity, or behind the end if there is no room at all.
    #[inline(always)]
    fn home(&self, word: u64) -> usize {
        home::<S>(word, self.capacity)
    }

    /// Shows `visit` the slots where `word` may be, in order, until it returns something; nothing if it never does.
    #[inline(always)]
    fn probe<'a, R>(&'a self, word: u64, visit: impl FnMut(&'a S) -> Option<R>) -> Option<R> {
        let (home, slots) = (self.home(word), &self.slots[..self.capacity]);
        slots[home..].iter().chain(&slots[..home]).find_map(visit)
    }

    /// Claims an empty slot for `word`, which must not be 0; if another was faster, says what it put there.
    #[inline(always)]
    fn claim(&self, slot: &S, word: u64) -> Result<(), u64> {
        // Acquire: one-word slots are complete when claimed, and the words they refer to must be visible.
        slot.first().compare_exchange(0, word, Ordering::Relaxed, Ordering::Acquire).map(|_| ())
    }

    /// After a claim: counts it, and says whether the table is crowded now.
    #[inline(always)]
    fn claimed<R>(&self, word: u64, result: R) -> Attempt<R> {
        if (word >> 32) & self.sample == 0
            && self.claimed.0.fetch_add(1, Ordering::Relaxed) + 1 >= self.grow_at
        {
            self.strained.store(true, Ordering::Relaxed);
            return Attempt::Crowded(result);
        }
        Attempt::Done(result)
    }

    /// After a search that found neither the key nor a slot that may be claimed.
    #[cold]
    fn no_room<R>(&self) -> Attempt<R> {
        if self.is_closed() {
            return Attempt::Full;
        }
        self.strained.store(true, Ordering::Relaxed);
        Attempt::NoRoom
    }

    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Makes room if a worker found the table crowded: grows it or, if the memory for that is refused, lets it fill
    /// to the brim, and then closes it.
    pub(crate) fn relieve(&mut self) {
        if !std::mem::take(self.strained.get_mut()) || *self.closed.get_mut() {
            return;
        }
        if let Some((slots, granted)) = self.larger() {
            self.capacity = slots.len() - AHEAD;
            let old = std::mem::replace(&mut self.slots, slots);
            self.set_load(self.growth.load);
            *self.claimed.0.get_mut() = 0;
            self.adopt(&old);
            drop(granted);
        } else {
            let before = self.grow_at;
            self.set_load(BRIM);
            if self.grow_at == before {
                *self.closed.get_mut() = true;
            }
        }
    }

    fn larger(&self) -> Option<(Zeroed<S>, Granted)> {
        let budget = self.slots.budget();
        let affordable = usize::try_from(budget.left() / size_of::<S>() as u64).unwrap_or(usize::MAX);
        let capacity = self.growth.next(self.capacity).min(affordable.saturating_sub(AHEAD));
        if capacity == 0 || (capacity as f64) < self.capacity as f64 * LEAST_GROWTH {
            return None;
        }
        Zeroed::granted(capacity + AHEAD, budget)
    }

    fn set_load(&mut self, load: f64) {
        let capacity = self.capacity;
        // Of a few thousand counted claims the estimate is good to a percent or two.
        let one_in = (capacity / 4096).clamp(1, 64) as u64;
        let one_in = 1 << one_in.ilog2();
        self.sample = one_in - 1;
        self.grow_at = ((capacity as f64 * load) as u64 / one_in).max(1);
    }

    /// Moves everything from `old` into this empty table. No other worker is here, so plain writes do.
    fn adopt(&mut self, old: &[S]) {
        let capacity = self.capacity;
        for slot in old {
            let word = slot.first().load(Ordering::Relaxed);
            if word == 0 {
                continue;
            }
            let mut at = home::<S>(word, capacity);
            while self.slots[at].first().load(Ordering::Relaxed) != 0 {
                at = if at + 1 == capacity { 0 } else { at + 1 };
            }
            self.slots[at].copy(slot);
            *self.claimed.0.get_mut() += u64::from((word >> 32) & self.sample == 0);
        }
    }
}

/// Where `word` belongs in a table of `capacity` slots.
#[inline(always)]
fn home<S: Slot>(word: u64, capacity: usize) -> usize {
    ((u128::from(word & S::HOME) * capacity as u128) >> 64) as usize
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const GROWTH: Growth = Growth { first: 4, load: 0.8, steep: 8, gentle: 1.5 };

    fn insert(table: &Table<Word>, word: u64) -> Option<bool> {
        match table.insert(word) {
            Attempt::Done(new) => Some(new),
            Attempt::Crowded(_) | Attempt::NoRoom | Attempt::Full => None,
        }
    }

    #[test]
    fn probing_wraps_from_last_slot_to_first() {
        let mut table: Table<Word> = Table::new(GROWTH, &Budget::new(None));
        assert!(matches!(table.insert(1), Attempt::NoRoom));
        table.relieve();
        assert_eq!(insert(&table, u64::MAX), Some(true));
        assert_eq!(insert(&table, u64::MAX - 1), Some(true));
        assert!(matches!(table.insert(u64::MAX - 2), Attempt::Crowded(true)));
        for capacity in [4, 8, 12, 18] {
            assert_eq!(table.capacity, capacity);
            for word in u64::MAX - 2..=u64::MAX {
                assert_eq!(insert(&table, word), Some(false), "{word:x} in {capacity} slots");
            }
            table.strained.store(true, Ordering::Relaxed);
            table.relieve();
        }
    }

    #[test]
    fn a_full_circle_asks_for_room() {
        // The count believes that nothing is in the table, as if no word had fallen into the sample.
        let mut table: Table<Word> = Table::new(GROWTH, &Budget::new(None));
        assert!(matches!(table.insert(1), Attempt::NoRoom));
        table.relieve();
        for word in 1..=4 {
            assert_eq!(insert(&table, word), Some(true));
            *table.claimed.0.get_mut() = 0;
        }
        assert!(matches!(table.insert(5), Attempt::NoRoom));
        table.relieve();
        assert_eq!(table.capacity, 8);
        assert!((1..=4).all(|word| insert(&table, word) == Some(false)));
        assert_eq!(insert(&table, 5), Some(true));
    }
}
