//! The states on the way here, packed one behind the other.
//!
//! One buffer for all of them: a step appends, going back cuts off, and a path of a million states allocates twenty
//! times on the way and never again.

use crate::{Packed, State};
use smallvec::SmallVec;

/// A state of a model, packed: what it takes to come back to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub(crate) SmallVec<[u8; 40]>);

/// The packed states from the start to here.
#[derive(Debug)]
pub(crate) struct Path {
    bytes: Packed,
    /// Where each state begins; the lowest bit tells whether its choices have been asked for.
    starts: Vec<u64>,
}

impl Path {
    /// A path of one state.
    pub fn new<S: State>(state: &S) -> Self {
        let mut path = Path { bytes: Packed::new(), starts: Vec::new() };
        path.push(state);
        path
    }

    /// Goes on to a state.
    #[inline]
    pub fn push<S: State>(&mut self, state: &S) {
        self.starts.push((self.bytes.len() as u64) << 1);
        state.pack(&mut self.bytes);
    }

    /// Stays in the state for a step.
    #[cold]
    pub fn push_again(&mut self) {
        let start = self.start();
        let end = self.bytes.len();
        self.starts.push((end as u64) << 1);
        let state: Place = Place(self.bytes.bytes()[start..end].into());
        self.bytes.put(&state.0);
    }

    /// Goes to a packed state as the only one.
    pub fn restart(&mut self, state: &[u8]) {
        self.bytes.truncate(0);
        self.starts.clear();
        self.starts.push(0);
        self.bytes.put(state);
    }

    /// The number of steps on the path.
    #[inline]
    pub fn depth(&self) -> usize {
        self.starts.len() - 1
    }

    /// Cuts the path off behind the state at `depth`.
    #[inline]
    pub fn rewind(&mut self, depth: usize) {
        if let Some(&next) = self.starts.get(depth + 1) {
            self.bytes.truncate((next >> 1) as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// The last state, packed.
    #[inline]
    pub fn here(&self) -> &[u8] {
        &self.bytes.bytes()[self.start()..]
    }

    /// Whether the choices of the last state have been asked for.
    #[inline]
    pub fn asked(&self) -> bool {
        self.starts.last().is_some_and(|start| start & 1 == 1)
    }

    /// Remembers that the choices of the last state have been asked for.
    #[inline]
    pub fn ask(&mut self) {
        if let Some(start) = self.starts.last_mut() {
            *start |= 1;
        }
    }

    #[inline]
    fn start(&self) -> usize {
        self.starts.last().map_or(0, |start| (start >> 1) as usize)
    }
}
