//! One transition: a thread runs from one scheduling point to the next.

use super::sinks::{FRAMES, Print, Sink};
use super::{Juc, Pending, Timeouts, Watch, What};
use crate::machine::{Machine, Resume, Run, Standing, Status, Stop, Trouble, Woken};
use crate::memory::Ref;

/// Polls of the interpreter after which a transition ends without a visible operation: whoever loops for ever must let
/// others go on, and the search look at its budget. Who gets there again and again computes for long: each time it may go on for
/// twice as long, up to `LONGEST`, so that threads that do so have few states. Who spins is back in the same state by then.
const SHORTEST: i32 = 1 << 16;
/// The same at most, and while no other thread is alive.
const LONGEST: i32 = 1 << 20;
/// Bytes by which the heap has grown in a transition after which it ends likewise: what it holds on to stays until it is taken
/// back.
pub(super) const LARGEST: u64 = 16 << 20;
/// Collections of garbage after which it ends even if they have found room.
const COLLECTIONS: u32 = 4;

/// Nanoseconds for which no thread that can go on is held up, for those who wait that long ([`Timeouts::Patient`]).
pub(super) const PATIENCE: i64 = 1_000_000_000;
/// Who sleeps for so long does not do so in order to let others finish, but until it is interrupted or all is over.
pub(super) const LONG_SLEEP: i64 = 10 * PATIENCE;

/// Jumps backwards after which a thread that was told the same time as before, and has not asked since, no longer polls the clock.
pub(super) const POLLS: u8 = 2;

/// The value of a choice by which a thread that waits for some time gives up.
pub(super) const GIVES_UP: u32 = 0;
/// The value of a choice by which a thread that waits goes on without a reason.
pub(super) const FOR_NO_REASON: u32 = 1;

impl Watch {
    /// Whether who sleeps for so long waits for the time, instead of letting others go first.
    pub(crate) fn waits_for_time(&self, nanoseconds: i64) -> bool {
        match self.settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last => true,
            Timeouts::Patient => nanoseconds >= LONG_SLEEP,
        }
    }

    /// Whether those who are patient may give up while a thread sleeps for so long.
    pub(crate) fn notices_sleep(&self, nanoseconds: i64) -> bool {
        self.settings.timeouts == Timeouts::Patient && nanoseconds >= PATIENCE
    }
}

impl Machine {
    /// Whether a thread that waits with a time-out gives up only if nothing else can happen. When an idle thread of a
    /// fork-join pool ends is specified no closer than that, and it would find new deadlines again and again.
    pub(super) fn gives_up_last(&self, thread: usize) -> bool {
        let settings = &self.watch.settings;
        let patient = match settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last | Timeouts::Patient => self.is_patient(thread),
        };
        patient || settings.juc == Juc::Primitive && self.idles(thread)
    }

    /// Whether a thread of a fork-join pool waits for work.
    pub(super) fn idles(&self, thread: usize) -> bool {
        let mut frames = self.threads[thread].frames.iter().rev().take(4);
        frames.any(|frame| self.method(frame.method).marks.idles)
    }

    /// Whether a thread that waits with a time-out may give up although others can go on.
    pub(super) fn may_give_up(&self, thread: usize) -> bool {
        let at = &self.threads[thread];
        at.status.deadline().is_some() && !at.suspended && !self.gives_up_last(thread)
    }

    /// Whether a thread waits with a time-out that is far away, by the rule for time-outs. If the program looks at the clock,
    /// time that has passed although others got on counts, too: many short waits make a long one.
    pub(super) fn is_patient(&self, thread: usize) -> bool {
        let Some(deadline) = self.threads[thread].status.deadline() else { return false };
        let left = deadline - self.now;
        let hurried = if self.clock_was_read { self.look.hurried } else { 0 };
        match self.watch.settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last => left > 0,
            Timeouts::Patient => left + hurried >= PATIENCE,
        }
    }

    /// Notes whether a thread seems to wait in a loop for what only another can bring about, after a transition that began at
    /// that time: it has come round the loop with its frames as they were the last time, and nothing was done on the way.
    /// That matters if a thread waits, or may poll the clock, that is patient only with those who get on. What a thread has
    /// done may be what others look for: they no longer count as spinning.
    fn look_for_spinning(&mut self, thread: usize, began: i64) {
        use What::{Ask, LookAtFile, Nothing, Pause, Read, ReadVolatile};
        if self.watch.settings.timeouts == Timeouts::Any {
            return;
        }
        let nothing_done =
            matches!(self.watch.performed.what, Nothing | LookAtFile | Read | ReadVolatile | Pause | Ask);
        // A thread that sleeps lets time pass.
        let changed = !nothing_done || self.now != began;
        if changed {
            for other in 0..self.threads.len() {
                if other != thread && (self.threads[other].spins || self.threads[other].round != 0) {
                    let standing = self.standing(other);
                    (standing.spins, standing.round) = (false, 0);
                }
            }
        }
        if self.threads[thread].polls > 0 && (changed || self.watch.looped) {
            self.standing(thread).polls -= 1;
        }
        let Standing { spins, round, .. } = *self.threads[thread];
        let matters = || self.clock_was_read || (0..self.threads.len()).any(|other| self.is_patient(other));
        let (spins, round) = match changed {
            false if matters() => match self.watch.looped {
                true => {
                    let here = self.print_of_frames(thread);
                    (spins || here == round, here)
                }
                false => (spins, round),
            },
            _ => (false, 0),
        };
        if (spins, round) != (self.threads[thread].spins, self.threads[thread].round) {
            let standing = self.standing(thread);
            (standing.spins, standing.round) = (spins, round);
        }
    }

    /// What stands for the numbers in the frames of a thread, times apart. It is the same on every worker.
    fn print_of_frames(&self, thread: usize) -> u64 {
        let mut print = Print::new();
        print.begin(FRAMES, 0);
        let thread = &self.threads[thread];
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
        if let Some(refusal) = &self.watch.refusal {
            return Stop::Unsupported(refusal.what.clone());
        }
        let picks_waiter = self.waiters_to_choose(thread) > 1;
        let singly = self.watch.steps_singly();
        let standing = self.standing(thread);
        let chooses = standing.outcomes > 0;
        let status = standing.status;
        let stands_before = standing.pending != Pending::NOTHING;
        let tired = standing.pending.times_tired();
        standing.pending = Pending::NOTHING;
        standing.outcomes = 0;
        standing.urgent = false;
        match (status, status.deadline(), value) {
            (
                Status::Waiting { .. } | Status::Parked { .. } | Status::Sleeping { .. },
                _,
                Some(FOR_NO_REASON),
            ) => self.go_on_for_no_reason(),
            (_, Some(deadline), _) => {
                self.note_end_of_wait(status, deadline);
                self.wait_until(deadline);
                self.wake(thread, Woken::TimedOut);
            }
            _ => {}
        }
        // Who had waited for a monitor with its time up waits for that now.
        if !self.is_enabled(thread) {
            return Stop::Switch;
        }
        self.standing(thread).status = Status::Runnable;
        // Between a visible operation and a data choice behind it nobody else can move, so that what comes after the
        // choice must not happen in the same transition.
        // Who has computed for long comes to an operation first, where its races can be seen.
        self.watch.free = !chooses && tired == 0;
        // Who does not stand before an operation yet comes to it first: others have to know what it is.
        if singly && !stands_before && self.threads[thread].woken.is_none() {
            self.watch.free = false;
        }
        let began = self.now;
        let before = self.unchanged();
        let stop = self.run_on(value.filter(|_| chooses || picks_waiter), tired);
        self.look_for_spinning(thread, began);
        self.look_for_rounds(thread, before);
        stop
    }

    /// Leads a thread that can go on, or may give up waiting, up to its next visible operation.
    pub(super) fn lead(&mut self, thread: usize) {
        self.begin_transition(thread);
        if self.watch.refusal.is_some() {
            return;
        }
        self.standing(thread).pending = Pending::NOTHING;
        if let Some(deadline) = self.threads[thread].status.deadline() {
            self.pass_until(deadline);
            self.wake(thread, Woken::TimedOut);
        }
        if !self.is_enabled(thread) {
            return;
        }
        let standing = self.standing(thread);
        standing.status = Status::Runnable;
        // Who has waited in the middle of a method of `java.util.concurrent` begins a new operation: it may find that another
        // was quicker.
        standing.region = 0;
        self.watch.free = false;
        self.run_on(None, 0);
    }

    /// Runs the current thread, which has ended so many transitions in a row because it computes for long.
    fn run_on(&mut self, value: Option<u32>, tired: u32) -> Stop {
        self.watch.looped = false;
        self.watch.value = value;
        self.watch.performed = Pending::NOTHING;
        self.watch.fused = false;
        self.look_around();
        self.watch.line = match self.watch.settings.granularity {
            super::Granularity::Line => self.line_here(),
            super::Granularity::Operation => None,
        };
        let stop = self.run_to_scheduling_point(tired);
        self.settle_scopes(stop)
    }

    fn run_to_scheduling_point(&mut self, times: u32) -> Stop {
        let (mut rounds, mut collections) = (0, 0);
        loop {
            let fuel = SHORTEST << times.min(LONGEST.ilog2() - SHORTEST.ilog2());
            self.fuel = if self.watch.turns { fuel } else { LONGEST };
            let stop = self.interpret();
            let thread = &self.threads[self.current];
            let tired = matches!(stop, Stop::Switch)
                && thread.status == Status::Runnable
                && thread.pending == Pending::NOTHING
                && thread.outcomes == 0;
            if !tired {
                return stop;
            }
            if self.heap.allocated_since_collection() > self.collect_at {
                self.collect();
                collections += 1;
                // Where a transition ends must not depend on what others have allocated.
                let may_go_on = !self.watch.steps_singly();
                if may_go_on && collections < COLLECTIONS && self.heap.grown() < LARGEST {
                    continue;
                }
            }
            rounds += 1;
            // What is there for ever, and atomic sections, are done in one go.
            let whole = self.watch.is_in_scope() || self.threads[self.current].atomic > 0;
            if !whole || rounds > 1 << 12 || self.watch.cancel.is_set() {
                self.leave_region();
                self.note_long_run(times + 1);
                self.standing(self.current).pending = Pending::tired(times + 1);
                return stop;
            }
        }
    }

    /// A method of `java.util.concurrent` may call one of the program's own: what comes behind it is another operation.
    #[inline(never)]
    pub(crate) fn leave_region_for(&mut self, called: crate::class::MethodId) {
        if self.class(self.method(called).class).loader != crate::class::Loader::BOOT {
            self.leave_region();
        }
    }

    /// What the current thread does next is not in the middle of a method of `java.util.concurrent`.
    pub(crate) fn leave_region(&mut self) {
        if self.threads[self.current].region != 0 {
            self.standing(self.current).region = 0;
        }
    }

    /// A number below `count`, which is at least one: a data choice.
    pub(crate) fn choose(&mut self, count: u32) -> Run<u32> {
        if !self.watch.on {
            return Ok(self.options.choices.value(count));
        }
        if count <= 1 {
            return Ok(0);
        }
        if let Some(value) = self.watch.value.take() {
            return Ok(value.min(count - 1));
        }
        // Under a reduction a choice is a step like others, which keeps nobody from moving.
        self.stand_before_choice(count, !self.watch.looped && !self.watch.steps_singly())
    }

    /// Which of so many threads that wait is notified: nobody can come or go before that is chosen.
    pub(crate) fn choose_waiter(&mut self, count: u32) -> Run<u32> {
        if self.watch.on && self.watch.steps_singly() && self.watch.value.is_none() {
            self.note_exotic();
            return self.stand_before_choice(count, true);
        }
        self.choose(count)
    }

    fn stand_before_choice(&mut self, count: u32, urgent: bool) -> Run<u32> {
        let standing = self.standing(self.current);
        standing.outcomes = count;
        standing.urgent = urgent;
        standing.pending = Pending::new(What::Choose, Ref::NULL);
        Err(Trouble::Yield)
    }
}
