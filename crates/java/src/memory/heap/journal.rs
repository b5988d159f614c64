//! What was overwritten, so that it can be put back.
//!
//! While a heap records, every word that is overwritten in an object older than the present transition is kept here
//! first. Objects of the present transition need none of that: going back forgets them altogether.

use super::Ref;

/// A word that was overwritten.
#[derive(Clone, Copy)]
pub struct Overwritten {
    /// The object that it belongs to; null if that is not known.
    pub object: Ref,
    /// The word, in units from the base of the heap.
    pub unit: u32,
    /// What it was.
    pub old: u64,
}

/// A word of a permanent object that some execution has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The object.
    pub object: Ref,
    /// Where the word lies in the object, in bytes.
    pub offset: u32,
    /// What it is in executions that have not changed it.
    pub original: u64,
}

/// As many words are looked at for one that has been kept already.
const RECENT: usize = 6;

/// How far a heap had come.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeapMark {
    pub(super) top: u32,
    pub(super) allocated: u32,
    pub(super) overwritten: usize,
}

/// What a heap records.
#[derive(Default)]
pub(super) struct Journal {
    pub overwritten: Vec<Overwritten>,
    /// How many of them the present transition began with.
    pub begun: usize,
    /// Which words of permanent objects are in `changed`, by unit.
    registered: Vec<u64>,
    pub changed: Vec<Changed>,
}

impl Journal {
    /// Makes room for permanent objects up to a unit.
    pub fn cover(&mut self, units: u32) {
        self.registered.resize(units as usize / 64 + 1, 0);
    }

    /// Whether the present transition has kept a word of late. What it was first is all that counts, and what is written
    /// again is mostly written soon: the monitor that is given back above all.
    #[inline(always)]
    pub fn is_known(&self, unit: u32) -> bool {
        let from = self.begun.max(self.overwritten.len().saturating_sub(RECENT));
        self.overwritten.get(from..).is_some_and(|recent| recent.iter().any(|word| word.unit == unit))
    }

    /// Notes that a word of a permanent object changes; whether that is news.
    #[inline]
    pub fn register(&mut self, unit: u32) -> bool {
        let (word, bit) = (unit as usize / 64, 1 << (unit % 64));
        let fresh = self.registered[word] & bit == 0;
        self.registered[word] |= bit;
        fresh
    }
}
