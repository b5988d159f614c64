//! What a search is asked to do, and which combinations make sense (docs/soundness.md has the reasons).

use crate::control::{Budget, Wanted};
use crate::endless::Endless;
use crate::filter::Bounds;
use crate::frontier::Queueing;
use crate::strategy::{Shape, Strategy};
use crate::visited::Cost;
use crate::{Heuristic, Novelty, OrderKind, Past, Reach};
use sojourner_store::StoreKind;
use std::sync::Arc;

/// What a search is asked to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How it goes about.
    pub strategy: Strategy,
    /// What it remembers.
    pub store: StoreKind,
    /// What it leaves out.
    pub bounds: Bounds,
    /// Where executions are cut that are sampled, if there is no bound on the depth. Searches that do not sample say how long theirs
    /// are.
    pub reach: Option<Arc<Reach>>,
    /// Where it counts what it finds new, if searches beside it are to have more or fewer turns than it.
    pub novelty: Option<Arc<Novelty>>,
    /// What it may use.
    pub budget: Budget,
    /// What it looks for.
    pub wanted: Wanted,
    /// What becomes of executions that go on for ever. A depth-first search with a store finds them on its way; the others do
    /// not look for them.
    pub endless: Endless,
    /// Where its random numbers start.
    pub seed: u64,
    /// On how many threads it runs.
    pub workers: usize,
    /// How many branches a worker of a reduction keeps for itself before it gives one away (Yang et al. 2007, the soft limit).
    pub soft_limit: usize,
}

impl Settings {
    /// The strategy with a compact store, no bounds, on one thread.
    pub fn new(strategy: Strategy) -> Self {
        Settings {
            strategy,
            store: StoreKind::Compact,
            bounds: Bounds::default(),
            reach: None,
            novelty: None,
            budget: Budget::default(),
            wanted: Wanted::First,
            endless: Endless::Ignored,
            seed: 0,
            workers: 1,
            soft_limit: 1,
        }
    }

    /// Whether the combination makes sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        let Strategy { shape, order, backtrack, .. } = &self.strategy;
        if backtrack.is_some() && *shape != Shape::DepthFirst {
            return Err(SettingsError::BacktrackShape(*shape));
        }
        if backtrack.is_some() && self.workers > 1 {
            return Err(SettingsError::BacktrackWorkers);
        }
        if shape.stateless() && *order != OrderKind::AsGiven {
            return Err(SettingsError::OrderOfItsOwn(*shape));
        }
        if *order == OrderKind::Interference && *shape != Shape::DepthFirst {
            return Err(SettingsError::OrderOfPaths(*shape));
        }
        if self.bounds.depth.is_some_and(|depth| depth > Bounds::MAX_DEPTH) {
            return Err(SettingsError::Depth);
        }
        if self.bounds.preemptions.is_some_and(|n| n > Past::MAX_PREEMPTIONS) {
            return Err(SettingsError::Preemptions);
        }
        if self.keeps() && self.cost() != Cost::Free && matches!(self.store, StoreKind::Bitstate { .. }) {
            return Err(SettingsError::BitstateDepth(*shape));
        }
        Ok(())
    }

    /// Whether it remembers states.
    pub(crate) fn keeps(&self) -> bool {
        !self.strategy.shape.stateless() && self.store != StoreKind::None
    }

    /// Whether it looks for executions that go on for ever.
    pub(crate) fn tracks(&self) -> bool {
        self.endless != Endless::Ignored && self.keeps() && self.strategy.shape == Shape::DepthFirst
    }

    /// What a state that is seen again must have less of to be expanded again.
    pub(crate) fn cost(&self) -> Cost {
        let Bounds { preemptions, depth } = self.bounds;
        let Strategy { shape, heuristic, .. } = &self.strategy;
        // Breadth-first search reaches every state by the fewest steps in the first place.
        if depth.is_some() && !matches!(shape, Shape::BreadthFirst(_)) {
            return Cost::Steps;
        }
        // A* promises short paths, so a state counts with the shortest one.
        if matches!(shape, Shape::BestFirst(Queueing { adds_depth: true, .. })) {
            return Cost::Steps;
        }
        if matches!(shape, Shape::BestFirst(_)) && *heuristic == Heuristic::Switches {
            return Cost::Switches;
        }
        // Bitstate keeps no costs, and there is one cost only; the preemptions are then part of the key.
        let keeps_costs = !matches!(self.store, StoreKind::Bitstate { .. });
        if preemptions.is_some() && depth.is_none() && keeps_costs { Cost::Preemptions } else { Cost::Free }
    }
}

const MB: u64 = 1 << 20;

/// A combination that does not make sense, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SettingsError {
    #[error("randomised backtracking is for depth-first search, not for {0}: use --search dfs")]
    BacktrackShape(Shape),
    #[error(
        "randomised backtracking goes back along one path: use --jobs 1, or --swarm N for several searches"
    )]
    BacktrackWorkers,
    #[error("{0} runs executions in an order of its own: leave out --order")]
    OrderOfItsOwn(Shape),
    #[error("the order interference goes by the steps of one path, which {0} leaves: use --search dfs")]
    OrderOfPaths(Shape),
    #[error("a depth bound is at most {max}", max = Bounds::MAX_DEPTH)]
    Depth,
    #[error("a preemption bound is at most {max}", max = Past::MAX_PREEMPTIONS)]
    Preemptions,
    #[error(
        "{0} with a depth bound, or by switches, needs a store that keeps depths, which bitstate does not: \
         use --store compact, or --search bfs"
    )]
    BitstateDepth(Shape),
    #[error("the states of this program cannot be told apart: use --store none")]
    Stateless,
    #[error(
        "states of this program have a hash, and no encoding that the store {0} can keep: use --store compact"
    )]
    Unencoded(StoreKind),
    #[error("the program has {0} goals, and 64 is the most")]
    Goals(usize),
    #[error(
        "a bound of {} MB on the memory is too small: the program takes {} MB before the search begins, give it at least {} MB",
        limit / MB, used / MB, needed.div_ceil(MB)
    )]
    Memory { limit: u64, used: u64, needed: u64 },
    #[error("{0}")]
    Store(String),
}
