//! States that come again.
//!
//! Threads that try, give up and try again can go round for ever together. Each changes what the others look at, so that none of them
//! repeats itself. Yet the program comes back to a state that it has been in. A thread that has moved since then has nothing new to do
//! there: it *rests* until a thread moves that has not. If there is none, the execution ends, and that end is no result: whatever can
//! follow it can follow the first visit.
//!
//! A reduction has a better way to tell which threads need not go on, by the numbers that stand for states
//! ([`crate::rt::sched::state_hash`]). This module then shows that a program goes round.

use crate::protocol::{Op, SUMS_FOR_MATCHING};
use crate::rt::sched::enabled;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Thread, header, row, row_bits};
use crate::rt::sched::state_hash;
use core::cell::Cell;

/// States that are remembered.
const STATES: usize = 64;
/// Steps of the longest round that a thread is seen to go alone.
const LONGEST: u32 = 4096;
/// Positions of a thread that are remembered: so many groups, each of so many. Those of one group must not drive each other out, or
/// a loop with two of them would never be seen to come back.
const GROUPS: usize = 8;
const STANDS: usize = 4;

/// The states in which threads were where they had been before.
#[repr(C)]
pub struct Revisits {
    states: [Cell<State>; STATES],
    count: Cell<usize>,
    /// The threads that rest.
    resting: Cell<u32>,
    /// The running thread has come back to a state, and no other thread could have moved since.
    alone: Cell<bool>,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct State {
    sum: u64,
    /// The number of steps before it, and of choices.
    step: u64,
    depth: u32,
}

impl Revisits {
    pub fn clear(&self) {
        self.count.set(0);
        self.resting.set(0);
        self.alone.set(false);
    }

    /// Calls `look` with what has to be copied to come back to what is known here.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let from = &raw const self.states as u64;
        look(from, from + (self.count.get().min(STATES) * size_of::<State>()) as u64);
        let from = &raw const self.count as u64;
        look(from, from + size_of::<usize>() as u64);
        let from = &raw const self.resting as u64;
        look(from, from + size_of::<u32>() as u64);
    }

    #[inline]
    pub fn anybody_rests(&self) -> bool {
        self.resting.get() > 0
    }

    /// Takes note of a state. Returns when it was there before.
    fn note(&self, state: State) -> Option<State> {
        let known = &self.states[..self.count.get().min(STATES)];
        let before = known.iter().map(Cell::get).find(|known| known.sum == state.sum);
        if before.is_none() {
            self.states[self.count.get() % STATES].set(state);
            self.count.update(|count| count + 1);
        }
        before
    }
}

/// Where a thread has stood: its place and its stack, in a number each.
#[repr(C)]
pub struct Positions([[Cell<u64>; STANDS]; GROUPS]);

impl Positions {
    pub fn clear(&self) {
        self.0.iter().flatten().for_each(|stand| stand.set(0));
    }

    /// How often the thread has stood there before. A state is summed up only after some of that: few programs come back to
    /// one, and threads that wait for a condition in a loop stand where they were.
    #[inline]
    pub fn come_again(&self, place: u64, print: u64) -> u32 {
        const TIMES: u64 = 15;
        let stand = (print ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)) & !TIMES;
        let group = &self.0[(stand >> 61) as usize];
        if let Some(known) = group.iter().find(|known| known.get() & !TIMES == stand) {
            let times = (known.get() & TIMES).min(TIMES - 1) + 1;
            known.set(stand | times);
            return times as u32;
        }
        let mut rarest = 0;
        for nth in 1..STANDS {
            if group[nth].get() & TIMES < group[rarest].get() & TIMES {
                rarest = nth;
            }
        }
        group[rarest].set(stand);
        0
    }
}

/// The running thread has come to where it had been: if the whole program has, the threads that have moved since then rest. Whether that is
/// so.
#[cold]
pub fn look(runtime: &Runtime) -> bool {
    if !runtime.section.get().is_none() {
        return false;
    }
    // Of threads that wait it may not be known yet that they have been woken.
    (0..runtime.threads.get()).for_each(|index| _ = enabled::of(runtime, index));
    let Some([sum, _]) = state_hash::of(runtime) else { return false };
    let now = State { sum, step: runtime.log.count(), depth: runtime.depth.get() };
    let Some(since) = runtime.revisits.note(now) else { return false };
    let own = runtime.current.get();
    let mut alone = runtime.recording.get() && (since.depth..now.depth).all(|number| is_alone(number, own));
    let mut rests = false;
    for index in 0..runtime.threads.get() {
        let leaves = runtime.table[index as usize].pending.get().op == Op::Exit as u8;
        if leaves || enabled::of(runtime, index) == 0 {
            continue;
        }
        alone &= index == own;
        if runtime.log.has_moved(index, since.step) {
            runtime.table[index as usize].rest();
            runtime.revisits.resting.update(|resting| resting + 1);
            rests = true;
        }
    }
    runtime.revisits.alone.set(alone && rests && !is_somebody_left(runtime, own));
    if rests {
        runtime.stale.set(true);
        header().revisits.set(1);
    }
    rests
}

/// Whether the program was in the state of the last row before, and since then no other thread could move than the one that did.
pub fn is_round_alone(runtime: &Runtime) -> bool {
    if runtime.revisits.alone.take() {
        return true;
    }
    // Where a search goes by states, it finds out by itself.
    if [0, SUMS_FOR_MATCHING].contains(&runtime.settings.get().sums) {
        return false;
    }
    let last = runtime.depth.get();
    let sum = row(last).get().sum;
    let alone = |number: &u32| is_alone(*number, runtime.current.get());
    let mut since = (last.saturating_sub(LONGEST)..last).rev().take_while(alone);
    sum != 0
        && alone(&last)
        && since.any(|number| row(number).get().sum == sum)
        && !is_somebody_left(runtime, runtime.current.get())
}

/// Whether another thread does not move for the sole reason that it need not, or that it has assumed what is not so.
fn is_somebody_left(runtime: &Runtime, thread: u32) -> bool {
    let left = |other: &Thread| {
        other.awaits.get() && other.history.is_left() || other.pending.get().op == Op::GivenUp as u8
    };
    let threads = runtime.table[..runtime.threads.get() as usize].iter().enumerate();
    threads.into_iter().any(|(index, other)| index as u32 != thread && !other.finished.get() && left(other))
}

/// Whether the thread is the only one that can move in the state of a row.
fn is_alone(number: u32, thread: u32) -> bool {
    let bits = row_bits(number, row(number).get().threads);
    let others = |(nth, word): (usize, &Cell<u64>)| match nth == thread as usize / 64 {
        true => word.get() & !(1 << (thread % 64)),
        false => word.get(),
    };
    bits.iter().enumerate().all(|bits| others(bits) == 0)
}

/// A thread has moved: no thread rests any longer.
#[cold]
pub fn go_on(runtime: &Runtime) {
    runtime.revisits.resting.set(0);
    runtime.stale.set(true);
    for thread in runtime.all() {
        thread.go_on();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::state::new_state;

    #[test]
    fn position_counts_how_often_it_comes_again() {
        let positions = &new_state().thread().history.positions;
        assert_eq!([0, 1, 2].map(|_| positions.come_again(0x400, 77 << 8)), [0, 1, 2]);
        assert_eq!(positions.come_again(0x404, 77 << 8), 0);
        assert_eq!(positions.come_again(0x400, 77 << 8), 3);
        positions.clear();
        assert_eq!(positions.come_again(0x400, 77 << 8), 0);
    }

    #[test]
    fn state_is_known_when_it_comes_again() {
        let revisits = &new_state().revisits;
        let state = |sum| State { sum, step: sum * 10, depth: sum as u32 };
        assert!((1..=STATES as u64).all(|sum| revisits.note(state(sum)).is_none()));
        assert_eq!(revisits.note(State { step: 999, ..state(3) }).map(|known| known.step), Some(30));
        // The oldest gives way.
        assert!(revisits.note(state(100)).is_none());
        assert!(revisits.note(state(1)).is_none());
    }
}
