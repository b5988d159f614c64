//! Any program as one that can only start again.
//!
//! This is how the native front-end uses the seam: there are no states, a place is a schedule, and going back is
//! replaying what came before.

use sojourner_program::{Choice, Detail, Fault, Finding, Load, Program, Schedule, Step, Threads};
use std::sync::Arc;

/// Makes programs that start again and replay.
pub struct ReplayOnly<L>(Arc<L>);

impl<L: Load> ReplayOnly<L> {
    /// The same programs, without their own way of going back.
    pub fn new(load: L) -> Self {
        ReplayOnly(Arc::new(load))
    }

    /// What makes the programs behind it.
    pub fn inner(&self) -> &L {
        &self.0
    }
}

impl<L: Load> Load for ReplayOnly<L> {
    type P = Replayed<L>;

    fn open(&self) -> Result<Replayed<L>, Fault> {
        let program = self.0.open()?;
        Ok(Replayed { load: Arc::clone(&self.0), program, schedule: Schedule::new(), base: 0 })
    }

    fn threads(&self) -> &Threads {
        self.0.threads()
    }
}

/// A program that goes back by replaying.
pub struct Replayed<L: Load> {
    load: Arc<L>,
    program: L::P,
    /// The choices from the very start.
    schedule: Schedule,
    /// How many of them lead to the place that it went to last.
    base: usize,
}

impl<L: Load> Replayed<L> {
    /// Starts again and follows the schedule.
    fn replay(&mut self, schedule: &[Choice]) -> Result<(), Fault> {
        let mut program = self.load.open()?;
        let mut step = Step::new(Detail::Outcome);
        for (i, &choice) in schedule.iter().enumerate() {
            program.step(choice, &mut step).map_err(|fault| match fault {
                Fault::Diverged { choice, why, .. } => Fault::Diverged { step: i, choice, why },
                other => other,
            })?;
        }
        self.program = program;
        Ok(())
    }
}

impl<L: Load> Program for Replayed<L> {
    type Place = Schedule;

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        self.program.judge(stuck)
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        self.program.step(choice, step)?;
        self.schedule.push(choice);
        Ok(())
    }

    fn depth(&self) -> usize {
        self.schedule.len() - self.base
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        let mut schedule = std::mem::take(&mut self.schedule);
        if self.base + depth < schedule.len() {
            schedule.truncate(self.base + depth);
            self.replay(&schedule)?;
        }
        self.schedule = schedule;
        Ok(())
    }

    fn here(&mut self) -> Schedule {
        self.schedule.clone()
    }

    fn go(&mut self, place: &Schedule) -> Result<(), Fault> {
        self.replay(place)?;
        self.schedule.clone_from(place);
        self.base = place.len();
        Ok(())
    }

    crate::delegate::views!();
}
