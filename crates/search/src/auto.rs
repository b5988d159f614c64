//! `auto`, the default: one exhaustive search, and searches for findings of different kinds beside it.
//!
//! The exhaustive search proves; the others find deep defects sooner than any fixed order does. No kind is best for all programs:
//!
//! - sampled executions cost little memory and find most defects within a few executions;
//! - few preemptions suffice for most defects, so one search allows none, then one, and so on;
//! - a search that switches threads at every step soon fills buffers and queues;
//! - randomised backtracking needs a threshold that fits the program, so there are several (Parizek & Lhotak 2011, section 5);
//! - the guided search goes where few threads can move, and among such states to those that have waited longest: it finds deadlocks of
//!   many threads that the others miss, and that it would miss itself if it broke ties at random and went ever deeper.
//!
//! The cheapest come first. Those that get on have more turns (`shares`).

use crate::Reach;
use crate::backtrack::{Backtrack, Jump, Ratio, Threshold};
use crate::frontier::Ties;
use crate::settings::Settings;
use crate::strategy::{OrderKind, Shape, Strategy};
use crate::swarm::Plan;
use sojourner_program::Random;
use std::sync::Arc;

/// States after which a randomised search with a store starts again: its memory is bounded, and a search that has
/// gone astray gets another chance.
const ROUND_STATES: u64 = 1_000_000;
/// Steps after which a sampled execution is cut, if no bound is given, and no execution is known to be longer.
pub const SAMPLE_DEPTH: u32 = 10_000;
/// The same for the executions of a reduction, which proves nothing if it cuts any: there are programs that run for almost as long.
pub const REDUCED_DEPTH: u32 = 200_000;
const THRESHOLDS: [usize; 3] = [10, 50, 200];

/// The searches of `auto`, given what the user asked for. The first is the exhaustive one. On more than two threads it has half of
/// them, and on many threads there are several searches of each randomised kind.
pub fn auto_plans(base: &Settings, threads: usize) -> Vec<Plan> {
    let reach = base.bounds.depth.is_none().then(|| Arc::new(Reach::new(SAMPLE_DEPTH)));
    let base = Settings { reach, ..base.clone() };
    let exhaustive = Settings { workers: (threads / 2).max(1), ..base.clone() };
    let beside_it = threads.saturating_sub(exhaustive.workers);
    let base = Settings { workers: 1, novelty: Some(Arc::default()), ..base };
    let mut finders = finders(&base);
    let randomised: Vec<Finder> = finders.iter().filter(|finder| finder.is_randomised()).cloned().collect();
    let more = beside_it.saturating_sub(finders.len());
    finders.extend(randomised.into_iter().cycle().take(more));
    let mut seeds = Random::stream(base.seed, u64::MAX);
    let mut plans = vec![Plan { alone: true, ..Plan::once(exhaustive) }];
    plans.extend(finders.into_iter().map(|finder| finder.plan(&base, seeds.bits())));
    plans
}

/// A search beside the exhaustive one.
#[derive(Clone)]
enum Finder {
    /// It starts again with another seed whenever it has ended.
    Randomised(Strategy),
    /// Nothing in it is random: it would do the same again.
    Once(Strategy),
    /// It allows more and more preemptions.
    Widening,
}

impl Finder {
    fn is_randomised(&self) -> bool {
        matches!(self, Finder::Randomised(_))
    }

    fn plan(self, base: &Settings, seed: u64) -> Plan {
        let widens = matches!(self, Finder::Widening);
        let once = matches!(self, Finder::Once(_));
        let strategy = match self {
            Finder::Randomised(strategy) | Finder::Once(strategy) => strategy,
            Finder::Widening => Strategy::plain(Shape::DepthFirst),
        };
        let mut settings = Settings { strategy, seed, ..base.clone() };
        if !settings.strategy.shape.samples() {
            let states = base.budget.states.unwrap_or(ROUND_STATES).min(ROUND_STATES);
            settings.budget.states = Some(states);
        }
        let rounds = if once { 1 } else { u64::MAX };
        Plan { restarts: Some(base.budget), rounds, widens, ..Plan::once(settings) }
    }
}

/// The searches beside the exhaustive one, the cheapest first.
fn finders(base: &Settings) -> Vec<Finder> {
    let dfs = |order| Strategy { order, ..Strategy::plain(Shape::DepthFirst) };
    let backtracking = |threshold| Strategy {
        backtrack: Some(Backtrack {
            threshold: Threshold::At(threshold),
            jump: Jump::Random,
            ratio: Ratio::Constant(0.9),
        }),
        ..Strategy::random_dfs()
    };
    let guided = Strategy {
        heuristic: base.strategy.heuristic.clone(),
        order: OrderKind::Random,
        ..Strategy::plain(Shape::best_first(Ties::Age))
    };
    let mut finders = vec![
        Finder::Randomised(Strategy::plain(Shape::Pos)),
        Finder::Randomised(Strategy::random_dfs()),
        Finder::Randomised(Strategy::plain(Shape::Surw { all: false })),
        Finder::Once(dfs(OrderKind::Interleave)),
        Finder::Widening,
        Finder::Randomised(guided),
        Finder::Randomised(Strategy::plain(Shape::Pct(None))),
        Finder::Randomised(backtracking(THRESHOLDS[1])),
        Finder::Randomised(backtracking(THRESHOLDS[0])),
        Finder::Randomised(backtracking(THRESHOLDS[2])),
    ];
    if base.bounds.preemptions.is_some() {
        finders.retain(|finder| !matches!(finder, Finder::Widening));
    }
    finders
}
