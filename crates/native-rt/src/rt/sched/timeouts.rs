//! Time-outs that come late, as `--timeouts last` and `patient` ask for.
//!
//! A thread whose time-out is withheld gives up only when no other thread can move. The same holds for time itself: the clock
//! of a thread that polls it moves only then. Such a thread repeats itself, or has looked [`MOST_LOOKS`] times. A look before
//! that never moves the clock, so that what a look shows does not depend on what others can do.
//!
//! The step that lets time pass is marked in its entry ([`LASTLY`]): it depends on every step before it. Spin loops begin anew
//! behind it, because a look before it is ordered before all that follows.

use crate::protocol::{CLOCKS, EXPIRES, EXPIRES_LATE, LASTLY, Op, Ops, RUN, TIMEOUTS_ANY, TIMEOUTS_LAST};
use crate::rt::sched::enabled;
use crate::rt::sched::objects::{Mutex, RwLock, Semaphore, look};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Waits, header, runtime};
use crate::rt::sched::virtual_clock::{self, SECOND};

/// A patient thread waits until no other thread gets on while so much is left.
const PATIENCE: u64 = SECOND;
/// Looks at the clock, since it moved by something else, behind which a thread waits until no other thread can move.
const MOST_LOOKS: u32 = 256;
/// A patient thread that sleeps for so long does not do so in order to let others go first.
const LONG_SLEEP: u64 = 10 * SECOND;

/// For how long a thread waits or sleeps at most.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// It does not, or for ever.
    None = 0,
    /// For less than a patient thread would be held back for.
    Short = 1,
    /// For longer.
    Long = 2,
}

/// Operations in which a thread may give up, or end a sleep.
pub const TIMED: Ops = {
    use Op::*;
    Ops::new(&[GivesUp, FutexGivesUp, TimedLock, SemTimed, TryReadLock, TryWriteLock, TryJoin, Pause])
};

/// Whether time-outs are withheld at all.
#[inline]
pub fn are_restricted(runtime: &Runtime) -> bool {
    runtime.settings.get().timeouts != TIMEOUTS_ANY
}

/// The running thread is about to wait for so long at most: whether it gives up last.
pub fn withhold(nanos: u64) {
    let runtime = runtime();
    let long = nanos >= PATIENCE;
    let last = runtime.settings.get().timeouts == TIMEOUTS_LAST || long;
    runtime.thread().withheld.set(are_restricted(runtime) && last);
    runtime.thread().limit.set(if long { Limit::Long } else { Limit::Short });
}

/// The same for a wait until a moment.
pub fn withhold_until(until: usize) {
    if virtual_clock::is_time(until) {
        withhold(virtual_clock::left_until(until));
    }
}

/// The running thread has waited.
pub fn release() {
    let thread = runtime().thread();
    thread.withheld.set(false);
    thread.limit.set(Limit::None);
}

/// The running thread is about to sleep.
pub fn limit_sleep(runtime: &Runtime, nanos: u64) {
    runtime.thread().limit.set(match nanos {
        0 => Limit::None,
        _ if is_long_sleep(runtime, nanos) => Limit::Long,
        _ => Limit::Short,
    });
}

/// Whether a patient thread sleeps until no other thread can move.
fn is_long_sleep(runtime: &Runtime, nanos: u64) -> bool {
    nanos >= LONG_SLEEP || runtime.private.contains(CLOCKS)
}

/// Whether a sleep ends only when no other thread can move. Of a program that looks at a clock a patient thread withholds short sleeps, too:
/// many of them add up to a time-out.
pub fn withholds_sleep(runtime: &Runtime, nanos: u64) -> bool {
    let last = runtime.settings.get().timeouts == TIMEOUTS_LAST;
    let held = last || is_long_sleep(runtime, nanos);
    nanos > 0 && are_restricted(runtime) && !runtime.alone() && held
}

/// Whether a thread that waits, and could not go on by itself, can let time pass instead.
#[cold]
pub fn offer_last(runtime: &Runtime) -> u64 {
    if is_all_quiet(runtime) {
        return RUN;
    }
    header().withheld.set(1);
    0
}

/// The choices of a thread that repeats itself until something changes: if it looks at the clock on the way, time can pass.
#[cold]
pub fn offer_poller(runtime: &Runtime, index: u32) -> u64 {
    let polls = are_restricted(runtime) && crate::rt::sched::spin_loops::polls(runtime, index);
    if polls && !runtime.table[index as usize].history.is_left() { offer_last(runtime) } else { 0 }
}

/// Whether no thread can move unless time passes. Threads that only repeat themselves do not count. If one was left
/// alone in its loop, the execution ends there, and time does not pass.
fn is_all_quiet(runtime: &Runtime) -> bool {
    if runtime.asks_for_others.get() || !runtime.section.get().is_none() {
        return false;
    }
    runtime.asks_for_others.set(true);
    let moves = (0..runtime.threads.get()).any(|index| {
        let thread = &runtime.table[index as usize];
        let left = thread.awaits.get() && thread.history.is_left();
        left || !thread.idles.get() && enabled::of(runtime, index) != 0
    });
    runtime.asks_for_others.set(false);
    !moves
}

impl crate::rt::sched::state::Thread {
    /// Whether it has looked at the clock so often that it looks again only when no other thread can move.
    pub fn polls_on(&self) -> bool {
        self.in_a_row.get() >= MOST_LOOKS
    }

    /// It has looked at the clock, beside other threads.
    pub fn looked(&self) {
        self.looks.set(self.looks.get().max(1));
        self.in_a_row.set((self.in_a_row.get() + 1).min(MOST_LOOKS));
    }
}

/// Whether the step of a thread that can move lets time pass.
pub fn lets_time_pass(runtime: &Runtime, index: u32) -> bool {
    if !are_restricted(runtime) {
        return false;
    }
    let thread = &runtime.table[index as usize];
    match Op::from_number(thread.pending.get().op) {
        _ if thread.awaits.get() => true,
        _ if thread.idles.get() => {
            crate::rt::sched::spin_loops::polls(runtime, index) && is_all_quiet(runtime)
        }
        Some(Op::Sleep) => true,
        Some(Op::Clock) => thread.polls_on(),
        _ => thread.withheld.get() && waits_in_vain(runtime, index),
    }
}

/// Whether the step of a thread that can move is to give up, because what it waits for is not there.
fn waits_in_vain(runtime: &Runtime, index: u32) -> bool {
    let thread = &runtime.table[index as usize];
    let object = thread.pending.get().object;
    match Op::from_number(thread.pending.get().op) {
        Some(Op::GivesUp | Op::FutexGivesUp) => thread.waits.get() != Waits::No,
        Some(Op::TimedLock) => !look::<Mutex>(object).can_lock(index),
        Some(Op::SemTimed) => look::<Semaphore>(object).value.get() == 0,
        Some(Op::TryReadLock) => !look::<RwLock>(object).admits_readers(),
        Some(Op::TryWriteLock) => !look::<RwLock>(object).admits_writer(),
        Some(Op::TryJoin) => !runtime.has_ended(object),
        _ => false,
    }
}

/// The mark of a step in which time passes, for its entry.
pub fn mark(runtime: &Runtime, index: u32) -> Option<u32> {
    if lets_time_pass(runtime, index) {
        return Some(LASTLY);
    }
    let thread = &runtime.table[index as usize];
    let (limit, sleeps) = (thread.limit.get(), thread.pending.get().op == Op::Pause as u8);
    let expires = limit != Limit::None && (sleeps || waits_in_vain(runtime, index));
    expires.then_some(if limit == Limit::Long { EXPIRES_LATE } else { EXPIRES })
}

/// A thread takes a step: if it lets time pass, the clock of a thread that looks at it moves, and loops begin anew.
#[cold]
pub fn take(runtime: &Runtime, index: u32) {
    if !lets_time_pass(runtime, index) {
        return;
    }
    header().waited.set(1);
    runtime.stale.set(true);
    let thread = &runtime.table[index as usize];
    if thread.repeats() || thread.pending.get().op == Op::Clock as u8 {
        thread.move_clock();
    }
    let mut repeating = 0;
    for other in 0..runtime.threads.get() {
        let thread = &runtime.table[other as usize];
        if other == index || thread.awaits.get() && !thread.history.is_left() {
            thread.awaits.set(false);
            thread.idles.set(false);
            thread.history.clear();
        }
        repeating += u32::from(thread.repeats());
    }
    runtime.log.awaiting.set(repeating);
}
