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

pub(crate) use heap::Heap;
pub use heap::Ties;
pub(crate) use level::{Level, Levels};
pub(crate) use stack::{Pool, Stack};
pub(crate) use walk::Walk;

use crate::Past;
use crate::control::Control;
use crate::filter::Bounds;
use crate::order::Order;
use sojourner_program::{Choice, Fault, Program, Schedule};
use std::sync::Arc;

/// A choice that the engine is to take, and how the state behind it is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub choice: Choice,
    pub past: Past,
    pub depth: usize,
}

/// What comes next.
pub(crate) trait Frontier<P: Program> {
    /// Opens the state that the program is in, which was reached as `past` and `depth` say and has these choices.
    fn open(
        &mut self,
        program: &mut P,
        past: Past,
        depth: usize,
        choices: &mut Vec<Choice>,
        picker: &mut Picker<'_, P>,
    ) -> Result<(), Fault>;

    /// Brings the program to the next open state and takes a choice of it. `None`: nothing is open, for no worker.
    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault>;

    /// The schedule from the start to the state behind the choice that `next` gave last.
    fn path(&self) -> Schedule;

    /// The number of open states.
    fn len(&self) -> usize;
}

/// Decides which choices of a state are taken, and in which order.
pub(crate) struct Picker<'a, P: Program> {
    pub bounds: Bounds,
    pub order: Box<dyn Order<P> + 'a>,
    pub control: Arc<Control<'a>>,
}

impl<P: Program> Picker<'_, P> {
    /// Cuts and arranges the choices of the state that the program is in, and returns the past that
    /// faces them.
    pub fn prepare(
        &mut self,
        program: &mut P,
        past: Past,
        depth: usize,
        choices: &mut Vec<Choice>,
    ) -> Result<Past, Fault> {
        let past = if self.bounds.preemptions.is_some() { past.facing(choices) } else { past };
        if let Some(reason) = self.bounds.cut(past, depth, choices) {
            self.control.cut(reason);
        }
        self.order.arrange(program, past, choices)?;
        Ok(past)
    }
}
