//! Visible operations, and which thread goes on.
//!
//! A thread that comes to a visible operation says what it is about to do; then the next choice is taken, and the thread
//! that is chosen does what it had said. A thread that is chosen again goes on without a switch.

use crate::protocol::{
    Defect, DefectKind, Ending, GOES_ROUND, How, MOST_ENTRIES, MOST_EXTRAS, MOST_IN_SECTION, MOST_STEPS,
    NO_VALUE, NOBODY, Op, Ops, POLLED, Pending, ROW_BYTES, RUN, Row, Space, Taken, Touch,
};
use crate::rt::base::cell::assert_none_lent;
use crate::rt::base::layout::slot_at;
use crate::rt::sched::atomic_sections;
use crate::rt::sched::context::{self, Frame};
use crate::rt::sched::defect;
use crate::rt::sched::enabled;
use crate::rt::sched::locksets;
use crate::rt::sched::private_memory;
use crate::rt::sched::races::Order;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{
    Thread, choice, code, entry, extra, header, offset, row, row_bits, row_entries, row_entry, runtime, touch,
};
use core::cell::Cell;
use core::sync::atomic::Ordering;

/// What a thread is about to do, as it says it.
#[derive(Clone, Copy)]
pub struct Operation {
    pub op: Op,
    pub how: How,
    pub object: u64,
    pub size: u32,
    pub also: [Option<Touch>; 2],
    pub order: Order,
}

impl Operation {
    #[inline]
    pub const fn new(op: Op, how: How, object: u64, size: u32) -> Operation {
        Operation {
            op,
            how,
            object,
            size,
            also: [None; 2],
            order: Order { atomic: false, acquires: false, releases: false, later: false },
        }
    }

    pub const fn also(mut self, touch: Touch) -> Operation {
        if self.also[0].is_none() {
            self.also[0] = Some(touch);
        } else {
            self.also[1] = Some(touch);
        }
        self
    }

    /// The order of memory that an atomic operation asks for.
    pub const fn order(mut self, order: Order) -> Operation {
        self.order = order;
        self
    }

    /// Does it as soon as the schedule says so, which is when this returns. The value that was chosen.
    #[inline]
    pub fn take(self, frame: &Frame) -> u32 {
        let runtime = runtime();
        if !runtime.running.get() {
            return NO_VALUE;
        }
        if self.op as u8 <= Op::AtomicUpdate as u8
            && private_memory::is_private(runtime, self.object, self.size, self.how as u8 == How::Read as u8)
        {
            let thread = runtime.thread();
            if self.object < thread.in_use() || thread.was_mains(self.object) {
                crate::rt::sched::heap::returned(self.object);
            }
            return NO_VALUE;
        }
        if header().sections.count.get() > 0 {
            atomic_sections::cross(frame, self.op);
        }
        if runtime.multilock_end.get() != 0 {
            crate::rt::sched::multilock::interrupted(runtime);
        }
        let place = runtime.place(frame);
        let block = crate::rt::sched::heap::check(runtime, self, place);
        let value = match crate::rt::sched::heap::foreign_stack(runtime, self) {
            // Whether its owner has ended makes a difference, or that main has returned.
            Some(slot) => {
                let owner = touch(slot_at(slot), How::Read, Space::Thread);
                let value = self.also(owner).take_at(frame, place, block);
                crate::rt::sched::heap::check_stack(self, slot);
                value
            }
            None => self.take_at(frame, place, block),
        };
        crate::rt::sched::heap::check_depth(runtime, self);
        value
    }

    #[inline]
    pub fn take_at(self, frame: &Frame, place: u64, block: u32) -> u32 {
        let runtime = runtime();
        let thread = runtime.thread();
        // Functions that this one has called may have left theirs there.
        thread.frame.set(frame);
        thread.pending.set(Pending {
            object: self.object,
            place,
            offer: 0,
            size: self.size,
            extra: 0,
            holder: NOBODY,
            block,
            extras: 0,
            op: self.op as u8,
            how: self.how as u8,
        });
        let mut touched = 0;
        for touch in self.also.into_iter().flatten() {
            thread.touches[touched].set(touch);
            touched += 1;
        }
        thread.touched.set(touched as u16);
        if runtime.alone() && self.is_quiet() && enabled::of(runtime, runtime.current.get()) != 0 {
            return NO_VALUE;
        }
        crate::rt::sched::spin_loops::look(runtime, frame);
        let part = atomic_sections::is_part(runtime, &self, block);
        let hidden = !part && locksets::is_guarded(runtime, &self);
        if !part && !hidden {
            go_on();
        }
        if block != 0 {
            crate::rt::sched::heap::check_again(self, block);
        }
        locksets::note(runtime, &self, hidden);
        crate::rt::sched::spin_loops::did(runtime);
        crate::rt::sched::races::did(runtime, self.order);
        runtime.thread().value.get()
    }

    /// Whether no other part needs to hear of it while there is only one thread.
    #[inline]
    fn is_quiet(&self) -> bool {
        !matches!(self.op, Op::Create | Op::End | Op::Exit | Op::Choose)
    }
}

/// Waits as it was told to before: the operation is decided anew in every state.
pub fn take_again() -> u32 {
    go_on();
    let runtime = runtime();
    crate::rt::sched::spin_loops::did(runtime);
    crate::rt::sched::races::did(runtime, Order::default());
    runtime.thread().value.get()
}

impl Runtime {
    /// Where in the program's own code a call comes from, which may have gone through a library.
    #[inline]
    pub fn place(&self, frame: &Frame) -> u64 {
        let place = if self.is_own(frame.place) { frame.place } else { self.place_above(frame) };
        if header().told.get() == 0 { place } else { self.outside_library(place) }
    }

    /// The innermost call that the program's own code makes, if the place is in the standard library of Rust: that is mostly
    /// compiled with the program.
    #[cold]
    fn outside_library(&self, place: u64) -> u64 {
        if code(place).is_none() {
            return place;
        }
        let bottom =
            slot_at(self.table[self.current.get() as usize].slot.get()) + crate::rt::base::layout::CALLS_AT;
        let mut at = self.calls.get() as u64;
        while at > bottom {
            at -= 8;
            // SAFETY: within the slot's room for calls.
            let call = unsafe { *(at as *const u64) };
            if self.is_own(call) && code(call).is_none() {
                return call;
            }
        }
        place
    }

    /// Whether an address lies in the program's own code.
    #[inline]
    pub fn is_own(&self, address: u64) -> bool {
        address >= self.text.get().0 && address < self.text.get().1
    }

    /// Whether no thread can write at an address.
    pub fn is_constant(&self, address: u64) -> bool {
        address >= self.constants.get().0 && address < self.constants.get().1
    }

    /// Whether the call that a thread is in comes from the program's own code. If not, its place is a guess: what lies on
    /// the stack from before may be taken for it.
    #[cold]
    fn calls_directly(&self, thread: u32) -> bool {
        // SAFETY: a thread that is about to do something has called a function of ours, on its own stack.
        let place = unsafe { (*self.table[thread as usize].frame.get()).place };
        place >= self.text.get().0 && place < self.text.get().1
    }

    #[cold]
    fn place_above(&self, frame: &Frame) -> u64 {
        self.found_above(&raw const frame.place as u64, frame.place)
    }

    /// The first address of the program's own code that lies on the running thread's stack from `at` on; `otherwise`, if there is
    /// none near.
    pub fn found_above(&self, mut at: u64, otherwise: u64) -> u64 {
        let thread = &self.table[self.current.get() as usize];
        let end = thread.stack_end();
        if at < slot_at(thread.slot.get()) + crate::rt::base::layout::GUARD_BYTES {
            return otherwise;
        }
        for _ in 0..1024 {
            if at >= end {
                break;
            }
            // SAFETY: within the thread's own stack.
            let word = unsafe { *(at as *const u64) };
            if self.is_own(word) {
                return word;
            }
            at += 8;
        }
        otherwise
    }
}

/// Lets the schedule say which thread goes on. Returns when it is this thread.
#[inline]
fn go_on() {
    let runtime = runtime();
    let own = runtime.current.get();
    if runtime.table[own as usize].announces.get() {
        // Its creator waits to know what it begins with.
        let thread = &runtime.table[own as usize];
        thread.announces.set(false);
        let parent = thread.parent.get();
        return change(own, parent);
    }
    match choose(runtime) {
        Some(next) if next == own => {}
        Some(next) => change(own, next),
        None => to_host(Some(own)),
    }
}

/// Goes on with another thread: the running one has ended.
pub fn leave() -> ! {
    let runtime = runtime();
    let mut nowhere = 0;
    match choose(runtime) {
        Some(next) => leave_for(next, &raw mut nowhere),
        None => to_host(None),
    }
    crate::rt::broken()
}

/// Goes on with another thread. Returns when this one is scheduled again.
#[inline]
pub fn change(own: u32, next: u32) {
    let runtime = runtime();
    let (calls, low) = (runtime.calls.get(), runtime.low.get());
    let thread = &runtime.table[own as usize];
    thread.calls.set(calls);
    thread.low.set(low);
    let save = thread.stack_pointer.as_ptr();
    leave_for(next, save);
}

#[inline]
fn leave_for(next: u32, save: *mut usize) {
    assert_none_lent();
    let runtime = runtime();
    runtime.current.set(next);
    let thread = &runtime.table[next as usize];
    let (to, base) = (thread.stack_pointer.get(), thread.base.get());
    runtime.calls.set(thread.calls.get());
    runtime.low.set(thread.low.get());
    // SAFETY: the thread stands at a switch, or has been prepared and has not begun.
    unsafe {
        if runtime.may_write_base.get() {
            context::switch(save, to, base);
        } else {
            crate::rt::base::syscalls::set_fs(base);
            context::switch_without_base(save, to);
        }
    }
}

/// From the loop that takes commands to a thread. Returns when the program is paused or has ended.
pub fn enter(next: u32) {
    let runtime = runtime();
    runtime.running.set(true);
    leave_for(next, runtime.host.as_ptr());
    runtime.running.set(false);
}

/// Goes back to the loop that takes commands; of a thread that is to go on later, where it stands is saved.
fn to_host(own: Option<u32>) {
    assert_none_lent();
    let runtime = runtime();
    runtime.running.set(false);
    let mut nowhere = 0;
    let save = match own {
        Some(own) => {
            let (calls, low) = (runtime.calls.get(), runtime.low.get());
            let thread = &runtime.table[own as usize];
            thread.calls.set(calls);
            thread.low.set(low);
            thread.stack_pointer.as_ptr()
        }
        None => &raw mut nowhere,
    };
    let (host, base) = (runtime.host.get(), runtime.host_base.get());
    // SAFETY: the loop stands where it entered.
    unsafe {
        if runtime.may_write_base.get() {
            context::switch(save, host, base);
        } else {
            crate::rt::base::syscalls::set_fs(base);
            context::switch_without_base(save, host);
        }
    }
}

/// Ends the execution.
pub fn finish(ending: Ending) -> ! {
    conclude(ending);
    to_host(None);
    crate::rt::broken()
}

/// Writes down how the execution ends.
pub fn conclude(ending: Ending) {
    let runtime = runtime();
    let header = header();
    header.ending.set(ending as u32);
    // In the midst of a step the last row is the one that it started from.
    header.rows.set(match ending {
        Ending::Paused | Ending::Stuck | Ending::NoSuchChoice | Ending::Diverged => runtime.depth.get() + 1,
        Ending::Exited => runtime.depth.get() + 1,
        Ending::Failed | Ending::Refused | Ending::TooLong => runtime.depth.get(),
    });
}

/// Takes the next choice. `None`: the driver must say more, or the execution has ended.
#[inline]
pub fn choose(runtime: &Runtime) -> Option<u32> {
    let depth = runtime.depth.get();
    if depth < runtime.known.get() {
        if depth == runtime.checkpoints.next.get() {
            runtime.checkpoints.stopped.set(true);
            return None;
        }
        return follow(runtime, choice(depth).get());
    }
    if runtime.recording.get() && !record(runtime) {
        conclude(Ending::TooLong);
        return None;
    }
    if depth < runtime.steps.get() {
        return go_on_with(choice(depth).get());
    }
    if depth < runtime.expected.get() {
        let taken = choice(depth).get();
        if offers(runtime, taken) {
            return Some(take(runtime, taken));
        }
    }
    if runtime.settings.get().sums != 0 && runtime.thread().again.get() {
        // The search may know that it has gone round.
        conclude(Ending::Paused);
        return None;
    }
    let Some(taken) = default(runtime) else {
        if runtime.misses_alarm.get().is_some_and(|misses| misses()) {
            defect::note(
                runtime,
                DefectKind::Unsupported,
                b"alarm, whose handler would interrupt a thread that neither sleeps nor pauses",
            );
            conclude(Ending::Refused);
            return None;
        }
        conclude(Ending::Stuck);
        return None;
    };
    if depth >= runtime.pause_at.get() {
        conclude(Ending::Paused);
        return None;
    }
    Some(take(runtime, taken))
}

fn offers(runtime: &Runtime, taken: Taken) -> bool {
    let bit = if taken.value == NO_VALUE { RUN } else { 1u64.checked_shl(taken.value).unwrap_or(0) };
    if taken.thread >= runtime.threads.get() {
        return false;
    }
    let leaves = runtime.table[taken.thread as usize].pending.get().op == Op::Exit as u8;
    // The search knows whether another thread has something new to do.
    leaves && runtime.settings.get().lenient != 0 || enabled::of(runtime, taken.thread) & bit != 0
}

/// Takes a choice that the driver gives, if it is there.
pub fn go_on_with(taken: Taken) -> Option<u32> {
    let runtime = runtime();
    if offers(runtime, taken) {
        return Some(take(runtime, taken));
    }
    conclude(Ending::NoSuchChoice);
    None
}

/// Takes a choice that was taken before in the same state. What the thread is about to do is compared with what it was
/// about to do then.
#[inline]
fn follow(runtime: &Runtime, taken: Taken) -> Option<u32> {
    // An access to memory that was possible is possible again; anything else is brought up to date by asking.
    let known = taken.thread < runtime.threads.get()
        && runtime.table[taken.thread as usize].pending.get().op <= Op::AtomicUpdate as u8;
    if known || offers(runtime, taken) {
        let before = row_entry(runtime.depth.get(), taken.thread).get();
        let now = runtime.table[taken.thread as usize].pending.get();
        let same = (before.op, before.object, before.size) == (now.op, now.object, now.size);
        if same && (before.place == now.place || !runtime.calls_directly(taken.thread)) {
            return Some(take(runtime, taken));
        }
    }
    runtime.current.set(taken.thread.min(runtime.threads.get() - 1));
    let now = runtime.thread().pending.get();
    defect::note(runtime, DefectKind::Different, b"");
    defect::amend(|defect| Defect { object: now.object, detail: u32::from(now.op), ..defect });
    conclude(Ending::Diverged);
    None
}

/// Takes a choice that is there.
#[inline]
fn take(runtime: &Runtime, taken: Taken) -> u32 {
    if runtime.recording.get() {
        if runtime.depth.get() >= runtime.known.get() {
            choice(runtime.depth.get()).set(taken);
        }
        header().pulse.store(runtime.depth.get(), Ordering::Relaxed);
    }
    header().inside_step.set(0);
    header().polled.set(0);
    if runtime.settings.get().timeouts != 0 {
        crate::rt::sched::timeouts::take(runtime, taken.thread);
    }
    let thread = &runtime.table[taken.thread as usize];
    thread.value.set(taken.value);
    runtime.depth.update(|depth| depth + 1);
    taken.thread
}

/// Objects that a thread touches beside the first one at most, and beside other threads.
const MOST_FURTHER: usize = MOST_IN_SECTION;

/// Writes the row of the present state. Whether there was room.
pub fn record(runtime: &Runtime) -> bool {
    let (depth, threads) = (runtime.depth.get(), runtime.threads.get());
    let bytes = Row::bytes(threads as usize);
    let start = if depth == 0 { 0 } else { offset(depth).get() as usize * 8 };
    let touches = threads as usize * (threads as usize + MOST_FURTHER);
    if depth as usize >= MOST_STEPS
        || start + bytes > ROW_BYTES
        || runtime.extras.get() as usize + touches > MOST_EXTRAS
        || (runtime.entries.get() + threads) as usize >= MOST_ENTRIES
    {
        return false;
    }
    // Which time-outs come depends on all threads.
    runtime.stale.update(|stale| stale | (runtime.settings.get().timeouts != 0));
    offset(depth).set((start / 8) as u32);
    offset(depth + 1).set(((start + bytes) / 8) as u32);
    let numbers = row_entries(depth, threads);
    let renew = |index: u32| numbers[index as usize].set(refresh(runtime, index));
    match depth.checked_sub(1) {
        None => (0..threads).for_each(renew),
        Some(last) => record_behind(runtime, numbers, last),
    }
    if runtime.settings.get().lenient != 0 && runtime.log.awaiting.get() > 0 {
        crate::rt::sched::spin_loops::give_up(runtime, renew);
    }
    if !runtime.ready.any(threads) && runtime.section.get().is_none() {
        let leaver = runtime.all().iter().position(|thread| thread.pending.get().op == Op::Exit as u8);
        if let Some(leaver) = leaver {
            numbers[leaver].set(leaves(runtime, leaver as u32));
        }
    }
    if !runtime.ready.any(threads) && runtime.log.awaiting.get() > 0 {
        crate::rt::sched::spin_loops::doubt(runtime, renew);
    }
    crate::rt::sched::lock_cycles::look_for(runtime);
    let sums = (runtime.settings.get().sums != 0).then(|| crate::rt::sched::state_hash::of(runtime));
    let [sum, twin] = sums.flatten().unwrap_or([0; 2]);
    let several = u8::from(runtime.with_values.any(threads));
    let inside = header().inside_step.get() as u16;
    let marks = if header().polled.get() != 0 { POLLED } else { 0 };
    let (extras, entries) = (runtime.extras.get(), runtime.entries.get());
    row(depth).set(Row { threads, extras, entries, several, marks, inside, sum, twin });
    for (word, ready) in row_bits(depth, threads).iter().zip(runtime.ready.of(threads)) {
        word.set(ready.get());
    }
    runtime.stale.set(false);
    if crate::rt::sched::revisits::is_round_alone(runtime) {
        row(depth).update(|row| Row { marks: row.marks | GOES_ROUND, ..row });
    }
    true
}

/// Operations that make a difference only to a thread that is about to do something with the same object.
const FOR_ONE_OBJECT: Ops = {
    use Op::*;
    Ops::new(&[Lock, TryLock, TimedLock, Relock, Woken, Unlock, End, Join, Create])
};

/// Writes the numbers of entries of the state behind the last row: those of that row, but for threads that are about to do
/// something else.
fn record_behind(runtime: &Runtime, numbers: &[Cell<u32>], last: u32) {
    let before = row_entries(last, row(last).get().threads);
    for (number, before) in numbers.iter().zip(before) {
        number.set(before.get());
    }
    let moved = choice(last).get().thread;
    let done = entry(before[moved as usize].get()).get();
    // What others can do, and touch, depends on objects of the thread library.
    let plain = |op: u8| op <= Op::AtomicUpdate as u8;
    if !runtime.stale.get() && plain(done.op) && before.len() == numbers.len() {
        numbers[moved as usize].set(refresh(runtime, moved));
        return;
    }
    let Pending { op, object, .. } = done;
    let concerns = |thread: &Thread| {
        let other = thread.pending.get();
        let waits_for_it = other.object == object || other.op == Op::LockSeveral as u8;
        !thread.finished.get() && !plain(other.op) && (waits_for_it || !FOR_ONE_OBJECT.contains(op))
    };
    let renew = |index: u32| {
        let number = &numbers[index as usize];
        if index as usize >= before.len() || index == moved {
            number.set(refresh(runtime, index));
        } else if runtime.stale.get() || concerns(&runtime.table[index as usize]) {
            let first = runtime.extras.get();
            let new = refresh(runtime, index);
            if is_same(&entry(number.get()).get(), &entry(new).get()) {
                runtime.entries.set(new);
                runtime.extras.set(first);
            } else {
                number.set(new);
            }
        }
    };
    let threads = numbers.len() as u32;
    if runtime.stale.get() {
        return (0..threads).for_each(renew);
    }
    #[cfg(sojourner_checks)]
    for index in (0..before.len() as u32).filter(|&index| index != moved) {
        let known = runtime.beyond_memory.each(threads).any(|known| known == index);
        let missed = !known && concerns(&runtime.table[index as usize]);
        assert!(!missed, "a thread that the step may concern is not brought up to date");
    }
    runtime.beyond_memory.set(moved, true);
    (before.len() as u32..threads).for_each(|index| runtime.beyond_memory.set(index, true));
    runtime.beyond_memory.each(threads).for_each(renew);
}

/// Brings up to date what is known of a thread, and makes an entry of it.
fn refresh(runtime: &Runtime, index: u32) -> u32 {
    let offer = enabled::of(runtime, index);
    let first = runtime.extras.get();
    let count = enabled::touches(runtime, index, |runtime, touch| {
        extra(runtime.extras.get()).set(touch);
        runtime.extras.update(|extras| extras + 1);
    });
    let thread = &runtime.table[index as usize];
    let before = thread.pending.get();
    // It waits until no other thread can move.
    let offer = if before.op == Op::Exit as u8 { 0 } else { offer };
    let now = Pending { offer, extra: first, extras: count, ..before };
    let number = runtime.entries.get();
    entry(number).set(now);
    thread.pending.set(now);
    if thread.awaits.get() && offer == 0 {
        entry(number).update(|entry| crate::rt::sched::spin_loops::shown(&thread.history, entry));
    }
    if offer != 0
        && (runtime.settings.get().timeouts != 0 || crate::rt::sched::timeouts::TIMED.contains(now.op))
        && let Some(mark) = crate::rt::sched::timeouts::mark(runtime, index)
    {
        entry(number).update(|entry| Pending { holder: mark, ..entry });
    }
    if runtime.settings.get().calls != 0 {
        defect::record_calls(runtime, index, number);
    }
    runtime.ready.set(index, offer != 0);
    runtime.with_values.set(index, offer != 0 && offer != RUN);
    runtime.beyond_memory.set(index, now.op > Op::AtomicUpdate as u8 && !thread.finished.get());
    runtime.entries.update(|entries| entries + 1);
    number
}

/// Whether two entries say the same.
fn is_same(one: &Pending, other: &Pending) -> bool {
    let touches = |pending: &Pending, nth: u16| extra(pending.extra + u32::from(nth)).get();
    Pending { extra: other.extra, ..*one } == *other
        && (0..one.extras).all(|nth| touches(one, nth) == touches(other, nth))
}

/// The entry of the thread that ends the program: no other thread can move.
fn leaves(runtime: &Runtime, leaver: u32) -> u32 {
    let number = refresh(runtime, leaver);
    let offer = enabled::outcomes(runtime);
    for pending in [&runtime.table[leaver as usize].pending, entry(number)] {
        pending.update(|pending| Pending { offer, ..pending });
    }
    runtime.ready.set(leaver, true);
    runtime.with_values.set(leaver, offer != RUN);
    number
}

/// The choice that is taken without a schedule: the thread that moved last goes on, unless it pauses, or else the first one that can.
#[inline]
fn default(runtime: &Runtime) -> Option<Taken> {
    let taken = |thread: u32, offer: u64| Taken {
        thread,
        value: if offer & RUN != 0 { NO_VALUE } else { offer.trailing_zeros() },
    };
    // A row that has just been written has the offers in it.
    let offer = |runtime: &Runtime, index: u32| match runtime.recording.get() {
        true => runtime.table[index as usize].pending.get().offer,
        false => enabled::of(runtime, index),
    };
    let current = runtime.current.get();
    let pauses = runtime.table[current as usize].pending.get().op == Op::Pause as u8;
    if !runtime.first_goes_on.get() && !pauses {
        let offer = offer(runtime, current);
        if offer != 0 {
            return Some(taken(current, offer));
        }
    }
    let waits = |index: u32| index == current && pauses && !runtime.first_goes_on.get();
    let offered = |index: u32| Some((index, offer(runtime, index))).filter(|(_, offer)| *offer != 0);
    let threads = runtime.threads.get();
    let others = match runtime.recording.get() {
        true => runtime.ready.each(threads).filter(|index| !waits(*index)).find_map(offered),
        false => (0..threads).filter(|index| !waits(*index)).find_map(offered),
    };
    others.or_else(|| offered(current).filter(|_| waits(current))).map(|(index, offer)| taken(index, offer))
}

/// Takes over how far the driver wants to go, and how.
pub fn heed(runtime: &Runtime) {
    let header = header();
    runtime.steps.set(header.steps.get());
    runtime.expected.set(header.steps.get().saturating_add(header.expected.get()));
    runtime.pause_at.set(runtime.expected.get().saturating_add(header.ahead.get()));
    runtime.first_goes_on.set(header.first_goes_on.get() != 0);
}
