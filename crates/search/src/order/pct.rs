//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010).
//!
//! Each execution gives its threads random priorities and runs the highest that can move; at `d - 1` random
//! steps the running thread drops below all others. A defect that needs `d` ordering constraints is hit with
//! probability at least `1 / (n k^(d-1))` for `n` threads and `k` steps.

use super::{Order, favour};
use crate::{Past, Reach};
use sojourner_program::{Choice, Fault, Program, Random};
use std::sync::Arc;

/// The order of probabilistic concurrency testing.
pub(crate) struct Pct {
    depth: usize,
    random: Random,
    /// By thread: its priority in this execution, if it has appeared.
    priorities: Vec<Option<u64>>,
    /// The steps at which a thread drops, in order.
    changes: Vec<usize>,
    steps: usize,
    /// The longest execution so far: what `k` is taken to be.
    longest: usize,
    /// Where executions are cut now. Longer ones were tried in vain, and say nothing about `k`.
    reach: Option<Arc<Reach>>,
}

/// Initial priorities have this bit, so that those given at change points are below all of them.
const INITIAL: u64 = 1 << 63;

impl Pct {
    /// Finds defects of depth `depth`, at least 1.
    pub fn new(depth: usize, random: Random, reach: Option<Arc<Reach>>) -> Self {
        Pct { depth, random, priorities: Vec::new(), changes: Vec::new(), steps: 0, longest: 0, reach }
    }

    fn priority(&mut self, choice: &Choice) -> u64 {
        let thread = choice.thread.0 as usize;
        if thread >= self.priorities.len() {
            self.priorities.resize(thread + 1, None);
        }
        *self.priorities[thread].get_or_insert_with(|| INITIAL | self.random.bits())
    }

    fn highest(&mut self, choices: &[Choice]) -> Option<Choice> {
        choices.iter().copied().max_by_key(|choice| self.priority(choice))
    }
}

impl<P: Program> Order<P> for Pct {
    fn begin(&mut self) {
        let cut = self.reach.as_ref().map_or(usize::MAX, |reach| reach.steps() as usize);
        self.longest = self.longest.max(self.steps).min(cut);
        self.steps = 0;
        self.priorities.clear();
        self.changes.clear();
        for _ in 1..self.depth {
            self.changes.push(self.random.below(self.longest.max(1)));
        }
        // The last is taken first.
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn arrange(&mut self, _: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        while self.changes.last().is_some_and(|&step| step <= self.steps) {
            self.changes.pop();
            if let Some(running) = self.highest(choices) {
                // Lower at each change point: the number of those still to come.
                self.priorities[running.thread.0 as usize] = Some(self.changes.len() as u64);
            }
        }
        self.steps += 1;
        if let Some(highest) = self.highest(choices) {
            favour(highest.thread, choices, &mut self.random);
        }
        Ok(())
    }
}
