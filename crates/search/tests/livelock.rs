//! Livelocks: executions that go on for ever, are fair, and end no thread.

mod common;

use common::STORES;
use proptest::prelude::{prop_assert, prop_assert_eq, prop_assume, proptest};
use sojourner_model::{Checked, Model, State, Transitions};
use sojourner_models::{Grid, Peterson};
use sojourner_program::{Encode, Kind, Load, Program, Reducible, Stateful, Verdict};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::graph::Graph;
use sojourner_testkit::{Maze, RandomSystem, Restarting};
use std::collections::BTreeSet;

/// Two processes that meet in a corridor and step aside, again and again, or wait for each other.
struct Corridor {
    how: How,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    /// Each steps to the side on which the other is not, when that one moves: they may do so for ever.
    Polite,
    /// The second one spins until the first one has passed.
    Waits,
    /// Both spin until the other one has passed.
    BothWait,
    /// The second one spins until it is alone, and then for ever.
    Alone,
}

#[derive(Clone, Debug, State)]
struct At {
    side: [bool; 2],
    passed: [bool; 2],
}

const STEP_ASIDE: u32 = 0;
const PASS: u32 = 1;
const SPIN: u32 = 2;

impl Model for Corridor {
    type State = At;

    fn initial(&self) -> At {
        At { side: [false, false], passed: [false, false] }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, at: &At, on: &mut Transitions<'_>) {
        for i in 0..2 {
            let (here, other) = (!at.passed[i], at.passed[1 - i]);
            let free = other || at.side[0] != at.side[1];
            match self.how {
                How::Polite => {
                    on.when(here && !free, i, STEP_ASIDE);
                    // With both of them aside, they are in each other's way again.
                    on.when(here && free && !other, i, STEP_ASIDE);
                    on.when(here && free, i, PASS);
                }
                How::Waits => {
                    on.when(here && (i == 0 || other), i, PASS);
                    on.when(here && i == 1 && !other, i, SPIN);
                }
                How::Alone => {
                    on.when(here && i == 0, i, PASS);
                    on.when(i == 1, i, SPIN);
                }
                How::BothWait => {
                    on.when(here && other, i, PASS);
                    on.when(here && !other, i, SPIN);
                }
            }
        }
    }

    fn fire(&self, at: &mut At, process: usize, action: u32) {
        match action {
            STEP_ASIDE => at.side[process] = !at.side[process],
            PASS => at.passed[process] = true,
            _ => {}
        }
    }

    fn may_end(&self, at: &At) -> bool {
        at.passed == [true, true]
    }
}

fn look<L: Load<P: Stateful>>(load: &L, budget: Budget) -> Outcome {
    livelock(load, budget, &Halt::new(), &Unobserved).unwrap()
}

/// A depth-first search that looks for executions that go on for ever.
fn tracking(endless: Endless) -> Settings {
    Settings { endless, ..common::settings(Shape::DepthFirst) }
}

/// What it has found of them.
fn endless(outcome: &Outcome) -> Option<&Found> {
    outcome.found.iter().find(|found| matches!(found.finding.kind, Kind::Livelock | Kind::Hang))
}

#[test]
fn polite_wait_is_no_livelock() {
    let outcome = look(&Checked::new(Corridor { how: How::Waits }), Budget::default());
    assert_eq!(outcome.verdict(), Verdict::Clean);
}

#[test]
fn mutual_waiting_is_one_livelock() {
    for how in [How::BothWait, How::Polite] {
        let load = Checked::new(Corridor { how });
        let outcome = look(&load, Budget::default());
        assert_eq!(outcome.found[0].finding.kind, Kind::Livelock);
        let schedule = outcome.found[0].schedule.as_ref().unwrap();
        let back = comes_back(&load, schedule).unwrap().unwrap();
        // Nobody is starved on the way round.
        let threads: BTreeSet<u32> = schedule[back..].iter().map(|choice| choice.thread.0).collect();
        assert_eq!(threads.into_iter().collect::<Vec<_>>(), [0, 1]);
        assert!(
            outcome.found[0].finding.message.contains(&format!("after step {back}")),
            "{:?}",
            outcome.found
        );
    }
}

#[test]
fn depth_first_search_finds_executions_that_cannot_end() {
    let found = |how| {
        let outcome = common::run(&Checked::new(Corridor { how }), &tracking(Endless::Found));
        endless(&outcome).map(|found| found.finding.kind)
    };
    assert_eq!(found(How::BothWait), Some(Kind::Livelock));
    assert_eq!(found(How::Alone), Some(Kind::Hang));
    // They can pass all the while.
    assert_eq!(found(How::Polite), None);
    assert_eq!(found(How::Waits), None);
}

#[test]
fn program_without_any_end_may_be_meant_to_go_on() {
    let peterson = Checked::new(Peterson { n: 2 });
    let outcome = common::run(&peterson, &tracking(Endless::Found));
    assert_eq!(endless(&outcome).unwrap().finding.kind, Kind::Livelock);
    let outcome = common::run(&peterson, &tracking(Endless::FoundBesideEnds));
    assert_eq!((outcome.verdict(), outcome.endless), (Verdict::Clean, Sight::NothingEnds));
    let outcome = common::run(&peterson, &tracking(Endless::Ignored));
    assert_eq!((outcome.verdict(), outcome.endless), (Verdict::Clean, Sight::Unknown));
    // The first process can end, the other one cannot.
    let outcome =
        common::run(&Checked::new(Corridor { how: How::Alone }), &tracking(Endless::FoundBesideEnds));
    assert_eq!(outcome.endless, Sight::NothingEnds);
}

#[test]
fn hang_ends_the_search_and_names_its_thread() {
    let load = Checked::new(Corridor { how: How::Alone });
    for workers in 1..3 {
        let settings = Settings { wanted: Wanted::First, workers, ..tracking(Endless::Found) };
        let outcome = common::run(&load, &settings);
        assert_eq!(outcome.verdict(), Verdict::Found);
        let Found { finding, schedule, .. } = &outcome.found[0];
        assert!(finding.message.starts_with("process 1 goes on for ever"), "{finding:?}");
        assert_eq!(comes_back(&load, schedule.as_ref().unwrap()).unwrap(), Some(1));
    }
}

#[test]
fn searches_say_what_they_know_of_executions_that_go_on() {
    let grid = Checked::new(Grid { counters: 2, values: 3 });
    let sight = |settings: Settings| common::run(&grid, &settings).endless;
    assert_eq!(sight(tracking(Endless::Found)), Sight::Clear);
    // Without a store, and by executions, it would not have come to an end.
    let stateless = Settings { store: StoreKind::None, ..common::settings(Shape::DepthFirst) };
    assert_eq!(sight(stateless), Sight::Clear);
    assert_eq!(sight(common::settings(Shape::Dpor(Reduction::default()))), Sight::Clear);
    let breadth = Settings { endless: Endless::Found, ..common::settings(Shape::BreadthFirst(None)) };
    assert_eq!(sight(breadth), Sight::Unknown);
}

#[test]
fn only_programs_without_end_have_livelocks() {
    let grid = Checked::new(Grid { counters: 3, values: 4 });
    let outcome = look(&grid, Budget::default());
    assert_eq!((outcome.verdict(), outcome.tally.states), (Verdict::Clean, 64));
    // Processes that enter their critical sections for ever do go on for ever.
    let outcome = look(&Checked::new(Peterson { n: 2 }), Budget::default());
    assert_eq!(outcome.verdict(), Verdict::Found);
}

#[test]
fn livelock_search_keeps_its_budget_and_restarts() {
    let grid = || Checked::new(Grid { counters: 3, values: 9 });
    let outcome = look(&grid(), Budget { states: Some(50), ..Budget::default() });
    assert_eq!((outcome.verdict(), outcome.reasons), (Verdict::Incomplete, vec![Reason::States(50)]));
    let outcome = look(&Restarting::new(grid(), 2), Budget::default());
    assert_eq!((outcome.verdict(), outcome.restarts), (Verdict::Clean, 2));
}

#[test]
fn generated_systems_have_livelocks_now_and_then() {
    let verdict = |seed| look(&Checked::new(RandomSystem::any(seed)), Budget::default()).verdict();
    let found = (0..100).filter(|&seed| verdict(seed) == Verdict::Found).count();
    assert!((10..90).contains(&found), "{found}");
}

/// Whether a search of each kind finds an execution that cannot end exactly if there is one, and shows it.
fn each_search_finds_traps<L: Load<P: Encode + Reducible>>(
    load: &L,
    graph: &Graph,
    workers: usize,
) -> Result<(), String> {
    for store in STORES {
        for order in [OrderKind::AsGiven, OrderKind::Random] {
            let strategy = Strategy { order, ..Strategy::plain(Shape::DepthFirst) };
            for (mode, expected) in [
                (Endless::Found, graph.has_trap()),
                (Endless::FoundBesideEnds, graph.has_trap() && graph.has_end()),
            ] {
                let settings = Settings { strategy: strategy.clone(), store, workers, ..tracking(mode) };
                let outcome = common::run(load, &settings);
                if outcome.tally.states != graph.len() as u64 {
                    return Err(format!("{} states by {settings:?}", outcome.tally.states));
                }
                let found = endless(&outcome);
                if workers > 1 && outcome.endless == Sight::Unknown {
                    continue;
                }
                if found.is_some() != expected {
                    return Err(format!("{found:?} by {settings:?}"));
                }
                if let Some(Found { schedule: Some(schedule), .. }) = found
                    && comes_back(load, schedule).unwrap().is_none()
                {
                    return Err(format!("{schedule:?} does not come back"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn search_with_too_many_unsettled_states_gives_up() {
    let peterson = Checked::new(Peterson { n: 4 });
    for workers in 1..3 {
        let settings = Settings { workers, ..tracking(Endless::FoundBesideEnds) };
        let outcome = common::run(&peterson, &settings);
        assert_eq!((outcome.verdict(), outcome.endless), (Verdict::Clean, Sight::NothingEnds));
    }
    // Another search finds the trap that several workers have given up to find.
    let outcome = common::run(&peterson, &Settings { workers: 2, ..tracking(Endless::Found) });
    assert!(endless(&outcome).is_some() || outcome.endless == Sight::Unknown);
    let outcome = common::run(&peterson, &tracking(Endless::Found));
    assert!(endless(&outcome).is_some());
}

#[test]
fn mazes_have_traps_now_and_then() {
    let has_trap = |&seed: &u64| Graph::of(&Checked::new(Maze::new(seed, 300, 3, 20))).unwrap().has_trap();
    let found = (0..40).filter(has_trap).count();
    assert!((10..30).contains(&found), "{found}");
}

proptest! {
    #[test]
    fn trap_is_found_exactly_if_the_graph_has_one(seed: u64) {
        let load = Checked::new(RandomSystem::any(seed));
        let graph = Graph::of(&load).unwrap();
        prop_assume!(graph.len() < 1_000);
        let outcome = look(&load, Budget::default());
        let expected = if graph.has_livelock() { Verdict::Found } else { Verdict::Clean };
        prop_assert_eq!(outcome.verdict(), expected);
        if let Some(found) = outcome.found.first() {
            prop_assert!(comes_back(&load, found.schedule.as_ref().unwrap()).unwrap().is_some());
        }
    }
}

proptest! {
    #[test]
    fn traps_of_generated_systems_are_found(seed: u64, workers in 1usize..4) {
        let load = Checked::new(RandomSystem::any(seed));
        let graph = Graph::of(&load).unwrap();
        prop_assume!(graph.len() < 2_000);
        each_search_finds_traps(&load, &graph, workers).map_err(proptest::test_runner::TestCaseError::fail)?;
    }

    #[test]
    fn traps_of_mazes_are_found(
        seed: u64,
        rooms in 1u32..2_000,
        back in 2usize..12,
        ends in 5usize..200,
        workers in 1usize..5,
    ) {
        let load = Checked::new(Maze::new(seed, rooms, back, ends));
        let graph = Graph::of(&load).unwrap();
        each_search_finds_traps(&load, &graph, workers).map_err(proptest::test_runner::TestCaseError::fail)?;
    }

    /// What a bound leaves out may lead to an end.
    #[test]
    fn bounds_make_no_traps(seed: u64, depth in 1u32..30, preemptions in proptest::option::of(0u32..4), workers in 1usize..3) {
        let load = Checked::new(Maze::new(seed, 200, 3, 30));
        let graph = Graph::of(&load).unwrap();
        let bounds = Bounds { depth: Some(depth), preemptions };
        let outcome = common::run(&load, &Settings { bounds, workers, ..tracking(Endless::Found) });
        let found = endless(&outcome).is_some();
        prop_assert!(!found || graph.has_trap());
        prop_assert!(found || !graph.has_trap() || !outcome.reasons.is_empty());
        let bounds = Bounds { depth: None, preemptions: Some(200) };
        let outcome = common::run(&load, &Settings { bounds, workers, ..tracking(Endless::Found) });
        prop_assert_eq!(endless(&outcome).is_some(), graph.has_trap());
    }

    #[test]
    fn searches_that_turn_back_early_make_no_traps(seed: u64) {
        let load = Checked::new(Maze::new(seed, 200, 3, 30));
        let backtrack = Some("threshold=3,strategy=random,ratio=0.8".parse().unwrap());
        let strategy = Strategy { backtrack, ..Strategy::random_dfs() };
        let outcome = common::run(&load, &Settings { strategy, seed, ..tracking(Endless::Found) });
        prop_assert!(endless(&outcome).is_none() || Graph::of(&load).unwrap().has_trap());
    }
}

#[test]
fn a_schedule_that_does_not_come_back_does_not() {
    let load = Checked::new(Corridor { how: How::Waits });
    let mut program = load.open().unwrap();
    let mut choices = Vec::new();
    program.choices(&mut choices);
    assert_eq!(comes_back(&load, &choices[..1]).unwrap(), None);
    assert_eq!(comes_back(&load, &[]).unwrap(), None);
}
