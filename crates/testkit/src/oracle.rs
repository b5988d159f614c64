//! Explores a program as plainly as can be: a map of the states seen and a queue of places.
//!
//! Searches are compared with it, so it shares no code with them. It keeps whole states and is slow.

use sojourner_program::{Choice, Detail, Encode, Encoded, Fault, Kind, Load, Program, Step, Target};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Everything there is to know of a program.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    /// The states, in the form that travels between machines.
    pub states: BTreeSet<Vec<u8>>,
    /// The number of transitions; those back to their own state count, and so do those that fail.
    pub transitions: u64,
    /// The states without choices.
    pub end_states: BTreeSet<Vec<u8>>,
    /// Every finding: of a state or of a transition.
    pub findings: BTreeSet<(Kind, String)>,
    /// The goals that are reached somewhere.
    pub goals: BTreeSet<String>,
    /// The greatest distance of a state from the start.
    pub depth: usize,
    /// For each finding the least number of steps that leads to it.
    pub shortest: HashMap<(Kind, String), usize>,
}

/// Explores all of the program.
pub fn explore<L>(load: &L) -> Result<Oracle, Fault>
where
    L: Load,
    L::P: Encode,
{
    let mut oracle = Oracle::default();
    let mut program = load.open()?;
    let mut queue = VecDeque::new();
    let mut step = Step::new(Detail::Outcome);
    oracle.states.insert(wire(&mut program));
    queue.push_back((program.here(), 0));
    while let Some((place, depth)) = queue.pop_front() {
        program.go(&place)?;
        let choices = oracle.visit(&mut program, depth);
        for choice in choices {
            program.go(&place)?;
            program.step(choice, &mut step)?;
            oracle.transitions += 1;
            if let Some(finding) = step.finding.take() {
                oracle.found((finding.kind, finding.message), depth + 1);
            } else if oracle.states.insert(wire(&mut program)) {
                queue.push_back((program.here(), depth + 1));
            }
        }
    }
    Ok(oracle)
}

impl Oracle {
    /// The number of different states.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Looks at the state that the program is in and gives its choices.
    fn visit<P: Encode>(&mut self, program: &mut P, depth: usize) -> Vec<Choice> {
        self.depth = self.depth.max(depth);
        let mut choices = Vec::new();
        program.choices(&mut choices);
        if let Some(finding) = program.judge(choices.is_empty()) {
            self.found((finding.kind, finding.message), depth);
        }
        if choices.is_empty() {
            self.end_states.insert(wire(program));
        }
        for (i, goal) in program.goals().into_iter().enumerate() {
            if program.distance(Target::Goal(i)) == Some(0) {
                self.goals.insert(goal);
            }
        }
        choices
    }

    fn found(&mut self, finding: (Kind, String), depth: usize) {
        // Breadth first: the first time is the nearest.
        self.shortest.entry(finding.clone()).or_insert(depth);
        self.findings.insert(finding);
    }
}

/// The state that the program is in, as bytes.
pub fn wire<P: Encode>(program: &mut P) -> Vec<u8> {
    let mut encoded = Encoded::new();
    program.encode(&mut encoded);
    let mut bytes = Vec::new();
    encoded.to_wire(&mut bytes);
    bytes
}
