//! Partial order sampling (Yuan, Yang, Gu 2018).
//!
//! Every pending operation has a random priority and the highest runs; when it has run, the operations that it
//! raced with draw new ones. So the order of two racing operations is a fair coin, however many others lie
//! between. Without footprints every operation races with every other, and this is a random walk.

use super::{Order, favour};
use crate::Past;
use sojourner_program::{Choice, Detail, Fault, Footprint, Program, Random, Step, Thread, dependent};

/// The order of partial order sampling.
pub(crate) struct Pos {
    random: Random,
    /// By thread: the priority of its pending operation, if it has been drawn.
    priorities: Vec<Option<u64>>,
    threads: Vec<Thread>,
    last: Option<(Choice, Footprint)>,
}

impl Pos {
    pub fn new(random: Random) -> Self {
        Pos { random, priorities: Vec::new(), threads: Vec::new(), last: None }
    }
}

impl<P: Program> Order<P> for Pos {
    fn begin(&mut self) {
        self.priorities.clear();
        self.last = None;
    }

    fn detail(&self) -> Detail {
        Detail::Footprint
    }

    fn stepped(&mut self, choice: Choice, step: &Step) {
        self.last = Some((choice, step.footprint.clone()));
    }

    fn arrange(&mut self, program: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        if let Some((choice, footprint)) = self.last.take() {
            self.threads.clear();
            program.threads(&mut self.threads);
            for thread in &self.threads {
                let raced = thread.id == choice.thread || dependent(&footprint, &thread.pending);
                if let Some(priority) = self.priorities.get_mut(thread.id.0 as usize)
                    && raced
                {
                    *priority = None;
                }
            }
        }
        let (mut highest, mut favourite) = (0, None);
        for thread in choices.iter().map(|choice| choice.thread) {
            let index = thread.0 as usize;
            if index >= self.priorities.len() {
                self.priorities.resize(index + 1, None);
            }
            let priority = *self.priorities[index].get_or_insert_with(|| self.random.bits());
            if favourite.is_none() || priority > highest {
                (highest, favourite) = (priority, Some(thread));
            }
        }
        if let Some(thread) = favourite {
            favour(thread, choices, &mut self.random);
        }
        Ok(())
    }
}
