//! Heuristics rank states: how soon a finding may lie behind one.

use crate::Past;
use sojourner_names::names;
use sojourner_program::{Choice, Program, Target};

/// Ranks states. The smallest rank is looked at first.
pub(crate) trait Heuristic<P: Program> {
    /// The rank of the state that the program is in.
    fn rank(&mut self, program: &mut P, past: Past, depth: usize, choices: &[Choice]) -> u64;
}

names! {
    /// The heuristics by name. `most-blocked` is Groce & Visser's. `distance` is what the program itself estimates; states of which it
    /// knows nothing come last.
    pub enum HeuristicKind ("heuristic") {
        /// fewest threads that can move: towards deadlocks
        MostBlocked = "most-blocked",
        /// the program's own estimate of the distance to a finding
        Distance = "distance",
        /// fewest context switches, then fewest steps
        Switches = "switches",
    }
}

impl<P: Program> Heuristic<P> for HeuristicKind {
    fn rank(&mut self, program: &mut P, past: Past, depth: usize, choices: &[Choice]) -> u64 {
        match self {
            HeuristicKind::MostBlocked => {
                // Choices come by thread.
                choices.chunk_by(|a, b| a.thread == b.thread).count() as u64
            }
            HeuristicKind::Distance => program.distance(Target::Finding).map_or(u64::MAX, u64::from),
            HeuristicKind::Switches => u64::from(past.switches()) << 32 | depth as u64,
        }
    }
}
