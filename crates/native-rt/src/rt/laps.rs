//! States that come again.
//!
//! Threads that try, give up and try again can go round for ever together: each changes what the others look at, so that none
//! of them repeats itself by its own lights, and yet the program comes back to a state that it has been in. Whoever has
//! moved since then has nothing new to do there: it *rests* until somebody moves who has not. If there is nobody, the
//! execution ends, and that end says nothing: whatever can follow it can follow the first visit.
//!
//! A reduction has a better way to tell who need not go on, by the numbers that stand for states ([`super::sums`]). Here is
//! where it shows that a program goes round.

use super::Runtime;
use super::offer;
use super::state::{Thread, row};
use super::sums;
use crate::protocol::{Op, Row, SUMS_FOR_MATCHING};

/// States that are remembered.
const STATES: usize = 64;
/// Steps of the longest round that a thread is seen to go alone.
const LONGEST: u32 = 4096;
/// Stands of a thread that are remembered: so many groups, each of so many. Those of one group must not drive each other out, or
/// a loop with two of them would never be seen to come back.
const GROUPS: usize = 8;
const STANDS: usize = 4;

/// The states in which threads were where they had been before.
#[repr(C)]
pub struct Laps {
    states: [State; STATES],
    count: usize,
    /// The threads that rest.
    resting: u32,
    /// The running thread has come back to a state, and nobody else could have moved since.
    alone: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct State {
    sum: u64,
    /// The number of steps before it, and of choices.
    step: u64,
    depth: u32,
}

impl Laps {
    pub fn clear(&mut self) {
        (self.count, self.resting, self.alone) = (0, 0, false);
    }

    /// Calls `look` with what has to be copied to come back to what is known here.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let from = &raw const self.states as u64;
        look(from, from + (self.count.min(STATES) * size_of::<State>()) as u64);
        let from = &raw const self.count as u64;
        look(from, from + size_of::<usize>() as u64);
        let from = &raw const self.resting as u64;
        look(from, from + size_of::<u32>() as u64);
    }

    #[inline]
    pub fn anybody_rests(&self) -> bool {
        self.resting > 0
    }

    /// Takes note of a state. Returns when it was there before.
    fn note(&mut self, state: State) -> Option<State> {
        let known = &self.states[..self.count.min(STATES)];
        let before = known.iter().find(|known| known.sum == state.sum).copied();
        if before.is_none() {
            self.states[self.count % STATES] = state;
            self.count += 1;
        }
        before
    }
}

/// Where a thread has stood: its place and its stack, in a number each.
#[repr(C)]
pub struct Stands([[u64; STANDS]; GROUPS]);

impl Stands {
    pub fn clear(&mut self) {
        self.0 = [[0; STANDS]; GROUPS];
    }

    /// How often the thread has stood there before. A state is summed up only after some of that: few programs come back to
    /// one, and threads that wait for a condition in a loop stand where they were.
    #[inline]
    pub fn come_again(&mut self, place: u64, print: u64) -> u32 {
        const TIMES: u64 = 15;
        let stand = (print ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)) & !TIMES;
        let group = &mut self.0[(stand >> 61) as usize];
        if let Some(known) = group.iter_mut().find(|known| **known & !TIMES == stand) {
            let times = (*known & TIMES).min(TIMES - 1) + 1;
            *known = stand | times;
            return times as u32;
        }
        let mut rarest = 0;
        for nth in 1..STANDS {
            if group[nth] & TIMES < group[rarest] & TIMES {
                rarest = nth;
            }
        }
        group[rarest] = stand;
        0
    }
}

/// The running thread has come to where it had been: if the whole program has, whoever has moved since then rests. Whether
/// that is so.
#[cold]
pub fn look(runtime: &mut Runtime) -> bool {
    if !runtime.section.is_none() {
        return false;
    }
    // Of threads that wait it may not be known yet that they have been woken.
    (0..runtime.threads).for_each(|index| _ = offer::of(runtime, index));
    let Some([sum, _]) = sums::of(runtime) else { return false };
    let now = State { sum, step: runtime.log.count(), depth: runtime.depth };
    let Some(since) = runtime.laps.note(now) else { return false };
    let own = runtime.current;
    let mut alone = runtime.recording && (since.depth..now.depth).all(|number| is_alone(at(number), own));
    let mut rests = false;
    for index in 0..runtime.threads {
        let leaves = runtime.table[index as usize].pending.op == Op::Exit as u8;
        if leaves || offer::of(runtime, index) == 0 {
            continue;
        }
        alone &= index == own;
        if runtime.log.has_moved(index, since.step) {
            runtime.table[index as usize].rest();
            runtime.laps.resting += 1;
            rests = true;
        }
    }
    runtime.laps.alone = alone && rests && !is_somebody_left(runtime, own);
    if rests {
        runtime.stale = true;
        super::state::header().laps = 1;
    }
    rests
}

/// Whether the program was in the state of the last row before, and since then nobody could move but the thread that did.
pub fn is_round_alone(runtime: &mut Runtime) -> bool {
    if core::mem::take(&mut runtime.laps.alone) {
        return true;
    }
    // Where a search goes by states, it finds out by itself.
    if [0, SUMS_FOR_MATCHING].contains(&runtime.settings.sums) {
        return false;
    }
    let last = runtime.depth;
    let sum = at(last).sum;
    let alone = |number: &u32| is_alone(at(*number), runtime.current);
    let mut since = (last.saturating_sub(LONGEST)..last).rev().take_while(alone);
    sum != 0
        && alone(&last)
        && since.any(|number| at(number).sum == sum)
        && !is_somebody_left(runtime, runtime.current)
}

/// Whether another thread does not move for the sole reason that it need not, or that it has assumed what is not so.
fn is_somebody_left(runtime: &Runtime, thread: u32) -> bool {
    let left =
        |other: &Thread| other.awaits && other.anchors.is_left() || other.pending.op == Op::GivenUp as u8;
    let threads = runtime.table[..runtime.threads as usize].iter().enumerate();
    threads.into_iter().any(|(index, other)| index as u32 != thread && !other.finished && left(other))
}

fn at(number: u32) -> &'static Row {
    // SAFETY: the callers ask for rows that have been written.
    unsafe { &*row(number).0 }
}

/// Whether the thread is the only one that can move in a state.
fn is_alone(row: &Row, thread: u32) -> bool {
    let bits = (&raw const *row as usize + Row::bits_at(row.threads as usize)) as *const u64;
    // SAFETY: behind the row are its bits.
    let bits = unsafe { core::slice::from_raw_parts(bits, Row::words(row.threads as usize)) };
    let others = |(nth, word): (usize, &u64)| match nth == thread as usize / 64 {
        true => word & !(1 << (thread % 64)),
        false => *word,
    };
    bits.iter().enumerate().all(|bits| others(bits) == 0)
}

/// Somebody has moved: nobody rests any longer.
#[cold]
pub fn go_on(runtime: &mut Runtime) {
    runtime.laps.resting = 0;
    runtime.stale = true;
    for thread in runtime.all() {
        thread.go_on();
    }
}
