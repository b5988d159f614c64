//! What ends a search, and what it says then.

mod common;

use common::*;
use sojourner_model::{Checked, Model, Properties, State, Transitions};
use sojourner_models::Phil;
use sojourner_program::{Kind, Verdict};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::ReplayOnly;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// One process that counts to a number, and may stop there.
struct Line {
    length: u32,
    goal: u32,
}

#[derive(Clone, Debug, State)]
struct At {
    step: u32,
}

impl Model for Line {
    type State = At;

    fn initial(&self) -> At {
        At { step: 0 }
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, at: &At, on: &mut Transitions<'_>) {
        on.when(at.step < self.length, 0, 0);
    }

    fn fire(&self, at: &mut At, _: usize, _: u32) {
        at.step += 1;
    }

    fn may_end(&self, _: &At) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.goal("far", |line, at| at.step == line.goal);
    }
}

fn line(length: u32) -> Checked<Line> {
    Checked::new(Line { length, goal: length })
}

#[test]
fn a_million_steps_deep_takes_little_memory_and_no_stack() {
    let before = resident_bytes();
    let outcome = run(&line(1_000_000), &settings(Shape::DepthFirst));
    assert_eq!((outcome.tally.states, outcome.tally.max_depth), (1_000_001, 1_000_000));
    assert_eq!(outcome.verdict(), Verdict::Clean);
    let without_store =
        run(&line(1_000_000), &Settings { store: StoreKind::None, ..settings(Shape::DepthFirst) });
    assert_eq!(without_store.tally.max_depth, 1_000_000);
    assert!(resident_bytes() - before < 400 << 20);
}

#[test]
fn a_goal_that_is_never_reached_is_a_finding_without_a_schedule() {
    let load = Checked::new(Line { length: 5, goal: 6 });
    for shape in [Shape::DepthFirst, Shape::BreadthFirst(None)] {
        let outcome = run(&load, &settings(shape));
        assert_eq!(outcome.verdict(), Verdict::Found);
        assert_eq!(outcome.found[0].finding.kind, Kind::Property);
        assert!(outcome.found[0].schedule.is_none());
        assert!(outcome.found[0].finding.message.contains("far"));
    }
    // It is none as long as not everything was explored.
    let outcome = run(
        &load,
        &Settings { bounds: Bounds { depth: Some(3), preemptions: None }, ..settings(Shape::DepthFirst) },
    );
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
}

#[test]
fn budgets_end_a_search_and_say_so() {
    let endless = line(u32::MAX);
    let ended_by = |budget: Budget, bounds: Bounds| {
        let outcome = run(&endless, &Settings { budget, bounds, ..settings(Shape::DepthFirst) });
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
        assert_eq!(outcome.reasons.len(), 1);
        outcome
    };
    let none = Bounds::default();
    let outcome = ended_by(Budget { states: Some(1000), ..Budget::default() }, none);
    assert_eq!((outcome.reasons[0], outcome.tally.states), (Reason::States(1000), 1000));
    let outcome = ended_by(Budget { time: Some(Duration::from_millis(20)), ..Budget::default() }, none);
    assert_eq!(outcome.reasons[0], Reason::Time);
    let memory = Some(2 * resident_bytes());
    let outcome = ended_by(Budget { memory, ..Budget::default() }, none);
    assert_eq!(outcome.reasons[0], Reason::Memory);
    let outcome = ended_by(Budget::default(), Bounds { depth: Some(77), preemptions: None });
    assert_eq!((outcome.reasons[0], outcome.tally.max_depth), (Reason::Depth(77), 77));
}

#[test]
fn memory_below_what_starting_needs_is_refused() {
    let budget = Budget { memory: Some(1), ..Budget::default() };
    let settings = Settings { budget, ..settings(Shape::DepthFirst) };
    let load = line(5);
    let alone = explore(&load, &settings, &Halt::new(), &Unobserved);
    assert!(matches!(alone, Err(SettingsError::Memory { limit: 1, .. })));
    let together = swarm(&load, &auto_plans(&settings, 2), 2, &Halt::new(), &Unobserved);
    assert!(matches!(together, Err(SettingsError::Memory { .. })));
}

#[test]
fn stores_of_a_swarm_share_one_memory_budget() {
    let limit = 2 * resident_bytes() + (64 << 20);
    let budget = Budget { memory: Some(limit), ..Budget::default() };
    let settings = Settings { budget, store: StoreKind::Exact, ..settings(Shape::DepthFirst) };
    let outcome = swarm(&line(u32::MAX), &auto_plans(&settings, 2), 2, &Halt::new(), &Unobserved).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
    assert!(outcome.reasons.contains(&Reason::Memory), "{:?}", outcome.reasons);
}

#[test]
fn auto_ends_when_its_exhaustive_search_has_come_to_a_bound() {
    for (bounds, reason) in [
        (Bounds { preemptions: Some(0), depth: None }, Reason::Preemptions(0)),
        (Bounds { preemptions: None, depth: Some(1) }, Reason::Depth(1)),
    ] {
        for threads in [1, 2] {
            let load = Checked::new(Phil { n: 3, fair: true });
            let plans = auto_plans(&Settings { bounds, ..settings(Shape::DepthFirst) }, threads);
            let outcome = swarm(&load, &plans, threads, &Halt::new(), &Unobserved).unwrap();
            assert_eq!(outcome.reasons, [reason]);
            assert_eq!(outcome.members[0].ended, "explored everything within its bounds");
            // One of the others is not random either, and has come to the same bound.
            let mut others = outcome.members[1..].iter();
            assert!(others.all(|member| {
                member.ended.starts_with("stopped") || member.ended == outcome.members[0].ended
            }));
        }
    }
}

#[test]
fn sampled_executions_longer_than_the_first_cut_come_to_their_end() {
    let strategy = Strategy::plain(Shape::Walk);
    let reach = Some(Arc::new(Reach::new(SAMPLE_DEPTH)));
    let budget = Budget { executions: Some(12), ..Budget::default() };
    let outcome = run(&line(25_000), &Settings { reach, budget, ..Settings::new(strategy) });
    assert!(outcome.tally.executions > 0, "{:?}", outcome.tally);
    assert_eq!(outcome.tally.max_depth, 25_000);
    assert!(outcome.reasons.contains(&Reason::Depth(20_000)), "{:?}", outcome.reasons);
}

/// Interrupts the search that it watches.
struct Impatient<'a>(&'a Halt<'a>, AtomicU64);

impl Observe for Impatient<'_> {
    fn tick(&self, tick: &Tick) {
        self.1.store(tick.tally.states, Relaxed);
        self.0.interrupt();
    }
}

#[test]
fn an_interrupted_search_is_incomplete_and_was_observed() {
    let halt = Halt::new();
    let observer = Impatient(&halt, AtomicU64::new(0));
    for workers in [1, 2] {
        let outcome =
            explore(&line(u32::MAX), &Settings { workers, ..settings(Shape::DepthFirst) }, &halt, &observer)
                .unwrap();
        assert_eq!(outcome.reasons, [Reason::Interrupted]);
    }
    assert!(observer.1.load(Relaxed) > 0);
}

#[test]
fn combinations_without_sense_are_refused() {
    let strategy = |shape, backtrack: Option<&str>| Strategy {
        backtrack: backtrack.map(|how| how.parse().unwrap()),
        ..Strategy::plain(shape)
    };
    let refused = |settings: Settings| explore(&line(3), &settings, &Halt::new(), &Unobserved).unwrap_err();
    let how = Some("threshold=1");
    assert!(matches!(
        refused(Settings::new(strategy(Shape::BreadthFirst(None), how))),
        SettingsError::BacktrackShape(_)
    ));
    let two = |strategy| Settings { workers: 2, ..Settings::new(strategy) };
    assert_eq!(refused(two(strategy(Shape::DepthFirst, how))), SettingsError::BacktrackWorkers);
    let mut deep = settings(Shape::DepthFirst);
    deep.bounds.depth = Some(u32::MAX);
    assert_eq!(refused(deep.clone()), SettingsError::Depth);
    deep.bounds.depth = Some(9);
    deep.store = StoreKind::Bitstate { bytes: 1 << 16, hashes: 3 };
    assert!(matches!(refused(deep), SettingsError::BitstateDepth(_)));
    let stateless =
        explore_stateless(&ReplayOnly::new(line(3)), &settings(Shape::DepthFirst), &Halt::new(), &Unobserved);
    assert_eq!(stateless.unwrap_err(), SettingsError::Stateless);
}

/// A line whose steps take a millisecond each.
struct Slow(Line);

impl Model for Slow {
    type State = At;

    fn initial(&self) -> At {
        self.0.initial()
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, at: &At, on: &mut Transitions<'_>) {
        self.0.transitions(at, on);
    }

    fn fire(&self, at: &mut At, process: usize, action: u32) {
        std::thread::sleep(Duration::from_millis(1));
        self.0.fire(at, process, action);
    }
}

#[test]
fn budgets_of_time_hold_for_slow_programs() {
    let slow = Checked::new(Slow(Line { length: u32::MAX, goal: 0 }));
    let budget = Budget { time: Some(Duration::from_millis(100)), ..Budget::default() };
    let outcome = run(&slow, &Settings { budget, ..settings(Shape::DepthFirst) });
    assert_eq!(outcome.reasons, [Reason::Time]);
    assert!(outcome.tally.transitions < 500, "{:?}", outcome.tally);
}
