//! One transition: a thread runs from one scheduling point to the next.

use super::sinks::{FRAMES, Fingerprinter, Sink};
use crate::machine::visible::{Operation, OperationKind, Timeouts};
use crate::machine::{Machine, Resume, Status, Stop, ThreadState, Woken};

/// Polls of the interpreter after which a transition ends without a visible operation: a thread that loops for ever must let
/// others go on, and the search look at its budget. A thread that gets there again computes for long. Each time it may go on for
/// twice as long, up to `LONGEST`, so that it has few states. A thread that spins is back in the same state by then.
const SHORTEST: i32 = 1 << 16;
/// The same at most, and while no other thread is alive.
const LONGEST: i32 = 1 << 20;
/// Bytes by which the heap has grown in a transition after which it ends likewise: what it holds on to stays until it is taken
/// back.
pub(super) const LARGEST: u64 = 16 << 20;
/// Collections of garbage after which it ends even if they have found room.
const COLLECTIONS: u32 = 4;

/// The value of a choice by which a thread that waits for some time gives up.
pub(super) const GIVES_UP: u32 = 0;
/// The value of a choice by which a thread that waits goes on without a reason.
pub(super) const SPURIOUSLY: u32 = 1;

impl Machine {
    /// Notes whether a thread seems to wait in a loop for another thread, after a transition that began at that time. It does if it has
    /// come round the loop with the same frames as the last time, and has done nothing on the way. That matters if a thread waits, or may
    /// poll the clock, that is patient only with threads that get on. What a thread has done may be what others look for: they no longer
    /// count as spinning.
    fn find_spinning(&mut self, thread: usize, began: i64) {
        use OperationKind::{Ask, LookAtFile, Nothing, Pause, Read, ReadVolatile};
        if self.scheduling.settings.timeouts == Timeouts::Any {
            return;
        }
        let nothing_done = matches!(
            self.scheduling.record.performed.kind,
            Nothing | LookAtFile | Read | ReadVolatile | Pause | Ask
        );
        // A thread that sleeps lets time pass.
        let changed = !nothing_done || self.clock.now != began;
        if changed {
            for other in 0..self.threads.list.len() {
                if other != thread
                    && (self.threads.list[other].spins || self.threads.list[other].spin_frames != 0)
                {
                    let standing = self.state_mut(other);
                    (standing.spins, standing.spin_frames) = (false, 0);
                }
            }
        }
        if self.threads.list[thread].polls > 0 && (changed || self.scheduling.jumped_back) {
            self.state_mut(thread).polls -= 1;
        }
        let ThreadState { spins, spin_frames: round, .. } = *self.threads.list[thread];
        let matters =
            || self.clock.was_read || (0..self.threads.list.len()).any(|other| self.is_patient(other));
        let (spins, round) = match changed {
            false if matters() => match self.scheduling.jumped_back {
                true => {
                    let here = self.hash_of_frames(thread);
                    (spins || here == round, here)
                }
                false => (spins, round),
            },
            _ => (false, 0),
        };
        if (spins, round) != (self.threads.list[thread].spins, self.threads.list[thread].spin_frames) {
            let standing = self.state_mut(thread);
            (standing.spins, standing.spin_frames) = (spins, round);
        }
    }

    /// What stands for the numbers in the frames of a thread, times apart. It is the same on every worker.
    fn hash_of_frames(&self, thread: usize) -> u64 {
        let mut print = Fingerprinter::new();
        print.begin(FRAMES, 0);
        let thread = &self.threads.list[thread];
        for (depth, frame) in thread.frames.iter().enumerate() {
            print.word(u64::from(frame.pc));
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            self.liveness(frame.method).alive(frame.pc, again, |register, is_reference| {
                let value = thread.stack.get(frame.base as usize + usize::from(register));
                if !is_reference && self.ahead(value).is_none() {
                    print.word(value);
                }
            });
        }
        print.take().words()[0] | 1
    }

    /// Runs a thread for one transition. `value` is the outcome of its data choice, or how it stops waiting.
    pub(super) fn transition(&mut self, thread: usize, value: Option<u32>) -> Stop {
        self.begin_transition(thread);
        if let Some(refusal) = &self.scheduling.permanent.refusal {
            return Stop::Unsupported(refusal.what.clone());
        }
        let picks_waiter = self.waiters_to_choose(thread) > 1;
        let singly = self.scheduling.steps_singly();
        let standing = self.state_mut(thread);
        let chooses = standing.outcomes > 0;
        let status = standing.status;
        let stands_before = standing.pending != Operation::NOTHING;
        let tired = standing.pending.long_runs();
        standing.pending = Operation::NOTHING;
        standing.outcomes = 0;
        standing.urgent = false;
        match (status, status.deadline(), value) {
            (
                Status::Waiting { .. } | Status::Parked { .. } | Status::Sleeping { .. },
                _,
                Some(SPURIOUSLY),
            ) => self.wake_spuriously(),
            (_, Some(deadline), _) => {
                self.note_end_of_wait(status, deadline);
                self.wait_until(deadline);
                self.wake(thread, Woken::TimedOut);
            }
            _ => {}
        }
        // A thread whose wait has timed out may have to wait for its monitor now.
        if !self.is_enabled(thread) {
            return Stop::Switch;
        }
        self.state_mut(thread).status = Status::Runnable;
        // Between a visible operation and a data choice behind it no other thread can move, so that what comes after the
        // choice must not happen in the same transition.
        // A thread that has computed for long comes to an operation first, where its races can be seen.
        self.scheduling.may_perform = !chooses && tired == 0;
        // A thread that does not stand before an operation yet comes to it first: others have to know what it is.
        if singly && !stands_before && self.threads.list[thread].woken.is_none() {
            self.scheduling.may_perform = false;
        }
        let began = self.clock.now;
        let before = self.unchanged();
        let stop = self.run_on(value.filter(|_| chooses || picks_waiter), tired);
        self.find_spinning(thread, began);
        self.find_vain_round(thread, before);
        stop
    }

    /// Leads a thread that can go on, or may give up waiting, up to its next visible operation.
    pub(super) fn lead(&mut self, thread: usize) {
        self.begin_transition(thread);
        if self.scheduling.permanent.refusal.is_some() {
            return;
        }
        self.state_mut(thread).pending = Operation::NOTHING;
        if let Some(deadline) = self.threads.list[thread].status.deadline() {
            self.pass_until(deadline);
            self.wake(thread, Woken::TimedOut);
        }
        if !self.is_enabled(thread) {
            return;
        }
        let standing = self.state_mut(thread);
        standing.status = Status::Runnable;
        // A thread that has waited in the middle of a method of `java.util.concurrent` begins a new operation: another thread may have
        // been quicker.
        standing.region = 0;
        self.scheduling.may_perform = false;
        self.run_on(None, 0);
    }

    /// Runs the current thread, which has ended so many transitions in a row because it computes for long.
    fn run_on(&mut self, value: Option<u32>, tired: u32) -> Stop {
        self.scheduling.jumped_back = false;
        self.scheduling.value = value;
        self.scheduling.record.performed = Operation::NOTHING;
        self.scheduling.record.fused = false;
        self.update_scheduling();
        self.scheduling.line = match self.scheduling.settings.granularity {
            crate::machine::visible::Granularity::Line => self.line_here(),
            crate::machine::visible::Granularity::Operation => None,
        };
        let stop = self.run_to_scheduling_point(tired);
        self.settle_scopes(stop)
    }

    fn run_to_scheduling_point(&mut self, times: u32) -> Stop {
        let (mut rounds, mut collections) = (0, 0);
        loop {
            let fuel = SHORTEST << times.min(LONGEST.ilog2() - SHORTEST.ilog2());
            self.turn.polls = if self.scheduling.has_points { fuel } else { LONGEST };
            let stop = self.interpret();
            let thread = &self.threads.list[self.turn.thread];
            let tired = matches!(stop, Stop::Switch)
                && thread.status == Status::Runnable
                && thread.pending == Operation::NOTHING
                && thread.outcomes == 0;
            if !tired {
                return stop;
            }
            if self.heap.needs_collection() {
                self.collect();
                collections += 1;
                // Where a transition ends must not depend on what others have allocated.
                let may_go_on = !self.scheduling.steps_singly();
                if may_go_on && collections < COLLECTIONS && self.heap.grown() < LARGEST {
                    continue;
                }
            }
            rounds += 1;
            // What is there for ever, and atomic sections, are done in one go.
            let whole = self.scheduling.is_in_scope() || self.threads.list[self.turn.thread].atomic > 0;
            if !whole || rounds > 1 << 12 || self.scheduling.cancel.is_set() {
                self.leave_region();
                self.note_long_run(times + 1);
                self.state_mut(self.turn.thread).pending = Operation::after_long_run(times + 1);
                return stop;
            }
        }
    }
}
