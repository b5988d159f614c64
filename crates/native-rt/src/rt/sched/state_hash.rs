//! The state of the program in a number.
//!
//! Each part of the state adds a number of its own: each byte of memory that is not as it was at the start, what each thread is
//! about to do, which threads wait. So what a step changes of the sum is what it changes of those parts, and does not depend on steps
//! that touch others. What belongs to one thread alone adds a number for each word.
//!
//! What the system keeps for the program, like where it is in a file, cannot be looked at: an operation that changes it leads to a state
//! that has not been there before. What has been printed is no part of the state.

use crate::protocol::{CLOCKS, Op, SUMS_FOR_MATCHING};
use crate::rt::sched::objects::{RwLock, look};
use crate::rt::sched::spin_loops::{MOST_STACK, is_own};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Thread, Waits, runtime};
use crate::rt::sched::timestamps;
use core::ops::Range;

/// The most bytes of data, and of the heap, that are summed up.
const MOST_BYTES: u64 = 256 << 10;

/// What a number is about that is none of memory. No address is as low.
#[derive(Clone, Copy)]
enum About {
    Finished = 1,
    Result,
    Joined,
    Detached,
    Pending,
    Object,
    Done,
    Clock,
    Random,
    Handlers,
    Waits,
    Woken,
    Line,
    Block,
    Sharing,
    Elsewhere,
    Wanted,
    Section,
}

impl About {
    /// The number of a thread's, or another thing's, part.
    fn number(self, of: u64, value: u64) -> u64 {
        mixed(mixed(self as u64, of), value)
    }
}

/// Two numbers in one that looks random.
#[inline]
pub fn mixed(one: u64, other: u64) -> u64 {
    let mut sum = (one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other).wrapping_mul(0xff51_afd7_ed55_8ccd);
    sum ^= sum >> 32;
    sum = sum.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    sum ^ sum >> 29
}

/// Another number that looks random.
#[inline]
fn twin(number: u64) -> u64 {
    let product = u128::from(number) * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64
}

/// A sum over words of memory.
#[derive(Default)]
struct Sum {
    sum: u64,
    /// The same over other numbers, so that two states that have the one in common do not have both.
    twin: u64,
    bytes: u64,
    /// The clock that is furthest ahead, if no thread is to have a time where others see it; and whether one has.
    latest: Option<u64>,
    dated: bool,
}

impl Sum {
    #[inline]
    fn add(&mut self, number: u64) {
        self.sum = self.sum.wrapping_add(number);
        self.twin = self.twin.wrapping_add(twin(number));
    }

    /// Takes away what was added.
    fn remove(&mut self, number: u64) {
        self.sum = self.sum.wrapping_sub(number);
        self.twin = self.twin.wrapping_sub(twin(number));
    }

    /// Adds the words between two addresses that are not 0. Only one thread writes there. Its clock is given if times count by it.
    fn add_words(&mut self, start: u64, end: u64, clock: Option<u64>) {
        for at in (start..end).step_by(8) {
            // SAFETY: the callers pass memory that is mapped, whole words of it.
            let word = unsafe { *(at as *const u64) };
            if word != 0 {
                let distance = clock.and_then(|clock| timestamps::distance(word, clock));
                self.add(mixed(at, distance.unwrap_or(word)));
            }
        }
    }

    /// The same as `add_bytes`, but for what lies in some parts.
    fn add_beside(&mut self, parts: &[Range<u64>], start: u64, end: u64, copy: Option<u64>) {
        let Some(part) = parts.iter().find(|part| part.start < end && start < part.end) else {
            return self.add_bytes(start, end, copy);
        };
        if start < part.start {
            self.add_beside(parts, start, part.start, copy);
        }
        if part.end < end {
            self.add_beside(parts, part.end, end, copy.map(|copy| copy + (part.end - start)));
        }
    }

    /// Adds the bytes between two addresses that are not what they were at the start: in `copy`, or else 0.
    fn add_bytes(&mut self, start: u64, end: u64, copy: Option<u64>) {
        self.bytes += end - start;
        // Programs change little of a page, so that most lines need no look at their words.
        let mut at = start;
        while at < end {
            let next = end.min(at + LINE);
            let copy = copy.map(|copy| copy + at - start);
            if next - at < LINE || is_changed(at, copy) {
                self.add_changed(at, next, copy);
            }
            at = next;
        }
    }

    /// The same for each word.
    fn add_changed(&mut self, start: u64, end: u64, copy: Option<u64>) {
        for at in (start..end).step_by(8) {
            // SAFETY: the callers pass memory that is mapped, whole words of it.
            let (word, before) = unsafe {
                let before = copy.map_or(0, |copy| *((copy + at - start) as *const u64));
                (*(at as *const u64), before)
            };
            let mut differs = word ^ before;
            if differs != 0
                && let Some(latest) = self.latest
            {
                self.dated |= timestamps::distance(word, latest).is_some();
            }
            while differs != 0 {
                let byte = u64::from(differs.trailing_zeros() / 8);
                differs &= !(0xff << (8 * byte));
                self.add(mixed(at + byte, 0x100 | word >> (8 * byte) & 0xff));
            }
        }
    }
}

/// Bytes that are compared with the initial copy in one go.
const LINE: u64 = 128;

/// Whether a line of memory is not what it was at the start: in `copy`, or else 0.
#[inline]
fn is_changed(line: u64, copy: Option<u64>) -> bool {
    type Words = [u64; (LINE / 8) as usize];
    // SAFETY: the callers pass whole lines of memory that is mapped.
    let (now, before) =
        unsafe { (*(line as *const Words), copy.map_or([0; 16], |copy| *(copy as *const Words))) };
    now.iter().zip(&before).fold(0, |differs, (now, before)| differs | (now ^ before)) != 0
}

/// The running thread moves something on that the system keeps. That this has happened so often stays a part of the state.
pub fn moved_on(thing: u64) {
    let moved = About::Elsewhere.number(thing, 0);
    runtime().thread().elsewhere.update(|elsewhere| elsewhere.wrapping_add(moved));
}

/// The running thread goes on with a value in its present call. It has found it in a step, and keeps it where no hash looks.
pub fn goes_on_with(value: u64) {
    runtime().thread().done.update(|done| mixed(done, value));
}

/// The numbers that stand for the state of the program, unless that is too large: mostly the first is enough.
pub fn of(runtime: &Runtime) -> Option<[u64; 2]> {
    let mut sum = Sum::default();
    let threads = &runtime.table[..runtime.threads.get() as usize];
    if timestamps::are_relative(runtime) {
        sum.latest = threads.iter().map(|thread| thread.clock.get()).max();
    }
    for (index, thread) in threads.iter().enumerate() {
        let index = index as u64;
        sum.add(thread.elsewhere.get());
        if !add_shares(runtime, thread, &mut sum) {
            return None;
        }
        let mut add = |about: About, value: u64| sum.add(about.number(index, value));
        add(About::Finished, thread.finished.get().into());
        add(About::Joined, thread.joined.get().into());
        add(About::Detached, thread.detached.get().into());
        let is_over = [Op::End as u8, Op::Exit as u8].contains(&thread.pending.get().op);
        if (thread.finished.get() || is_over) && !thread.joined.get() {
            // A thread that joins it gets it, or it is the program's status.
            add(About::Result, thread.result.get() as u64);
        }
        if thread.finished.get() {
            continue;
        }
        add(About::Pending, u64::from(thread.pending.get().op) | u64::from(thread.pending.get().size) << 8);
        // A block that has been freed since a thread came to its access is another one than a new block at the same address.
        add(About::Object, mixed(thread.pending.get().object, thread.pending.get().block.into()));
        add(About::Done, thread.done.get());
        add(About::Random, thread.random.get());
        add(About::Handlers, mixed(thread.cleanup.get() as u64, thread.destructors.get() as u64));
        // A thread that sleeps in a loop moves the time on. Only a thread that looks at a clock notices.
        if runtime.private.contains(CLOCKS) {
            let clock = if sum.latest.is_some() { thread.in_vain.get().into() } else { thread.clock.get() };
            sum.add(About::Clock.number(
                index,
                mixed(clock, u64::from(thread.looks.get()) | u64::from(thread.in_a_row.get()) << 32),
            ));
        }
        let mut add = |about: About, value: u64| sum.add(about.number(index, value));
        if thread.waits.get() != Waits::No {
            add(About::Waits, mixed(thread.on.get(), thread.mutex.get()));
            add(About::Woken, thread.woken.get().into());
        }
        if thread.waits.get() != Waits::No && !thread.woken.get() {
            // The thread that has waited longest is woken first.
            let before = |other: &&Thread| {
                other.waits.get() != Waits::No
                    && !other.woken.get()
                    && other.on.get() == thread.on.get()
                    && other.ticket.get() < thread.ticket.get()
            };
            add(About::Line, threads.iter().filter(before).count() as u64);
        }
        thread.wanted.all().for_each(|wanted| add(About::Wanted, wanted.address));
        if !is_over && !add_memory(runtime, thread, &mut sum) {
            return None;
        }
    }
    runtime.heap.each_live(runtime.slots.get(), |slot, number| {
        let block = crate::rt::sched::heap::block(slot, number);
        sum.add(About::Block.number(block.start.get(), mixed(number.into(), block.size.get())));
        sum.add_bytes(block.start.get(), block.start.get() + block.size.get().next_multiple_of(8), None);
    });
    sum.add(About::Section.number(0, runtime.section.get().number()));
    if runtime.settings.get().sums == SUMS_FOR_MATCHING {
        runtime.guarded.with(|guarded| guarded.each_number(|number| sum.add(number)));
    }
    let printed = printed(runtime);
    runtime.memory.each_written(|start, end, copy| sum.add_beside(&printed, start, end, copy));
    if sum.dated {
        timestamps::are_seen(runtime);
    }
    (sum.bytes <= MOST_BYTES).then_some([sum.sum, sum.twin])
}

/// Adds what a thread has for itself: registers, stack, and thread-local storage. Whether that is not too much.
fn add_memory(runtime: &Runtime, thread: &Thread, sum: &mut Sum) -> bool {
    // SAFETY: a thread that has not ended has called a function of ours, on its own stack.
    let stack = unsafe { &raw const (*thread.frame.get()).r15 } as u64;
    if thread.stack_end().wrapping_sub(stack) > MOST_STACK {
        return false;
    }
    let (storage, _) = runtime.tls.get().range(thread.base.get());
    for (start, end) in [(stack, thread.stack_end()), (storage, thread.base.get() as u64)] {
        match is_own(start..end) {
            true => sum.add_words(start, end, sum.latest.map(|_| thread.clock.get())),
            false => sum.add_bytes(start, end, None),
        }
    }
    let keys = runtime.tls.get().keys(thread.base.get()) as u64;
    sum.add_words(keys, keys + u64::from(thread.keys.get()) * 8, None);
    let signals = runtime.tls.get().signals(thread.base.get());
    sum.add_words(signals, signals + crate::rt::sched::tls::SIGNAL_BYTES as u64, None);
    true
}

/// The threads that share a lock may come and go in any order, so each adds the same: of the lock itself the bytes with their number are
/// taken away. Whether all locks are known that the thread shares.
fn add_shares(runtime: &Runtime, thread: &Thread, sum: &mut Sum) -> bool {
    let shares = thread.shares.get();
    let Some(shares) = shares.known() else { return false };
    for (nth, &lock) in shares.iter().enumerate() {
        sum.add(About::Sharing.number(lock, 0));
        let before = runtime.table[..runtime.threads.get() as usize].iter();
        let mut before = before.take_while(|other| !core::ptr::eq(*other, thread));
        let shared_before =
            before.any(|other| other.shares.get().known().is_some_and(|known| known.contains(&lock)));
        if !shared_before && !shares[..nth].contains(&lock) {
            let readers = look::<RwLock>(lock).readers.get();
            let bytes = readers.to_le_bytes().into_iter().enumerate().filter(|(_, byte)| *byte != 0);
            for (nth, byte) in bytes {
                sum.remove(mixed(lock + nth as u64, 0x100 | u64::from(byte)));
            }
        }
    }
    true
}

/// Where the C library keeps how far it has come with what the program prints.
fn printed(runtime: &Runtime) -> [Range<u64>; 2] {
    const STREAM_BYTES: u64 = 224;
    // SAFETY: variables of the C library, once they are known.
    let stream = |variable: *const u64| if variable.is_null() { 0 } else { unsafe { *variable } };
    runtime.printing.get().map(stream).map(|stream| stream..stream + STREAM_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_as_at_the_start_add_nothing() {
        let before: [u64; 100] =
            core::array::from_fn(|nth| if nth % 3 == 0 { 0 } else { mixed(nth as u64, 7) });
        for changed in [0, 1, 15, 16, 17, 31, 50, 95, 96, 99] {
            let mut now = before;
            now[changed] ^= 0xff00;
            now[changed / 2] = 0;
            for (start, end) in [(0, 100), (1, 100), (0, 96), (3, 7), (changed, changed + 1), (5, 5)] {
                let at = |memory: &[u64; 100], nth: usize| memory.as_ptr() as u64 + 8 * nth as u64;
                for copy in [None, Some(at(&before, start))] {
                    let (mut lines, mut words) = (Sum::default(), Sum::default());
                    lines.add_bytes(at(&now, start), at(&now, end), copy);
                    words.add_changed(at(&now, start), at(&now, end), copy);
                    assert_eq!((lines.sum, lines.twin), (words.sum, words.twin));
                    assert_eq!(lines.bytes, 8 * (end - start) as u64);
                }
            }
        }
    }
}
