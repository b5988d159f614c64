//! The path of a worker: the states from the start to where it is, and the steps between.

use super::effect::PlannedStep;
use super::history::History;
use super::node::{Node, Opened, SharedState, begin_with, left_to_others};
use crate::Past;
use crate::memory::capacity;
use sojourner_program::{Choice, Schedule};
use std::sync::{Arc, Mutex};

/// The path of a worker.
#[derive(Default)]
pub(crate) struct Path {
    pub history: History,
    /// One state more than there are steps, but where the last step failed.
    pub states: States,
}

/// The states of a path, with what is open in them. What belongs to a state lies in vectors for all of them.
#[derive(Default)]
pub(crate) struct States {
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    asleep: Vec<PlannedStep>,
}

struct Frame {
    choices: usize,
    asleep: usize,
    local: Local,
    node: Node,
}

/// What a worker knows of a state on its path.
#[derive(Clone)]
pub(crate) struct Local {
    /// The number of the branch that it is on.
    pub branch: usize,
    /// Whether one step at a time is planned here.
    pub stepwise: bool,
    /// How it was reached, as far as a bound on preemptions asks for that.
    pub past: Past,
}

impl Default for Local {
    fn default() -> Self {
        Local { branch: 0, stepwise: false, past: Past::START }
    }
}

/// A state of a path.
pub(crate) struct State<'a> {
    pub choices: &'a [Choice],
    /// What need not be taken from here, because it was in a state before, and nothing since depends on it.
    pub asleep: &'a [PlannedStep],
    pub local: &'a mut Local,
    pub node: &'a mut Node,
}

impl Path {
    /// About how many bytes it takes, with what is planned in its states.
    pub fn bytes(&self) -> u64 {
        self.history.bytes() + self.states.bytes()
    }

    /// The choices that were taken.
    pub fn schedule(&self) -> Schedule {
        self.history.events().iter().map(|event| event.choice).collect()
    }

    /// A copy of the path to the state at that depth, for a worker that plans by itself.
    pub fn copy(&mut self, depth: usize) -> Path {
        let Path { history, states } = self;
        let mut copy = Path { history: history.clone(), states: States::default() };
        copy.history.truncate(depth);
        for at in 0..=depth {
            let State { choices, asleep, local, node } = states.at(at);
            let branches = node.with(|branches| {
                begin_with(branches, history.event(at));
                left_to_others(branches)
            });
            copy.states.push(asleep, Node::Own(branches), |all| all.extend_from_slice(choices));
            *copy.states.at(at).local = local.clone();
        }
        copy
    }

    /// Makes the states up to that depth ones that several workers can have on their paths.
    pub fn share(&mut self, depth: usize) -> Vec<Arc<SharedState>> {
        let Path { history, states } = self;
        let mut joints: Vec<Arc<SharedState>> = Vec::new();
        let mut branch = 0;
        for at in 0..=depth {
            let State { asleep, local, node, .. } = states.at(at);
            if let Node::Own(branches) = node {
                begin_with(branches, history.event(at));
                let branches = std::mem::take(branches);
                *node = Node::Shared(Arc::new(SharedState {
                    before: joints.last().map(|before| (Arc::downgrade(before), branch)),
                    asleep: asleep.to_vec(),
                    stepwise: local.stepwise,
                    open: Mutex::new(Opened { branches, workers: 1 }),
                }));
            }
            if let Node::Shared(joint) = node {
                joints.push(Arc::clone(joint));
            }
            branch = local.branch;
        }
        joints
    }
}

impl States {
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    fn bytes(&self) -> u64 {
        let planned: u64 = self.frames.iter().map(|frame| frame.node.bytes()).sum();
        capacity(&self.frames) + capacity(&self.choices) + capacity(&self.asleep) + planned
    }

    /// Appends a state. `offer` appends its choices.
    pub fn push(&mut self, asleep: &[PlannedStep], node: Node, offer: impl FnOnce(&mut Vec<Choice>)) {
        let (choices, asleep_from) = (self.choices.len(), self.asleep.len());
        self.frames.push(Frame { choices, asleep: asleep_from, local: Local::default(), node });
        self.asleep.extend_from_slice(asleep);
        offer(&mut self.choices);
    }

    /// Drops the last state.
    pub fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.choices.truncate(frame.choices);
            self.asleep.truncate(frame.asleep);
        }
    }

    /// The state at that depth.
    pub fn at(&mut self, depth: usize) -> State<'_> {
        let States { frames, choices, asleep } = self;
        let next = frames.get(depth + 1);
        let ends = next.map_or((choices.len(), asleep.len()), |next| (next.choices, next.asleep));
        let Frame { choices: first, asleep: first_asleep, local, node } = &mut frames[depth];
        let (choices, asleep) = (&choices[*first..ends.0], &asleep[*first_asleep..ends.1]);
        State { choices, asleep, local, node }
    }
}
