//! Data races, by vector clocks (Flanagan & Freund 2009): two accesses to the same bytes, one of them a write and not both
//! atomic, that nothing orders.
//!
//! What orders them is what the thread library and atomic operations promise: locks, joins, releases that acquires read.
//!
//! There is room for so many objects and accesses. Where that is not enough, `races_missed` says so: without an
//! object's clock an order would be lost, and what is ordered would look like a race, so that the rest of the execution is
//! left alone; without an access, races with it are missed.

use crate::protocol::{
    Defect, DefectKind, Ending, How, MOST_RACES, MOST_THREADS, Op, Ops, Race, SUMS_FOR_MATCHING, Space,
    Watched,
};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::finish;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime};
use core::cell::Cell;

/// Threads that are told apart: all that there can be.
const MOST: usize = MOST_THREADS;
const OBJECTS: usize = 1 << 12;
const GRAINS: usize = 1 << 14;
const ACCESSES: usize = 32;
/// Entries of a table that are looked at before it counts as full.
const PROBES: usize = 64;
const GRAIN: u64 = 8;

/// What each thread had done, as far as somebody knows.
type Clock = [u32; MOST];

#[repr(C)]
struct Object {
    execution: u64,
    object: u64,
    space: u8,
    /// Entries of the clock that have been written in this execution.
    known: u32,
    clock: Clock,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Access {
    place: u64,
    time: u32,
    /// The number of rows before it.
    step: u32,
    thread: u16,
    /// The bytes of the grain, one bit each.
    bytes: u8,
    writes: bool,
    atomic: bool,
    /// Whether it is one of many bytes.
    copies: bool,
}

impl Access {
    /// Whether nothing orders this access, of a thread that knows so much, behind another one that it conflicts with.
    fn races_with(&self, other: &Access, clock: &Clock) -> bool {
        other.thread != self.thread
            && other.bytes & self.bytes != 0
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && other.time > clock[other.thread as usize]
    }

    /// Whether whoever races with another access, from here on, races with this one, too.
    fn stands_for(&self, other: &Access, clock: &Clock) -> bool {
        other.time <= clock[other.thread as usize]
            && other.bytes & !self.bytes == 0
            && (self.writes || !other.writes)
            && (!self.atomic || other.atomic)
    }
}

#[repr(C)]
struct Grain {
    execution: u64,
    address: u64,
    count: u32,
    accesses: [Access; ACCESSES],
}

impl Grain {
    /// The accesses that race with a new one, of a thread that knows so much.
    #[cold]
    fn clashes(&self, new: &Access, clock: &Clock) -> Clashes {
        let mut clashes = Clashes { accesses: [*new; ACCESSES], count: 0 };
        for other in &self.accesses[..self.count as usize] {
            if new.races_with(other, clock) {
                clashes.accesses[clashes.count] = *other;
                clashes.count += 1;
            }
        }
        clashes
    }

    /// Takes note of an access, of a thread that knows so much.
    fn note(&mut self, new: Access, clock: &Clock) {
        let accesses = &mut self.accesses[..self.count as usize];
        let kind = |access: &Access| (access.thread, access.bytes, access.writes, access.atomic);
        if let Some(same) = accesses.iter_mut().find(|other| kind(other) == kind(&new)) {
            *same = new;
        } else if accesses.len() < ACCESSES {
            self.accesses[self.count as usize] = new;
            self.count += 1;
        } else {
            // Whatever will race with an access that the new one stands for will race with the new one.
            let old = accesses.iter().position(|other| new.stands_for(other, clock)).unwrap_or_else(|| {
                header().races_missed.set(1);
                0
            });
            self.accesses.copy_within(old + 1.., old);
            self.accesses[ACCESSES - 1] = new;
        }
    }
}

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
    threads: [Clock; MOST],
    /// What relaxed loads of a thread have seen, for a fence behind them; what it had done at its last releasing fence.
    seen: [Clock; MOST],
    fenced: [Clock; MOST],
    objects: [Object; OBJECTS],
    grains: [Grain; GRAINS],
    /// The last execution in which there was no room for what is needed, and which is left alone from there on.
    given_up: u64,
}

fn join(into: &mut Clock, from: &Clock, threads: usize) {
    for (mine, theirs) in into[..threads].iter_mut().zip(&from[..threads]) {
        *mine = (*mine).max(*theirs);
    }
}

fn mix(object: u64) -> usize {
    (object.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// The clock of an object, if there is room for it. `threads` of its entries count.
fn object_clock(
    objects: &mut [Object; OBJECTS],
    key: (u64, Space),
    execution: u64,
    threads: usize,
) -> Option<&mut Clock> {
    let (object, space) = (key.0, key.1 as u8);
    let first = mix(object ^ u64::from(space) << 60);
    for probe in 0..PROBES {
        let index = (first + probe) % OBJECTS;
        let entry = &mut objects[index];
        if entry.execution != execution {
            (entry.execution, entry.object, entry.space, entry.known) = (execution, object, space, 0);
        }
        if (entry.object, entry.space) == (object, space) {
            let entry = &mut objects[index];
            let known = entry.known as usize;
            if known < threads {
                entry.clock[known..threads].fill(0);
                entry.known = threads as u32;
            }
            return Some(&mut entry.clock);
        }
    }
    None
}

/// The clock of an object that has one, and how many of its entries count.
fn known_clock(objects: &[Object; OBJECTS], key: (u64, Space), execution: u64) -> Option<(&Clock, usize)> {
    let (object, space) = (key.0, key.1 as u8);
    let first = mix(object ^ u64::from(space) << 60);
    let probes = (0..PROBES).map(|probe| &objects[(first + probe) % OBJECTS]);
    let mut known = probes.take_while(|entry| entry.execution == execution);
    let found = known.find(|entry| (entry.object, entry.space) == (object, space))?;
    Some((&found.clock, found.known as usize))
}

/// What is known of a grain, if there is room for it.
fn find_grain(grains: &mut [Grain; GRAINS], address: u64, execution: u64) -> Option<&mut Grain> {
    let first = mix(address);
    for probe in 0..PROBES {
        let index = (first + probe) % GRAINS;
        let entry = &mut grains[index];
        if entry.execution != execution {
            (entry.execution, entry.address, entry.count) = (execution, address, 0);
        }
        if entry.address == address {
            return Some(&mut grains[index]);
        }
    }
    None
}

/// Whether races are looked for in this execution.
#[inline]
fn on(runtime: &Runtime) -> bool {
    runtime.settings.get().races != 0
        && runtime.races.with(|races| races.given_up) != runtime.executions.get()
}

/// There is no room for what tells which accesses are ordered: races are not looked for in the rest of this execution.
#[cold]
fn give_up(runtime: &Runtime) {
    let execution = runtime.executions.get();
    runtime.races.with_mut(|races| races.given_up = execution);
    header().races_missed.set(1);
}

/// The first thread begins.
pub fn begin(runtime: &Runtime) {
    runtime.races.with_mut(|races| {
        (races.threads[0][0], races.seen[0][0], races.fenced[0][0]) = (1, 0, 0);
    });
}

/// A thread has been created.
pub fn created(runtime: &Runtime, parent: u32, child: u32) {
    if !on(runtime) {
        return;
    }
    runtime.races.with_mut(|races| races.create(parent as usize, child as usize));
}

impl Races {
    fn create(&mut self, parent: usize, child: usize) {
        // Nobody knows of the new one, and it knows what its creator knows.
        for thread in 0..child {
            (self.threads[thread][child], self.seen[thread][child], self.fenced[thread][child]) = (0, 0, 0);
        }
        let (before, after) = self.threads.split_at_mut(child);
        after[0][..child].copy_from_slice(&before[parent][..child]);
        after[0][child] = 1;
        before[parent][parent] += 1;
        self.seen[child][..=child].fill(0);
        self.fenced[child][..=child].fill(0);
    }
}

/// A thread has been joined by the running one.
pub fn joined(runtime: &Runtime, child: u32) {
    if !on(runtime) {
        return;
    }
    let (own, threads, child) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, child as usize);
    runtime.races.with_mut(|races| {
        for index in 0..threads {
            let theirs = races.threads[child][index];
            let mine = &mut races.threads[own][index];
            *mine = (*mine).max(theirs);
        }
    });
}

/// There is new memory where others may have had theirs, which is gone: nobody can race with what was done there.
pub fn made_anew(runtime: &Runtime, start: u64, length: u64) {
    if !on(runtime) {
        return;
    }
    let execution = runtime.executions.get();
    runtime.races.with_mut(|races| {
        for grain in &mut races.grains {
            if grain.execution == execution && grain.address.wrapping_sub(start) < length {
                grain.count = 0;
            }
        }
    });
}

/// A fence of the running thread.
pub fn fence(runtime: &Runtime, order: Order) {
    if !runtime.running.get() || !on(runtime) {
        return;
    }
    let (own, threads) = (runtime.current.get() as usize, runtime.threads.get() as usize);
    runtime.races.with_mut(|Races { threads: clocks, seen, fenced, .. }| {
        if order.acquires {
            join(&mut clocks[own], &seen[own], threads);
        }
        if order.releases {
            fenced[own][..threads].copy_from_slice(&clocks[own][..threads]);
            clocks[own][own] += 1;
        }
    });
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
        // Who does not get what it tries to take learns nothing from who has it; for who does, see `gained`.
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

/// Whoever waits on the object goes on after what the running thread has done.
fn release_to_waiters(runtime: &Runtime, object: u64) {
    for index in 0..runtime.threads.get() {
        let thread = &runtime.table[index as usize];
        if thread.waits.get() != crate::rt::sched::state::Waits::No && thread.on.get() == object {
            let base = thread.base.get() as u64;
            synchronise(runtime, base, Space::Wake, How::Release);
        }
    }
}

/// Where in a read-write lock the clock of those lies who have had it for reading. What they did comes before who has it for writing
/// next, and not before others who read.
const READERS: u64 = 1;

fn synchronise(runtime: &Runtime, object: u64, space: Space, how: How) {
    let (own, threads, execution) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, runtime.executions.get());
    let known = runtime.races.with_mut(|Races { threads: clocks, objects, .. }| {
        let clock = object_clock(objects, (object, space), execution, threads)?;
        let mine = &mut clocks[own];
        if matches!(how, How::Acquire | How::Share | How::Read | How::Write) {
            join(mine, clock, threads);
        }
        if matches!(how, How::Release | How::Write) {
            join(clock, mine, threads);
            mine[own] += 1;
        }
        Some(())
    });
    if known.is_none() {
        give_up(runtime);
    }
}

/// Where the other variable begins if one of eight bytes is used as two of four, too: it shares what this one promises.
fn other_half(object: u64, size: u32) -> Option<u64> {
    match size {
        8 => Some(object + 4),
        4 if object % 8 == 4 => Some(object - 4),
        _ => None,
    }
}

/// An atomic access: what it acquires comes before it, and it comes before what it releases.
fn atomic(runtime: &Runtime, object: u64, size: u32, op: Op, order: Order, place: u64) {
    let (own, threads, execution) =
        (runtime.current.get() as usize, runtime.threads.get() as usize, runtime.executions.get());
    let reads = op != Op::AtomicWrite;
    let known = !reads
        || runtime.races.with_mut(|races| races.acquire(own, threads, execution, (object, size), order));
    if !known {
        return give_up(runtime);
    }
    access(runtime, object, u64::from(size), op != Op::AtomicRead, true, place);
    let writes = op != Op::AtomicRead;
    let known =
        !writes || runtime.races.with_mut(|races| races.release(own, threads, execution, object, op, order));
    if !known {
        give_up(runtime);
    }
}

impl Races {
    /// A thread reads an atomic object. Whether there is room for what that orders.
    fn acquire(
        &mut self,
        own: usize,
        threads: usize,
        execution: u64,
        (object, size): (u64, u32),
        order: Order,
    ) -> bool {
        let Races { threads: clocks, seen, objects, .. } = self;
        let mine = if order.acquires { &mut clocks[own] } else { &mut seen[own] };
        if let Some(other) = other_half(object, size)
            && let Some((clock, known)) = known_clock(objects, (other, Space::Memory), execution)
        {
            join(mine, clock, known);
        }
        match object_clock(objects, (object, Space::Memory), execution, threads) {
            Some(clock) => join(mine, clock, threads),
            None => return false,
        }
        true
    }

    /// A thread writes an atomic object, by a store or an update. Whether there is room for what that orders.
    fn release(
        &mut self,
        own: usize,
        threads: usize,
        execution: u64,
        object: u64,
        op: Op,
        order: Order,
    ) -> bool {
        let Races { threads: clocks, fenced, objects, .. } = self;
        let Some(clock) = object_clock(objects, (object, Space::Memory), execution, threads) else {
            return false;
        };
        // A store begins a new release sequence, an update goes on with the one that it reads.
        if op == Op::AtomicWrite {
            clock[..threads].fill(0);
        }
        if order.releases {
            join(clock, &clocks[own], threads);
            // What the thread does from here on it has not released.
            clocks[own][own] += 1;
        } else {
            join(clock, &fenced[own], threads);
        }
        true
    }
}

fn access(runtime: &Runtime, object: u64, size: u64, writes: bool, atomic: bool, place: u64) {
    let (own, execution, step) =
        (runtime.current.get() as usize, runtime.executions.get(), runtime.depth.get());
    // Behind the access that was asked for the same step may have made others.
    if step == runtime.watch.get().step && header().watched.get().access.frames == 0 {
        let access = defect::watched(runtime, place);
        header().watched.update(|watched| Watched { access, ..watched });
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
        match runtime.races.with_mut(|races| races.access(execution, address, &access)) {
            None => return header().races_missed.set(1),
            Some(true) => {}
            Some(false) => race(runtime, execution, address, &access),
        }
        address += GRAIN;
    }
}

/// Accesses to a grain that race with another one.
struct Clashes {
    accesses: [Access; ACCESSES],
    count: usize,
}

impl Races {
    /// Takes note of an access to a grain, unless it races with one before. Whether it does not; `None` if there is no room.
    #[inline]
    fn access(&mut self, execution: u64, address: u64, access: &Access) -> Option<bool> {
        let Races { threads: clocks, grains, .. } = self;
        let mine = &clocks[usize::from(access.thread)];
        let new = Access { time: mine[usize::from(access.thread)], ..*access };
        let grain = find_grain(grains, address, execution)?;
        let ordered = !grain.accesses[..grain.count as usize].iter().any(|other| new.races_with(other, mine));
        if ordered {
            grain.note(new, mine);
        }
        Some(ordered)
    }

    /// Takes note of an access that races with one before. The access with its time, and those that it races with.
    fn racing_access(&mut self, execution: u64, address: u64, access: &Access) -> Option<(Access, Clashes)> {
        let Races { threads: clocks, grains, .. } = self;
        let mine = &clocks[usize::from(access.thread)];
        let new = Access { time: mine[usize::from(access.thread)], ..*access };
        let grain = find_grain(grains, address, execution)?;
        let clashes = grain.clashes(&new, mine);
        grain.note(new, mine);
        Some((new, clashes))
    }
}

/// An access races with others to the same grain.
#[cold]
fn race(runtime: &Runtime, execution: u64, address: u64, access: &Access) {
    let found = runtime.races.with_mut(|races| races.racing_access(execution, address, access));
    let Some((new, clashes)) = found else { return };
    let others = &clashes.accesses[..clashes.count];
    if others.iter().any(|other| new.copies || other.copies) {
        crate::rt::sched::torn_copies::raced(runtime, address);
    }
    report_all(runtime, address, new, others);
}

/// Reports an access to a grain and those before it that it races with.
#[cold]
fn report_all(runtime: &Runtime, grain: u64, this: Access, others: &[Access]) {
    for &other in others {
        let object = grain + u64::from((this.bytes & other.bytes).trailing_zeros());
        report(runtime, object, this, other);
    }
}

/// Variables that are told apart where two places race: a function may be called for different ones.
const MOST_VARIABLES: usize = 4;

fn report(runtime: &Runtime, object: u64, this: Access, other: Access) {
    let writes = u32::from(this.writes) | u32::from(other.writes) << 1;
    let header = header();
    let count = header.races.get() as usize;
    let (here, there) = (this.place, other.place);
    // A race is one, whichever access comes first.
    let places = |race: &Race| [(here, there), (there, here)].contains(&(race.here, race.there));
    let known = || header.race[..count].iter().map(Cell::get).filter(places);
    let new = !known().any(|race| race.object == object) && known().count() < MOST_VARIABLES;
    if count < MOST_RACES && new {
        let (thread, other) = (this.thread.into(), other.thread.into());
        header.race[count].set(Race { object, here, there, writes, step: this.step, thread, other });
        header.races.update(|races| races + 1);
    }
    if runtime.settings.get().races == 2 {
        defect::note(runtime, DefectKind::Race, b"");
        defect::amend(|defect| Defect { object, detail: writes, other_step: other.step, ..defect });
        finish(Ending::Failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Pending, Settings, Watch};
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
        runtime.watch.set(Watch::NOTHING);
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

    #[test]
    fn too_many_accesses_to_one_word_are_told() {
        let runtime = two_threads();
        let mut grain = Grain {
            execution: 1,
            address: OBJECT,
            count: 0,
            accesses: [Access {
                place: 0,
                time: 0,
                step: 0,
                thread: 0,
                bytes: 0,
                writes: false,
                atomic: false,
                copies: false,
            }; ACCESSES],
        };
        let clock = [0; MOST];
        for thread in 0..=ACCESSES as u16 {
            let new = Access { thread, bytes: 1, time: 1, ..grain.accesses[0] };
            grain.note(new, &clock);
        }
        assert_eq!((header().races_missed.get(), grain.count as usize), (1, ACCESSES));
        assert_eq!(runtime.threads.get(), 2);
    }
}
