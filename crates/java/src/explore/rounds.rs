//! Loops that look in vain, under a dynamic partial order reduction.
//!
//! A thread that stands again where it stood, with the same frames, and has changed nothing since, has gone round a loop in
//! vain. Nobody can have noticed, so every execution with that round is one without it; it is left there for good, and
//! whatever changes what it has looked at races with its look. Whether a round is left out is decided by the thread alone.
//! Without this, executions of a program that waits in a loop would have no end.

use super::sinks::{FRAMES, Print, Sink};
use super::watch::Habit;
use super::{Look, Pending, Timeouts, What};
use crate::machine::{Machine, Resume, Status};
use crate::memory::Ref;
use sojourner_program::Fault;

/// What a transition must leave as it is to count as a look.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Unchanged {
    overwritten: usize,
    revised: u64,
    now: i64,
    look: Look,
    threads: usize,
    alive: usize,
}

impl Machine {
    /// How things stand that others could notice a change of.
    pub(super) fn unchanged(&self) -> Unchanged {
        let asks = self.watch.habits[Habit::GoesByFinding as usize];
        Unchanged {
            overwritten: self.heap.overwritten(),
            revised: self.heap.revised(),
            // As long as no thread asks for the time, none notices that it passes.
            now: if asks { self.now } else { 0 },
            // The next question may be the one at which time passes.
            look: if asks { self.look } else { Look::default() },
            threads: self.threads.len(),
            alive: self.alive,
        }
    }

    /// Whether threads that have gone round in vain are left alone.
    fn leaves_rounds_out(&self) -> bool {
        // Where time-outs come when nobody gets on, somebody notices that a thread goes round.
        self.watch.leaves_rounds
            && !self.watch.habits[Habit::RoundsCount as usize]
            && self.watch.settings.timeouts == Timeouts::Any
    }

    /// Looks whether a thread has gone round in vain, after a transition before which things stood like that.
    pub(super) fn look_for_rounds(&mut self, thread: usize, before: Unchanged) {
        use What::{Ask, Choose, LookAtFile, Nothing, Pause, Read, ReadVolatile, Update};
        if !self.leaves_rounds_out() {
            return;
        }
        let looks = matches!(
            self.watch.performed.what,
            Nothing | Choose | LookAtFile | Read | ReadVolatile | Update | Pause | Ask
        );
        let quiet = looks && !self.watch.fused && before == self.unchanged();
        let alone = quiet && self.stirred().all(|other| other == thread);
        let at = &self.threads[thread];
        let stands = at.status == Status::Runnable
            && (at.pending != Pending::NOTHING || at.outcomes > 0)
            && at.woken.is_none()
            && at.atomic == 0;
        let lap = if stands { self.print_of_standing(thread) } else { 0 };
        let jumped = self.watch.looped;
        let standing = self.standing(thread);
        standing.rests = alone && stands && standing.lap == lap;
        standing.laps = if alone { standing.laps + u32::from(jumped) } else { 0 };
        // The place to come back to is where the thread has changed something last or, for loops in which it comes to stand
        // several times, one that it came to later, each time twice as late (Brent 1980).
        if !alone || standing.lap == 0 || jumped && standing.laps.is_power_of_two() {
            standing.lap = lap;
        }
    }

    /// What stands for all that a thread has to itself: its frames, with the objects that they refer to.
    fn print_of_standing(&self, thread: usize) -> u64 {
        let mut print = Print::new();
        print.begin(FRAMES, 0);
        let at = &self.threads[thread];
        print.pair(at.pending.what as u64, u64::from(at.outcomes) << 1 | u64::from(at.permit));
        for (depth, frame) in at.frames.iter().enumerate() {
            print.pair(u64::from(frame.method.0) << 32 | u64::from(frame.pc), self.identity(frame.lock));
            let again = at.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            self.liveness(frame.method).alive(frame.pc, again, |register, is_reference| {
                let value = at.stack.get(frame.base as usize + usize::from(register));
                print.word(if is_reference { self.identity(Ref(value as u32)) } else { value });
            });
        }
        print.take().words()[0] | 1
    }

    /// Whether nobody can move for the sole reason that a thread was left alone.
    pub(super) fn is_left_in_loop(&self) -> bool {
        self.exit.is_none() && self.threads.iter().any(|thread| thread.rests)
    }

    /// A step was planned that is not possible: some round has to be followed after all.
    pub(super) fn follow_rounds(&mut self) -> Option<Fault> {
        if !self.leaves_rounds_out() || self.watch.follows {
            return None;
        }
        self.learn_habit(Habit::RoundsCount);
        self.watch.violated.take().map(|why| Fault::Again { why })
    }
}
