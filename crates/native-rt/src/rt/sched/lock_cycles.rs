//! Threads that wait for each other's locks.
//!
//! A thread that waits for a lock without a time-out goes on only if the holder gives the lock back. If the holder waits, in turn,
//! for something that the first thread holds, neither ever moves again, whatever the other threads do. Such a cycle is a deadlock
//! in the state in which it closes. Other threads may go on for ever behind it, and the program may end.
//!
//! Only waits that nothing but the holder can end count: for mutexes, read-write locks and spin locks, for the end of a thread,
//! and for what another thread runs once. A thread needs all that it waits for, so one holder that never moves is enough.
//! A cycle closes with a step of one of its threads, which waits behind that step; or with a signal, which sends a thread from a
//! condition variable to a mutex. So it is looked for behind those steps alone.

use crate::protocol::{Cycle, MOST_CYCLES, MOST_IN_CYCLE, MOST_THREADS, NOBODY, Op, Ops};
use crate::rt::sched::multilock::Kind;
use crate::rt::sched::objects::{Mutex, Once, RwLock, Spin, look};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Waits, choice, header, row_entry};

/// What a thread does before it waits for a lock, for the end of a thread, or for what runs once.
const LOCKS: Ops = {
    use Op::*;
    Ops::new(&[Lock, Relock, Woken, LockSeveral, SpinLock, ReadLock, WriteLock, Join, Once])
};

/// What can have a thread that does not move itself wait for a lock: it is woken with a mutex to take, or the holder ends.
const FOR_OTHERS: Ops = Ops::new(&[Op::Signal, Op::Broadcast, Op::End]);

/// Forgets cycles that closed behind the rows that stay.
pub fn keep(rows: u32) {
    let header = header();
    let known = &header.cycle[..(header.cycles.get() as usize).min(MOST_CYCLES)];
    header.cycles.set(known.iter().take_while(|cycle| cycle.get().row < rows).count() as u32);
}

/// Writes down the cycle that the step to the present state has closed, if it has closed one.
#[inline]
pub fn look_for(runtime: &Runtime) {
    let own = runtime.current.get();
    let thread = &runtime.table[own as usize];
    if LOCKS.contains(thread.pending.get().op) && thread.pending.get().offer == 0 && !thread.finished.get() {
        look_from(runtime, own);
    }
    let Some(last) = runtime.depth.get().checked_sub(1) else { return };
    let done = row_entry(last, choice(last).get().thread).get().op;
    if FOR_OTHERS.contains(done) {
        let others = runtime.beyond_memory.each(runtime.threads.get()).filter(|index| *index != own);
        others.for_each(|index| look_from(runtime, index));
    }
}

/// Whether a thread is in a cycle that is known.
fn is_known(thread: u32) -> bool {
    let header = header();
    header.cycle[..(header.cycles.get() as usize).min(MOST_CYCLES)]
        .iter()
        .any(|cycle| cycle.get().threads.contains(&thread))
}

/// Looks for a shortest cycle through a thread; or for a lock that the thread waits for, and whose holder has ended.
#[cold]
fn look_from(runtime: &Runtime, from: u32) {
    let mut waits = false;
    holders(runtime, from, |_| waits = true);
    if !waits || is_known(from) {
        return;
    }
    const NEW: u16 = u16::MAX;
    // By which thread each was come to, and the order in which they were.
    let mut before = [NEW; MOST_THREADS];
    let mut found = [0u16; MOST_THREADS];
    let (mut next, mut count) = (0, 1);
    found[0] = from as u16;
    let mut last = None;
    while next < count && last.is_none() {
        let waiting = u32::from(found[next]);
        next += 1;
        holders(runtime, waiting, |holder| {
            let ended = runtime.table[holder as usize].finished.get();
            if last.is_none() && (holder == from || ended && waiting == from) {
                last = Some((waiting, ended.then_some(holder)));
            } else if !ended && holder != from && before[holder as usize] == NEW {
                before[holder as usize] = waiting as u16;
                found[count] = holder as u16;
                count += 1;
            }
        });
    }
    let Some((mut at, ended)) = last else { return };
    // From the last one back to the first: each waits for the one that was put down before it.
    let mut threads = [NOBODY; MOST_IN_CYCLE];
    let mut length = 0;
    let put = |thread: u32, threads: &mut [u32; MOST_IN_CYCLE], length: &mut u32| {
        if let Some(place) = threads.get_mut(*length as usize) {
            *place = thread;
        }
        *length += 1;
    };
    if let Some(holder) = ended {
        put(holder, &mut threads, &mut length);
    }
    while {
        put(at, &mut threads, &mut length);
        at != from
    } {
        at = u32::from(before[at as usize]);
    }
    note(Cycle { row: runtime.depth.get(), length, threads });
}

fn note(cycle: Cycle) {
    let header = header();
    let count = header.cycles.get() as usize;
    if let Some(place) = header.cycle.get(count) {
        place.set(cycle);
        header.cycles.update(|cycles| cycles + 1);
    }
}

/// The threads that must give something back before a thread can go on.
fn holders(runtime: &Runtime, index: u32, mut add: impl FnMut(u32)) {
    let thread = &runtime.table[index as usize];
    if thread.finished.get() {
        return;
    }
    match thread.waits.get() {
        Waits::No => {}
        // It has been woken, and only the mutex keeps it; one with a time-out first notices that it was woken.
        Waits::Condition if thread.woken.get() && !thread.timed.get() => {
            return of_mutex(runtime, index, thread.mutex.get(), add);
        }
        _ => return,
    }
    let object = thread.pending.get().object;
    match Op::from_number(thread.pending.get().op) {
        Some(Op::Lock | Op::Relock) => of_mutex(runtime, index, object, add),
        Some(Op::SpinLock) => add_known(runtime, look::<Spin>(object).holder.get().wrapping_sub(1), add),
        Some(Op::ReadLock) => of_reading(runtime, object, add),
        Some(Op::WriteLock) => of_writing(runtime, object, add),
        Some(Op::LockSeveral) => {
            for (nth, wanted) in thread.wanted.all().enumerate() {
                match wanted.kind {
                    _ if thread.wanted.is_in_vain(nth) => add(index),
                    Kind::Mutex => of_mutex(runtime, index, wanted.address, &mut add),
                    Kind::Reads => of_reading(runtime, wanted.address, &mut add),
                    Kind::Writes => of_writing(runtime, wanted.address, &mut add),
                }
            }
        }
        Some(Op::Join) => {
            let joined = runtime.by_base(object);
            if let Some(joined) = joined.filter(|joined| !runtime.table[*joined as usize].finished.get()) {
                add(joined);
            }
        }
        Some(Op::Once) if look::<Once>(object).runs() => {
            let threads = 0..runtime.threads.get();
            threads.filter(|&other| runtime.table[other as usize].runs_once.contains(object)).for_each(add);
        }
        _ => {}
    }
}

fn of_mutex(runtime: &Runtime, index: u32, address: u64, add: impl FnMut(u32)) {
    let mutex: &Mutex = look(address);
    if !mutex.can_lock(index) {
        add_known(runtime, mutex.holder(), add);
    }
}

/// A reader waits for the writer; and for writers in line, if the lock prefers them.
fn of_reading(runtime: &Runtime, address: u64, mut add: impl FnMut(u32)) {
    let lock: &RwLock = look(address);
    add_known(runtime, lock.writer.get().wrapping_sub(1), &mut add);
    if lock.waiting.get() == 0 {
        return;
    }
    for (index, thread) in runtime.table[..runtime.threads.get() as usize].iter().enumerate() {
        if thread.pending.get().op == Op::WriteLock as u8
            && thread.pending.get().object == address
            && !thread.finished.get()
        {
            add(index as u32);
        }
    }
}

/// A writer waits for the writer, and for all readers that are known.
fn of_writing(runtime: &Runtime, address: u64, mut add: impl FnMut(u32)) {
    let lock: &RwLock = look(address);
    add_known(runtime, lock.writer.get().wrapping_sub(1), &mut add);
    if lock.readers.get() == 0 {
        return;
    }
    for (index, thread) in runtime.table[..runtime.threads.get() as usize].iter().enumerate() {
        if thread.shares.get().known().is_some_and(|locks| locks.contains(&address)) {
            add(index as u32);
        }
    }
}

fn add_known(runtime: &Runtime, holder: u32, mut add: impl FnMut(u32)) {
    if holder < runtime.threads.get() {
        add(holder);
    }
}
