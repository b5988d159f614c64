//! Depth-first searches that a program goes on with by itself.
//!
//! A program in another process needs some microseconds for each step to be asked for it, which may be more than the step takes. So a
//! search may hand over its path, with what is open along it, and take it back when the program has gone on for a while.

use crate::Choice;

/// A set of fingerprints that a search and its program both look in.
pub trait SharedSet: Send + Sync {
    /// Inserts a fingerprint. Whether it was not there before; nothing if it could not be stored.
    fn insert(&self, fingerprint: u128) -> Option<bool>;

    /// How many there are.
    fn states(&self) -> u64;

    /// The memory held, in bytes.
    fn bytes(&self) -> u64;
}

/// A state on the path of a depth-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenState {
    /// The choice that leads to the next state of the path. Of the last state it says nothing.
    pub taken: Choice,
    /// Where its open choices end among all. They begin where those of the state before it end.
    pub end: usize,
}

/// The path of a depth-first search, and what is still to be explored along it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenPath {
    /// The states, the first one first.
    pub states: Vec<OpenState>,
    /// Their open choices, one state behind the other, each state's in the order in which they are to be taken.
    pub choices: Vec<Choice>,
    /// How many of the first states are as they were when the path was handed over the last time.
    pub unchanged: usize,
    /// The states from which no execution is known to end, if the search keeps them.
    pub unsettled: Option<Unsettled>,
}

/// States of a search from which no execution is known to end, see [`OpenPath`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsettled {
    /// Their fingerprints, in the order in which they were reached. A state's number is its place here.
    pub fingerprints: Vec<u128>,
    /// Of those on the path, which are the last states of it: the number, and the least number of a state that it is known to lead
    /// to.
    pub path: Vec<(u32, u32)>,
}

impl OpenPath {
    /// Where the choices of a state begin.
    pub fn start(&self, depth: usize) -> usize {
        depth.checked_sub(1).map_or(0, |before| self.states[before].end)
    }

    /// The open choices of a state.
    pub fn open(&self, depth: usize) -> &[Choice] {
        &self.choices[self.start(depth)..self.states[depth].end]
    }

    /// Keeps the first states.
    pub fn truncate(&mut self, states: usize) {
        self.states.truncate(states);
        self.choices.truncate(self.start(self.states.len()));
    }

    /// Adds a state.
    pub fn push(&mut self, taken: Choice, open: impl IntoIterator<Item = Choice>) {
        self.choices.extend(open);
        self.states.push(OpenState { taken, end: self.choices.len() });
    }
}

/// How far a program may go on with a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Transitions that it may take.
    pub transitions: u64,
    /// States that it may add.
    pub states: u64,
}

/// How far a program has gone on with a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The transitions that it has taken.
    pub transitions: u64,
    /// The states that were new.
    pub states: u64,
    /// The length of the longest path that it has come to.
    pub max_depth: u64,
    /// Whether the search must take the next transition step by step: something happens there that the search has to see.
    pub steps: bool,
}
