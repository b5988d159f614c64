//! Which choices a thread has, and what it touches, as things stand.

use crate::protocol::{How, NOBODY, Op, Ops, Pending, RUN, Space, Touch};
use crate::rt::sched::objects::{Barrier, Mutex, Once, RwLock, Semaphore, Spin, look};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Thread, Waits, touch};
use crate::rt::sched::timeouts;

/// The choices of a thread. What it is about to do is brought up to date: a waiting thread that has been woken is about to
/// do something else than before.
#[inline]
pub fn of(runtime: &Runtime, index: u32) -> u64 {
    let thread = &runtime.table[index as usize];
    if thread.finished.get() || runtime.section.get().keeps_out(index) {
        return 0;
    }
    if thread.awaits.get() {
        return timeouts::offer_poller(runtime, index);
    }
    match thread.pending.get().op {
        op if op <= Op::AtomicUpdate as u8 => RUN,
        _ => of_object(runtime, index),
    }
}

fn when(free: bool, holder: u32, runtime: &Runtime, index: u32) -> u64 {
    let holder = if free { NOBODY } else { holder };
    runtime.table[index as usize].pending.update(|pending| Pending { holder, ..pending });
    if free { RUN } else { 0 }
}

fn of_object(runtime: &Runtime, index: u32) -> u64 {
    if runtime.table[index as usize].waits.get() != Waits::No {
        return of_waiting(runtime, index);
    }
    let pending = runtime.table[index as usize].pending.get();
    let Some(op) = Op::from_number(pending.op) else { return 0 };
    let withheld = runtime.table[index as usize].withheld.get();
    match op {
        Op::Lock | Op::Relock => {
            let mutex: &Mutex = look(pending.object);
            when(mutex.can_lock(index), mutex.holder(), runtime, index)
        }
        Op::LockSeveral => {
            let (free, holder) = crate::rt::sched::multilock::offer(runtime, index);
            when(free, holder, runtime, index)
        }
        Op::SpinLock => {
            let spin: &Spin = look(pending.object);
            when(spin.holder.get() == 0, spin.holder.get().wrapping_sub(1), runtime, index)
        }
        Op::ReadLock => {
            let lock: &RwLock = look(pending.object);
            when(lock.admits_readers(), lock.writer.get().wrapping_sub(1), runtime, index)
        }
        Op::WriteLock => {
            let lock: &RwLock = look(pending.object);
            when(lock.admits_writer(), lock.writer.get().wrapping_sub(1), runtime, index)
        }
        Op::SemWait => {
            let semaphore: &Semaphore = look(pending.object);
            when(semaphore.value.get() > 0, NOBODY, runtime, index)
        }
        Op::Once => {
            let once: &Once = look(pending.object);
            when(!once.runs(), NOBODY, runtime, index)
        }
        Op::Join => {
            let joined = runtime.by_base(pending.object);
            when(runtime.has_ended(pending.object), joined.unwrap_or(NOBODY), runtime, index)
        }
        Op::Signal if runtime.settings.get().signal_any != 0 => {
            match runtime.waiters(Waits::Condition, pending.object) {
                0 | 1 => RUN,
                // More bits than waiters there are none for: the last ones are left out, and `Signal` refuses it.
                n => (1u64 << n.min(62)) - 1,
            }
        }
        Op::Exit => {
            let others = (0..runtime.threads.get()).any(|other| {
                other != index
                    && if runtime.table[other as usize].pending.get().op == Op::Exit as u8 {
                        other < index
                    } else {
                        of(runtime, other) != 0
                    }
            });
            if others { 0 } else { outcomes(runtime) }
        }
        Op::TimedLock if withheld => {
            let mutex: &Mutex = look(pending.object);
            let free = mutex.can_lock(index);
            when(free, mutex.holder(), runtime, index) | offer_last(runtime, free)
        }
        Op::SemTimed if withheld => {
            let free = look::<Semaphore>(pending.object).value.get() > 0;
            when(free, NOBODY, runtime, index) | offer_last(runtime, free)
        }
        Op::TryReadLock if withheld => {
            let lock: &RwLock = look(pending.object);
            let free = lock.admits_readers();
            when(free, lock.writer.get().wrapping_sub(1), runtime, index) | offer_last(runtime, free)
        }
        Op::TryWriteLock if withheld => {
            let lock: &RwLock = look(pending.object);
            let free = lock.admits_writer();
            when(free, lock.writer.get().wrapping_sub(1), runtime, index) | offer_last(runtime, free)
        }
        Op::TryJoin if withheld => {
            let joined = runtime.by_base(pending.object);
            let free = runtime.has_ended(pending.object);
            when(free, joined.unwrap_or(NOBODY), runtime, index) | offer_last(runtime, free)
        }
        Op::Sleep => timeouts::offer_last(runtime),
        Op::Clock if runtime.table[index as usize].polls_on() => timeouts::offer_last(runtime),
        Op::Finished | Op::GivenUp => 0,
        Op::Choose => (1u64 << pending.size.min(62)) - 1,
        _ => RUN,
    }
}

/// What a thread whose time-out is withheld can do if what it waits for is not free.
fn offer_last(runtime: &Runtime, free: bool) -> u64 {
    if free { 0 } else { timeouts::offer_last(runtime) }
}

/// The choices of a thread that another one must wake.
fn of_waiting(runtime: &Runtime, index: u32) -> u64 {
    let thread = &runtime.table[index as usize];
    let withheld = thread.timed.get() && thread.withheld.get();
    // One that gives up last is until then like one that waits for ever.
    let timed =
        thread.timed.get() && (!withheld || !thread.woken.get() && timeouts::offer_last(runtime) != 0);
    let thread = &runtime.table[index as usize];
    let (op, how, object) = match (thread.waits.get(), thread.woken.get()) {
        // Until it notices, it could have given up. That it was woken, and that it takes the mutex, are two steps then.
        (Waits::Condition, true) if timed => (Op::WokenInTime, How::Write, thread.on.get()),
        (Waits::Condition, true) => {
            (Op::Woken, look::<Mutex>(thread.mutex.get()).how_taken(), thread.mutex.get())
        }
        (Waits::Condition, false) if timed => (Op::GivesUp, How::Write, thread.on.get()),
        (Waits::Condition, false) => (Op::Asleep, How::Nothing, thread.on.get()),
        (Waits::Barrier, _) => (Op::Leave, How::Nothing, thread.on.get()),
        (_, true) if timed => (Op::FutexWokenInTime, How::Write, thread.on.get()),
        (_, true) => (Op::FutexWoken, How::Nothing, thread.on.get()),
        (_, false) if timed => (Op::FutexGivesUp, How::Write, thread.on.get()),
        (_, false) => (Op::FutexWoken, How::Nothing, thread.on.get()),
    };
    let (number, how) = (op as u8, how as u8);
    thread.pending.update(|pending| Pending { op: number, how, object, size: 0, ..pending });
    let woken = thread.woken.get();
    match op {
        Op::Woken => {
            let mutex: &Mutex = look(object);
            when(mutex.can_lock(index), mutex.holder(), runtime, index)
        }
        _ if woken || timed => RUN,
        _ => 0,
    }
}

/// What a thread does that waits until it is woken.
const UNTIMED: Ops = Ops::new(&[Op::Asleep, Op::Woken, Op::FutexWoken]);

impl Runtime {
    /// Whether the thread of a handle has ended, or is none.
    pub fn has_ended(&self, handle: u64) -> bool {
        self.by_base(handle).is_none_or(|thread| self.table[thread as usize].finished.get())
    }

    /// The number of threads that wait on an object and have not been woken.
    pub fn waiters(&self, waits: Waits, on: u64) -> u32 {
        let waiting =
            |thread: &&Thread| thread.waits.get() == waits && thread.on.get() == on && !thread.woken.get();
        self.all().iter().filter(waiting).count() as u32
    }

    /// The one that has waited longest but for `nth` others.
    pub fn waiter(&self, waits: Waits, on: u64, nth: u32) -> Option<u32> {
        let mut after = 0;
        let mut found = None;
        for _ in 0..=nth {
            found = (0..self.threads.get())
                .filter(|&index| {
                    let thread = &self.table[index as usize];
                    thread.waits.get() == waits
                        && thread.on.get() == on
                        && !thread.woken.get()
                        && thread.ticket.get() > after
                })
                .min_by_key(|&index| self.table[index as usize].ticket.get());
            after = self.table[found? as usize].ticket.get();
        }
        found
    }

    /// Wakes a thread that waits.
    pub fn wake(&self, index: u32) {
        self.table[index as usize].woken.set(true);
    }
}

/// The objects beyond the first that a thread is about to touch. Their number.
pub fn touches(runtime: &Runtime, index: u32, mut add: impl FnMut(&Runtime, Touch)) -> u16 {
    let thread = &runtime.table[index as usize];
    if thread.finished.get() {
        return 0;
    }
    let pending = thread.pending.get();
    if thread.awaits.get() && thread.history.is_left() {
        return 0;
    }
    if thread.awaits.get() {
        // It waits until another thread changes what it has looked at.
        let mut views = [Touch { object: 0, size: 0, how: 0, space: 0, lacks: 0 }; 16];
        let mut count = 0;
        for (object, size, space) in crate::rt::sched::spin_loops::views(runtime, index) {
            views[count] = Touch { size, ..touch(object, How::Read, space) };
            count += 1;
        }
        views[..count].iter().for_each(|view| add(runtime, *view));
        return count as u16;
    }
    let own = touch(thread.base.get() as u64, How::Acquire, Space::Wake);
    if thread.waits.get() != Waits::No {
        if thread.timed.get() && !(thread.withheld.get() && UNTIMED.contains(pending.op)) {
            return 0;
        }
        let (asleep, mutex) = (pending.op == Op::Asleep as u8, thread.mutex.get());
        add(runtime, Touch { lacks: u16::from(!thread.woken.get()), ..own });
        if asleep {
            // What it will do when it has been woken.
            let taken = look::<Mutex>(mutex).locked.get() != 0;
            add(runtime, Touch { lacks: taken.into(), ..touch(mutex, How::Acquire, Space::Object) });
        }
        return 1 + u16::from(asleep);
    }
    if pending.op == Op::LockSeveral as u8 {
        return crate::rt::sched::multilock::touches(runtime, index, add);
    }
    let (fixed, on, withheld) = (thread.touched.get(), thread.on.get(), thread.withheld.get());
    for touch in &thread.touches[..fixed as usize] {
        add(runtime, touch.get());
    }
    let touched = |how: How| {
        thread.pending.update(|pending| Pending { how: how as u8, ..pending });
        fixed
    };
    let (waits, most) = match Op::from_number(pending.op) {
        Some(Op::Signal) if runtime.settings.get().signal_any == 0 => (Waits::Condition, 1),
        Some(Op::Signal | Op::Broadcast) => (Waits::Condition, u32::MAX),
        // How many it wakes at most is where a waiting thread keeps what it waits on.
        Some(Op::FutexWake) => (Waits::Futex, on as u32),
        Some(Op::Arrive) => {
            let barrier: &Barrier = look(pending.object);
            (Waits::Barrier, if barrier.is_last() { u32::MAX } else { 0 })
        }
        Some(Op::SemPost) => {
            // The order with the thread that takes next is fixed only if no thread could take from it before.
            let semaphore: &Semaphore = look(pending.object);
            let how = if semaphore.value.get() == 0 { How::Release } else { How::Open };
            return touched(how);
        }
        Some(Op::SemTimed) if withheld => return touched(How::Acquire),
        Some(Op::SemTry | Op::SemTimed) => {
            let semaphore: &Semaphore = look(pending.object);
            let how = if semaphore.value.get() == 0 { How::Shut } else { How::Open };
            return touched(how);
        }
        Some(Op::ReadLock) if look::<RwLock>(pending.object).kind.get() == RwLock::PREFERS_WRITERS => {
            let waiting = look::<RwLock>(pending.object).waiting.get();
            let line = touch(RwLock::line(pending.object), How::Look, Space::Object);
            add(runtime, Touch { lacks: u16::from(waiting != 0), ..line });
            return fixed + 1;
        }
        Some(Op::TryReadLock) if withheld => {
            let RwLock { waiting, kind, .. } = look(pending.object);
            let count = touched(How::Share);
            if kind.get() != RwLock::PREFERS_WRITERS {
                return count;
            }
            let line = touch(RwLock::line(pending.object), How::Look, Space::Object);
            add(runtime, Touch { lacks: u16::from(waiting.get() != 0), ..line });
            return count + 1;
        }
        Some(Op::TryWriteLock) if withheld => return touched(How::Acquire),
        Some(Op::TryReadLock) => {
            let RwLock { writer, readers, waiting, kind, .. } = look(pending.object);
            let how = match (writer.get(), waiting.get(), readers.get()) {
                (0, 0, _) => How::Enter,
                // Writers in line keep it out, not the holder of the lock.
                (0, _, 0) => How::Open,
                (0, ..) => How::Ajar,
                _ => How::Shut,
            };
            touched(how);
            if kind.get() != RwLock::PREFERS_WRITERS {
                return fixed;
            }
            let how = if waiting.get() == 0 { How::Open } else { How::Ajar };
            add(runtime, touch(RwLock::line(pending.object), how, Space::Object));
            return fixed + 1;
        }
        Some(Op::TryWriteLock) => {
            let lock: &RwLock = look(pending.object);
            let how = match (lock.writer.get(), lock.readers.get()) {
                (0, 0) => How::Open,
                (0, _) => How::Ajar,
                _ => How::Shut,
            };
            return touched(how);
        }
        // Its holder takes it again, or is told that it has it, and no other thread notices.
        Some(Op::Lock | Op::Relock | Op::Unlock) if pending.how == How::Nothing as u8 => return fixed,
        Some(Op::Lock | Op::Relock) => return touched(look::<Mutex>(pending.object).how_taken()),
        Some(Op::TimedLock) if withheld => {
            return touched(look::<Mutex>(pending.object).how_taken());
        }
        Some(Op::TryLock | Op::TimedLock) => return touched(look::<Mutex>(pending.object).how_tried()),
        Some(Op::SpinTry) => {
            let spin: &Spin = look(pending.object);
            return touched(if spin.holder.get() == 0 { How::Write } else { How::Shut });
        }
        Some(Op::Unlock) if pending.how != How::Release as u8 => {
            return touched(look::<Mutex>(pending.object).how_mistaken());
        }
        Some(Op::Section) => return fixed + crate::rt::sched::atomic_sections::touched(runtime, index, add),
        Some(Op::Once) => {
            // A thread that comes when it has been done changes nothing.
            let once: &Once = look(pending.object);
            let how = if once.is_done() { How::Look } else { How::Acquire };
            return touched(how);
        }
        _ => return fixed,
    };
    let mut count = fixed;
    for nth in 0..most {
        let Some(waiter) = runtime.waiter(waits, pending.object, nth) else { break };
        let base = runtime.table[waiter as usize].base.get() as u64;
        add(runtime, touch(base, How::Release, Space::Wake));
        count += 1;
    }
    count
}

/// The different statuses of threads that are about to end the program, in the order of the threads.
pub fn statuses(runtime: &Runtime) -> impl Iterator<Item = u32> {
    let threads = &runtime.table[..runtime.threads.get() as usize];
    let status =
        |thread: &Thread| (thread.pending.get().op == Op::Exit as u8).then_some(thread.pending.get().size);
    threads.iter().enumerate().filter_map(move |(index, thread)| {
        let own = status(thread)?;
        let known = threads[..index].iter().any(|other| status(other) == Some(own));
        (!known).then_some(own)
    })
}

/// The choices of the first thread that is about to end the program, when no other can move: one for each status.
pub fn outcomes(runtime: &Runtime) -> u64 {
    match statuses(runtime).count() {
        0 | 1 => RUN,
        several => (1 << several.min(62)) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::atomic_sections::Section;
    use crate::rt::sched::state::new_state;
    use core::cell::Cell;

    /// Threads that have not begun; no thread is in an atomic section.
    fn threads(count: u32) -> &'static Runtime {
        let runtime = new_state();
        runtime.threads.set(count);
        runtime.section.set(Section::NONE);
        for thread in runtime.all() {
            thread.pending.set(Pending { op: Op::Read as u8, ..Pending::NONE });
        }
        runtime
    }

    fn is_about_to(runtime: &Runtime, thread: u32, op: Op, object: u64) {
        let pending = Pending { op: op as u8, object, ..Pending::NONE };
        runtime.table[thread as usize].pending.set(pending);
    }

    #[test]
    fn access_to_memory_is_always_possible() {
        assert_eq!(of(threads(1), 0), RUN);
    }

    #[test]
    fn finished_thread_has_no_choice() {
        let runtime = threads(1);
        runtime.table[0].finished.set(true);
        assert_eq!(of(runtime, 0), 0);
    }

    #[test]
    fn atomic_section_keeps_other_threads_out() {
        let runtime = threads(2);
        runtime.section.set(Section::last(1));
        assert_eq!((of(runtime, 0), of(runtime, 1)), (0, RUN));
    }

    #[test]
    fn thread_waits_for_holder_of_mutex() {
        let runtime = threads(2);
        let [locked, count, owner, health, kind] = [const { Cell::new(0) }; 5];
        let mutex = Mutex { locked, count, owner, health, kind };
        is_about_to(runtime, 0, Op::Lock, &raw const mutex as u64);
        assert_eq!(of(runtime, 0), RUN);
        mutex.give(1);
        assert_eq!((of(runtime, 0), runtime.table[0].pending.get().holder), (0, 1));
    }

    #[test]
    fn semaphore_lets_threads_through_while_it_counts() {
        let runtime = threads(1);
        let semaphore = Semaphore { value: Cell::new(1), destroyed: Cell::new(0) };
        is_about_to(runtime, 0, Op::SemWait, &raw const semaphore as u64);
        assert_eq!(of(runtime, 0), RUN);
        semaphore.value.set(0);
        assert_eq!(of(runtime, 0), 0);
    }

    #[test]
    fn data_choice_has_a_bit_for_each_value() {
        let runtime = threads(1);
        runtime.table[0].pending.set(Pending { op: Op::Choose as u8, size: 3, ..Pending::NONE });
        assert_eq!(of(runtime, 0), 0b111);
    }

    #[test]
    fn program_ends_when_no_other_thread_can_move() {
        let runtime = threads(2);
        is_about_to(runtime, 0, Op::Exit, 0);
        assert_eq!(of(runtime, 0), 0);
        runtime.table[1].finished.set(true);
        assert_eq!(of(runtime, 0), RUN);
    }

    #[test]
    fn different_exit_statuses_are_different_choices() {
        let runtime = threads(3);
        for (thread, status) in [(0, 0), (1, 3), (2, 0)] {
            runtime.table[thread].pending.set(Pending { op: Op::Exit as u8, size: status, ..Pending::NONE });
        }
        assert_eq!(outcomes(runtime), 0b11);
        assert!(statuses(runtime).eq([0, 3]));
    }

    #[test]
    fn longest_waiting_thread_comes_first() {
        let runtime = threads(3);
        for (thread, ticket) in [(0, 7), (1, 5), (2, 6)] {
            let thread = &runtime.table[thread];
            thread.waits.set(Waits::Condition);
            thread.on.set(0x40);
            thread.ticket.set(ticket);
        }
        let order = [0, 1, 2].map(|nth| runtime.waiter(Waits::Condition, 0x40, nth));
        assert_eq!(order, [Some(1), Some(2), Some(0)]);
        runtime.wake(1);
        assert_eq!(runtime.waiters(Waits::Condition, 0x40), 2);
        assert_eq!(runtime.waiter(Waits::Condition, 0x40, 0), Some(2));
    }
}
