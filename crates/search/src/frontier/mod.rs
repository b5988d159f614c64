//! Frontiers hold what comes next: open states with choices that have not been taken.
//!
//! A frontier decides in which order a search goes, and it alone knows how the program gets from where it is to
//! the next open state: a stack rewinds, a queue goes to places, a walk never turns back. Where several workers
//! share one search, the sharing is in the frontier too. So the engine has one loop for all of them.

mod heap;
mod level;
mod log;
mod stack;
mod walk;

pub(crate) use heap::{Heap, Queue};
pub use heap::{Queueing, Ties};
pub(crate) use level::{Level, Levels};
pub(crate) use stack::{Job, Stack};
pub(crate) use walk::Walk;

use crate::ahead::{LookAhead, Yield};
use crate::control::Control;
use crate::filter::Bounds;
use crate::order::Order;
use crate::{Past, Reach, Reason};
use sojourner_program::{Choice, Fault, OpenPath, Program, Schedule};
use std::sync::Arc;

/// A choice that the engine is to take, and how the state behind it is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub choice: Choice,
    pub past: Past,
    pub depth: usize,
    /// The depth of the program at the state where the choice is open.
    pub from: usize,
    /// The fingerprint of the state behind the choice, if it is known.
    pub print: u128,
}

/// A state that is to be opened: how it was reached, and its choices, which are cut and arranged on the way.
pub(crate) struct Arrival<'a> {
    pub past: Past,
    pub depth: usize,
    pub choices: &'a mut Vec<Choice>,
    /// Stands for the state.
    pub print: u128,
    /// An execution can end here, or go on in a way that is not among the choices.
    pub ends: bool,
}

/// What comes next.
pub(crate) trait Frontier<P: Program> {
    /// Opens the state that the program is in.
    fn open(&mut self, program: &mut P, at: Arrival<'_>, picker: &mut Picker<'_, P>) -> Result<(), Fault>;

    /// Takes the next open choice. The program is at its state, or can be rewound to it. `None`: nothing is open, for
    /// no worker.
    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault>;

    /// The state behind the choice that `next` gave last is about to be looked up.
    #[inline]
    fn announce(&mut self, _: u128) {}

    /// That state had been seen before.
    #[inline]
    fn again(&mut self, _: u128) {}

    /// The execution has failed at the choice that `next` gave last.
    fn failed(&mut self) {}

    /// The path, for a program that goes on with the search by itself, if this frontier is a path that no other worker has a part of.
    fn lend(&mut self) -> Option<&mut OpenPath> {
        None
    }

    /// The program has gone on with the path that was lent.
    fn take_back(&mut self) {}

    /// The schedule from the start to the state behind the choice that `next` gave last.
    fn path(&self) -> Schedule;

    /// The number of open states.
    fn len(&self) -> usize;

    /// The bytes that this worker holds for open states. The first worker adds what all workers share.
    fn bytes(&self) -> u64;
}

/// Decides which choices of a state are taken, and in which order.
pub(crate) struct Picker<'a, P: Program> {
    pub bounds: Bounds,
    /// Where executions are cut, if not by a bound.
    pub reach: Option<Arc<Reach>>,
    /// Whether anything asks for the preemptions on the path.
    pub counts_preemptions: bool,
    pub order: Box<dyn Order<P> + 'a>,
    /// Looks ahead, if that may pay.
    pub ahead: Option<Box<dyn LookAhead<P> + 'a>>,
    pub successors: Yield,
    pub control: Arc<Control<'a>>,
}

impl<P: Program> Picker<'_, P> {
    /// Appends the fingerprints of the successors of the state that the program is in, if it pays to know them.
    pub fn look_ahead(
        &mut self,
        program: &mut P,
        choices: &[Choice],
        prints: &mut Vec<u128>,
    ) -> Result<(), Fault> {
        match &mut self.ahead {
            Some(ahead) if self.successors.is_low() => ahead.look(program, choices, prints),
            _ => Ok(()),
        }
    }

    /// Cuts and arranges the choices of the state that the program is in, and returns the past that
    /// faces them.
    pub fn prepare(
        &mut self,
        program: &mut P,
        past: Past,
        depth: usize,
        choices: &mut Vec<Choice>,
    ) -> Result<Past, Fault> {
        let past = if self.counts_preemptions { past.facing(choices) } else { past };
        let mut bounds = self.bounds;
        if let Some(reach) = &self.reach {
            bounds.depth = Some(reach.steps());
        }
        if let Some(reason) = bounds.cut(past, depth, choices) {
            self.control.cut(reason);
            if let (Reason::Depth(_), Some(reach)) = (reason, &self.reach) {
                reach.was_cut();
            }
        }
        self.order.arrange(program, past, choices)?;
        Ok(past)
    }
}
