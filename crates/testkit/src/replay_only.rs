//! Any program as one that can only start again.
//!
//! This is how the native front-end uses the seam: there are no states, a place is a schedule, and going back is
//! replaying what came before.

use sojourner_program::{Choice, Detail, Fault, Load, Program, Reducible, Schedule, Step, forward};
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

    forward!(Load for 0, except open, renew, open_to_follow);

    fn open(&self) -> Result<Replayed<L>, Fault> {
        let program = self.0.open()?;
        Ok(Replayed { load: Arc::clone(&self.0), program, schedule: Schedule::new(), base: 0 })
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

    forward!(Program for program, except step, depth, rewind, here, go, place_bytes);

    fn place_bytes(&self, place: &Schedule) -> usize {
        place.capacity() * size_of::<Choice>()
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
}

impl<L: Load<P: Reducible>> Reducible for Replayed<L> {
    forward!(Reducible for program);
}
