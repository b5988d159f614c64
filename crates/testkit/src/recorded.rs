//! Any stateful program as one that takes down which states a search visits.

use crate::oracle::wire;
use sojourner_program::{Decode, Encode, Fault, Finding, Load, Program, Reducible, Stateful, forward};
use std::sync::{Arc, Mutex};

/// Makes programs that take down what is visited, all in one list.
pub struct Recorded<L> {
    load: L,
    visits: Visits,
}

type Visits = Arc<Mutex<Vec<Visit>>>;

/// A state that a search has judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visit {
    /// The state, in the form that travels between machines.
    pub state: Vec<u8>,
    /// Whether it has no choices.
    pub stuck: bool,
}

impl<L: Load> Recorded<L> {
    /// The same programs, watched.
    pub fn new(load: L) -> Self {
        Recorded { load, visits: Visits::default() }
    }

    /// What has been visited since the last time this was asked, in order.
    pub fn take(&self) -> Vec<Visit> {
        std::mem::take(&mut self.visits.lock().expect("no holder panics"))
    }
}

impl<L: Load> Load for Recorded<L>
where
    L::P: Encode,
{
    type P = Recording<L::P>;

    forward!(Load for load, except open, renew, open_to_follow);

    fn open(&self) -> Result<Self::P, Fault> {
        Ok(Recording { program: self.load.open()?, visits: Arc::clone(&self.visits) })
    }

    fn open_to_follow(&self) -> Result<Self::P, Fault> {
        Ok(Recording { program: self.load.open_to_follow()?, visits: Arc::clone(&self.visits) })
    }
}

/// A program that takes down what is visited.
pub struct Recording<P> {
    program: P,
    visits: Visits,
}

impl<P: Encode> Program for Recording<P> {
    type Place = P::Place;

    forward!(Program for program, except judge);

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let state = wire(&mut self.program);
        self.visits.lock().expect("no holder panics").push(Visit { state, stuck });
        self.program.judge(stuck)
    }
}

impl<P: Encode + Reducible> Reducible for Recording<P> {
    forward!(Reducible for program);
}

impl<P: Encode> Stateful for Recording<P> {
    forward!(Stateful for program);
}

impl<P: Encode> Encode for Recording<P> {
    forward!(Encode for program);
}

impl<P: Decode> Decode for Recording<P> {
    forward!(Decode for program);
}
