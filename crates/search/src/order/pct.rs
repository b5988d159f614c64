//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010).
//!
//! Each execution gives its threads random priorities and runs the highest that can move. At `d - 1` random steps the
//! running thread drops below all initial priorities. A defect that needs `d` ordering constraints is hit with
//! probability at least `1 / (n k^(d-1))` for `n` threads and `k` steps.
//!
//! A step at which only one thread can move leaves nothing to decide, so `k` counts the other steps only. To drop a thread
//! where it is alone has the same effect as to drop it at the next step that counts.

use super::{Order, favour};
use crate::{Past, Reach};
use sojourner_program::{Choice, Fault, Program, Random, ThreadId};
use std::sync::Arc;

/// The order of probabilistic concurrency testing.
pub(crate) struct Pct {
    depth: Depth,
    random: Random,
    /// By thread: its priority in this execution, if it has appeared.
    priorities: Vec<Option<u64>>,
    /// The steps at which a thread drops with the priorities to which it drops, the last one first.
    changes: Vec<(usize, u64)>,
    /// The steps of this execution at which several threads could move.
    contested: usize,
    /// The most such steps of an execution so far: what `k` is taken to be.
    longest: usize,
    /// Where executions are cut now. Longer ones were tried in vain, and say nothing about `k`.
    reach: Option<Arc<Reach>>,
}

/// For which depth of defects an execution is made.
enum Depth {
    Fixed(usize),
    /// From 1 to [`DEEPEST`] and again: the depth that the next execution is made for.
    Cycling(usize),
}

/// Few known defects are deeper, and for a deeper one the guarantee is hardly worth anything.
const DEEPEST: usize = 5;

/// Initial priorities have this bit, so that those given at change points are below all of them.
const INITIAL: u64 = 1 << 63;

/// An execution is taken to spin if it becomes twice as long as the longest before it, but not before so many steps. From
/// there on all threads are equally likely: a thread that spins with the highest priority would never let another one go on.
/// What follows from there is taken to be as long as an execution without spinning.
const SPINS: usize = 1_000;

impl Pct {
    /// Finds defects of that depth, at least 1. Without a depth, executions are made for one depth after the other.
    pub fn new(depth: Option<usize>, random: Random, reach: Option<Arc<Reach>>) -> Self {
        let depth = depth.map_or(Depth::Cycling(1), Depth::Fixed);
        Pct { depth, random, priorities: Vec::new(), changes: Vec::new(), contested: 0, longest: 0, reach }
    }

    /// The depth for the execution that begins.
    fn next_depth(&mut self) -> usize {
        match &mut self.depth {
            Depth::Fixed(depth) => *depth,
            Depth::Cycling(next) => {
                let depth = *next;
                *next = depth % DEEPEST + 1;
                depth
            }
        }
    }

    /// The contested steps of an execution that is not taken to spin.
    fn most(&self) -> usize {
        SPINS.max(2 * self.longest)
    }

    /// Draws different steps, each set of them equally likely (Floyd's algorithm). Which of them drops a thread lowest is
    /// random as well: a defect may need the thread that dropped later to go on first.
    fn draw_changes(&mut self, count: usize) {
        let steps = self.longest.max(1);
        let count = count.min(steps);
        self.changes.clear();
        for last in steps - count..steps {
            let step = self.random.below(last + 1);
            let known = self.changes.iter().any(|&(taken, _)| taken == step);
            self.changes.push((if known { last } else { step }, 0));
        }
        let mut priorities: Vec<u64> = (0..count as u64).collect();
        self.random.shuffle(&mut priorities);
        for (change, priority) in self.changes.iter_mut().zip(priorities) {
            change.1 = priority;
        }
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn priority(&mut self, thread: ThreadId) -> u64 {
        let index = thread.0 as usize;
        if index >= self.priorities.len() {
            self.priorities.resize(index + 1, None);
        }
        *self.priorities[index].get_or_insert_with(|| INITIAL | self.random.bits())
    }

    fn highest(&mut self, choices: &[Choice]) -> Option<ThreadId> {
        choices.iter().map(|choice| choice.thread).max_by_key(|&thread| self.priority(thread))
    }
}

impl<P: Program> Order<P> for Pct {
    fn begin(&mut self) {
        let cut = self.reach.as_ref().map_or(usize::MAX, |reach| reach.steps() as usize);
        let spun = if self.contested > self.most() { self.most() } else { 0 };
        self.longest = self.longest.max(self.contested - spun).min(cut);
        self.contested = 0;
        self.priorities.clear();
        let depth = self.next_depth();
        self.draw_changes(depth - 1);
    }

    fn arrange(&mut self, _: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        let is_contested = choices.iter().any(|choice| choice.thread != choices[0].thread);
        if is_contested {
            self.contested += 1;
            if self.contested > self.most() {
                self.random.shuffle(choices);
                return Ok(());
            }
            while let Some((_, priority)) = self.changes.pop_if(|&mut (step, _)| step < self.contested) {
                if let Some(running) = self.highest(choices) {
                    self.priorities[running.0 as usize] = Some(priority);
                }
            }
        }
        if let Some(highest) = self.highest(choices) {
            favour(highest, choices, &mut self.random);
        }
        Ok(())
    }
}
