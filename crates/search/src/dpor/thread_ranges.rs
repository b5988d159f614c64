//! The steps of a wake-up sequence, as one range for each thread.
//!
//! The steps of one thread in a sequence are consecutive. They begin with its first step behind the state where the sequence begins, and
//! end before its first step that happens after the race. So two numbers for each thread describe the sequence. Binary search finds
//! them, while listing the steps takes time in proportion to the execution. Executions may have as many races as steps.

use super::clock;
use super::effect::{Effect, PlannedStep};
use super::history::History;
use super::reversal::{LastStep, Reversal};
use foldhash::fast::FixedState;
use sojourner_program::{Choice, Footprint};
use std::hash::BuildHasher;

/// The steps of an execution by thread. [`History`] makes it when it is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// How many steps of the execution it holds.
    steps: usize,
    threads: Vec<Vec<Entry>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    place: u32,
    /// The sum of what stands for each step of the thread up to this one, with all that happened before it.
    sum: u128,
}

impl Index {
    /// Adds the steps that the history has and the index lacks.
    pub fn extend(&mut self, history: &History) {
        let hashers = [FixedState::with_seed(1), FixedState::with_seed(2)];
        self.threads.resize(history.clocks().threads().max(self.threads.len()), Vec::new());
        for at in self.steps..history.len() {
            let step = (history.event(at).choice, trimmed(history.clocks().of(at)));
            let [high, low] = hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(step)));
            let entries = &mut self.threads[history.mark(at).thread as usize];
            let before = entries.last().map_or(0, |entry| entry.sum);
            entries.push(Entry { place: at as u32, sum: before.wrapping_add(high << 64 | low) });
        }
        self.steps = history.len();
    }

    /// Goes back to where that many steps had been taken, so many by each thread.
    pub fn truncate(&mut self, steps: usize, by_thread: &[u32]) {
        if self.steps > steps {
            self.steps = steps;
            for (entries, &taken) in self.threads.iter_mut().zip(by_thread) {
                entries.truncate(taken as usize);
            }
        }
    }
}

/// A clock without the threads at its end that have done nothing: the same before and after others are created.
fn trimmed(clock: &[u32]) -> &[u32] {
    let len = clock.iter().rposition(|&steps| steps > 0).map_or(0, |last| last + 1);
    &clock[..len]
}

/// The steps of a thread in a sequence, by their numbers in the thread, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadRange {
    pub first: u32,
    /// Where the steps end that the last step of the sequence happens after.
    pub short: u32,
    /// Where the steps end that do not happen after the race.
    pub whole: u32,
}

/// The steps in a sequence, but for the last one. Keeps its memory from one time to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadRanges {
    ranges: Vec<ThreadRange>,
    clock: Vec<u32>,
    /// The sum of what stands for the steps of the shortest sequence. With 128 bits, two sequences with the same sum are the same.
    pub sum: u128,
}

impl ThreadRanges {
    pub fn ranges(&self) -> &[ThreadRange] {
        &self.ranges
    }

    /// Whether the last step of the sequence could come first.
    pub fn is_empty(&self) -> bool {
        self.ranges.iter().all(|range| range.first == range.short)
    }

    /// Finds the steps in a sequence. `taken`: whether its last step is one of the execution. False: the last step may touch anything,
    /// and the steps have to be looked at one by one.
    pub fn find(&mut self, sequence: &Reversal<'_>, taken: bool) -> bool {
        let Reversal { history, from, until, at, effect, past, .. } = *sequence;
        let Some(accesses) = effect.footprint.accesses().filter(|_| !effect.ends) else { return false };
        self.clock.clear();
        self.clock.extend_from_slice(past);
        self.clock.resize(history.clocks().threads(), 0);
        let end = at.min(until);
        let is_beside = |step: usize| !history.leads_to(from, step) && !sequence.is_behind_others(step);
        for step in sequence.wanted(accesses, taken) {
            if !history.is_in(step, &self.clock) {
                clock::join(&mut self.clock, history.clocks().of(step));
            }
        }
        if !accesses.is_empty() {
            // Each of these happened before the next one.
            let anything = history.anything();
            let first = anything.partition_point(|&step| step as usize <= from);
            let beside = anything[first..].partition_point(|&step| {
                let step = step as usize;
                step < end && is_beside(step)
            });
            if beside > 0 {
                clock::join(&mut self.clock, history.clocks().of(anything[first + beside - 1] as usize));
            }
        }
        self.ranges.clear();
        self.sum = 0;
        for (entries, &before_last) in history.index().threads.iter().zip(&self.clock) {
            let first = entries.partition_point(|entry| entry.place as usize <= from);
            let beside = entries[first..].partition_point(|entry| {
                let step = entry.place as usize;
                step < until && is_beside(step)
            });
            let whole = first + beside;
            let short = (before_last as usize).min(whole).max(first);
            if short > first {
                let before = first.checked_sub(1).map_or(0, |before| entries[before].sum);
                self.sum = self.sum.wrapping_add(entries[short - 1].sum.wrapping_sub(before));
            }
            self.ranges.push(ThreadRange { first: first as u32, short: short as u32, whole: whole as u32 });
        }
        true
    }

    /// The place of the first step of the shortest sequence, if there is one but for the last.
    pub fn first(&self, history: &History) -> Option<usize> {
        let begun =
            (0..self.ranges.len()).filter(|&thread| self.ranges[thread].first < self.ranges[thread].short);
        begun.map(|thread| self.place(history, thread)).min()
    }

    /// The place of the first step of a thread behind the state where the sequence begins.
    fn place(&self, history: &History, thread: usize) -> usize {
        history.index().threads[thread][self.ranges[thread].first as usize].place as usize
    }

    /// Whether another step in the sequence happened before this one.
    fn is_behind(&self, history: &History, step: usize) -> bool {
        let own = history.mark(step).thread as usize;
        let clock = history.clocks().of(step).iter().zip(&self.ranges).enumerate();
        clock.into_iter().any(|(thread, (&steps, range))| thread != own && steps > range.first)
    }

    /// Whether it is plain that a step, from the state where the sequence begins, could not come first in the shortest sequence. If not, the
    /// steps of the sequence have to be compared with it.
    pub fn rules_out(&self, history: &History, step: &PlannedStep, last: LastStep<'_>) -> bool {
        let thread = step.choice.thread;
        let range = self.ranges.get(thread.0 as usize).copied().unwrap_or_default();
        if range.first < range.short {
            let at = self.place(history, thread.0 as usize);
            let event = history.event(at);
            if !step.guessed && event.choice != step.choice {
                return true;
            }
            // What happened before it, and is in the sequence, is or leads to something that it depends on.
            return !step.effect.ends
                && event.effect.footprint == step.effect.footprint
                && self.is_behind(history, at);
        }
        if thread == last.choice.thread {
            return !(step.guessed || last.guessed || last.choice == step.choice);
        }
        step.effect.depends(last.effect)
    }

    /// The steps of the whole sequence that nothing in it happened before, as [`Reversal::initials`] lists them.
    pub fn initials(&self, history: &History, last: Choice, out: &mut Vec<Choice>) {
        let begun =
            (0..self.ranges.len()).filter(|&thread| self.ranges[thread].first < self.ranges[thread].whole);
        let mut places: Vec<usize> = begun.map(|thread| self.place(history, thread)).collect();
        places.retain(|&at| !self.is_behind(history, at));
        places.sort_unstable();
        out.clear();
        out.extend(places.into_iter().map(|at| history.event(at).choice));
        if self.is_empty() {
            out.push(last);
        }
    }

    /// What a step that can come first touches then, as [`Reversal::effect_of`] finds it.
    pub fn effect_of(&self, sequence: &Reversal<'_>, initial: Choice) -> Effect {
        let thread = initial.thread.0 as usize;
        let range =
            self.ranges.get(thread).filter(|range| range.first < range.whole && initial != sequence.last);
        let event = range.map(|_| sequence.history.event(self.place(sequence.history, thread)));
        event.map_or(Effect::of(Footprint::Unknown), |event| event.effect.clone())
    }

    /// The places of the shortest sequence, one by one.
    #[cfg(test)]
    pub fn places(&self, history: &History) -> Vec<u32> {
        let threads = history.index().threads.iter().zip(&self.ranges);
        let ranges =
            threads.flat_map(|(entries, range)| &entries[range.first as usize..range.short as usize]);
        let mut places: Vec<u32> = ranges.map(|entry| entry.place).collect();
        places.sort_unstable();
        places
    }
}
