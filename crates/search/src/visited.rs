//! Visited sets: they hash or encode the states of a program and insert them into a store.

use crate::ahead::UNKNOWN;
use crate::{Bounds, Past};
use foldhash::HashSet;
use sojourner_program::{Encode, Encoded, Fault, Limits, OpenPath, Program, Searched, Stateful};
use sojourner_store::{Key, Opened, Seat, Seen, Store, Wants};
use std::sync::Arc;

/// What decides whether a state is expanded.
pub(crate) trait Visited<P: Program> {
    /// Called once, before it takes in the first state.
    fn prepare(&mut self, _: &mut P) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether the program can go on where it stands by a choice that it does not offer.
    fn withholds_choices(&self, _: &P) -> bool {
        false
    }

    /// Whether the program may go on with the search by itself.
    fn is_shared(&self) -> bool {
        false
    }

    /// The program goes on with the search by itself, see [`Stateful::search_on`].
    fn search_on(&self, _: &mut P, _: &mut OpenPath, _: Limits) -> Result<Option<Searched>, Fault> {
        Ok(None)
    }

    /// What stands for the state that the program is in, reached by `past`, and for what the bounds must know of that.
    fn print(&mut self, program: &mut P, past: Past) -> u128;

    /// Takes in a state by its print, reached by `past` in `depth` steps. It is the one that `print` was asked for last, or
    /// the search has a store of fingerprints and no bounds.
    fn see(&mut self, print: u128, past: Past, depth: usize) -> Seen;
}

/// Keeps nothing: every state is new. All that a `Program` allows.
pub(crate) struct NoStates;

impl<P: Program> Visited<P> for NoStates {
    fn print(&mut self, _: &mut P, _: Past) -> u128 {
        UNKNOWN
    }

    fn see(&mut self, _: u128, _: Past, _: usize) -> Seen {
        Seen::New
    }
}

/// How the states of a program are encoded. It is a value and no trait bound, so that a search is compiled once for
/// programs with and without encodings.
pub(crate) struct Encoding<P> {
    /// The names of the components.
    pub kinds: fn(&P) -> Vec<String>,
    encode: fn(&mut P, &mut Encoded),
}

impl<P: Encode> Encoding<P> {
    pub fn new() -> Self {
        Encoding { kinds: P::kinds, encode: P::encode }
    }
}

impl<P> Clone for Encoding<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Encoding<P> {}

/// A store, if there is one.
impl<P: Stateful> Visited<P> for Option<StoredStates<P>> {
    fn prepare(&mut self, program: &mut P) -> Result<(), Fault> {
        if self.is_some() { program.prepare_states() } else { Ok(()) }
    }

    fn withholds_choices(&self, program: &P) -> bool {
        program.withholds_choices()
    }

    fn is_shared(&self) -> bool {
        self.as_ref().is_some_and(|kept| kept.only.is_none() && kept.store.is_shared())
    }

    fn search_on(
        &self,
        program: &mut P,
        path: &mut OpenPath,
        limits: Limits,
    ) -> Result<Option<Searched>, Fault> {
        program.search_on(path, limits)
    }

    #[inline]
    fn print(&mut self, program: &mut P, past: Past) -> u128 {
        match self {
            Some(kept) => kept.print(program, past),
            None => UNKNOWN,
        }
    }

    #[inline]
    fn see(&mut self, print: u128, past: Past, depth: usize) -> Seen {
        match self {
            Some(kept) => kept.see(print, past, depth),
            None => Seen::New,
        }
    }
}

/// What a state that is reached again must have less of to be expanded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Nothing: once is enough.
    Free,
    /// Steps, since a depth bound may have cut what lies behind it.
    Steps,
    /// Preemptions, per state and last thread: with fewer of them used up, more may follow.
    Preemptions,
    /// Context switches, then steps, per state and last thread: for shortening.
    Switches,
}

impl Cost {
    pub fn of(self, past: Past, depth: usize) -> u32 {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        match self {
            Cost::Free => 0,
            Cost::Steps => depth,
            Cost::Preemptions => past.preemptions(),
            // 24 bits are kept.
            Cost::Switches => past.switches().min(0xff) << 16 | depth.min(0xffff),
        }
    }
}

/// Keeps states in a store that several workers share.
pub(crate) struct StoredStates<P> {
    encoding: Option<Encoding<P>>,
    store: Arc<Opened>,
    wants: Wants,
    seat: Seat,
    bounds: Bounds,
    cost: Cost,
    /// Whether prints are wanted where the store wants none.
    tracks: bool,
    encoded: Encoded,
    /// The only states that are to be visited, as long as they have not been.
    only: Option<HashSet<u128>>,
}

impl<P> StoredStates<P> {
    /// A store that wants encodings needs `encoding`.
    pub fn new(
        encoding: Option<Encoding<P>>,
        store: Arc<Opened>,
        bounds: Bounds,
        cost: Cost,
        tracks: bool,
    ) -> Self {
        let (wants, seat) = (store.wants(), store.seat());
        StoredStates {
            encoding,
            wants,
            seat,
            store,
            bounds,
            cost,
            tracks,
            encoded: Encoded::new(),
            only: None,
        }
    }

    /// Every state but these counts as seen, and these do when they have been visited.
    pub fn only(self, states: HashSet<u128>) -> Self {
        StoredStates { only: Some(states), ..self }
    }

    #[inline]
    fn print(&mut self, program: &mut P, past: Past) -> u128
    where
        P: Stateful,
    {
        let last = || past.last().map(|thread| u64::from(thread.0) + 1);
        let bound = match self.cost {
            Cost::Preemptions => last(),
            Cost::Switches => self.bounds.key(past).or_else(last),
            Cost::Free | Cost::Steps => self.bounds.key(past),
        };
        if self.wants == Wants::Encoding {
            self.encoded.clear();
            if let Some(encoding) = &self.encoding {
                (encoding.encode)(program, &mut self.encoded);
            }
            if let Some(bound) = bound {
                self.encoded.put(u8::MAX, &bound.to_le_bytes());
            }
        }
        if self.wants == Wants::Fingerprint || self.tracks {
            let fingerprint = program.fingerprint();
            return bound.map_or(fingerprint, |bound| fingerprint ^ mix(bound));
        }
        UNKNOWN
    }

    #[inline]
    fn see(&mut self, print: u128, past: Past, depth: usize) -> Seen {
        if let Some(only) = &mut self.only {
            return if only.remove(&print) { Seen::New } else { Seen::Again };
        }
        let cost = self.cost.of(past, depth);
        let key = match self.wants {
            Wants::Nothing => return Seen::New,
            Wants::Fingerprint => Key::Fingerprint(print),
            Wants::Encoding => Key::Encoded(&self.encoded),
        };
        self.store.insert(&mut self.seat, key, cost)
    }
}

/// Spreads a bound's key over 128 bits, so that it cannot cancel out against differences between states.
fn mix(bound: u64) -> u128 {
    let low = splitmix(bound ^ 0x5851_f42d_4c95_7f2d);
    let high = splitmix(low ^ bound.rotate_left(32));
    u128::from(high) << 64 | u128::from(low)
}

/// The finaliser of SplitMix64: a bijection in which every bit depends on every other.
fn splitmix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
