//! Loops that look in vain, under a dynamic partial order reduction.
//!
//! A thread that stands again where it stood, with the same frames, and has changed nothing since, has gone round a loop in
//! vain. No other thread can have noticed, so every execution with that round is one without it; it is left there for good, and
//! whatever changes what it has looked at races with its look. Whether a round is left out is decided by the thread alone.
//! Without this, executions of a program that waits in a loop would have no end.

use super::sinks::{FRAMES, Fingerprinter, Sink};
use crate::machine::visible::Behaviour;
use crate::machine::visible::{ClockPolls, Operation, OperationKind, Timeouts};
use crate::machine::{Machine, Resume, Status};
use crate::memory::Ref;
use sojourner_program::Fault;

/// What a transition must leave as it is to count as a look.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Unchanged {
    overwritten: usize,
    revised: u64,
    now: i64,
    look: ClockPolls,
    threads: usize,
    alive: usize,
}

impl Machine {
    /// How things stand that others could notice a change of.
    pub(super) fn unchanged(&self) -> Unchanged {
        let asks = self.scheduling.expects(Behaviour::UnpredictableSteps);
        Unchanged {
            overwritten: self.heap.overwritten(),
            revised: self.heap.revised(),
            // As long as no thread asks for the time, none notices that it passes.
            now: if asks { self.clock.now } else { 0 },
            // The next question may be the one at which time passes.
            look: if asks { self.clock.polls } else { ClockPolls::default() },
            threads: self.threads.list.len(),
            alive: self.threads.alive,
        }
    }

    /// Whether threads that have gone round in vain are left alone.
    fn skips_vain_rounds(&self) -> bool {
        // If time-outs come when no thread gets on, other threads notice that a thread goes round.
        self.scheduling.skips_vain_rounds
            && !self.scheduling.expects(Behaviour::VainRoundsMatter)
            && self.scheduling.settings.timeouts == Timeouts::Any
    }

    /// Looks whether a thread has gone round in vain, after a transition before which things stood like that.
    pub(super) fn find_vain_round(&mut self, thread: usize, before: Unchanged) {
        use OperationKind::{Ask, Choose, LookAtFile, Nothing, Pause, Read, ReadVolatile, Update};
        if !self.skips_vain_rounds() {
            return;
        }
        let looks = matches!(
            self.scheduling.record.performed.kind,
            Nothing | Choose | LookAtFile | Read | ReadVolatile | Update | Pause | Ask
        );
        let quiet = looks && !self.scheduling.record.fused && before == self.unchanged();
        let alone = quiet && self.stirred().all(|other| other == thread);
        let at = &self.threads.list[thread];
        let stands = at.status == Status::Runnable
            && (at.pending != Operation::NOTHING || at.outcomes > 0)
            && at.woken.is_none()
            && at.atomic == 0;
        let lap = if stands { self.hash_of_thread(thread) } else { 0 };
        let jumped = self.scheduling.jumped_back;
        let standing = self.state_mut(thread);
        standing.stays_in_loop = alone && stands && standing.loop_start == lap;
        standing.loop_jumps = if alone { standing.loop_jumps + u32::from(jumped) } else { 0 };
        // The place to come back to is where the thread has changed something last or, for loops in which it comes to stand
        // several times, one that it came to later, each time twice as late (Brent 1980).
        if !alone || standing.loop_start == 0 || jumped && standing.loop_jumps.is_power_of_two() {
            standing.loop_start = lap;
        }
    }

    /// What stands for all that a thread has to itself: its frames, with the objects that they refer to.
    fn hash_of_thread(&self, thread: usize) -> u64 {
        let mut print = Fingerprinter::new();
        print.begin(FRAMES, 0);
        let at = &self.threads.list[thread];
        print.pair(at.pending.kind as u64, u64::from(at.outcomes) << 1 | u64::from(at.permit));
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

    /// Whether no thread can move for the sole reason that one was left in its loop.
    pub(super) fn stays_in_loop(&self) -> bool {
        self.outcome.exit.is_none() && self.threads.list.iter().any(|thread| thread.stays_in_loop)
    }

    /// A step was planned that is not possible: some round has to be followed after all.
    pub(super) fn follow_vain_rounds(&mut self) -> Option<Fault> {
        if !self.skips_vain_rounds() || self.scheduling.assumptions.fixed {
            return None;
        }
        self.learn_behaviour(Behaviour::VainRoundsMatter);
        self.scheduling.assumptions.violated.take().map(|why| Fault::Again { why })
    }
}
