//! The trait of all stores, and the types that a search calls it with.

use crate::{Report, Seat};
use sojourner_program::Encoded;

/// A state, as a store wants to be given it.
#[derive(Clone, Copy, Debug)]
pub enum Key<'a> {
    /// 128 well mixed bits that stand for the state.
    Fingerprint(u128),
    /// The whole state.
    Encoded(&'a Encoded),
}

/// What a store says of a state that is inserted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It was not there before. Of several workers that insert it, one is told so.
    New,
    /// It was there, and has now been reached by fewer steps than ever before. Only stores that keep depths say
    /// this; the new depth is kept.
    Shallower,
    /// It was there.
    Again,
    /// It was not there and could not be stored: the memory limit forbids it.
    Full,
}

/// What a store needs to be given of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Any key will do: it is not looked at.
    Nothing,
    /// [`Key::Fingerprint`].
    Fingerprint,
    /// [`Key::Encoded`].
    Encoding,
}

/// A set of states that several workers share.
pub trait Store: Send + Sync {
    /// Which key `insert` takes.
    fn wants(&self) -> Wants;

    /// A seat for a worker. A seat that is dropped can be had again.
    ///
    /// # Panics
    ///
    /// If there are [`Options::workers`](crate::Options::workers) seats already.
    fn seat(&self) -> Seat;

    /// Inserts a state that was reached by `depth` steps, and says whether it was there.
    ///
    /// # Panics
    ///
    /// If the key is not what the store [`wants`](Store::wants), or if the seat is one of another store.
    fn insert(&self, seat: &mut Seat, key: Key<'_>, depth: u32) -> Seen;

    /// Fetches into the cache what an insertion of this fingerprint will look at first, where a store can tell. It
    /// changes nothing but the time that the insertion takes, and pays if there is something else to do before it.
    fn prefetch(&self, fingerprint: u128) {
        let _ = fingerprint;
    }

    /// The number of states that are in the store. While workers insert, it may lag behind them.
    fn states(&self) -> u64;

    /// The memory held, in bytes.
    fn bytes(&self) -> u64;

    /// The store in figures. It waits for insertions that are under way and holds up others: ask at the end, or
    /// once a second, not for every state.
    fn report(&self) -> Report;
}

impl<'a> Key<'a> {
    #[inline(always)]
    pub(crate) fn fingerprint(self) -> u128 {
        match self {
            Key::Fingerprint(fingerprint) => fingerprint,
            Key::Encoded(_) => not_a_fingerprint(),
        }
    }

    pub(crate) fn encoded(self) -> &'a Encoded {
        match self {
            Key::Encoded(encoded) => encoded,
            Key::Fingerprint(_) => panic!("this store wants encodings and was given a fingerprint"),
        }
    }
}

#[cold]
#[inline(never)]
fn not_a_fingerprint() -> ! {
    panic!("this store wants fingerprints and was given an encoding");
}
