//! States that come again.
//!
//! Threads that try, give up and try again can go round for ever together: each changes what the others look at, so that none
//! of them repeats itself by its own lights, and yet the program comes back to a state that it has been in. Whoever has
//! moved since then has nothing new to do there: it *rests* until somebody moves who has not. If there is nobody, the
//! execution ends, and that end says nothing: whatever can follow it can follow the first visit.
//!
//! A state is told by a sum over all that the program can notice: registers, stacks and thread-local storage of its threads,
//! what each is about to do, its clock, the data that has been written to, and the heap.

use super::Runtime;
use super::offer;
use super::state::Waits;
use super::watch::{MOST_STACK, print};
use crate::protocol::{CLOCKS, NOBODY, Op};

/// States that are remembered.
const STATES: usize = 64;
/// Stands of a thread that are remembered.
const STANDS: usize = 16;
/// The most bytes of data, and of the heap, that are summed up.
const MOST_BYTES: u64 = 256 << 10;

/// The states in which threads were where they had been before.
#[repr(C)]
pub struct Laps {
    /// The sum, and the number of steps before it.
    states: [(u64, u64); STATES],
    count: usize,
    /// The threads that rest.
    resting: u32,
}

impl Laps {
    pub fn clear(&mut self) {
        (self.count, self.resting) = (0, 0);
    }

    /// Calls `look` with what has to be copied to come back to what is known here.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let from = &raw const self.states as u64;
        look(from, from + (self.count.min(STATES) * size_of::<(u64, u64)>()) as u64);
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
    fn note(&mut self, sum: u64, step: u64) -> Option<u64> {
        let known = &self.states[..self.count.min(STATES)];
        if let Some(&(_, since)) = known.iter().find(|(known, _)| *known == sum) {
            return Some(since);
        }
        self.states[self.count % STATES] = (sum, step);
        self.count += 1;
        None
    }
}

/// Where a thread has stood: its place and its stack, in a number each.
#[repr(C)]
pub struct Stands([u64; STANDS]);

impl Stands {
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// How often the thread has stood there before. A state is summed up only after some of that: few programs come back to
    /// one, and threads that wait for a condition in a loop stand where they were. Of programs that are known to, the first
    /// visit counts.
    #[inline]
    pub fn come_again(&mut self, place: u64, print: u64) -> u32 {
        const TIMES: u64 = 15;
        let stand = (print ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)) & !TIMES;
        let slot = &mut self.0[(stand >> 60) as usize];
        let times = if *slot & !TIMES == stand { (*slot & TIMES).min(TIMES - 1) + 1 } else { 0 };
        *slot = stand | times;
        times as u32
    }
}

/// The running thread, whose stack is in use from `start` on, has come to where it had been: if the whole program has, whoever
/// has moved since then rests. Whether that is so.
#[cold]
pub fn look(runtime: &mut Runtime, start: u64) -> bool {
    if runtime.section != NOBODY {
        return false;
    }
    let Some(sum) = sum(runtime, start) else { return false };
    let step = runtime.log.count();
    let Some(since) = runtime.laps.note(sum, step) else { return false };
    let mut rests = false;
    for index in 0..runtime.threads {
        let leaves = runtime.table[index as usize].pending.op == Op::Exit as u8;
        if !leaves && offer::of(runtime, index) != 0 && runtime.log.has_moved(index, since) {
            runtime.table[index as usize].rest();
            runtime.laps.resting += 1;
            rests = true;
        }
    }
    if rests {
        runtime.stale = true;
        (super::state::header().inexact, super::state::header().laps) = (1, 1);
    }
    rests
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

/// A number that stands for the state of the program, unless that is too large.
fn sum(runtime: &Runtime, start: u64) -> Option<u64> {
    const MULTIPLIER: u64 = 0xff51_afd7_ed55_8ccd;
    let looks_at_clocks = runtime.private.contains(CLOCKS);
    let mut sum = u64::from(runtime.threads);
    let mut add = |number: u64| sum = (sum.rotate_left(23) ^ number).wrapping_mul(MULTIPLIER);
    for (index, thread) in runtime.table[..runtime.threads as usize].iter().enumerate() {
        add(u64::from(thread.finished) | u64::from(thread.joined) << 1 | u64::from(thread.detached) << 2);
        if thread.finished {
            continue;
        }
        // SAFETY: a thread that has not ended has called a function of ours, on its own stack.
        let frame = unsafe { &raw const (*thread.frame).r15 } as u64;
        let from = if index as u32 == runtime.current { start } else { frame };
        if thread.stack_end().wrapping_sub(from) > MOST_STACK {
            return None;
        }
        add(print(from, thread.stack_end()));
        let (low, _) = runtime.tls.range(thread.base);
        add(print(low, thread.base as u64));
        let keys = runtime.tls.keys(thread.base) as u64;
        add(print(keys, keys + u64::from(thread.keys) * 8));
        let signals = runtime.tls.signals(thread.base);
        add(print(signals, signals + super::delivery::BYTES as u64));
        // Whoever sleeps in the loop gets on, as far as the time goes; but that it does shows only to who looks at a clock.
        if looks_at_clocks {
            add(thread.clock);
        }
        add(thread.pending.object ^ u64::from(thread.pending.op) << 56);
        if thread.waits != Waits::No {
            add(thread.on ^ u64::from(thread.woken));
            // Who has waited longest is woken first.
            let before =
                |other: &super::state::Thread| other.waits != Waits::No && other.ticket < thread.ticket;
            add(runtime.table[..runtime.threads as usize].iter().filter(|other| before(other)).count() as u64);
        }
    }
    add(u64::from(runtime.heap.own_live));
    runtime.heap.each_live(runtime.slots, |slot, number| add(u64::from(slot) << 32 | u64::from(number)));
    let mut bytes = 0;
    let mut data = |start: u64, end: u64| {
        bytes += end - start;
        if bytes <= MOST_BYTES {
            add(print(start, end));
        }
    };
    runtime.memory.each_written(&mut data);
    runtime.heap.each_used(runtime.slots, &mut data);
    if bytes > MOST_BYTES {
        return None;
    }
    Some(sum)
}
