//! What is planned in a state.
//!
//! Branches are begun in the order in which they were planned. While a branch is explored, the first steps of the branches before it are
//! asleep: executions that begin with one of them are explored there (Godefroid 1996).
//!
//! In `optimal` the plan is a tree of sequences (Abdulla et al. 2014, wake-up trees). A branch has branches below it; a branch
//! without any is explored in full. A new sequence follows the branches whose steps could begin it. If it reaches a branch that is explored
//! in full, it need not be planned. Otherwise it is added where it has arrived.
//!
//! With several workers, another worker may already have begun a branch that a new sequence follows. The states along that branch
//! are then shared and linked from it, so that the sequence can be added in the right state.

use super::deferred_sequences::DeferredSequence;
use super::effect::{Effect, PlannedStep};
use super::history::Event;
use super::reversal::{NOWHERE, WakeupSequence};
use crate::memory::capacity;
use sojourner_program::{Choice, Footprint};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// Something that is planned, or was, in a state.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The first step. Once it has been taken, it is what it was.
    pub first: PlannedStep,
    pub stage: Stage,
    /// What is planned behind the first step, as long as it was not taken.
    pub below: Branches,
    /// The state behind it where that is planned since then, if this one is shared.
    pub link: Option<Arc<SharedState>>,
    /// Where nothing is planned behind it: what the execution did that gave rise to it, and can be done there, too. Going on
    /// like that, what is reversed next comes late, and most of what was run can stay as it is.
    pub next: Vec<Choice>,
    /// If it is a long sequence: what is planned below and next, until that is listed.
    tail: Option<Box<DeferredSequence>>,
}

/// How far a branch has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It waits.
    Open,
    /// A worker is about to take its first step.
    Begun,
    /// It is explored, or was, but only along what is planned below it and what that gives rise to.
    Partly,
    /// It is explored, or was, in full.
    Fully,
    /// It is explored by a worker that plans by itself. What it touches is not known here, so that it is not asleep.
    Elsewhere,
    /// It is not possible, or asleep.
    Void,
}

/// The branches of a state. As long as there is only the one that the execution took, the list is empty.
pub(crate) type Branches = Vec<Branch>;

/// The branches of a state on a worker's path.
#[derive(Debug)]
pub(crate) enum Node {
    /// No other worker has it on the path.
    Own(Branches),
    Shared(Arc<SharedState>),
}

/// A state that several workers may have on their paths, and what it takes to come to it.
#[derive(Debug)]
pub(crate) struct SharedState {
    /// The state before it, and the number of the branch there that leads here.
    pub before: Option<(Weak<SharedState>, usize)>,
    pub asleep: Vec<PlannedStep>,
    /// Whether one step at a time is planned here.
    pub stepwise: bool,
    pub open: Mutex<Opened>,
}

/// What changes of a joint state.
#[derive(Debug)]
pub(crate) struct Opened {
    pub branches: Branches,
    /// How many workers have it on their paths. They come back to it.
    pub workers: usize,
}

impl Node {
    /// About how many bytes its branches take. What is planned more than a step below them is not looked at: it is long in few states.
    pub fn bytes(&self) -> u64 {
        let Node::Own(branches) = self else { return 0 };
        let of = |branch: &Branch| capacity(&branch.below) + capacity(&branch.next);
        capacity(branches) + branches.iter().map(of).sum::<u64>()
    }
}

impl Branch {
    fn new(first: PlannedStep) -> Self {
        Branch { first, stage: Stage::Open, below: Vec::new(), link: None, next: Vec::new(), tail: None }
    }

    /// A sequence, one step below the other.
    fn sequence(sequence: &WakeupSequence<'_>) -> Option<Self> {
        Branch::chain(sequence.planned(), sequence.next())
    }

    /// These steps, one below the other, and what comes next.
    fn chain(steps: Vec<PlannedStep>, mut next: Vec<Choice>) -> Option<Self> {
        steps.into_iter().rev().fold(None, |below, step| {
            let mut branch = Branch::new(step);
            branch.next = std::mem::take(&mut next);
            // Ways may be long, and many: a vector that grows would begin with room for four.
            branch.below = below.map_or_else(Vec::new, |below| vec![below]);
            Some(branch)
        })
    }

    /// A sequence whose steps are listed when they are needed.
    pub fn later((first, tail): (PlannedStep, DeferredSequence)) -> Self {
        let mut branch = Branch::new(first);
        branch.tail = Some(Box::new(tail));
        branch
    }

    /// What is not listed yet of a sequence that waits.
    pub fn waiting_sequence(&self) -> Option<&DeferredSequence> {
        self.tail.as_deref().filter(|_| self.stage == Stage::Open)
    }

    /// Lists what is planned below and next.
    fn unfold(&mut self) {
        if let Some(tail) = self.tail.take() {
            let (steps, next) = tail.list();
            if steps.is_empty() {
                self.next = next;
            } else {
                self.below.extend(Branch::chain(steps, next));
            }
        }
    }

    /// The choices from this branch on, as far as one is as good as known.
    pub fn expected(&self, out: &mut Vec<Choice>) {
        out.clear();
        let mut branch = self;
        loop {
            out.push(branch.first.choice);
            match branch.below.first() {
                Some(below) => branch = below,
                None => break,
            }
        }
        out.extend_from_slice(&branch.next);
    }
}

/// Ways are as long as executions, so that nothing may recurse along them.
impl Drop for Branch {
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.below);
        let mut link = self.link.take();
        loop {
            if let Some(mut joint) = link.take().and_then(Arc::into_inner)
                && let Ok(open) = joint.open.get_mut()
            {
                rest.append(&mut open.branches);
            }
            let Some(mut branch) = rest.pop() else { return };
            rest.append(&mut branch.below);
            link = branch.link.take();
        }
    }
}

impl SharedState {
    pub fn open(&self) -> MutexGuard<'_, Opened> {
        self.open.lock().expect("no holder panics")
    }
}

impl Node {
    /// Lets `look` see the branches.
    pub fn with<T>(&mut self, look: impl FnOnce(&mut Branches) -> T) -> T {
        match self {
            Node::Own(branches) => look(branches),
            Node::Shared(joint) => look(&mut joint.open().branches),
        }
    }

    /// Whether no other worker has the state on the path, and nothing waits in it.
    pub fn is_over(&self) -> bool {
        match self {
            Node::Own(branches) => branches.iter().all(|branch| branch.stage != Stage::Open),
            Node::Shared(_) => false,
        }
    }

    /// Takes the next branch that waits, if one can be begun now, and adds what is asleep in it to `asleep`, which
    /// holds what is asleep in the state. If there is none, the worker leaves the state.
    pub fn take_or_leave(&mut self, asleep: &mut Vec<PlannedStep>) -> Option<usize> {
        match self {
            Node::Own(branches) => take(branches, asleep),
            Node::Shared(joint) => {
                let mut open = joint.open();
                let taken = take(&mut open.branches, asleep);
                open.workers -= usize::from(taken.is_none());
                taken
            }
        }
    }

    /// The first step of a branch has been taken, and led to a state where that is asleep. Returns the node of that state.
    pub fn settle(&mut self, branch: usize, first: PlannedStep, asleep: &[PlannedStep]) -> Node {
        let below = self.with(|branches| {
            let branch = &mut branches[branch];
            branch.first = first;
            branch.stage = if branch.below.is_empty() { Stage::Fully } else { Stage::Partly };
            std::mem::take(&mut branch.below)
        });
        match self {
            Node::Shared(before) if !below.is_empty() => {
                let joint = Arc::new(SharedState {
                    before: Some((Arc::downgrade(before), branch)),
                    asleep: asleep.to_vec(),
                    stepwise: false,
                    open: Mutex::new(Opened { branches: below, workers: 1 }),
                });
                before.open().branches[branch].link = Some(Arc::clone(&joint));
                Node::Shared(joint)
            }
            _ => Node::Own(below),
        }
    }
}

/// Puts the step that the execution took first, if the list is empty.
pub(crate) fn begin_with(branches: &mut Branches, taken: &Event) {
    if branches.is_empty() {
        let mut branch = Branch::new(PlannedStep::new(taken.choice, taken.effect.clone()));
        branch.stage = Stage::Fully;
        branches.push(branch);
    }
}

/// What became of a sequence that was to be planned.
pub(crate) enum Plan {
    /// It is planned. If a state is named, that is where, and no worker comes back to it. If a place is, executions that differ before it
    /// may need another sequence.
    Made(Option<Arc<SharedState>>, Option<u32>),
    /// It is not. Something could begin it that is explored in full; its place in the sequence decided that. Or it is too short.
    Needless(u32),
}

/// Plans a sequence in a state that is being explored along its branch number `current`, where none of the branches up to that
/// one could begin it.
pub(crate) fn plan_sequence(
    branches: &mut Branches,
    current: usize,
    sequence: &mut WakeupSequence<'_>,
) -> Plan {
    let mut at = match add(branches, current + 1, sequence) {
        Added::At(joint) => joint,
        Added::Here => return Plan::Made(None, sequence.decided()),
        Added::Not => return Plan::Needless(NOWHERE),
    };
    loop {
        let mut open = at.open();
        let next = match add(&mut open.branches, 0, sequence) {
            Added::At(joint) => joint,
            Added::Here if open.workers == 0 => {
                drop(open);
                return Plan::Made(Some(at), sequence.decided());
            }
            Added::Here => return Plan::Made(None, sequence.decided()),
            Added::Not => return Plan::Needless(NOWHERE),
        };
        drop(open);
        at = next;
    }
}

/// What became of a sequence that was to be added.
enum Added {
    /// It was, to these branches or below them, or it had been before.
    Here,
    /// What is left of it belongs to that state.
    At(Arc<SharedState>),
    /// It need not be, or is too short to be.
    Not,
}

/// Adds a sequence, along the first branch from number `from` on that could begin it.
fn add(mut branches: &mut Branches, mut from: usize, sequence: &mut WakeupSequence<'_>) -> Added {
    loop {
        let begins =
            |branch: &Branch| branch.stage != Stage::Void && sequence.could_begin_with(&branch.first);
        let Some(at) = branches[from..].iter().position(begins) else {
            branches.extend(Branch::sequence(sequence));
            return Added::Here;
        };
        let branch = &mut branches[from + at];
        branch.unfold();
        if !sequence.go_along(&branch.first) {
            return Added::Not;
        }
        match (branch.stage, &branch.link) {
            _ if sequence.is_empty() => return Added::Here,
            (Stage::Open | Stage::Begun, _) if !branch.below.is_empty() => {
                (branches, from) = (&mut branch.below, 0);
            }
            (Stage::Partly, Some(joint)) => return Added::At(Arc::clone(joint)),
            _ => return Added::Not,
        }
    }
}

/// Plans one of the steps that could begin a sequence, with every outcome that it has.
pub(crate) fn plan_step(branches: &mut Branches, offered: &[Choice], chosen: &PlannedStep) {
    for &choice in offered.iter().filter(|choice| choice.thread == chosen.choice.thread) {
        if !branches.iter().any(|branch| branch.first.choice == choice) {
            // Another outcome may touch other things.
            let known = choice == chosen.choice;
            let effect = if known { chosen.effect.clone() } else { Effect::of(Footprint::Unknown) };
            branches.push(Branch::new(PlannedStep::new(choice, effect)));
        }
    }
}

/// Takes the next branch that waits, and adds what is asleep in it to `asleep`.
pub(crate) fn take(branches: &mut Branches, asleep: &mut Vec<PlannedStep>) -> Option<usize> {
    for (at, branch) in branches.iter_mut().enumerate() {
        match branch.stage {
            Stage::Partly | Stage::Fully => asleep.push(branch.first.clone()),
            Stage::Elsewhere | Stage::Void => {}
            // What it touches is not known yet. The worker that takes it comes back here.
            Stage::Begun => return None,
            Stage::Open if asleep.iter().any(|asleep| asleep.choice == branch.first.choice) => {
                branch.stage = Stage::Void;
            }
            Stage::Open => {
                branch.stage = Stage::Begun;
                branch.unfold();
                return Some(at);
            }
        }
    }
    None
}

/// What is asleep in a branch that was taken, beside what is asleep in the state.
pub(crate) fn asleep_in(branches: &Branches, branch: usize, asleep: &mut Vec<PlannedStep>) {
    let done = |branch: &&Branch| matches!(branch.stage, Stage::Partly | Stage::Fully);
    asleep.extend(branches[..branch].iter().filter(done).map(|branch| branch.first.clone()));
}

/// A copy of the branches of a state, for a worker that plans by itself: all that waits is left to this one.
pub(crate) fn left_to_others(branches: &Branches) -> Branches {
    let mut copy = branches.clone();
    for branch in copy.iter_mut().filter(|branch| branch.stage == Stage::Open) {
        branch.stage = Stage::Elsewhere;
    }
    copy
}
