//! What the workers of a reduction share, and how a worker hands work to another.
//!
//! A worker hands over the shallowest branch that waits. In `source` and `optimal`, both workers then share the states on the path to that
//! branch. If one of them plans something in such a state, the other sees it. The worker that comes back to the state takes what waits
//! there. A branch is taken only after the first steps of the branches before it were taken, because those are asleep in it. In `classic`
//! and `eager` the other worker gets a copy, as in the paper, and both may plan the same (its Figure 8).

use super::Reduction;
use super::node::{SharedState, Stage, take};
use super::normal_form::SeenExecutions;
use super::path::Path;
use crate::pool::Pool;
use std::sync::Arc;

/// What the workers of a reduction share.
pub(crate) struct Shared {
    /// Through which they share work, if there are several.
    pub pool: Option<Pool<Job>>,
    /// How many branches a worker keeps for itself.
    soft_limit: usize,
    /// The executions that were run, where the mode may run one twice.
    pub known: SeenExecutions,
}

impl Shared {
    /// For that many workers, each of which keeps some branches for itself.
    pub fn new(workers: usize, soft_limit: usize) -> Self {
        let pool = (workers > 1).then(|| Pool::new(workers));
        Shared { pool, soft_limit: soft_limit.max(1), known: SeenExecutions::default() }
    }

    /// Work for another from a path, if more waits there than a worker keeps for itself.
    pub fn split(&self, path: &mut Path, mode: Reduction) -> Option<Job> {
        path.split(mode, self.soft_limit)
    }
}

/// Work that another worker can go on with.
pub(crate) enum Job {
    /// The states from the start to one where something waits.
    Together(Vec<Arc<SharedState>>),
    /// A path, and the branch of its last state that is to be explored.
    Alone(Box<Path>, usize),
}

impl Job {
    /// To go on where something waits that no worker comes back to. The worker that finds it has a state on its way.
    pub fn at(joint: Arc<SharedState>) -> Option<Self> {
        let mut joints = vec![joint];
        while let Some((before, _)) = joints.last().and_then(|last| last.before.as_ref()) {
            joints.push(before.upgrade()?);
        }
        joints.reverse();
        Some(Job::Together(joints))
    }
}

impl Path {
    /// Work for another, if as much as that is left to do here then.
    fn split(&mut self, mode: Reduction, keep: usize) -> Option<Job> {
        let (mut waiting, mut shallowest) = (0, None);
        for depth in 0..self.states.len() {
            waiting += self.states.at(depth).node.with(|branches| {
                let busy = branches.iter().any(|branch| branch.stage == Stage::Begun);
                let open = branches.iter().filter(|branch| branch.stage == Stage::Open).count();
                if busy { 0 } else { open }
            });
            if waiting > 0 {
                shallowest.get_or_insert(depth);
            }
            if waiting > keep {
                break;
            }
        }
        let depth = shallowest.filter(|_| waiting > keep)?;
        if mode.plans_together() {
            return Some(Job::Together(self.share(depth)));
        }
        let state = self.states.at(depth);
        let mut asleep = state.asleep.to_vec();
        let branch = state.node.with(|branches| take(branches, &mut asleep))?;
        let path = self.copy(depth);
        self.states.at(depth).node.with(|branches| branches[branch].stage = Stage::Elsewhere);
        Some(Job::Alone(Box::new(path), branch))
    }
}
