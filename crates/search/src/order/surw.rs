//! Selectively uniform random walk (Zhao et al. 2025).
//!
//! A random walk favours interleavings in which short threads end early. If each thread is drawn in proportion to the events
//! that it still has to make, every interleaving is equally likely. The selective walk does that for the accesses to a few
//! shared objects, which are drawn anew for each execution. A thread that is about to access one of them waits for its turn.
//! All other steps are taken at random. How many accesses a thread makes is learned from the execution before.

mod counts;

use self::counts::{Counts, Selection};
use super::{Order, favour};
use crate::Past;
use foldhash::HashMap;
use sojourner_program::{Choice, Detail, Fault, Program, Random, Status, Step, Thread, ThreadId};

/// The order of the selectively uniform random walk.
pub(crate) struct Surw {
    /// Whether all events are always selected.
    all: bool,
    random: Random,
    /// What the execution before has shown, and what this one shows.
    learned: Counts,
    counting: Counts,
    selected: Selection,
    /// By thread: the selected events that it and its descendants make in the whole execution, as far as is known.
    expected: HashMap<ThreadId, u64>,
    /// By thread: those that it has left, with those of the descendants that it is still to create.
    remaining: Vec<u64>,
    /// The thread that makes the next selected event.
    intended: Option<ThreadId>,
    /// Steps since a thread was drawn for that.
    waited: u32,
    threads: Vec<Thread>,
}

/// An execution selects at most so many objects.
const MOST_OBJECTS: usize = 3;

/// One execution of so many selects all events: some defects are in the order of everything.
const ALL_IN: usize = 4;

/// A thread may spin until another one goes on that waits for its turn. After so many steps a turn is drawn anew.
const PATIENCE: u32 = 200;

impl Surw {
    /// With `all`, every step is selected in every execution.
    pub fn new(all: bool, random: Random) -> Self {
        Surw {
            all,
            random,
            learned: Counts::default(),
            counting: Counts::default(),
            selected: Selection::All,
            expected: HashMap::default(),
            remaining: Vec::new(),
            intended: None,
            waited: 0,
            threads: Vec::new(),
        }
    }

    /// Selects objects that several threads have accessed.
    fn select(&mut self) -> Selection {
        let mut shared = self.learned.shared();
        if self.all || shared.is_empty() || self.random.below(ALL_IN) == 0 {
            return Selection::All;
        }
        let count = 1 + self.random.below(MOST_OBJECTS.min(shared.len()));
        self.random.shuffle(&mut shared);
        Selection::Objects(shared.into_iter().take(count).collect())
    }

    fn remaining(&self, thread: ThreadId) -> u64 {
        self.remaining.get(thread.0 as usize).copied().unwrap_or(0)
    }

    fn remaining_mut(&mut self, thread: ThreadId) -> &mut u64 {
        let index = thread.0 as usize;
        if index >= self.remaining.len() {
            self.remaining.resize(index + 1, 0);
        }
        &mut self.remaining[index]
    }

    /// Draws one of the threads in proportion to what each has left, taken to be at least `least`. `None`: nothing is left.
    fn draw(&mut self, threads: &[ThreadId], least: u64) -> Option<ThreadId> {
        let weights: Vec<u64> = threads.iter().map(|&thread| self.remaining(thread).max(least)).collect();
        let mut at = self.random.below(weights.iter().sum::<u64>() as usize) as u64;
        threads.iter().zip(weights).find_map(|(&thread, weight)| {
            let hit = at < weight;
            at = at.saturating_sub(weight);
            hit.then_some(thread)
        })
    }

    /// The thread that moves next: the one whose turn it is, or any that does not wait for its turn.
    fn next(&mut self, runnable: &[ThreadId]) -> Option<ThreadId> {
        if self.intended.is_none() {
            let alive = self.threads.iter().filter(|thread| thread.status != Status::Finished);
            let alive: Vec<ThreadId> = alive.map(|thread| thread.id).collect();
            (self.intended, self.waited) = (self.draw(&alive, 0), 0);
        }
        let (mut held, mut free) = (Vec::new(), Vec::new());
        for thread in self.threads.iter().filter(|thread| runnable.binary_search(&thread.id).is_ok()) {
            let waits = self.intended != Some(thread.id) && self.selected.events(&thread.pending) > 0;
            if waits { &mut held } else { &mut free }.push(thread.id);
        }
        self.waited += 1;
        if !free.is_empty() && (held.is_empty() || self.waited <= PATIENCE) {
            return free.get(self.random.below(free.len())).copied();
        }
        // The thread whose turn it is cannot move, or goes on without an event: one of those that wait takes the turn.
        (self.intended, self.waited) = (self.draw(&held, 1), 0);
        self.intended
    }
}

impl<P: Program> Order<P> for Surw {
    fn begin(&mut self) {
        let counted = std::mem::take(&mut self.counting);
        if !counted.is_empty() {
            self.learned = counted;
        }
        self.selected = self.select();
        self.expected = self.learned.with_descendants(&self.selected);
        self.remaining.clear();
        let first: Vec<ThreadId> = self.learned.first_threads().collect();
        for thread in first {
            *self.remaining_mut(thread) = self.expected.get(&thread).copied().unwrap_or(0);
        }
        self.intended = None;
    }

    fn detail(&self) -> Detail {
        Detail::Footprint
    }

    fn stepped(&mut self, choice: Choice, step: &Step) {
        self.counting.note(choice.thread, step);
        let events = self.selected.events(&step.footprint);
        if events > 0 {
            self.intended = None;
        }
        let mut gone = events;
        for child in &step.created {
            let events = self.expected.get(child).copied().unwrap_or(0);
            *self.remaining_mut(*child) = events;
            gone += events;
        }
        let left = self.remaining_mut(choice.thread);
        *left = left.saturating_sub(gone);
    }

    fn arrange(&mut self, program: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        let mut runnable: Vec<ThreadId> = choices.iter().map(|choice| choice.thread).collect();
        runnable.sort_unstable();
        runnable.dedup();
        let next = if runnable.len() < 2 {
            runnable.first().copied()
        } else if self.learned.is_empty() {
            runnable.get(self.random.below(runnable.len())).copied()
        } else {
            self.threads.clear();
            program.threads(&mut self.threads);
            self.next(&runnable)
        };
        if let Some(thread) = next {
            favour(thread, choices, &mut self.random);
        }
        Ok(())
    }
}
