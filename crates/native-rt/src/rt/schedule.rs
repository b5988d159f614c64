//! Visible operations, and who goes on.
//!
//! A thread that comes to a visible operation says what it is about to do; then the next choice is taken, and the thread
//! that is chosen does what it had said. A thread that is chosen again goes on without a switch.

use super::context::{self, Frame};
use super::guarded;
use super::layout::slot_at;
use super::offer;
use super::private;
use super::races::Order;
use super::sections;
use super::state::{Thread, choice, code, entry, extra, header, offset, row, runtime, touch};
use super::{Runtime, defect};
use crate::protocol::{
    Command, DefectKind, Ending, GOES_ROUND, How, MOST_ENTRIES, MOST_EXTRAS, MOST_IN_SECTION, MOST_STEPS,
    NO_VALUE, NOBODY, Op, Ops, POLLED, Pending, ROW_BYTES, RUN, Row, Space, Taken, Touch,
};
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
        if !runtime.running {
            return NO_VALUE;
        }
        if self.op as u8 <= Op::AtomicUpdate as u8
            && private::is_private(runtime, self.object, self.size, self.how as u8 == How::Read as u8)
        {
            let thread = runtime.thread();
            if self.object < thread.in_use() || thread.was_mains(self.object) {
                super::heap::returned(self.object);
            }
            return NO_VALUE;
        }
        if header().sections.count > 0 {
            super::sections::cross(frame, self.op);
        }
        let runtime = super::state::runtime();
        if runtime.several_end != 0 {
            super::several::interrupted(runtime);
        }
        let place = runtime.place(frame);
        let block = super::heap::check(runtime, self, place);
        let value = match super::heap::foreign_stack(runtime, self) {
            // Whether its owner has ended makes a difference, or that main has returned.
            Some(slot) => {
                let owner = touch(slot_at(slot), How::Read, Space::Thread);
                let value = self.also(owner).take_at(frame, place, block);
                super::heap::check_stack(self, slot);
                value
            }
            None => self.take_at(frame, place, block),
        };
        super::heap::check_depth(super::state::runtime(), self);
        value
    }

    #[inline]
    pub fn take_at(self, frame: &Frame, place: u64, block: u32) -> u32 {
        let runtime = runtime();
        let thread = runtime.thread();
        // Functions that this one has called may have left theirs there.
        thread.frame = frame;
        thread.pending = Pending {
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
        };
        thread.touched = 0;
        for touch in self.also.into_iter().flatten() {
            thread.touches[thread.touched as usize] = touch;
            thread.touched += 1;
        }
        if runtime.alone() && self.is_quiet() && offer::of(runtime, runtime.current) != 0 {
            return NO_VALUE;
        }
        super::watch::look(runtime, frame);
        let part = sections::is_part(runtime, &self, block);
        let hidden = !part && guarded::is_guarded(runtime, &self);
        if !part && !hidden {
            go_on();
        }
        let runtime = super::state::runtime();
        if block != 0 {
            super::heap::check_again(self, block);
        }
        guarded::note(runtime, &self, hidden);
        super::watch::did(runtime);
        super::races::did(runtime, self.order);
        runtime.thread().value
    }

    /// Whether nobody needs to hear of it while there is only one thread.
    #[inline]
    fn is_quiet(&self) -> bool {
        !matches!(self.op, Op::Create | Op::End | Op::Exit | Op::Choose)
    }
}

/// Waits as it was told to before: the operation is decided anew in every state.
pub fn take_again() -> u32 {
    go_on();
    let runtime = runtime();
    super::watch::did(runtime);
    super::races::did(runtime, Order::default());
    runtime.thread().value
}

impl Runtime {
    /// Where in the program's own code a call comes from, which may have gone through a library.
    #[inline]
    pub fn place(&self, frame: &Frame) -> u64 {
        let place = if self.is_own(frame.place) { frame.place } else { self.place_above(frame) };
        if header().told == 0 { place } else { self.outside_library(place) }
    }

    /// The innermost call that the program's own code makes, if the place is in the standard library of Rust: that is mostly
    /// compiled with the program.
    #[cold]
    fn outside_library(&self, place: u64) -> u64 {
        if code(place).is_none() {
            return place;
        }
        let bottom = slot_at(self.table[self.current as usize].slot) + super::layout::CALLS_AT;
        let mut at = self.calls as u64;
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
        address >= self.text.0 && address < self.text.1
    }

    /// Whether nobody can write at an address.
    pub fn is_constant(&self, address: u64) -> bool {
        address >= self.constants.0 && address < self.constants.1
    }

    /// Whether the call that a thread is in comes from the program's own code. If not, its place is a guess: what lies on
    /// the stack from before may be taken for it.
    #[cold]
    fn calls_directly(&self, thread: u32) -> bool {
        // SAFETY: a thread that is about to do something has called a function of ours, on its own stack.
        let place = unsafe { (*self.table[thread as usize].frame).place };
        place >= self.text.0 && place < self.text.1
    }

    #[cold]
    fn place_above(&self, frame: &Frame) -> u64 {
        self.found_above(&raw const frame.place as u64, frame.place)
    }

    /// The first address of the program's own code that lies on the running thread's stack from `at` on; `otherwise`, if there is
    /// none near.
    pub fn found_above(&self, mut at: u64, otherwise: u64) -> u64 {
        let thread = &self.table[self.current as usize];
        let end = thread.stack_end();
        if at < super::layout::slot_at(thread.slot) + super::layout::GUARD_BYTES {
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

/// Lets the schedule say who goes on. Returns when it is this thread.
#[inline]
fn go_on() {
    let runtime = runtime();
    let own = runtime.current;
    if runtime.table[own as usize].announces {
        // Whoever created it waits to know what it begins with.
        let thread = &mut runtime.table[own as usize];
        thread.announces = false;
        let parent = thread.parent;
        return change(own, parent);
    }
    match choose(runtime) {
        Some(next) if next == own => {}
        Some(next) => change(own, next),
        None => to_host(Some(own)),
    }
}

/// Goes on with somebody else: the running thread has ended.
pub fn leave() -> ! {
    let runtime = runtime();
    let mut nowhere = 0;
    match choose(runtime) {
        Some(next) => leave_for(next, &raw mut nowhere),
        None => to_host(None),
    }
    super::broken()
}

/// Goes on with another thread. Returns when somebody goes on with this one.
#[inline]
pub fn change(own: u32, next: u32) {
    let runtime = runtime();
    let (calls, low) = (runtime.calls, runtime.low);
    let thread = &mut runtime.table[own as usize];
    (thread.calls, thread.low) = (calls, low);
    let save = &raw mut thread.stack_pointer;
    leave_for(next, save);
}

#[inline]
fn leave_for(next: u32, save: *mut usize) {
    let runtime = runtime();
    runtime.current = next;
    let thread = &runtime.table[next as usize];
    let (to, base) = (thread.stack_pointer, thread.base);
    (runtime.calls, runtime.low) = (thread.calls, thread.low);
    // SAFETY: the thread stands at a switch, or has been prepared and has not begun.
    unsafe {
        if runtime.may_write_base {
            context::switch(save, to, base);
        } else {
            super::sys::set_fs(base);
            context::switch_without_base(save, to);
        }
    }
}

/// From the loop that takes commands to a thread. Returns when the program is paused or has ended.
pub fn enter(next: u32) {
    let runtime = runtime();
    runtime.running = true;
    leave_for(next, &raw mut runtime.host);
    super::state::runtime().running = false;
}

/// Goes back to the loop that takes commands; of a thread that is to go on later, where it stands is saved.
fn to_host(own: Option<u32>) {
    let runtime = runtime();
    runtime.running = false;
    let mut nowhere = 0;
    let save = match own {
        Some(own) => {
            let (calls, low) = (runtime.calls, runtime.low);
            let thread = &mut runtime.table[own as usize];
            (thread.calls, thread.low) = (calls, low);
            &raw mut thread.stack_pointer
        }
        None => &raw mut nowhere,
    };
    let (host, base) = (runtime.host, runtime.host_base);
    // SAFETY: the loop stands where it entered.
    unsafe {
        if runtime.may_write_base {
            context::switch(save, host, base);
        } else {
            super::sys::set_fs(base);
            context::switch_without_base(save, host);
        }
    }
}

/// Ends the execution.
pub fn finish(ending: Ending) -> ! {
    conclude(ending);
    to_host(None);
    super::broken()
}

/// Writes down how the execution ends.
pub fn conclude(ending: Ending) {
    let runtime = runtime();
    let header = header();
    header.ending = ending as u32;
    super::panics::tell(runtime);
    // In the midst of a step the last row is the one that it started from.
    header.rows = match ending {
        Ending::Paused | Ending::Stuck | Ending::NoSuchChoice | Ending::Diverged => runtime.depth + 1,
        Ending::Exited => runtime.depth + 1,
        Ending::Failed | Ending::Refused | Ending::TooLong => runtime.depth,
    };
}

/// Takes the next choice. `None`: the driver must say more, or the execution has ended.
#[inline]
pub fn choose(runtime: &mut Runtime) -> Option<u32> {
    let depth = runtime.depth;
    if depth < runtime.known {
        if depth == runtime.stations.next {
            runtime.stations.stopped = true;
            return None;
        }
        return follow(runtime, *choice(depth));
    }
    if runtime.recording && !record(runtime) {
        conclude(Ending::TooLong);
        return None;
    }
    if depth < runtime.steps {
        return go_on_with(*choice(depth));
    }
    if depth < runtime.expected {
        let taken = *choice(depth);
        if offers(runtime, taken) {
            return Some(take(runtime, taken));
        }
    }
    if runtime.settings.sums != 0 && runtime.thread().again {
        // The search may know that it has gone round.
        conclude(Ending::Paused);
        return None;
    }
    let Some(taken) = default(runtime) else {
        if super::alarm::is_missed() {
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
    if depth >= runtime.pause_at {
        conclude(Ending::Paused);
        return None;
    }
    Some(take(runtime, taken))
}

fn offers(runtime: &mut Runtime, taken: Taken) -> bool {
    let bit = if taken.value == NO_VALUE { RUN } else { 1u64.checked_shl(taken.value).unwrap_or(0) };
    if taken.thread >= runtime.threads {
        return false;
    }
    let leaves = runtime.table[taken.thread as usize].pending.op == Op::Exit as u8;
    // The search knows whether anybody else has something new to do.
    leaves && runtime.settings.lenient != 0 || offer::of(runtime, taken.thread) & bit != 0
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
fn follow(runtime: &mut Runtime, taken: Taken) -> Option<u32> {
    // An access to memory that was possible is possible again; anything else is brought up to date by asking.
    let known = taken.thread < runtime.threads
        && runtime.table[taken.thread as usize].pending.op <= Op::AtomicUpdate as u8;
    if known || offers(runtime, taken) {
        // SAFETY: the row is there from before.
        let before = entry(unsafe { *row(runtime.depth).1.add(taken.thread as usize) });
        let now = &runtime.table[taken.thread as usize].pending;
        let same = (before.op, before.object, before.size) == (now.op, now.object, now.size);
        if same && (before.place == now.place || !runtime.calls_directly(taken.thread)) {
            return Some(take(runtime, taken));
        }
    }
    runtime.current = taken.thread.min(runtime.threads - 1);
    let now = runtime.thread().pending;
    let defect = defect::note(runtime, DefectKind::Different, b"");
    (defect.object, defect.detail) = (now.object, u32::from(now.op));
    conclude(Ending::Diverged);
    None
}

/// Takes a choice that is there.
#[inline]
fn take(runtime: &mut Runtime, taken: Taken) -> u32 {
    if runtime.recording {
        if runtime.depth >= runtime.known {
            *choice(runtime.depth) = taken;
        }
        header().pulse.store(runtime.depth, Ordering::Relaxed);
    }
    (header().inside_step, header().polled) = (0, 0);
    if runtime.settings.timeouts != 0 {
        super::timeouts::take(runtime, taken.thread);
    }
    let thread = &mut runtime.table[taken.thread as usize];
    thread.value = taken.value;
    runtime.depth += 1;
    taken.thread
}

/// Objects that a thread touches beside the first one at most, and beside other threads.
const MOST_FURTHER: usize = MOST_IN_SECTION;

/// Writes the row of the present state. Whether there was room.
pub fn record(runtime: &mut Runtime) -> bool {
    let (depth, threads) = (runtime.depth, runtime.threads);
    let bytes = Row::bytes(threads as usize);
    let start = if depth == 0 { 0 } else { *offset(depth) as usize * 8 };
    let touches = threads as usize * (threads as usize + MOST_FURTHER);
    if depth as usize >= MOST_STEPS
        || start + bytes > ROW_BYTES
        || runtime.extras as usize + touches > MOST_EXTRAS
        || (runtime.entries + threads) as usize >= MOST_ENTRIES
    {
        return false;
    }
    // Which time-outs come depends on all threads.
    runtime.stale |= runtime.settings.timeouts != 0;
    *offset(depth) = (start / 8) as u32;
    *offset(depth + 1) = ((start + bytes) / 8) as u32;
    let (head, numbers) = row(depth);
    // SAFETY: there is room, see above.
    let numbers = unsafe { core::slice::from_raw_parts_mut(numbers, threads as usize) };
    match depth.checked_sub(1) {
        None => (0..threads).for_each(|index| numbers[index as usize] = refresh(runtime, index)),
        Some(last) => record_behind(runtime, numbers, last),
    }
    if runtime.settings.lenient != 0 && runtime.log.awaiting > 0 {
        super::watch::give_up(runtime, |runtime, index| numbers[index as usize] = refresh(runtime, index));
    }
    if !runtime.ready.any(threads) && runtime.section.is_none() {
        let leaver = runtime.all().iter().position(|thread| thread.pending.op == Op::Exit as u8);
        if let Some(leaver) = leaver {
            numbers[leaver] = leaves(runtime, leaver as u32);
        }
    }
    if !runtime.ready.any(threads) && runtime.log.awaiting > 0 {
        super::watch::doubt(runtime, |runtime, index| numbers[index as usize] = refresh(runtime, index));
    }
    super::cycles::look_for(runtime);
    let sums = (runtime.settings.sums != 0).then(|| super::sums::of(runtime));
    let [sum, twin] = sums.flatten().unwrap_or([0; 2]);
    let several = u8::from(runtime.several.any(threads));
    let inside = header().inside_step as u16;
    let marks = if header().polled != 0 { POLLED } else { 0 };
    let ready = runtime.ready.of(threads);
    // SAFETY: as above.
    unsafe {
        *head = Row {
            threads,
            extras: runtime.extras,
            entries: runtime.entries,
            several,
            marks,
            inside,
            sum,
            twin,
        };
        let bits = (head as usize + Row::bits_at(threads as usize)) as *mut u64;
        core::ptr::copy_nonoverlapping(ready.as_ptr(), bits, ready.len());
    }
    runtime.stale = false;
    if super::laps::is_round_alone(runtime) {
        // SAFETY: as above.
        unsafe { (*head).marks |= GOES_ROUND };
    }
    true
}

/// Operations that make a difference only to who is about to do something with the same object.
const FOR_ONE_OBJECT: Ops = {
    use Op::*;
    Ops::new(&[Lock, TryLock, TimedLock, Relock, Woken, Unlock, End, Join, Create])
};

/// Writes the numbers of entries of the state behind the last row: those of that row, but for threads that are about to do
/// something else.
fn record_behind(runtime: &mut Runtime, numbers: &mut [u32], last: u32) {
    let (head, before) = row(last);
    // SAFETY: the row has been written.
    let before = unsafe { core::slice::from_raw_parts(before, (*head).threads as usize) };
    numbers[..before.len()].copy_from_slice(before);
    let moved = choice(last).thread;
    // What others can do, and touch, depends on objects of the thread library.
    let plain = |op: u8| op <= Op::AtomicUpdate as u8;
    if !runtime.stale && plain(entry(before[moved as usize]).op) && before.len() == numbers.len() {
        numbers[moved as usize] = refresh(runtime, moved);
        return;
    }
    let Pending { op, object, .. } = *entry(before[moved as usize]);
    let concerns = |thread: &Thread| {
        let other = &thread.pending;
        let waits_for_it = other.object == object || other.op == Op::LockSeveral as u8;
        !thread.finished && !plain(other.op) && (waits_for_it || !FOR_ONE_OBJECT.contains(op))
    };
    for (index, number) in numbers.iter_mut().enumerate() {
        if index >= before.len() || index == moved as usize {
            *number = refresh(runtime, index as u32);
        } else if runtime.stale || concerns(&runtime.table[index]) {
            let first = runtime.extras;
            let new = refresh(runtime, index as u32);
            if is_same(entry(*number), entry(new)) {
                (runtime.entries, runtime.extras) = (new, first);
            } else {
                *number = new;
            }
        }
    }
}

/// Brings up to date what is known of a thread, and makes an entry of it.
fn refresh(runtime: &mut Runtime, index: u32) -> u32 {
    let offer = offer::of(runtime, index);
    let first = runtime.extras;
    let count = offer::touches(runtime, index, |runtime, touch| {
        *extra(runtime.extras) = touch;
        runtime.extras += 1;
    });
    let thread = &mut runtime.table[index as usize];
    let pending = &mut thread.pending;
    // It waits until nobody else can move.
    let op = pending.op;
    let offer = if op == Op::Exit as u8 { 0 } else { offer };
    let number = runtime.entries;
    let entry = entry(number);
    // First the copy: processors wait when they read in one piece what has just been written in several.
    *entry = *pending;
    (entry.offer, entry.extra, entry.extras) = (offer, first, count);
    (pending.offer, pending.extra, pending.extras) = (offer, first, count);
    if thread.awaits && offer == 0 {
        super::watch::show(&thread.anchors, entry);
    }
    if offer != 0 && (runtime.settings.timeouts != 0 || super::timeouts::TIMED.contains(op)) {
        super::timeouts::mark(runtime, index, &mut entry.holder);
    }
    runtime.ready.set(index, offer != 0);
    runtime.several.set(index, offer != 0 && offer != RUN);
    runtime.entries += 1;
    number
}

/// Whether two entries say the same.
fn is_same(one: &Pending, other: &Pending) -> bool {
    let touches = |pending: &Pending, nth: u16| *extra(pending.extra + u32::from(nth));
    Pending { extra: other.extra, ..*one } == *other
        && (0..one.extras).all(|nth| touches(one, nth) == touches(other, nth))
}

/// The entry of the thread that ends the program: nobody else can move.
fn leaves(runtime: &mut Runtime, leaver: u32) -> u32 {
    let number = refresh(runtime, leaver);
    let offer = super::exit::outcomes(runtime);
    runtime.table[leaver as usize].pending.offer = offer;
    entry(number).offer = offer;
    runtime.ready.set(leaver, true);
    runtime.several.set(leaver, offer != RUN);
    number
}

/// The choice that is taken when nobody says: the thread that moved last goes on, unless it pauses, or else the first one
/// that can.
#[inline]
fn default(runtime: &mut Runtime) -> Option<Taken> {
    let taken = |thread: u32, offer: u64| Taken {
        thread,
        value: if offer & RUN != 0 { NO_VALUE } else { offer.trailing_zeros() },
    };
    // A row that has just been written has the offers in it.
    let offer = |runtime: &mut Runtime, index: u32| match runtime.recording {
        true => runtime.table[index as usize].pending.offer,
        false => offer::of(runtime, index),
    };
    let current = runtime.current;
    let pauses = runtime.table[current as usize].pending.op == Op::Pause as u8;
    if !runtime.first_goes_on && !pauses {
        let offer = offer(runtime, current);
        if offer != 0 {
            return Some(taken(current, offer));
        }
    }
    let mut last = None;
    for index in 0..runtime.threads {
        let offer = offer(runtime, index);
        if offer != 0 {
            if index == current && pauses && !runtime.first_goes_on {
                last = Some(taken(index, offer));
            } else {
                return Some(taken(index, offer));
            }
        }
    }
    last
}

/// Takes over how far the driver wants to go, and how.
pub fn heed(runtime: &mut Runtime) {
    let header = header();
    runtime.steps = header.steps;
    runtime.expected = header.steps.saturating_add(header.expected);
    runtime.pause_at = runtime.expected.saturating_add(header.ahead);
    runtime.first_goes_on = header.first_goes_on != 0;
}

/// The loop that takes commands.
pub fn serve() -> ! {
    loop {
        let header = header();
        match header.command {
            command if command == Command::Run as u32 => {
                super::isolation::begin_again();
                super::restart();
            }
            command if command == Command::Continue as u32 => {
                heed(runtime());
                if let Some(next) = go_on_with(*choice(header.steps - 1)) {
                    enter(next);
                }
            }
            _ => super::sys::exit(0),
        }
        super::answer();
    }
}
