//! Data races, by vector clocks (Flanagan & Freund 2009): two accesses to the same bytes, one of them a write and not both
//! atomic, that nothing orders.
//!
//! What orders them is what the thread library and atomic operations promise: locks, joins, releases that acquires read.
//!
//! There is room for so many objects and accesses. `races_missed` says where that is not enough. Without an object's clock an order would
//! be lost, and ordered accesses would look like a race: so the rest of the execution is not examined. Without an access, races with it are
//! missed.

use crate::protocol::{How, Op, Ops, RequestedStacks, SUMS_FOR_MATCHING, Space};
use crate::rt::sched::defect;
use crate::rt::sched::race_accesses::{Access, GRAIN, Grains};
use crate::rt::sched::race_clocks::Clocks;
use crate::rt::sched::race_reports;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime};
use core::cell::Cell;

/// The order of memory that an atomic operation asks for.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Order {
    pub atomic: bool,
    pub acquires: bool,
    pub releases: bool,
    /// It depends on what is found there: see [`compared`].
    pub later: bool,
}

impl Order {
    /// That of an operation which only knows when it has looked.
    pub const LATER: Order = Order { atomic: true, acquires: false, releases: false, later: true };

    /// By the number that compilers pass.
    pub fn of(number: i32) -> Order {
        const CONSUME: i32 = 1;
        const ACQUIRE: i32 = 2;
        const RELEASE: i32 = 3;
        const RELAXED: i32 = 0;
        let acquires = !matches!(number, RELAXED | RELEASE);
        let releases = !matches!(number, RELAXED | CONSUME | ACQUIRE);
        Order { atomic: true, acquires, releases, later: false }
    }
}

/// What is known about the order of accesses.
#[repr(C)]
pub struct Races {
    clocks: Clocks,
    grains: Grains,
    /// There was no room for what is needed: the execution is left alone from there on.
    given_up: bool,
}

impl Races {
    /// Calls `look` with what has to be copied to come back to what is known here of so many threads.
    pub fn each_part(&self, threads: usize, mut look: impl FnMut(u64, u64)) {
        let from = &raw const self.given_up as u64;
        look(from, from + size_of::<bool>() as u64);
        self.clocks.each_part(threads, &mut look);
        self.grains.each_part(&mut look);
        race_reports::each_part(&mut look);
    }

    /// An execution of so many threads is left, to go back to a state whose parts have been copied.
    pub fn forget(&mut self, threads: usize) {
        self.clocks.forget(threads);
    }

    /// What is known here is of an execution with another number, too.
    pub fn renew(&mut self, execution: u64) {
        self.clocks.renew(execution);
        self.grains.renew(execution);
    }
}

/// Whether races are looked for in this execution.
#[inline]
fn on(runtime: &Runtime) -> bool {
    runtime.settings.get().races != 0 && !runtime.races.with(|races| races.given_up)
}

/// There is no room for what tells which accesses are ordered: races are not looked for in the rest of this execution.
#[cold]
fn give_up(runtime: &Runtime) {
    runtime.races.with_mut(|races| races.given_up = true);
    header().races_missed.set(1);
}

/// The first thread begins.
pub fn begin(runtime: &Runtime) {
    runtime.races.with_mut(|races| {
        races.given_up = false;
        races.clocks.begin();
        races.grains.begin();
    });
}

/// A thread has been created.
pub fn created(runtime: &Runtime, parent: u32, child: u32) {
    if !on(runtime) {
        return;
    }
    runtime.races.with_mut(|races| races.clocks.create(parent as usize, child as usize));
}

/// A thread has been joined by the running one.
pub fn joined(runtime: &Runtime, child: u32) {
    if !on(runtime) {
        return;
    }
    let (own, threads, child) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, child as usize);
    runtime.races.with_mut(|races| races.clocks.join_thread(own, child, threads));
}

/// There is new memory where others may have had theirs, which is gone: no access can race with what was done there.
pub fn made_anew(runtime: &Runtime, start: u64, length: u64) {
    if !on(runtime) {
        return;
    }
    runtime.races.with_mut(|races| races.grains.made_anew(start, length));
}

/// A fence of the running thread.
pub fn fence(runtime: &Runtime, order: Order) {
    if !runtime.running.get() || !on(runtime) {
        return;
    }
    let (own, threads) = (runtime.current.get() as usize, runtime.threads.get() as usize);
    runtime.races.with_mut(|races| races.clocks.fence(own, threads, order));
}

/// Takes account of what the running thread does now.
#[inline]
pub fn did(runtime: &Runtime, order: Order) {
    if runtime.settings.get().sums == SUMS_FOR_MATCHING {
        note_unordered(runtime.thread().pending.get().op, order);
    }
    if on(runtime) && !order.later {
        account(runtime, order);
    }
}

/// Attempts that may fail, and then tell the thread what another one does without ordering the two.
const ATTEMPTS: Ops = {
    use Op::*;
    Ops::new(&[TryLock, TimedLock, SpinTry, TryReadLock, TryWriteLock, SemTry, SemTimed, TryJoin, SemLook])
};

/// A search that goes by states sees a race only where both threads stand before their accesses. That is enough if whatever one
/// thread learns of another one also orders the two. Takes note of an operation for which that may not be so.
fn note_unordered(op: u8, order: Order) {
    let ordered = match Op::from_number(op) {
        _ if order.later => true,
        Some(Op::AtomicRead) => order.acquires,
        Some(Op::AtomicWrite) => order.releases,
        Some(Op::AtomicUpdate) => order.acquires && order.releases,
        _ => !ATTEMPTS.contains(op),
    };
    if !ordered {
        header().unordered.set(1);
    }
}

/// The running thread has compared and replaced, or has only looked.
pub fn compared(object: u64, size: u32, replaced: bool, order: Order) {
    let runtime = runtime();
    let op = if replaced { Op::AtomicUpdate } else { Op::AtomicRead };
    if runtime.running.get() && runtime.settings.get().sums == SUMS_FOR_MATCHING {
        note_unordered(op as u8, order);
    }
    if runtime.running.get() && on(runtime) {
        let place = runtime.thread().pending.get().place;
        atomic(runtime, object, size, op, order, place);
    }
}

/// The running thread has got an object that it has tried to take.
pub fn gained(object: u64) {
    turned(object, How::Acquire);
}

/// The running thread gives back such an object.
pub fn given_back(object: u64) {
    turned(object, How::Release);
}

/// The running thread has got a read-write lock for reading.
pub fn shared(object: u64) {
    turned(object, How::Share);
}

/// The running thread has got a read-write lock for itself.
pub fn had_alone(object: u64) {
    turned(object, How::Acquire);
    turned(object + READERS, How::Acquire);
}

fn turned(object: u64, how: How) {
    let runtime = runtime();
    if runtime.running.get() && on(runtime) {
        synchronise(runtime, object, Space::Object, how);
    }
}

fn account(runtime: &Runtime, order: Order) {
    let pending = runtime.thread().pending.get();
    let Some(op) = Op::from_number(pending.op) else { return };
    match op {
        Op::Read | Op::Write | Op::AtomicRead | Op::AtomicWrite | Op::AtomicUpdate => {
            let writes = op == Op::Write;
            if order.atomic {
                atomic(runtime, pending.object, pending.size, op, order, pending.place);
            } else {
                access(runtime, pending.object, u64::from(pending.size), writes, false, pending.place);
            }
        }
        Op::Free => {
            let size = crate::rt::sched::heap::size_of_block(pending.object).min(4096);
            access(runtime, pending.object, size, true, false, pending.place);
        }
        Op::Create if pending.how == How::Write as u8 => {
            access(runtime, pending.object, 8, true, false, pending.place);
        }
        Op::Create => {}
        Op::Pause | Op::Sleep | Op::Clock | Op::Exit => {}
        // A thread that fails to take it learns nothing from its holder; for one that succeeds, see `gained`.
        Op::TryLock | Op::SpinTry | Op::TimedLock | Op::TryReadLock | Op::TryWriteLock => {}
        Op::SemTry | Op::SemTimed => {}
        Op::WriteLock => {
            synchronise(runtime, pending.object, Space::Object, How::Acquire);
            synchronise(runtime, pending.object + READERS, Space::Object, How::Acquire);
        }
        Op::LockSeveral => {
            for crate::rt::sched::multilock::Wanted { address, kind } in runtime.thread().wanted.all() {
                synchronise(runtime, address, Space::Object, How::Acquire);
                if kind == crate::rt::sched::multilock::Kind::Writes {
                    synchronise(runtime, address + READERS, Space::Object, How::Acquire);
                }
            }
        }
        Op::SharedUnlock if pending.how == How::Unshare as u8 => {
            synchronise(runtime, pending.object + READERS, Space::Object, How::Release);
        }
        Op::SemPost => synchronise(runtime, pending.object, Space::Object, How::Release),
        Op::Once => synchronise(runtime, pending.object, Space::Object, How::Acquire),
        _ => {
            let how = How::from_number(pending.how);
            synchronise(runtime, pending.object, op.space(), how);
            let thread = runtime.thread();
            let (count, base, waits) = (thread.touched.get(), thread.base.get() as u64, thread.waits.get());
            for touch in thread.touches[..count as usize].iter().map(Cell::get) {
                let space = if touch.space == Space::Memory as u8 { Space::Memory } else { Space::Object };
                synchronise(runtime, touch.object, space, How::from_number(touch.how));
            }
            if waits != crate::rt::sched::state::Waits::No {
                synchronise(runtime, base, Space::Wake, How::Acquire);
            }
            if matches!(op, Op::Signal | Op::Broadcast | Op::Arrive | Op::FutexWake) {
                release_to_waiters(runtime, pending.object);
            }
        }
    }
}

/// A thread that waits on the object goes on after what the running thread has done.
fn release_to_waiters(runtime: &Runtime, object: u64) {
    for index in 0..runtime.threads.get() {
        let thread = &runtime.table[index as usize];
        if thread.waits.get() != crate::rt::sched::state::Waits::No && thread.on.get() == object {
            let base = thread.base.get() as u64;
            synchronise(runtime, base, Space::Wake, How::Release);
        }
    }
}

/// Where in a read-write lock the clock of its readers lies. What they did comes before the next writer, and not before other readers.
const READERS: u64 = 1;

fn synchronise(runtime: &Runtime, object: u64, space: Space, how: How) {
    let (own, threads, execution) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, runtime.executions.get());
    let known = runtime
        .races
        .with_mut(|races| races.clocks.synchronise(own, threads, execution, (object, space), how));
    if !known {
        give_up(runtime);
    }
}

/// An atomic access: what it acquires comes before it, and it comes before what it releases.
fn atomic(runtime: &Runtime, object: u64, size: u32, op: Op, order: Order, place: u64) {
    let (own, threads, execution) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, runtime.executions.get());
    let reads = op != Op::AtomicWrite;
    let known = !reads
        || runtime
            .races
            .with_mut(|races| races.clocks.acquire(own, threads, execution, (object, size), order));
    if !known {
        return give_up(runtime);
    }
    access(runtime, object, u64::from(size), op != Op::AtomicRead, true, place);
    let writes = op != Op::AtomicRead;
    let known = !writes
        || runtime.races.with_mut(|races| races.clocks.release(own, threads, execution, object, op, order));
    if !known {
        give_up(runtime);
    }
}

fn access(runtime: &Runtime, object: u64, size: u64, writes: bool, atomic: bool, place: u64) {
    let (own, execution, step) =
        (runtime.current.get() as usize, runtime.executions.get(), runtime.depth.get());
    // Behind the access that was asked for the same step may have made others.
    if step == runtime.watch.get().step && header().watched.get().access.frames == 0 {
        let access = defect::watched(runtime, place);
        header().watched.update(|watched| RequestedStacks { access, ..watched });
    }
    let end = object + size;
    let mut address = object & !(GRAIN - 1);
    while address < end {
        let first = object.max(address) - address;
        let last = end.min(address + GRAIN) - address;
        let bytes = (((1u16 << last) - 1) & !((1u16 << first) - 1)) as u8;
        let access = Access {
            place,
            time: 0,
            step,
            thread: own as u16,
            bytes,
            writes,
            atomic,
            copies: size > GRAIN && !atomic,
        };
        let (access, ordered) = runtime.races.with_mut(|Races { clocks, grains, .. }| {
            let mine = clocks.of(own);
            let access = Access { time: mine[own], ..access };
            (access, grains.access(execution, address, access, mine))
        });
        match ordered {
            None => return header().races_missed.set(1),
            Some(true) => {}
            Some(false) => race(runtime, execution, address, access),
        }
        address += GRAIN;
    }
}

/// An access races with others to the same grain.
#[cold]
fn race(runtime: &Runtime, execution: u64, address: u64, access: Access) {
    let found = runtime.races.with_mut(|Races { clocks, grains, .. }| {
        grains.racing_access(execution, address, access, clocks.of(access.thread.into()))
    });
    let Some(clashes) = found else { return };
    let (new, others) = (access, clashes.all());
    if others.iter().any(|other| new.copies || other.copies) {
        crate::rt::sched::torn_copies::raced(runtime, address);
    }
    race_reports::report_all(runtime, address, new, others);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Pending, Settings, StackRequest};
    use crate::rt::sched::state::new_state;

    const OBJECT: u64 = 0x5000;
    const FLAG: u64 = 0x6000;
    const LOCK: u64 = 0x7000;
    const PLAIN: Order = Order { atomic: false, acquires: false, releases: false, later: false };
    const RELAXED: i32 = 0;
    const ACQUIRE: i32 = 2;
    const RELEASE: i32 = 3;

    /// An execution with two threads, of which the first has created the second.
    fn two_threads() -> &'static Runtime {
        let runtime = new_state();
        runtime.settings.set(Settings { races: 1, ..Settings::default() });
        runtime.watch.set(StackRequest::NOTHING);
        runtime.executions.set(1);
        runtime.running.set(true);
        runtime.threads.set(1);
        begin(runtime);
        runtime.threads.set(2);
        created(runtime, 0, 1);
        runtime
    }

    fn act(runtime: &Runtime, thread: u32, op: Op, object: u64, order: Order) {
        runtime.current.set(thread);
        let how = if op == Op::Read || op == Op::AtomicRead { How::Read } else { How::Write };
        let place = 0x1000 + u64::from(thread);
        let (op, how) = (op as u8, how as u8);
        runtime.thread().pending.set(Pending { object, place, size: 4, op, how, ..Pending::NONE });
        did(runtime, order);
    }

    fn turn(runtime: &Runtime, thread: u32, how: How) {
        runtime.current.set(thread);
        synchronise(runtime, LOCK, Space::Object, how);
    }

    #[test]
    fn unordered_writes_race() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 1, Op::Write, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 1);
        let race = header().race[0].get();
        assert_eq!((race.object, race.here, race.there, race.writes), (OBJECT, 0x1001, 0x1000, 3));
    }

    #[test]
    fn reads_do_not_race() {
        let runtime = two_threads();
        act(runtime, 0, Op::Read, OBJECT, PLAIN);
        act(runtime, 1, Op::Read, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    #[test]
    fn accesses_to_different_bytes_do_not_race() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 1, Op::Write, OBJECT + 4, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    #[test]
    fn release_of_lock_is_ordered_before_next_acquire() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        turn(runtime, 0, How::Release);
        turn(runtime, 1, How::Acquire);
        act(runtime, 1, Op::Write, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
        // What comes behind the release is not ordered.
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 1);
    }

    #[test]
    fn acquiring_load_is_ordered_behind_releasing_store() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 0, Op::AtomicWrite, FLAG, Order::of(RELEASE));
        act(runtime, 1, Op::AtomicRead, FLAG, Order::of(ACQUIRE));
        act(runtime, 1, Op::Read, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    #[test]
    fn relaxed_load_orders_nothing_without_fence() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 0, Op::AtomicWrite, FLAG, Order::of(RELEASE));
        act(runtime, 1, Op::AtomicRead, FLAG, Order::of(RELAXED));
        act(runtime, 1, Op::Read, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 1);
    }

    #[test]
    fn acquiring_fence_orders_what_relaxed_load_saw() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 0, Op::AtomicWrite, FLAG, Order::of(RELEASE));
        act(runtime, 1, Op::AtomicRead, FLAG, Order::of(RELAXED));
        fence(runtime, Order::of(ACQUIRE));
        act(runtime, 1, Op::Read, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    #[test]
    fn joined_thread_is_ordered_before_join() {
        let runtime = two_threads();
        act(runtime, 1, Op::Write, OBJECT, PLAIN);
        runtime.current.set(0);
        joined(runtime, 1);
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    #[test]
    fn creation_is_ordered_before_created_thread() {
        let runtime = two_threads();
        runtime.threads.set(3);
        act(runtime, 1, Op::Write, OBJECT, PLAIN);
        created(runtime, 1, 2);
        act(runtime, 2, Op::Write, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 0);
    }

    /// Goes back to where `runtime` stands, once an execution has done something else from there on. If it `forgets` the race
    /// detector, that stands as if the execution had begun anew.
    fn go_back_behind(runtime: &Runtime, forgets: bool, elsewhere: impl FnOnce()) {
        let mut parts: Vec<(u64, Vec<u8>)> = Vec::new();
        runtime.races.with(|races| {
            races.each_part(2, |from, to| {
                // SAFETY: a part of the state.
                let bytes = unsafe { core::slice::from_raw_parts(from as *const u8, (to - from) as usize) };
                parts.push((from, bytes.to_vec()));
            });
        });
        elsewhere();
        runtime.executions.update(|executions| executions + 1);
        header().races.set(0);
        if forgets {
            begin(runtime);
            return created(runtime, 0, 1);
        }
        runtime.races.with_mut(|races| races.forget(2));
        for (to, bytes) in parts {
            // SAFETY: as above.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to as *mut u8, bytes.len()) };
        }
        runtime.races.with_mut(|races| races.renew(runtime.executions.get()));
    }

    #[test]
    fn race_detector_goes_back_to_checkpoint() {
        for (forgets, ordered) in [(false, false), (false, true), (true, false)] {
            let runtime = two_threads();
            act(runtime, 0, Op::Write, OBJECT, PLAIN);
            act(runtime, 0, Op::AtomicUpdate, FLAG, Order::of(RELAXED));
            turn(runtime, 0, How::Release);
            go_back_behind(runtime, forgets, || {
                turn(runtime, 1, How::Acquire);
                act(runtime, 1, Op::Write, OBJECT, PLAIN);
                act(runtime, 0, Op::Write, OBJECT + 64, PLAIN);
                act(runtime, 1, Op::Write, OBJECT + 64, PLAIN);
                assert_eq!(header().races.get(), 1);
            });
            assert_eq!(header().races.get(), 0);
            if ordered {
                turn(runtime, 1, How::Acquire);
            }
            act(runtime, 1, Op::Write, OBJECT, PLAIN);
            act(runtime, 1, Op::Write, OBJECT + 64, PLAIN);
            // A detector that forgets misses the race.
            assert_eq!(header().races.get(), u32::from(!ordered && !forgets), "{forgets} {ordered}");
        }
    }

    #[test]
    fn relaxed_load_behind_checkpoint_is_forgotten() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 0, Op::AtomicWrite, FLAG, Order::of(RELEASE));
        go_back_behind(runtime, false, || act(runtime, 1, Op::AtomicRead, FLAG, Order::of(RELAXED)));
        runtime.current.set(1);
        fence(runtime, Order::of(ACQUIRE));
        act(runtime, 1, Op::Read, OBJECT, PLAIN);
        assert_eq!(header().races.get(), 1);
    }

    #[test]
    fn races_before_checkpoint_are_told_again() {
        let runtime = two_threads();
        act(runtime, 0, Op::Write, OBJECT, PLAIN);
        act(runtime, 1, Op::Write, OBJECT, PLAIN);
        go_back_behind(runtime, false, || act(runtime, 0, Op::Write, OBJECT + 4, PLAIN));
        assert_eq!((header().races.get(), header().race[0].get().object), (1, OBJECT));
    }
}
