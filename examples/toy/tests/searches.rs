//! Every search, order, store, reduction and rule for turning back works on programs of the toy language.

use sojourner_example_toy::Toy;
use sojourner_program::{Kind, Verdict};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::oracle;
use std::collections::BTreeSet;

/// A program with what is known of it.
struct Example {
    text: &'static str,
    states: usize,
    /// Executions that differ in more than the order of independent steps.
    executions: u64,
    finding: Option<Kind>,
}

const EXAMPLES: [Example; 4] = [
    // Each of two threads adds one, without a lock.
    Example {
        text: "load 0; add 1; store 0\nload 0; add 1; store 0",
        states: 22,
        executions: 4,
        finding: None,
    },
    // The same with a lock.
    Example {
        text: "lock 7; load 0; add 1; store 0; unlock 7\nlock 7; load 0; add 1; store 0; unlock 7",
        states: 21,
        executions: 2,
        finding: None,
    },
    // Two locks in opposite orders.
    Example {
        text: "lock 0; lock 1; unlock 1; unlock 0\nlock 1; lock 0; unlock 0; unlock 1",
        states: 19,
        executions: 3,
        finding: Some(Kind::Deadlock),
    },
    // One thread reads what another one has chosen.
    Example {
        text: "choose 3; store 0\nload 0; expect 0",
        states: 23,
        executions: 6,
        finding: Some(Kind::Assertion),
    },
];

impl Example {
    fn toy(&self) -> Toy {
        self.text.parse().expect("it is a program")
    }

    fn run(&self, settings: &Settings) -> Outcome {
        explore(&self.toy(), settings, &Halt::new(), &Unobserved).expect("the settings fit")
    }

    /// Panics unless exactly the finding is found.
    fn check(&self, outcome: &Outcome, what: impl std::fmt::Debug) {
        let kinds: BTreeSet<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(kinds, self.finding.into_iter().collect(), "{what:?}: {}", self.text);
        let verdict = if self.finding.is_some() { Verdict::Found } else { Verdict::Clean };
        assert_eq!(outcome.verdict(), verdict, "{what:?}: {}", self.text);
        for found in &outcome.found {
            let schedule = found.schedule.as_ref().expect("a finding has a schedule");
            let replayed = replay(&self.toy(), schedule).expect("the schedule can be followed");
            assert!(replayed.shows(&found.finding).is_some(), "{what:?}: {}", self.text);
        }
    }
}

fn all(strategy: Strategy) -> Settings {
    Settings { wanted: Wanted::All, ..Settings::new(strategy) }
}

const SHAPES: [Shape; 5] = [
    Shape::DepthFirst,
    Shape::BreadthFirst(None),
    Shape::best_first(Ties::Age),
    Shape::best_first(Ties::Random),
    Shape::best_first(Ties::Best(3)),
];

#[test]
fn every_search_and_heuristic_that_can_be_named_tells_the_truth() {
    let shapes = Shape::NAMES.iter().map(|name| name.word().parse().expect("a search is read by its name"));
    let shapes = shapes.map(Strategy::plain).chain(Heuristic::NAMES.iter().filter_map(|name| {
        // Some heuristics need values.
        let heuristic = name.word().parse().ok()?;
        Some(Strategy { heuristic, ..Strategy::plain(Shape::best_first(Ties::Age)) })
    }));
    for strategy in shapes {
        for example in &EXAMPLES {
            let mut settings = all(strategy.clone());
            settings.budget.executions = strategy.shape.samples().then_some(1_000);
            let outcome = example.run(&settings);
            if outcome.verdict() == Verdict::Incomplete {
                assert!(outcome.found.is_empty(), "{strategy}: {}", example.text);
                assert!(
                    strategy.shape.samples() || !outcome.reasons.is_empty(),
                    "{strategy}: {}",
                    example.text
                );
            } else {
                example.check(&outcome, &strategy);
            }
        }
    }
}

#[test]
fn searches_visit_every_state_in_every_order_with_every_store() {
    let stores =
        [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact, StoreKind::BITSTATE, StoreKind::None];
    let orders = [OrderKind::AsGiven, OrderKind::Random, OrderKind::Interleave, OrderKind::Heuristic];
    for example in &EXAMPLES {
        let known = oracle::explore(&example.toy()).expect("it runs");
        assert_eq!(known.count(), example.states, "{}", example.text);
        for (shape, order, store) in product(&SHAPES, &orders, &stores) {
            let strategy = Strategy { order, ..Strategy::plain(shape) };
            for workers in [1, 2] {
                let settings = Settings { store, workers, ..all(strategy.clone()) };
                let outcome = example.run(&settings);
                let what = (strategy.to_string(), store, workers);
                // A bitstate store may take two states for one.
                if matches!(store, StoreKind::Bitstate { .. }) {
                    assert_eq!(outcome.found.is_empty(), example.finding.is_none(), "{what:?}");
                    continue;
                }
                example.check(&outcome, &what);
                if store != StoreKind::None {
                    assert_eq!(outcome.tally.states, example.states as u64, "{what:?}: {}", example.text);
                }
            }
        }
    }
}

fn product<A: Copy, B: Copy, C: Copy>(a: &[A], b: &[B], c: &[C]) -> Vec<(A, B, C)> {
    let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
    pairs.flat_map(|(a, b)| c.iter().map(move |&c| (a, b, c))).collect()
}

#[test]
fn reductions_run_each_execution_once() {
    for example in &EXAMPLES {
        for reduction in Reduction::ALL {
            for workers in [1, 2] {
                let settings = Settings { workers, ..all(Strategy::plain(Shape::Dpor(reduction))) };
                let outcome = example.run(&settings);
                let Tally { executions, redundant_executions, .. } = outcome.tally;
                example.check(&outcome, reduction);
                assert_eq!(
                    executions - redundant_executions,
                    example.executions,
                    "{reduction}: {}",
                    example.text
                );
            }
        }
    }
}

#[test]
fn samplers_find_what_there_is() {
    for example in EXAMPLES.iter().filter(|example| example.finding.is_some()) {
        for shape in [Shape::Walk, Shape::Pct(Some(2)), Shape::Pos] {
            let mut settings = Settings::new(Strategy::plain(shape));
            settings.budget.executions = Some(1_000);
            example.check(&example.run(&settings), shape);
        }
    }
}

#[test]
fn searches_that_turn_back_early_visit_some_of_the_states() {
    for example in &EXAMPLES {
        for how in ["fixed,ratio=0.75", "random,ratio=0.9", "luby,ratio=1-d/20"] {
            let backtrack =
                format!("threshold=2,strategy={how}").parse().expect("it is a rule for turning back");
            let strategy = Strategy { backtrack: Some(backtrack), ..Strategy::random_dfs() };
            let outcome = example.run(&all(strategy));
            assert!((1..=example.states as u64).contains(&outcome.tally.states), "{how}");
            assert!(outcome.found.iter().all(|found| Some(found.finding.kind) == example.finding));
        }
    }
}

#[test]
fn a_swarm_decides_and_a_finding_gets_short() {
    for example in &EXAMPLES {
        let plans = auto_plans(&Settings::new(Strategy::plain(Shape::DepthFirst)), 2);
        let outcome = swarm(&example.toy(), &plans, 2, &Halt::new(), &Unobserved).expect("the plans fit");
        example.check(&outcome, "auto");
        for found in &outcome.found {
            let schedule = found.schedule.as_ref().expect("a finding has a schedule");
            let (effort, halt) = (Effort::default(), Halt::new());
            let short =
                shorten(&example.toy(), schedule, &found.finding, effort, &halt).expect("it can be followed");
            assert!(short.len() <= schedule.len());
            assert!(replay(&example.toy(), &short).expect("it fits").shows(&found.finding).is_some());
        }
    }
}

#[test]
fn text_that_is_no_program_is_refused() {
    for text in ["jump 3", "load", "load 8", "add x"] {
        assert_eq!(text.parse::<Toy>().err(), Some(format!("'{text}' is no operation")));
    }
}
