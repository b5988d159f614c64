//! The priority queue of a guided search (Rungta & Mercer 2007, Figure 2).

use super::log::{Log, Mark};
use super::{Arrival, Frontier, Next, Picker};
use crate::ahead::UNKNOWN;
use crate::heuristic::Heuristic;
use crate::{Past, Reason};
use sojourner_program::{Choice, Fault, Program, Random, Schedule};
use std::collections::BTreeMap;

/// Which of several states with the best rank is worked on first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one that was reached first.
    Age,
    /// Any, equally likely: a random second key.
    Random,
    /// Any of the n best, whatever their ranks.
    Best(usize),
}

/// A state in the queue.
struct Open<Place> {
    place: Place,
    past: Past,
    depth: usize,
    mark: Mark,
}

/// Rank, random key, age: the smallest comes first.
type Rank = (u64, u64, u64);

/// The frontier of best-first search.
pub(crate) struct Heap<'a, P: Program> {
    queue: BTreeMap<Rank, Open<P::Place>>,
    bound: Option<usize>,
    heuristic: Box<dyn Heuristic<P> + 'a>,
    ties: Ties,
    random: Random,
    opened: u64,
    log: Log,
    mark: Mark,
    past: Past,
    depth: usize,
    choices: Vec<Choice>,
    taken: usize,
}

impl<'a, P: Program> Heap<'a, P> {
    /// Ranks states by `heuristic` and keeps at most `bound` of them, the best.
    pub fn new(
        heuristic: Box<dyn Heuristic<P> + 'a>,
        ties: Ties,
        bound: Option<usize>,
        random: Random,
    ) -> Self {
        Heap {
            queue: BTreeMap::new(),
            bound,
            heuristic,
            ties,
            random,
            opened: 0,
            log: Log::default(),
            mark: Mark::START,
            past: Past::START,
            depth: 0,
            choices: Vec::new(),
            taken: 0,
        }
    }

    fn pop(&mut self) -> Option<Open<P::Place>> {
        let Ties::Best(n) = self.ties else { return self.queue.pop_first().map(|(_, open)| open) };
        let nth = self.random.below(n.min(self.queue.len()));
        let rank = *self.queue.keys().nth(nth)?;
        self.queue.remove(&rank)
    }
}

impl<P: Program> Frontier<P> for Heap<'_, P> {
    fn open(&mut self, program: &mut P, at: Arrival<'_>, picker: &mut Picker<'_, P>) -> Result<(), Fault> {
        let Arrival { past, depth, choices } = at;
        if choices.is_empty() {
            return Ok(());
        }
        let mark = match depth {
            0 => Mark::START,
            _ => self.log.push((self.mark, self.choices[self.taken - 1])),
        };
        let rank = self.heuristic.rank(program, past, depth, choices);
        let key = if self.ties == Ties::Random { self.random.bits() } else { 0 };
        self.opened += 1;
        self.queue.insert((rank, key, self.opened), Open { place: program.here(), past, depth, mark });
        if let Some(bound) = self.bound
            && self.queue.len() > bound
        {
            self.queue.pop_last();
            picker.control.cut(Reason::Frontier(bound));
        }
        Ok(())
    }

    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault> {
        loop {
            if let Some(&choice) = self.choices.get(self.taken) {
                self.taken += 1;
                let past = self.past.after(choice);
                return Ok(Some(Next { choice, past, depth: self.depth + 1, from: 0, print: UNKNOWN }));
            }
            let Some(open) = self.pop() else { return Ok(None) };
            (self.mark, self.depth, self.taken) = (open.mark, open.depth, 0);
            program.go(&open.place)?;
            self.choices.clear();
            program.choices(&mut self.choices);
            self.past = picker.prepare(program, open.past, open.depth, &mut self.choices)?;
        }
    }

    fn path(&self) -> Schedule {
        let mut path = self.log.path(self.mark);
        path.extend(self.choices.get(self.taken.wrapping_sub(1)));
        path
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
