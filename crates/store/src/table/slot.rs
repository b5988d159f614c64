//! The three sorts of slots, and how each is searched and filled.

use super::{AHEAD, Attempt, Table};
use crate::memory::Zero;
use crate::sync::{AtomicU64, Backoff, Ordering};

/// A place for one key in a [`Table`].
pub(crate) trait Slot: Zero {
    /// The bits of the first word that decide its home.
    const HOME: u64;

    /// The word that is 0 while the slot is empty.
    fn first(&self) -> &AtomicU64;

    /// Becomes a copy of `other`, which no thread is changing.
    fn copy(&self, other: &Self) {
        self.first().store(other.first().load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// One word that is all there is to the key.
#[derive(Default)]
#[repr(transparent)]
pub(crate) struct Word(AtomicU64);

// SAFETY: it is an atomic.
#[allow(unsafe_code)]
unsafe impl Zero for Word {}

impl Slot for Word {
    const HOME: u64 = u64::MAX;

    fn first(&self) -> &AtomicU64 {
        &self.0
    }
}

impl Table<Word> {
    /// Inserts a word other than 0, and says whether it is new.
    #[inline]
    pub(crate) fn insert(&self, word: u64) -> Attempt<bool> {
        let attempt = self.probe(word, |slot| {
            let mut found = slot.0.load(Ordering::Relaxed);
            if found == 0 {
                if self.is_closed() {
                    return Some(self.no_room());
                }
                match self.claim(slot, word) {
                    Ok(()) => return Some(self.claimed(word, true)),
                    Err(other) => found = other,
                }
            }
            (found == word).then_some(Attempt::Done(false))
        });
        attempt.unwrap_or_else(|| self.no_room())
    }
}

/// 32 bits of a hash and a number by which the key can be found and compared.
///
/// The number is 0 from when the slot is claimed until the key is in its place.
#[derive(Default)]
#[repr(transparent)]
pub(crate) struct Tagged(AtomicU64);

// SAFETY: it is an atomic.
#[allow(unsafe_code)]
unsafe impl Zero for Tagged {}

impl Slot for Tagged {
    const HOME: u64 = !Self::NUMBER;

    fn first(&self) -> &AtomicU64 {
        &self.0
    }
}

impl Tagged {
    const NUMBER: u64 = u32::MAX as u64;
    /// The number of a key that could not be put in its place.
    const LOST: u64 = u32::MAX as u64;

    /// The number, once it is known.
    fn number(&self, mut word: u64) -> u64 {
        let mut backoff = Backoff::default();
        while word & Self::NUMBER == 0 {
            backoff.wait();
            word = self.0.load(Ordering::Acquire);
        }
        word & Self::NUMBER
    }
}

impl Table<Tagged> {
    /// The number of the key with this hash that is the `same`. If it is new, `add` puts it in its place and gives it a
    /// number: from 1 up to, and without, `u32::MAX`, or nothing if there is no place left.
    #[inline]
    pub(crate) fn intern(
        &self,
        hash: u64,
        same: impl Fn(u32) -> bool,
        add: impl Fn() -> Option<u32>,
    ) -> Attempt<u32> {
        // A tag of 0 would make a claimed slot look empty.
        let tag = (hash & Tagged::HOME).max(Tagged::NUMBER + 1);
        let attempt = self.probe(tag, |slot| {
            // Acquire: pairs with the release below, so that the key behind the number can be read.
            let mut found = slot.0.load(Ordering::Acquire);
            if found == 0 {
                if self.is_closed() {
                    return Some(self.no_room());
                }
                match self.claim(slot, tag) {
                    Ok(()) => {
                        let number = add();
                        slot.0.store(tag | number.map_or(Tagged::LOST, u64::from), Ordering::Release);
                        return Some(match number {
                            Some(number) => self.claimed(tag, number),
                            None => {
                                self.close();
                                Attempt::Full
                            }
                        });
                    }
                    Err(other) => found = other,
                }
            }
            if found & Tagged::HOME != tag {
                return None;
            }
            let number = slot.number(found);
            (number != Tagged::LOST && same(number as u32)).then_some(Attempt::Done(number as u32))
        });
        attempt.unwrap_or_else(|| self.no_room())
    }
}

/// Two words. The second is 0 from when the slot is claimed until it is complete, and may change later.
#[derive(Default)]
#[repr(C, align(16))]
pub(crate) struct Pair {
    first: AtomicU64,
    second: AtomicU64,
}

// SAFETY: it is two atomics, and 16 bytes, so there is no padding.
#[allow(unsafe_code)]
unsafe impl Zero for Pair {}

impl Slot for Pair {
    const HOME: u64 = u64::MAX;

    fn first(&self) -> &AtomicU64 {
        &self.first
    }

    fn copy(&self, other: &Self) {
        self.first.store(other.first.load(Ordering::Relaxed), Ordering::Relaxed);
        self.second.store(other.second.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// The second word of a slot if its key could not be put in its place.
pub(crate) const LOST: u64 = u64::MAX;

/// What became of an insertion of two words.
pub(crate) enum Claimed<'a> {
    /// It is new.
    New,
    /// It was there: this is its second word.
    Old(&'a AtomicU64),
}

impl Pair {
    /// The second word, once it is complete.
    fn second(&self) -> u64 {
        // Acquire: pairs with the release that completes the slot, so that what the word refers to can be read.
        let mut second = self.second.load(Ordering::Acquire);
        let mut backoff = Backoff::default();
        while second == 0 {
            backoff.wait();
            second = self.second.load(Ordering::Acquire);
        }
        second
    }
}

impl Table<Pair> {
    /// Looks for a key where it most likely is, and gives its second word. The key has `first`, which must not be 0, as its
    /// first word, and its second word is the `same`, which 0 must not be. If there is none, [`Table::insert`] knows for sure.
    ///
    /// In which slot a key lies cannot be predicted, and a branch that waits for memory holds up all that comes behind
    /// it. So a few slots are looked at without one.
    #[inline(always)]
    #[cfg_attr(loom, allow(clippy::modulo_one, reason = "Loom gets tables that look one slot ahead"))]
    pub(crate) fn glance(&self, first: u64, same: impl Fn(u64) -> bool) -> Option<&AtomicU64> {
        let slots = self.ahead(self.home(first));
        let mut at = 0;
        for (ahead, slot) in slots.iter().enumerate().skip(1) {
            // Where several slots have this first word, it may lead to the wrong one, and the key is missed.
            at |= ahead * usize::from(slot.first.load(Ordering::Relaxed) == first);
        }
        let slot = &slots[at % AHEAD];
        // Acquire: as in `Pair::second`.
        let here = slot.first.load(Ordering::Relaxed) == first && same(slot.second.load(Ordering::Acquire));
        here.then_some(&slot.second)
    }

    /// The slots where a key of that home most likely is.
    #[allow(unsafe_code)]
    #[inline(always)]
    fn ahead(&self, home: usize) -> &[Pair; AHEAD] {
        // SAFETY: a home is at most the capacity, and there are `AHEAD` slots more than that.
        unsafe { &*self.slots.as_ptr().add(home).cast() }
    }

    /// Finds the key with the first word `first`, which must not be 0, and a second word that is the `same`. If there is none,
    /// inserts it with the second word that `add` gives. `add` gives nothing if the key cannot be stored.
    #[inline]
    pub(crate) fn insert(
        &self,
        first: u64,
        same: impl Fn(u64) -> bool,
        add: impl Fn() -> Option<u64>,
    ) -> Attempt<Claimed<'_>> {
        let attempt = self.probe(first, |slot| {
            let mut found = slot.first.load(Ordering::Relaxed);
            if found == 0 {
                if self.is_closed() {
                    return Some(self.no_room());
                }
                match self.claim(slot, first) {
                    Ok(()) => {
                        let second = add();
                        slot.second.store(second.unwrap_or(LOST), Ordering::Release);
                        if second.is_none() {
                            self.close();
                            return Some(Attempt::Full);
                        }
                        return Some(self.claimed(first, Claimed::New));
                    }
                    Err(other) => found = other,
                }
            }
            (found == first && same(slot.second())).then_some(Attempt::Done(Claimed::Old(&slot.second)))
        });
        attempt.unwrap_or_else(|| self.no_room())
    }
}
