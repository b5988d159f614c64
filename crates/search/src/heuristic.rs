//! Heuristics rank states: how soon a finding may lie behind one.

use crate::Past;
use sojourner_program::{Choice, Program, Target};

/// Ranks states. The smallest rank is looked at first.
pub(crate) trait Heuristic<P: Program> {
    /// The rank of the state that the program is in.
    fn rank(&mut self, program: &mut P, past: Past, depth: usize, choices: &[Choice]) -> u64;
}

/// The heuristics by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicKind {
    /// Fewer threads that can move first: towards deadlocks (Groce & Visser's most-blocked).
    MostBlocked,
    /// What the program itself estimates; states of which it knows nothing come last.
    Distance,
    /// Fewer context switches first, then fewer steps.
    Switches,
}

impl HeuristicKind {
    /// Every heuristic with its name and a word of explanation.
    pub const ALL: [(HeuristicKind, &'static str, &'static str); 3] = [
        (HeuristicKind::MostBlocked, "most-blocked", "fewest threads that can move"),
        (HeuristicKind::Distance, "distance", "the program's own estimate"),
        (HeuristicKind::Switches, "switches", "fewest context switches, then fewest steps"),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).expect("every kind is listed").1
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
