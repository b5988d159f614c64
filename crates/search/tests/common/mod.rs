//! What the tests of searches share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use sojourner_program::{Encode, Kind, Load, Reducible};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::{Recorded, Visit};
use std::collections::BTreeSet;

/// Every store that loses nothing, or nothing to speak of.
pub const STORES: [StoreKind; 3] = [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact];

/// The shapes of exhaustive searches that keep states, one of each frontier.
pub const SHARED: [Shape; 3] =
    [Shape::DepthFirst, Shape::BreadthFirst(None), Shape::best_first(Ties::Best(3))];

pub fn settings(shape: Shape) -> Settings {
    Settings { wanted: Wanted::All, ..Settings::new(Strategy::plain(shape)) }
}

/// Every strategy that is exhaustive.
pub fn exhaustive() -> Vec<Strategy> {
    let mut all = Vec::new();
    for shape in [
        Shape::DepthFirst,
        Shape::BreadthFirst(None),
        Shape::best_first(Ties::Age),
        Shape::best_first(Ties::Random),
        Shape::best_first(Ties::Best(3)),
    ] {
        for order in [OrderKind::AsGiven, OrderKind::Random, OrderKind::Interleave, OrderKind::Heuristic] {
            all.push(Strategy { order, ..Strategy::plain(shape) });
        }
    }
    let switches =
        Strategy { heuristic: Heuristic::Switches, ..Strategy::plain(Shape::best_first(Ties::Age)) };
    all.push(switches);
    all.push(Strategy { order: OrderKind::Interference, ..Strategy::plain(Shape::DepthFirst) });
    let astar = Queueing { ties: Ties::Age, bound: None, adds_depth: true, by_levels: false };
    all.push(Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(Shape::BestFirst(astar)) });
    all
}

/// Every strategy that draws random numbers.
pub fn randomised() -> Vec<Strategy> {
    let backtrack =
        |text: &str| Strategy { backtrack: Some(text.parse().unwrap()), ..Strategy::random_dfs() };
    vec![
        Strategy::random_dfs(),
        backtrack("threshold=3,strategy=fixed,ratio=0.75"),
        backtrack("threshold=2,strategy=random,ratio=0.9"),
        backtrack("threshold=2,strategy=luby,ratio=1-d/20"),
        Strategy::plain(Shape::best_first(Ties::Random)),
        Strategy::plain(Shape::BestFirst(Queueing {
            ties: Ties::Best(2),
            bound: Some(20),
            adds_depth: true,
            by_levels: false,
        })),
        Strategy::plain(Shape::beam(3, Ties::Random)),
        Strategy::plain(Shape::Walk),
        Strategy::plain(Shape::Pct(Some(2))),
        Strategy::plain(Shape::Pct(None)),
        Strategy::plain(Shape::Pos),
        Strategy::plain(Shape::Surw { all: false }),
    ]
}

/// Runs a search to its end.
pub fn run<L: Load<P: Encode + Reducible>>(load: &L, settings: &Settings) -> Outcome {
    explore(load, settings, &Halt::new(), &Unobserved).unwrap_or_else(|error| panic!("{error}: {settings:?}"))
}

/// Runs a search to its end and returns the states that it visited.
pub fn visited<L: Load<P: Encode + Reducible>>(
    load: &Recorded<L>,
    settings: &Settings,
) -> (Outcome, Vec<Visit>) {
    load.take();
    let outcome = run(load, settings);
    (outcome, load.take())
}

pub fn states(visits: &[Visit]) -> BTreeSet<Vec<u8>> {
    visits.iter().map(|visit| visit.state.clone()).collect()
}

pub fn end_states(visits: &[Visit]) -> BTreeSet<Vec<u8>> {
    visits.iter().filter(|visit| visit.stuck).map(|visit| visit.state.clone()).collect()
}

/// The findings that were reached, without goals that were not.
pub fn findings(outcome: &Outcome) -> BTreeSet<(Kind, String)> {
    let reached = outcome.found.iter().filter(|found| found.schedule.is_some());
    reached.map(|found| (found.finding.kind, found.finding.message.clone())).collect()
}

pub fn kinds(findings: &BTreeSet<(Kind, String)>) -> BTreeSet<Kind> {
    findings.iter().map(|(kind, _)| *kind).collect()
}
