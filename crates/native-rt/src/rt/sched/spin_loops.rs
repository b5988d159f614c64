//! Threads that repeat themselves until another thread does something.
//!
//! A thread that comes back to the same place with the same registers and the same stack, that has changed nothing in
//! between, and whose view no other thread has changed, will do the same again and again. It *awaits*: it is blocked until another thread
//! changes something that it has looked at.
//!
//! Under a reduction it is blocked for good. No other thread can have noticed what it has done since it was there before. So whatever may
//! follow can follow without it, too: in an execution where it has not looked in vain. Its looks make sure that this one happens: each of
//! them races with every change of what it looks at. An end where it still awaits, and no thread has changed anything, is real. Otherwise
//! it was *left alone*, and the end is no result. The same goes for a round in which it took locks and gave them back, unless another
//! thread tried to take one meanwhile. Rounds that others have noticed are awaits as before, and so are those of threads whose stacks
//! others write to: that the stack is the same is then no matter
//! of the thread alone.

use crate::protocol::{
    CLOCK, How, MOST_SHARED, Op, Ops, Pending, STACK_END, SUMS_FOR_MATCHING, Space, Touch,
};
use crate::rt::base::layout::slot_at;
use crate::rt::sched::context::Frame;
use crate::rt::sched::objects::{Mutex, look as look_at};
use crate::rt::sched::revisits::{self, Positions};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Thread, header, runtime};
use crate::rt::sched::state_hash;
use crate::rt::sched::timestamps;
use core::cell::Cell;
use core::ops::Range;

/// Places that are remembered since the last change.
const VISITS: usize = 8;
/// Things that a thread may look at in one round.
const VIEWS: usize = 16;
/// Locks that it may hold at a time in one round.
const LOCKS: usize = 4;
/// Steps of a thread after which functions of ours leave nothing on its stack. What is left there could be in what a function does
/// not write that is called in each round, so that the rounds do not look the same; but clearing it takes as long as a step.
const MANY: u32 = 128;
/// Steps that are looked back over.
const STEPS: usize = 1 << 12;
/// Steps that are remembered: executions go back to any state that comes after no more.
const KEPT: usize = 1 << 17;
/// The largest stack, in bytes, of a thread that is watched, or summed up.
pub const MOST_STACK: u64 = 16 << 10;

#[repr(C)]
#[derive(Clone, Copy)]
struct Visit {
    place: u64,
    print: u64,
    /// The number of the step before which the thread stood there.
    step: u64,
    /// How often it had taken or given back a lock by then.
    turns: u32,
}

/// Where a thread has been since it last changed something.
#[repr(C)]
pub struct SpinHistory {
    visits: [Cell<Visit>; VISITS],
    count: Cell<u32>,
    /// A place for long rounds: it is replaced after 1, 2, 4, ... looks (Brent 1980), so that rounds of any length come back
    /// to it.
    turtle: Cell<Visit>,
    looks: Cell<u32>,
    /// How often the thread has taken or given back a lock, and a sum over those that it holds.
    turns: Cell<u32>,
    held: Cell<u64>,
    views: Cell<[View; VIEWS]>,
    seen: Cell<u32>,
    /// Of a thread that awaits: whether it is not to go on when another thread changes something, and whether one has.
    stays: Cell<bool>,
    left: Cell<bool>,
    /// The locks that it took in its round, and the step in which it took the first of them.
    locks: Cell<[u64; LOCKS]>,
    locked: Cell<u32>,
    since: Cell<u64>,
    /// Where it has been, whatever it has changed since.
    pub positions: Positions,
}

impl Thread {
    /// It does not go on for now, see [`crate::rt::sched::revisits`].
    pub fn rest(&self) {
        self.awaits.set(true);
        self.history.seen.set(0);
        self.history.stays.set(false);
        self.history.left.set(true);
    }

    /// It need not rest any longer, if it does.
    pub fn go_on(&self) {
        if self.awaits.get() && self.history.left.get() && !self.history.stays.get() {
            self.awaits.set(false);
        }
    }
}

/// What a thread has looked at in a round.
struct Round {
    views: [View; VIEWS],
    seen: usize,
    /// Whether another thread has changed something behind its look.
    changed: bool,
    /// Whether another thread can have noticed it: a lock was held in it when another thread came to that.
    noticed: bool,
    /// Whether it has chosen in it, and could choose something else the next time: then it does not go round for ever.
    chooses: bool,
    /// The locks that it took, and the step in which it took the first of them.
    locks: [u64; LOCKS],
    locked: usize,
    since: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct View {
    object: u64,
    size: u32,
    space: Space,
}

/// The last steps.
#[repr(C)]
pub struct StepLog {
    steps: [Logged; KEPT],
    count: Cell<u64>,
    /// Threads that await.
    pub awaiting: Cell<u32>,
}

#[repr(C)]
struct Logged {
    thread: Cell<u32>,
    op: Cell<u8>,
    changes: Cell<bool>,
    /// Whether what the thread does next may depend on what it found.
    looks: Cell<bool>,
    view: Cell<View>,
}

impl SpinHistory {
    /// Forgets where it has been.
    pub fn clear(&self) {
        self.count.set(0);
        self.looks.set(0);
    }

    /// Forgets everything: a new thread.
    pub fn reset(&self) {
        self.clear();
        self.turns.set(0);
        self.held.set(0);
        self.seen.set(0);
        self.positions.clear();
    }

    /// What it has looked at in its round.
    fn seen_views(&self) -> impl Iterator<Item = View> {
        self.views.get().into_iter().take(self.seen.get() as usize)
    }

    /// Whether the thread, which awaits, is left alone for good.
    pub fn is_left(&self) -> bool {
        self.left.get()
    }

    /// A lock is taken as often as `times` says, or given back.
    fn turn(&self, lock: u64, times: i64) {
        self.turns.update(|turns| turns + 1);
        let number = lock.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        self.held.update(|held| held.wrapping_add(number.wrapping_mul(times as u64)));
    }
}

/// The running thread takes a lock, or gives it back, that many times.
pub fn turn(lock: u64, times: i64) {
    let runtime = runtime();
    if runtime.running.get() {
        runtime.thread().history.turn(lock, times);
    }
}

impl StepLog {
    /// The number of steps.
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    pub fn clear(&self) {
        self.count.set(0);
        self.awaiting.set(0);
    }

    /// Whether there have been more steps than are remembered.
    pub fn is_cut(&self) -> bool {
        self.count.get() > KEPT as u64
    }

    /// Calls `look` with what has to be copied to come back to this log, as long as it is not cut: steps that came before stay.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let from = &raw const self.count as u64;
        look(from, from + size_of::<u64>() as u64);
        let from = &raw const self.awaiting as u64;
        look(from, from + size_of::<u32>() as u64);
    }

    /// Whether a thread has taken a step since then. If that is too long ago to be known, it is taken to have.
    pub fn has_moved(&self, thread: u32, since: u64) -> bool {
        let first = self.count.get().saturating_sub(STEPS as u64);
        since < first
            || (since..self.count.get()).any(|step| self.steps[step as usize % KEPT].thread.get() == thread)
    }
}

impl Logged {
    /// Takes note of a step: whether it `changes` something, and whether it `looks`. Field by field: processors wait when they read
    /// in one piece what has just been written in several.
    #[inline]
    fn note(&self, thread: u32, op: u8, (changes, looks): (bool, bool), view: View) {
        self.thread.set(thread);
        self.op.set(op);
        self.changes.set(changes);
        self.looks.set(looks);
        self.view.set(view);
    }
}

fn overlap(a: &View, b: &View) -> bool {
    let end = |view: &View| view.object + u64::from(view.size.max(1));
    a.space == b.space && a.object < end(b) && b.object < end(a)
}

/// Operations that may turn out to change nothing, so that they can be a part of a loop that waits.
const MAY_BE_IDLE: Ops = {
    use Op::*;
    Ops::new(&[
        Read,
        AtomicRead,
        AtomicUpdate,
        TryLock,
        TimedLock,
        SpinTry,
        TryReadLock,
        TryWriteLock,
        SemTry,
        SemTimed,
        TryJoin,
        SemLook,
        Pause,
        Clock,
    ])
};

/// Looks whether the running thread, which is about to do something, repeats itself.
#[inline]
pub fn look(runtime: &Runtime, frame: &Frame) {
    let thread = runtime.thread();
    let op = thread.pending.get().op;
    // How far a function of ours has come does not show in the program's stack.
    if !thread.fresh.replace(false) {
        return;
    }
    // A loop that takes a lock to look, and gives it back, waits in front of the lock.
    let free = thread.history.held.get() == 0;
    let locks = [Op::Lock, Op::SpinLock, Op::Section].map(|op| op as u8).contains(&op);
    if op == Op::Pause as u8 || !(MAY_BE_IDLE.contains(op) || locks && free) {
        return;
    }
    let end = thread.stack_end();
    let start = &raw const frame.r15 as u64;
    if end.wrapping_sub(start) > MOST_STACK {
        return;
    }
    let place = thread.pending.get().place;
    let print = print(start, end) ^ thread.history.held.get();
    let turns = thread.history.turns.get();
    let step = runtime.log.count.get();
    let history = &runtime.thread().history;
    let turtle = (history.looks.get() > 0).then_some(&history.turtle);
    let known = history.visits[..history.count.get() as usize]
        .iter()
        .chain(turtle)
        .map(Cell::get)
        .find(|visit| (visit.place, visit.print) == (place, print) && (free || visit.turns == turns));
    if runtime.settings.get().sums == SUMS_FOR_MATCHING {
        // The search knows the states that the program has been in, and what can follow them. No thread is kept from going round.
        stands_again(runtime, place, start..end, print);
        return;
    }
    let round = known.and_then(|visit| Some((visit, Round::since(runtime, visit.step)?)));
    match round {
        Some((_, round)) if runtime.settings.get().cuts != 0 && !round.noticed && is_own(start..end) => {
            awaits(runtime, &round, true);
        }
        Some((_, round)) if !round.changed && runtime.settings.get().lenient != 0 => idles(runtime, &round),
        Some((_, round)) if !round.changed => {
            header().revisits.update(|revisits| revisits | runtime.settings.get().cuts);
            awaits(runtime, &round, false);
        }
        _ if stands_again(runtime, place, start..end, print) >= runtime.settings.get().returns
            && revisits::look(runtime) => {}
        _ => {
            let history = &runtime.thread().history;
            let slot = match known {
                // Seen before, but another thread has changed what it looks at: from here on.
                Some(_) => {
                    history.clear();
                    0
                }
                None if history.count.get() as usize == VISITS => {
                    for nth in 1..VISITS {
                        history.visits[nth - 1].set(history.visits[nth].get());
                    }
                    VISITS - 1
                }
                None => history.count.get() as usize,
            };
            let visit = Visit { place, print, step, turns };
            history.visits[slot].set(visit);
            history.count.set(slot as u32 + 1);
            history.looks.set(history.looks.get() + 1);
            if history.looks.get().is_power_of_two() {
                history.turtle.set(visit);
            }
        }
    }
}

/// How often the running thread has stood there before, with the same stack but for what time it is.
#[inline]
fn stands_again(runtime: &Runtime, place: u64, stack: Range<u64>, print: u64) -> u32 {
    let print = if timestamps::are_relative(runtime) { timeless_print(runtime, stack) } else { print };
    let thread = runtime.thread();
    let times = thread.history.positions.come_again(place, print);
    thread.again.set(times > 0);
    times
}

#[cold]
fn timeless_print(runtime: &Runtime, stack: Range<u64>) -> u64 {
    let thread = runtime.thread();
    let (clock, held) = (thread.clock.get(), thread.history.held.get());
    print_of(stack.start, stack.end, |word| timestamps::distance(word, clock).unwrap_or(word)) ^ held
}

/// A number that stands for the words between two addresses.
fn print(start: u64, end: u64) -> u64 {
    print_of(start, end, |word| word)
}

/// The same of what each word counts as. Four at a time: a thread looks at its own stack at every read.
#[inline]
fn print_of(start: u64, end: u64, counts: impl Fn(u64) -> u64) -> u64 {
    const MULTIPLIER: u64 = 0xff51_afd7_ed55_8ccd;
    let mut lanes = [1u64, 2, 3, 4];
    let mut at = start;
    while at < end {
        for (lane, print) in lanes.iter_mut().enumerate() {
            let from = at + lane as u64 * 8;
            // SAFETY: the callers pass memory that is mapped, whole words of it.
            let word = if from < end { unsafe { *(from as *const u64) } } else { 0 };
            *print = (*print ^ counts(word)).wrapping_mul(MULTIPLIER);
            *print ^= *print >> 29;
        }
        at += 32;
    }
    lanes.iter().fold(0, |sum, lane| (sum ^ lane).wrapping_mul(MULTIPLIER).rotate_left(31))
}

impl Round {
    /// What the running thread has done since that step, unless that is too much.
    fn since(runtime: &Runtime, since: u64) -> Option<Round> {
        let (log, own) = (&runtime.log, runtime.current.get());
        if log.count.get() - since >= STEPS as u64 {
            return None;
        }
        let views = [View { object: 0, size: 0, space: Space::Memory }; VIEWS];
        let mut round = Round {
            views,
            seen: 0,
            changed: false,
            noticed: false,
            chooses: false,
            locks: [0; LOCKS],
            locked: 0,
            since,
        };
        let mut held = Held { locks: [0; LOCKS], count: 0 };
        for number in since..log.count.get() {
            let step = &log.steps[number as usize % KEPT];
            let (op, view) = (step.op.get(), step.view.get());
            let known = |same: &dyn Fn(&View) -> bool| round.views[..round.seen].iter().any(same);
            if step.thread.get() != own {
                round.changed |= step.changes.get() && known(&|known| overlap(known, &view));
                round.noticed |= view.space == Space::Object && held.contains(view.object);
            } else if op == Op::Choose as u8 {
                round.chooses = true;
            } else if step.changes.get() && view.space == Space::Object {
                round.noticed |= !held.turn(op, view.object);
                if round.locked == 0 {
                    round.since = number;
                }
                if !round.locks.contains(&view.object) && round.locked < LOCKS {
                    round.locks[round.locked] = view.object;
                    round.locked += 1;
                }
            } else if step.looks.get() && !known(&|known| overlap(known, &view) && known.size == view.size) {
                *round.views.get_mut(round.seen)? = view;
                round.seen += 1;
            }
        }
        (round.seen > 0).then_some(round)
    }
}

/// The locks that a thread holds in a round, beside those that it held before.
struct Held {
    locks: [u64; LOCKS],
    count: usize,
}

impl Held {
    fn contains(&self, lock: u64) -> bool {
        self.locks[..self.count].contains(&lock)
    }

    /// A lock is taken or given back. Whether that can be followed.
    fn turn(&mut self, op: u8, lock: u64) -> bool {
        let held = self.locks[..self.count].iter().position(|&other| other == lock);
        match (Op::from_number(op), held) {
            (Some(Op::Lock | Op::SpinLock | Op::Section), _) if self.count < LOCKS => {
                self.locks[self.count] = lock;
                self.count += 1;
            }
            (Some(Op::Unlock | Op::SectionEnd), Some(at)) => {
                self.count -= 1;
                self.locks[at] = self.locks[self.count];
            }
            _ => return false,
        }
        true
    }
}

/// Whether no other thread than the one whose stack it is accesses what lies there.
pub fn is_own(stack: Range<u64>) -> bool {
    let header = header();
    let shared = &header.shared_words[..(header.shared.get() as usize).min(MOST_SHARED)];
    !shared.iter().any(|word| stack.contains(&word.get()))
}

/// The running thread awaits; if it `stays`, for good.
fn awaits(runtime: &Runtime, round: &Round, stays: bool) {
    let thread = runtime.thread();
    thread.awaits.set(true);
    let history = &thread.history;
    history.views.set(round.views);
    history.seen.set(round.seen as u32);
    history.stays.set(stays);
    history.left.set(stays && round.changed || round.chooses);
    history.locks.set(round.locks);
    history.locked.set(round.locked as u32);
    history.since.set(round.since);
    runtime.log.awaiting.update(|awaiting| awaiting + 1);
}

/// The running thread would await, and may go on as long as another thread can.
fn idles(runtime: &Runtime, round: &Round) {
    awaits(runtime, round, false);
    let thread = runtime.thread();
    thread.awaits.set(false);
    thread.idles.set(true);
}

/// No thread can move, and that would be a livelock. But a thread that took a lock to look may have looked at what a library does that is
/// not instrumented. If another thread, which does not await, has had that lock since then, it is not known that the thread would go round
/// again, and it counts as left alone. That it looks behind the other one happens, too: the locks see to that.
/// Calls `each` with those threads.
#[cold]
pub fn doubt(runtime: &Runtime, each: impl Fn(u32)) {
    for index in 0..runtime.threads.get() {
        let thread = &runtime.table[index as usize];
        if thread.awaits.get() && !thread.history.left.get() && is_doubtful(runtime, index) {
            runtime.table[index as usize].history.left.set(true);
            each(index);
        }
    }
}

fn is_doubtful(runtime: &Runtime, index: u32) -> bool {
    let (log, history) = (&runtime.log, &runtime.table[index as usize].history);
    let locks = history.locks.get();
    let first = log.count.get().saturating_sub(STEPS as u64);
    (history.since.get().max(first)..log.count.get()).any(|number| {
        let step = &log.steps[number as usize % KEPT];
        let other = &runtime.table[step.thread.get() as usize];
        let repeats = other.awaits.get() && number >= other.history.since.get();
        let had = step.changes.get()
            && step.view.get().space == Space::Object
            && locks[..history.locked.get() as usize].contains(&step.view.get().object);
        step.thread.get() != index && had && !repeats
    })
}

/// If all that could move would only repeat themselves, they await from now on. Calls `each` with those.
#[cold]
pub fn give_up(runtime: &Runtime, each: impl Fn(u32)) {
    for index in 0..runtime.threads.get() {
        let thread = &runtime.table[index as usize];
        let leaves = thread.pending.get().op == Op::Exit as u8;
        if !thread.idles.get() && !leaves && crate::rt::sched::enabled::of(runtime, index) != 0 {
            return;
        }
    }
    for index in 0..runtime.threads.get() {
        let thread = &runtime.table[index as usize];
        if thread.idles.take() {
            thread.awaits.set(true);
            each(index);
        }
    }
}

/// Notes what the running thread does now, and which threads need not wait any longer because of it. What may turn out to change nothing
/// counts as such until [`changed`] is called.
#[inline]
pub fn did(runtime: &Runtime) {
    let own = runtime.current.get();
    let thread = runtime.thread();
    let Pending { object, size, op, how, .. } = thread.pending.get();
    let idle = MAY_BE_IDLE.contains(op);
    let changes = how > How::Read as u8 && !idle;
    // Accesses to memory come first, and are what nearly all steps are.
    let space = match op {
        op if op <= Op::AtomicUpdate as u8 => Space::Memory,
        _ => Op::from_number(op).map_or(Space::Memory, Op::space),
    };
    let view = View { object, size, space };
    let log = &runtime.log;
    log.steps[log.count.get() as usize % KEPT].note(own, op, (changes, idle), view);
    log.count.update(|count| count + 1);
    thread.done.set(state_hash::mixed(thread.done.get() ^ u64::from(op), u64::from(thread.value.get())));
    thread.again.set(false);
    thread.steps.set(thread.steps.get().wrapping_add(1));
    let (idled, many) = (thread.idles.take(), thread.steps.get() > MANY);
    runtime.cleans.set(runtime.settings.get().sums | u32::from(many));
    runtime.log.awaiting.update(|awaiting| awaiting - u32::from(idled));
    if runtime.revisits.anybody_rests() {
        revisits::go_on(runtime);
    }
    if changes {
        // What it writes on its own stack is compared with what was there.
        let slot = slot_at(thread.slot.get());
        let own_stack = (slot..slot + STACK_END).contains(&object);
        let turns = [Op::Lock, Op::LockSeveral, Op::SpinLock, Op::Unlock, Op::Section, Op::SectionEnd];
        let turns = turns.map(|op| op as u8);
        if !own_stack && !turns.contains(&op) {
            thread.history.clear();
        }
        if runtime.log.awaiting.get() > 0 {
            wake(runtime, view);
        }
    }
    if thread.touched.get() > 0 {
        did_beside(runtime);
    }
}

/// The same for what the running thread changes beside: a thread that waits on a condition variable gives a mutex back.
#[cold]
fn did_beside(runtime: &Runtime) {
    let (own, op) = (runtime.current.get(), runtime.thread().pending.get().op);
    for nth in 0..runtime.thread().touched.get() as usize {
        let Touch { object, size, how, space, .. } = runtime.thread().touches[nth].get();
        if how > How::Read as u8 && how != How::Look as u8 && space == Space::Object as u8 {
            let view = View { object, size, space: Space::Object };
            let log = &runtime.log;
            log.steps[log.count.get() as usize % KEPT].note(own, op, (true, false), view);
            log.count.update(|count| count + 1);
            wake(runtime, view);
        }
    }
}

/// What the running thread did last has changed something.
pub fn changed() {
    let runtime = runtime();
    if !runtime.running.get() {
        return;
    }
    let own = runtime.current.get();
    runtime.thread().history.clear();
    let last = runtime.log.count.get().wrapping_sub(1) as usize % KEPT;
    let step = &runtime.log.steps[last];
    if step.thread.get() == own {
        step.changes.set(true);
        let view = step.view.get();
        if runtime.log.awaiting.get() > 0 {
            wake(runtime, view);
        }
    }
}

#[cold]
fn wake(runtime: &Runtime, view: View) {
    let mut awaiting = 0;
    runtime.stale.set(true);
    for thread in runtime.all() {
        if thread.repeats() {
            let history = &thread.history;
            let changed = history.seen_views().any(|seen| overlap(&seen, &view));
            if changed && history.stays.get() {
                history.left.set(true);
            } else if changed {
                thread.awaits.set(false);
                thread.idles.set(false);
                thread.history.clear();
            } else {
                awaiting += 1;
            }
        }
    }
    runtime.log.awaiting.set(awaiting);
}

/// Says of a thread that awaits what it looks at, instead of what it would do first if it went on, and which thread has the lock that it
/// would take for that.
pub fn shown(history: &SpinHistory, mut pending: Pending) -> Pending {
    if pending.op == Op::Lock as u8 {
        pending.holder = look_at::<Mutex>(pending.object).holder();
    }
    let op = if history.left.get() { Op::Left } else { Op::Await };
    (pending.op, pending.how, pending.block) = (op as u8, How::Nothing as u8, 0);
    if history.seen.get() > 0 {
        let view = history.views.get()[0];
        (pending.object, pending.size) = (view.object, view.size);
    }
    pending
}

/// Whether a thread that repeats itself looks at the clock on the way.
pub fn polls(runtime: &Runtime, thread: u32) -> bool {
    views(runtime, thread).any(|(object, _, space)| space == Space::Object && object == CLOCK)
}

/// What a thread that awaits has looked at, for its footprint.
pub fn views(runtime: &Runtime, thread: u32) -> impl Iterator<Item = (u64, u32, Space)> {
    let history = &runtime.table[thread as usize].history;
    history.seen_views().map(|view| (view.object, view.size, view.space))
}
