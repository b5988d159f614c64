//! Times that a program has in its memory.
//!
//! A thread that waits for some time, in vain, and does so again and again, works out each time until when to wait. So it never
//! comes back to the same memory, and yet nothing is new but the time. So the numbers that stand for states
//! ([`crate::rt::sched::state_hash`]) treat times apart. What looks like a time among a thread's own words counts by how far it lies from
//! the thread's clock, and the clock itself does not count. Two states that differ in when they are have the same future, only later.
//!
//! That is so only as long as no thread remembers when something was. A time that a thread keeps to itself is noticed, because it
//! lies further and further from the clock. Where a time lies in memory that others share, or a thread that remembers one sets its
//! clock by another thread's, the driver is told; it begins anew, and clocks count as they are. What is taken for a time by
//! mistake keeps states apart that are the same, no more.

use crate::protocol::{CLOCKS, DATES, SUMS_FOR_MATCHING};
use crate::rt::sched::private_memory;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state_hash::mixed;
use crate::rt::sched::virtual_clock::{BEGIN, SECOND, UPTIME};

/// How far ahead a time may lie.
const AHEAD: u64 = 86_400 * SECOND;
/// The nanoseconds of the units that programs count in.
const UNITS: [u64; 4] = [SECOND, 1_000_000, 1_000, 1];

/// Whether times count by how far they lie from the clock. States of different executions are compared as they are.
pub fn are_relative(runtime: &Runtime) -> bool {
    let compared = runtime.settings.get().sums == SUMS_FOR_MATCHING;
    !compared && runtime.private.contains(CLOCKS) && !runtime.private.contains(DATES)
}

/// Times lie where others can see them, or the program goes by something else than the clocks that are known here.
#[cold]
pub fn are_seen(runtime: &Runtime) {
    private_memory::met(runtime, CLOCKS);
    private_memory::met(runtime, DATES);
}

/// How far a word lies from what a clock shows, as a number that stands for that, if it looks like a time. A time is in one of the units
/// and by one of the clocks. It is a whole number of eight bytes or in one of its halves, or a number with a fraction.
pub fn distance(word: u64, clock: u64) -> Option<u64> {
    // Hardly any word is as large as the smallest time is in either half.
    if word < UPTIME {
        return None;
    }
    whole(word, clock).or_else(|| fraction(word, clock)).or_else(|| halves(word, clock))
}

fn whole(word: u64, clock: u64) -> Option<u64> {
    each(|begin, unit| {
        let (first, now) = (begin * (SECOND / unit), (begin * SECOND + clock) / unit);
        (first..=now + AHEAD / unit).contains(&word).then(|| mixed(unit, word.wrapping_sub(now)))
    })
}

fn fraction(word: u64, clock: u64) -> Option<u64> {
    let number = f64::from_bits(word);
    each(|begin, unit| {
        let in_units = |nanos: u64| nanos as f64 / unit as f64;
        let (first, now) = (in_units(begin * SECOND), in_units(begin * SECOND + clock));
        let is_time = number >= first && number <= now + in_units(AHEAD);
        is_time.then(|| mixed(unit, (number - now).to_bits()))
    })
}

fn halves(word: u64, clock: u64) -> Option<u64> {
    let halves = [word & 0xffff_ffff, word >> 32];
    let [low, high] = halves.map(|half| whole(half, clock));
    if low.is_none() && high.is_none() {
        return None;
    }
    Some(mixed(low.unwrap_or(halves[0]), high.unwrap_or(halves[1])))
}

/// What is found first of each clock, and each unit.
fn each(mut find: impl FnMut(u64, u64) -> Option<u64>) -> Option<u64> {
    let clocks = [BEGIN, UPTIME].into_iter();
    clocks.flat_map(|begin| UNITS.map(|unit| (begin, unit))).find_map(|(begin, unit)| find(begin, unit))
}

/// The running thread sets its clock by another one's, if that is ahead.
pub fn set_clock(runtime: &Runtime, other: u64) {
    let relative = are_relative(runtime);
    let thread = runtime.thread();
    let (start, end, clock) = (thread.frame.get() as u64, thread.stack_end(), thread.clock.get());
    if clock >= other {
        return;
    }
    thread.clock.set(other);
    if !relative {
        return;
    }
    let remembers = (start..end).step_by(8).any(|at| {
        // SAFETY: the running thread's own stack, from its last call on.
        distance(unsafe { *(at as *const u64) }, clock).is_some()
    });
    if remembers {
        are_seen(runtime);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_known_in_every_unit_and_by_either_clock() {
        for begin in [BEGIN, UPTIME] {
            for unit in UNITS {
                let time = |clock: u64| (begin * SECOND + clock) / unit;
                let (early, late) = (5 * SECOND, 900 * SECOND);
                let far = distance(time(early) + 7, early);
                assert!(far.is_some(), "{begin} {unit}");
                assert_eq!(far, distance(time(late) + 7, late), "{begin} {unit}");
                assert_ne!(far, distance(time(early) + 7, late), "{begin} {unit}");
            }
        }
    }

    #[test]
    fn a_time_can_be_half_a_word_or_have_a_fraction() {
        let half = |clock: u64| 3 | (BEGIN + clock / SECOND) << 32;
        assert!(distance(half(0), 0).is_some());
        assert_eq!(distance(half(4 * SECOND), 4 * SECOND), distance(half(0), 0));
        assert_ne!(distance(half(0), 4 * SECOND), distance(half(0), 0));
        let fraction = |clock: u64| (BEGIN as f64 + (clock / SECOND) as f64 + 0.5).to_bits();
        assert!(distance(fraction(0), 0).is_some());
        assert_eq!(distance(fraction(8 * SECOND), 8 * SECOND), distance(fraction(0), 0));
    }

    #[test]
    fn other_numbers_are_no_times() {
        for word in [0, 1, 400_000, 1 << 40, 0x7fff_ffff_e000, u64::MAX, 1.5f64.to_bits()] {
            assert_eq!(distance(word, 3 * SECOND), None, "{word:x}");
        }
    }
}
