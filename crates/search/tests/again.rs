//! A program that had assumed too little makes the search begin again, until nothing more is learned.

mod common;

use common::*;
use sojourner_model::Checked;
use sojourner_models::Phil;
use sojourner_program::{
    Choice, Fault, Finding, Kind, Load, Program, Promises, Reducible, Step, Thread, ThreadId, Threads,
    Verdict,
};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::Restarting;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

fn phil(n: u8, fair: bool, lessons: u64) -> Restarting<Checked<Phil>> {
    Restarting::new(Checked::new(Phil { n, fair }), lessons)
}

#[test]
fn the_last_round_counts() {
    for (shape, workers) in [(Shape::DepthFirst, 1), (Shape::DepthFirst, 2)] {
        let settings = Settings { workers, ..settings(shape) };
        let plain = run(&phil(5, true, 0), &settings);
        let load = phil(5, true, 2);
        let again = run(&load, &settings);
        assert_eq!((again.verdict(), plain.restarts, again.restarts), (Verdict::Clean, 0, 2));
        assert_eq!(again.tally.states, plain.tally.states);
        assert_eq!(load.learned(), ["lesson 0", "lesson 1"]);
        // What is known need not be learned again.
        assert_eq!(run(&load, &settings).restarts, 0);
    }
}

#[test]
fn searches_without_a_store_begin_again_too() {
    let mut settings = settings(Shape::Walk);
    settings.store = StoreKind::None;
    settings.bounds.depth = Some(100);
    settings.budget.executions = Some(20);
    let outcome = explore_stateless(&phil(3, true, 3), &settings, &Halt::new(), &Unobserved).unwrap();
    assert_eq!((outcome.restarts, outcome.tally.runs), (3, 20));
    assert!(outcome.fault.is_none());
}

#[test]
fn a_swarm_begins_again_as_a_whole() {
    for threads in [1, 2] {
        let plans = auto_plans(&Settings::new(Strategy::plain(Shape::DepthFirst)), threads);
        let outcome = swarm(&phil(5, true, 2), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Clean);
        // Two threads can learn a lesson each before they begin again.
        let restarts = if threads == 1 { 2..=2 } else { 1..=2 };
        assert!(restarts.contains(&outcome.restarts), "{} restarts with {threads} threads", outcome.restarts);
        let outcome = swarm(&phil(5, false, 1), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.found[0].finding.kind, Kind::Deadlock);
        assert!(outcome.fault.is_none());
    }
}

#[test]
fn a_finding_survives_and_is_reported_once() {
    let load = phil(3, false, 2);
    let outcome = run(&load, &settings(Shape::DepthFirst));
    assert_eq!((outcome.verdict(), outcome.found.len()), (Verdict::Found, 1));
    // Following its schedule teaches nothing, whatever is left to learn.
    let ignorant = phil(3, false, 9);
    let (schedule, finding) = (outcome.found[0].schedule.as_ref().unwrap(), &outcome.found[0].finding);
    let short = shorten(&ignorant, schedule, finding, Effort::default(), &Halt::new()).unwrap();
    assert_eq!(replay(&ignorant, &short).unwrap().finding.unwrap().kind, Kind::Deadlock);
    assert!(ignorant.learned().is_empty());
}

#[test]
fn time_is_for_all_rounds_together() {
    let endless = phil(5, true, u64::MAX);
    let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
    // Lessons come ever deeper in the graph, but a walk goes on for ever.
    let mut settings = Settings { budget, store: StoreKind::None, ..settings(Shape::Walk) };
    settings.bounds.depth = Some(Bounds::MAX_DEPTH);
    let outcome = explore(&endless, &settings, &Halt::new(), &Unobserved).unwrap();
    assert!(outcome.reasons.contains(&Reason::Time), "{:?}", outcome.reasons);
    assert!(outcome.fault.is_none() && outcome.restarts > 0);
}

#[test]
fn states_are_for_all_rounds_together() {
    let budget = Budget { states: Some(60), ..Budget::default() };
    let settings = Settings { budget, ..settings(Shape::DepthFirst) };
    // Every lesson comes two steps deeper than the one before.
    let outcome = run(&phil(9, true, u64::MAX), &settings);
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
    assert_eq!(outcome.reasons, [Reason::States(60)]);
    assert!(outcome.fault.is_none() && (2..20).contains(&outcome.restarts), "{}", outcome.restarts);
}

#[test]
fn an_interrupt_ends_all_rounds() {
    let halt = Halt::new();
    halt.interrupt();
    let load = phil(5, true, 3);
    let outcome = explore(&load, &settings(Shape::DepthFirst), &halt, &Unobserved).unwrap();
    assert_eq!((outcome.verdict(), outcome.restarts), (Verdict::Incomplete, 0));
    assert!(outcome.reasons.contains(&Reason::Interrupted));
}

/// A program with one thread that fails, and notices in the same step that it has left out a scheduling point before.
struct Fails {
    knows: bool,
    learned: Arc<AtomicBool>,
    steps: usize,
}

struct FailsAndLearns {
    threads: Threads,
    learned: Arc<AtomicBool>,
}

impl Load for FailsAndLearns {
    type P = Fails;

    fn open(&self) -> Result<Fails, Fault> {
        Ok(Fails { knows: self.learned.load(Relaxed), learned: Arc::clone(&self.learned), steps: 0 })
    }

    fn learned(&self) -> Vec<String> {
        self.learned.load(Relaxed).then(|| "all there is".to_owned()).into_iter().collect()
    }

    fn threads(&self) -> &Threads {
        &self.threads
    }
}

impl Program for Fails {
    type Place = usize;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        out.push(Choice::run(ThreadId(0)));
    }

    fn judge(&mut self, _: bool) -> Option<Finding> {
        None
    }

    fn step(&mut self, _: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        self.steps += 1;
        if self.steps == 1 + usize::from(self.knows) {
            self.learned.store(true, Relaxed);
            step.finding = Some(Finding::new(Kind::Assertion, "it fails"));
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.steps
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        self.steps = depth;
        Ok(())
    }

    fn here(&mut self) -> usize {
        self.steps
    }

    fn go(&mut self, place: &usize) -> Result<(), Fault> {
        self.steps = *place;
        Ok(())
    }

    fn threads(&mut self, _: &mut Vec<Thread>) {}
}

impl Reducible for Fails {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        Ok(Promises { exact_footprints: false, judges_ends_only: true })
    }
}

#[test]
fn a_schedule_fits_what_was_learned_in_its_last_step() {
    let load = FailsAndLearns { threads: Threads::new(1), learned: Arc::default() };
    let settings = Settings { store: StoreKind::None, wanted: Wanted::First, ..settings(Shape::Walk) };
    let outcome = explore_stateless(&load, &settings, &Halt::new(), &Unobserved).unwrap();
    assert_eq!((outcome.verdict(), outcome.restarts), (Verdict::Found, 1));
    let schedule = outcome.found[0].schedule.as_ref().unwrap();
    assert_eq!(replay(&load, schedule).unwrap().finding.unwrap().kind, Kind::Assertion);
}
