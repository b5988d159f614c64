//! `auto`, the default: one exhaustive search, and randomised ones of different kinds beside it.
//!
//! The exhaustive search proves; the randomised ones find deep defects sooner than any fixed order does. Randomised
//! backtracking needs a threshold that fits the program, so there are several (Parizek & Lhotak 2011, section 5). The
//! guided one goes where few threads can move, and among such states to those that have waited longest: it finds deadlocks
//! of many threads that the others miss, and that it would miss itself if it broke ties at random and went ever deeper.

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

/// The searches of `auto`, given what the user asked for. The first is the exhaustive one; on more than two
/// threads it has half of them.
pub fn auto_plans(base: &Settings, threads: usize) -> Vec<Plan> {
    let reach = base.bounds.depth.is_none().then(|| Arc::new(Reach::new(SAMPLE_DEPTH)));
    let base = &Settings { reach, ..base.clone() };
    let exhaustive = Settings { workers: (threads / 2).max(1), ..base.clone() };
    let mut plans = vec![Plan { settings: exhaustive, restarts: None, alone: true, turn: Plan::TURN }];
    let mut seeds = Random::stream(base.seed, u64::MAX);
    let mut randomised = |strategy: Strategy| {
        let mut settings = Settings { strategy, workers: 1, seed: seeds.bits(), ..base.clone() };
        if !settings.strategy.shape.samples() {
            let states = settings.budget.states.unwrap_or(ROUND_STATES).min(ROUND_STATES);
            settings.budget.states = Some(states);
        }
        plans.push(Plan { settings, restarts: Some(base.budget), alone: false, turn: Plan::TURN });
    };
    let backtracking = |threshold| Strategy {
        backtrack: Some(Backtrack {
            threshold: Threshold::At(threshold),
            jump: Jump::Random,
            ratio: Ratio::Constant(0.9),
        }),
        ..Strategy::random_dfs()
    };
    let heuristic = base.strategy.heuristic.clone();
    let guided = Strategy { heuristic, ..Strategy::plain(Shape::best_first(Ties::Age)) };
    randomised(Strategy { order: OrderKind::Random, ..guided });
    randomised(Strategy::random_dfs());
    randomised(Strategy::plain(Shape::Pct(None)));
    randomised(backtracking(THRESHOLDS[1]));
    randomised(Strategy::plain(Shape::Pos));
    randomised(backtracking(THRESHOLDS[0]));
    randomised(backtracking(THRESHOLDS[2]));
    plans
}
