//! Any stateful program as one that takes down which states a search visits.

use crate::oracle::wire;
use sojourner_program::{Choice, Encoded, Fault, Finding, Load, Program, Stateful, Step, Threads};
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
    L::P: Stateful,
{
    type P = Recording<L::P>;

    fn open(&self) -> Result<Self::P, Fault> {
        Ok(Recording { program: self.load.open()?, visits: Arc::clone(&self.visits) })
    }

    fn threads(&self) -> &Threads {
        self.load.threads()
    }
}

/// A program that takes down what is visited.
pub struct Recording<P> {
    program: P,
    visits: Visits,
}

impl<P: Stateful> Program for Recording<P> {
    type Place = P::Place;

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let state = wire(&mut self.program);
        self.visits.lock().expect("no holder panics").push(Visit { state, stuck });
        self.program.judge(stuck)
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        self.program.step(choice, step)
    }

    fn depth(&self) -> usize {
        self.program.depth()
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        self.program.rewind(depth)
    }

    fn here(&mut self) -> Self::Place {
        self.program.here()
    }

    fn go(&mut self, place: &Self::Place) -> Result<(), Fault> {
        self.program.go(place)
    }

    crate::delegate::views!();
}

impl<P: Stateful> Stateful for Recording<P> {
    crate::delegate::states!();

    fn decode(&mut self, state: &Encoded) -> Result<(), Fault> {
        self.program.decode(state)
    }
}
