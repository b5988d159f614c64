//! The graph of a program's states, explored as plainly as can be, and what it says of executions that go on for ever.
//!
//! Everything here is computed from reachability, state by state, and shares no code with the searches.

use crate::oracle::wire;
use sojourner_program::{Detail, Encode, Fault, Load, Program, Step, ThreadId};
use std::collections::{BTreeSet, HashMap};

/// For each state its successors, by thread. A step that fails has none.
pub struct Graph(Vec<Vec<(ThreadId, Option<usize>)>>);

impl Graph {
    /// The graph of all states.
    pub fn of<L: Load<P: Encode>>(load: &L) -> Result<Graph, Fault> {
        let mut program = load.open()?;
        let mut step = Step::new(Detail::Outcome);
        let (mut numbers, mut places) = (HashMap::from([(wire(&mut program), 0)]), vec![program.here()]);
        let mut edges = Vec::new();
        while let Some(place) = places.get(edges.len()).cloned() {
            program.go(&place)?;
            let (mut choices, mut out) = (Vec::new(), Vec::new());
            program.choices(&mut choices);
            for choice in choices {
                program.go(&place)?;
                program.step(choice, &mut step)?;
                if step.finding.take().is_some() {
                    out.push((choice.thread, None));
                    continue;
                }
                let next = places.len();
                let to = *numbers.entry(wire(&mut program)).or_insert(next);
                if to == next {
                    places.push(program.here());
                }
                out.push((choice.thread, Some(to)));
            }
            edges.push(out);
        }
        Ok(Graph(edges))
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an execution ends in that state, or fails there.
    fn ends(&self, state: usize) -> bool {
        self.0[state].is_empty() || self.0[state].iter().any(|(_, to)| to.is_none())
    }

    /// Whether some execution ends.
    pub fn has_end(&self) -> bool {
        (0..self.len()).any(|state| self.ends(state))
    }

    /// Whether there is a state from which no execution ends.
    pub fn has_trap(&self) -> bool {
        let mut ends: Vec<bool> = (0..self.len()).map(|state| self.ends(state)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for state in 0..self.len() {
                if !ends[state] && self.0[state].iter().any(|(_, to)| to.is_some_and(|to| ends[to])) {
                    ends[state] = true;
                    changed = true;
                }
            }
        }
        ends.contains(&false)
    }

    /// Whether an execution can go round all states that lead to each other, for ever, without starving a thread.
    pub fn has_livelock(&self) -> bool {
        let from = |start: usize| {
            let (mut seen, mut rest) = (BTreeSet::new(), vec![start]);
            while let Some(state) = rest.pop() {
                let next = self.0[state].iter().filter_map(|(_, to)| *to);
                rest.extend(next.filter(|&to| seen.insert(to)));
            }
            seen
        };
        let reach: Vec<BTreeSet<usize>> = (0..self.len()).map(from).collect();
        let threads: BTreeSet<ThreadId> = self.0.iter().flatten().map(|(thread, _)| *thread).collect();
        (0..self.len()).filter(|&state| reach[state].contains(&state)).any(|state| {
            let together: BTreeSet<usize> =
                reach[state].iter().copied().filter(|&to| reach[to].contains(&state)).collect();
            threads.iter().all(|thread| {
                let moves = |&state: &usize| {
                    let within = |to: &Option<usize>| to.is_some_and(|to| together.contains(&to));
                    self.0[state].iter().any(|(by, to)| by == thread && within(to))
                };
                let able = |&state: &usize| self.0[state].iter().any(|(by, _)| by == thread);
                together.iter().any(moves) || !together.iter().all(able)
            })
        })
    }
}
