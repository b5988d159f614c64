//! A thread beside the workers of a search that enforces the budgets during long steps.
//!
//! Workers look at the clock between steps. A step may take long (a loop without visible operations, a function of the user's own), and
//! so may the analysis of a long execution. So one more thread checks the time, the memory of all processes, and requests to stop. It
//! tells the workers, and it tells the program, which gives up its step.
//!
//! A model is the user's code in this process, and its step cannot be stopped. If a step does not return after the search is over, the
//! guard tells the observer what is known ([`crate::Observe::stuck`]).

use crate::control::{Budget, Halt};
use crate::evidence::Evidence;
use crate::outcome::{Outcome, Reason};
use crate::settings::SettingsError;
use sojourner_program::{Cancel, Load, ProcessMemory};
use sojourner_store::Meter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// The longest time between two looks, and the shortest.
const APART: Duration = Duration::from_millis(20);
const CLOSE: Duration = Duration::from_millis(2);
/// How long workers may take to leave their steps when the search is over. A budget may be exceeded by 1 s or a tenth.
const GRACE: Duration = Duration::from_millis(700);
const GRACE_PART: u32 = 20;
/// How long workers may take to leave their steps when another search has a proof, unless a budget ends first. A report of a stuck step
/// would lose the proof, and on a busy machine, opening a program can take seconds.
const GRACE_OF_PROOF: Duration = Duration::from_secs(10);
/// The bytes that a process takes in a millisecond at most: the system must clear them first.
const FASTEST: u64 = 2 << 20;

/// What keeps the budgets of one round of a search.
pub(crate) struct Guard<'a> {
    /// What stops the searches of the round.
    pub halt: Halt<'a>,
    /// The memory that they share.
    pub meter: Arc<Meter>,
    /// When the time is up.
    pub deadline: Option<Instant>,
    cancel: Cancel,
    /// What was in use before a program was opened, and the most that one program takes.
    before: u64,
    program: AtomicU64,
    /// The threads that are within the program, or may enter it.
    busy: AtomicUsize,
}

impl<'a> Guard<'a> {
    /// For searches within what `user` stops.
    pub fn new(user: &'a Halt<'a>, deadline: Option<Instant>, memory: Option<u64>) -> Self {
        let meter = Meter::new(memory);
        let before = if memory.is_some() { meter.in_use() } else { 0 };
        let (halt, cancel, program) = (Halt::within(user), Cancel::default(), AtomicU64::new(0));
        Guard { halt, meter, deadline, cancel, before, program, busy: AtomicUsize::new(0) }
    }

    /// Does the work of a round under the budgets.
    pub fn watch<L: Load, T>(&self, load: &L, work: impl FnOnce() -> T) -> T {
        load.set_cancel(&self.cancel);
        let _cancels = RenewCancelOnDrop(load);
        if self.deadline.is_none() && self.meter.limit().is_none() {
            return work();
        }
        let done = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let looks = scope.spawn(|| {
                while !done.load(Relaxed) && !self.look(load) {
                    std::thread::park_timeout(self.pause());
                }
                self.await_workers(start, &done);
            });
            let _done = EndOnDrop { done: &done, looks: looks.thread().clone() };
            work()
        })
    }

    /// The calling thread runs the program, until the result is dropped.
    pub fn enter(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Relaxed);
        Busy(&self.busy)
    }

    /// Waits until the work of the round is done. If a thread does not leave the program, tells the observer.
    fn await_workers(&self, start: Instant, done: &AtomicBool) {
        let grace = GRACE.max(start.elapsed() / GRACE_PART);
        let over = Instant::now();
        while !done.load(Relaxed) {
            let waited = over.elapsed();
            let enough = waited >= grace && (waited >= GRACE_OF_PROOF || !self.is_proven(grace));
            if enough && self.busy.load(Relaxed) > 0 {
                let Some(evidence) = self.halt.evidence() else { return };
                let reasons = self.halt.reason().into_iter().chain([Reason::Stuck]).collect();
                let (found, tally) = evidence.so_far();
                evidence.observe().stuck(Outcome {
                    found,
                    reasons,
                    tally,
                    elapsed: start.elapsed(),
                    ..Outcome::default()
                });
                return;
            }
            std::thread::park_timeout(APART);
        }
    }

    /// Whether another search has proven something, or has an execution without an end that is still to be shown, and the time is
    /// not up, with that grace.
    fn is_proven(&self, grace: Duration) -> bool {
        let in_time = self.deadline.is_none_or(|deadline| Instant::now() < deadline + grace);
        let decided = self.halt.evidence().filter(|evidence| evidence.is_decided());
        let proven = match decided {
            Some(evidence) => evidence.so_far().0.is_empty(),
            None => self.halt.reason() == Some(Reason::Overtaken),
        };
        proven && in_time
    }

    /// Another search was first, so the results of this one are not needed.
    pub fn overtake(&self) {
        self.halt.end(Reason::Overtaken);
        self.cancel.set();
    }

    /// Whether the round is over, and if so, tells all workers.
    fn look<L: Load>(&self, load: &L) -> bool {
        if self.meter.limit().is_some() {
            self.measure(load);
            if self.meter.is_full() {
                self.halt.end(Reason::Memory);
            }
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.halt.end(Reason::Time);
        }
        if self.halt.reason().is_some() {
            self.cancel.set();
            return true;
        }
        self.halt.evidence().is_some_and(Evidence::is_decided)
    }

    /// How long the guard can sleep.
    fn pause(&self) -> Duration {
        let to_fill = match self.meter.left() {
            u64::MAX => APART,
            left => Duration::from_millis(left / FASTEST),
        };
        let left = self.deadline.map_or(APART, |deadline| deadline.saturating_duration_since(Instant::now()));
        to_fill.clamp(CLOSE, APART).min(left.max(CLOSE))
    }

    /// Whether the opened program leaves any memory for a search.
    pub fn check_start<L: Load>(&self, load: &L) -> Result<(), SettingsError> {
        let Some(limit) = self.meter.limit() else { return Ok(()) };
        self.measure(load);
        let used = self.meter.in_use();
        self.program.fetch_max(used.saturating_sub(self.before), Relaxed);
        // The first step needs some memory more.
        let needed = used + used / 4;
        if needed > limit { Err(SettingsError::Memory { limit, used, needed }) } else { Ok(()) }
    }

    /// Asks for the memory of processes that run the program. One may take more than when it was opened.
    fn measure<L: Load>(&self, load: &L) {
        let ProcessMemory { total, largest } = load.process_memory();
        self.meter.set_elsewhere(total);
        self.program.fetch_max(largest, Relaxed);
    }

    /// Whether there is memory for another program like those that have been opened.
    pub fn has_room_for_program(&self) -> bool {
        self.meter.left() > self.program.load(Relaxed)
    }
}

/// A thread that runs the program.
pub(crate) struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// What bounds a search as a whole, however often it begins again.
#[derive(Clone, Copy)]
pub(crate) struct SearchLimits {
    pub start: Instant,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
}

impl SearchLimits {
    /// From now on.
    pub fn of(budget: &Budget) -> SearchLimits {
        let start = Instant::now();
        SearchLimits { start, deadline: budget.time.map(|time| start + time), memory: budget.memory }
    }
}

/// Gives the load a flag of its own when this is dropped: what stopped one search does not stop the next.
struct RenewCancelOnDrop<'a, L: Load>(&'a L);

impl<L: Load> Drop for RenewCancelOnDrop<'_, L> {
    fn drop(&mut self) {
        self.0.set_cancel(&Cancel::default());
    }
}

/// Ends the thread that looks when this is dropped, also by a panic.
struct EndOnDrop<'a> {
    done: &'a AtomicBool,
    looks: Thread,
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
        self.looks.unpark();
    }
}
