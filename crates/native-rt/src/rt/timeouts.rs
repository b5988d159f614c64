//! Time-outs that come late, as `--timeouts last` and `patient` ask for.
//!
//! A thread whose time-out is withheld gives up only when no other thread can move. The same holds for time itself: the clock
//! of a thread that polls it moves only then. Such a thread repeats itself, or has looked [`MOST_LOOKS`] times. A look before
//! that never moves the clock, so that what a look shows does not depend on what others can do.
//!
//! The step that lets time pass is marked in its entry ([`LASTLY`]): it depends on every step before it. Spin loops begin anew
//! behind it, because a look before it is ordered before all that follows.

use super::Runtime;
use super::objects::{Mutex, RwLock, Semaphore, look};
use super::offer;
use super::state::{Waits, header, runtime};
use super::time::{self, SECOND};
use crate::protocol::{CLOCKS, LASTLY, Op, RUN, TIMEOUTS_ANY, TIMEOUTS_LAST};

/// A patient thread waits until no other thread gets on while so much is left.
const PATIENCE: u64 = SECOND;
/// Looks at the clock, since it moved by something else, behind which a thread waits until no other thread can move.
const MOST_LOOKS: u32 = 256;
/// A patient thread that sleeps for so long does not do so in order to let others go first.
const LONG_SLEEP: u64 = 10 * SECOND;

/// Whether time-outs are withheld at all.
#[inline]
pub fn are_restricted(runtime: &Runtime) -> bool {
    runtime.settings.timeouts != TIMEOUTS_ANY
}

/// The running thread is about to wait for so long at most: whether it gives up last.
pub fn withhold(nanos: u64) {
    let runtime = runtime();
    let last = runtime.settings.timeouts == TIMEOUTS_LAST || nanos >= PATIENCE;
    runtime.thread().withheld = are_restricted(runtime) && last;
}

/// The same for a wait until a moment.
pub fn withhold_until(until: usize) {
    if are_restricted(runtime()) && time::is_time(until) {
        withhold(time::left_until(until));
    }
}

/// The running thread has waited.
pub fn release() {
    runtime().thread().withheld = false;
}

/// Whether a sleep ends only when no other thread can move. Of a program that looks at a clock a patient thread withholds short sleeps, too:
/// many of them add up to a time-out.
pub fn withholds_sleep(runtime: &Runtime, nanos: u64) -> bool {
    let last = runtime.settings.timeouts == TIMEOUTS_LAST;
    let patient = nanos >= LONG_SLEEP || runtime.private.contains(CLOCKS);
    nanos > 0 && are_restricted(runtime) && !runtime.alone() && (last || patient)
}

/// Whether a thread that waits, and could not go on by itself, can let time pass instead.
#[cold]
pub fn offer_last(runtime: &mut Runtime) -> u64 {
    if is_all_quiet(runtime) {
        return RUN;
    }
    header().withheld = 1;
    0
}

/// The choices of a thread that repeats itself until something changes: if it looks at the clock on the way, time can pass.
#[cold]
pub fn offer_poller(runtime: &mut Runtime, index: u32) -> u64 {
    let polls = are_restricted(runtime) && super::watch::polls(runtime, index);
    if polls && !runtime.table[index as usize].anchors.is_left() { offer_last(runtime) } else { 0 }
}

/// Whether no thread can move unless time passes. Threads that only repeat themselves do not count. If one was left
/// alone in its loop, the execution ends there, and time does not pass.
fn is_all_quiet(runtime: &mut Runtime) -> bool {
    if runtime.asks_for_others || !runtime.section.is_none() {
        return false;
    }
    runtime.asks_for_others = true;
    let moves = (0..runtime.threads).any(|index| {
        let thread = &runtime.table[index as usize];
        let left = thread.awaits && thread.anchors.is_left();
        left || !thread.idles && offer::of(runtime, index) != 0
    });
    runtime.asks_for_others = false;
    !moves
}

impl super::state::Thread {
    /// Whether it has looked at the clock so often that it looks again only when no other thread can move.
    pub fn polls_on(&self) -> bool {
        self.in_a_row >= MOST_LOOKS
    }

    /// It has looked at the clock, beside other threads.
    pub fn looked(&mut self) {
        self.looks = self.looks.max(1);
        self.in_a_row = (self.in_a_row + 1).min(MOST_LOOKS);
    }
}

/// Whether the step of a thread that can move lets time pass.
pub fn lets_time_pass(runtime: &mut Runtime, index: u32) -> bool {
    if !are_restricted(runtime) {
        return false;
    }
    let thread = &runtime.table[index as usize];
    let object = thread.pending.object;
    match Op::from_number(thread.pending.op) {
        _ if thread.awaits => true,
        _ if thread.idles => super::watch::polls(runtime, index) && is_all_quiet(runtime),
        Some(Op::GivesUp | Op::FutexGivesUp) => thread.withheld && thread.waits != Waits::No,
        Some(Op::Sleep) => true,
        Some(Op::Clock) => thread.polls_on(),
        Some(Op::TimedLock) => thread.withheld && !look::<Mutex>(object).can_lock(index),
        Some(Op::SemTimed) => thread.withheld && look::<Semaphore>(object).value == 0,
        Some(Op::TryReadLock) => thread.withheld && !look::<RwLock>(object).admits_readers(),
        Some(Op::TryWriteLock) => thread.withheld && !look::<RwLock>(object).admits_writer(),
        Some(Op::TryJoin) => thread.withheld && !runtime.has_ended(object),
        _ => false,
    }
}

/// The mark of such a step in its entry.
pub fn mark(runtime: &mut Runtime, index: u32, holder: &mut u32) {
    if lets_time_pass(runtime, index) {
        *holder = LASTLY;
    }
}

/// A thread takes a step: if it lets time pass, the clock of a thread that looks at it moves, and loops begin anew.
#[cold]
pub fn take(runtime: &mut Runtime, index: u32) {
    if !lets_time_pass(runtime, index) {
        return;
    }
    header().waited = 1;
    runtime.stale = true;
    let thread = &mut runtime.table[index as usize];
    if thread.repeats() || thread.pending.op == Op::Clock as u8 {
        thread.move_clock();
    }
    let mut repeating = 0;
    for other in 0..runtime.threads {
        let thread = &mut runtime.table[other as usize];
        if other == index || thread.awaits && !thread.anchors.is_left() {
            (thread.awaits, thread.idles) = (false, false);
            thread.anchors.clear();
        }
        repeating += u32::from(thread.repeats());
    }
    runtime.log.awaiting = repeating;
}
