//! Orders do what their names say: seen in the first execution that each of them runs to its end.

mod common;

use common::*;
use sojourner_model::{Checked, Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};
use sojourner_program::{Schedule, ThreadId};
use sojourner_search::*;
use std::collections::BTreeSet;

/// Processes that take five steps each, and an end that is never right, so that the first execution is a finding.
struct Runners {
    processes: u8,
    /// Whether all of them touch the same thing.
    racing: bool,
}

#[derive(Clone, Debug, State)]
struct Steps {
    left: Row<u8, 8>,
}

impl Model for Runners {
    type State = Steps;

    fn initial(&self) -> Steps {
        Steps { left: Row::filled(self.processes.into(), 5) }
    }

    fn processes(&self) -> u32 {
        self.processes.into()
    }

    fn transitions(&self, steps: &Steps, on: &mut Transitions<'_>) {
        for (process, &left) in steps.left.iter().enumerate() {
            on.when(left > 0, process, 0);
        }
    }

    fn fire(&self, steps: &mut Steps, process: usize, _: u32) {
        steps.left[process] -= 1;
    }

    fn may_end(&self, _: &Steps) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.at_end("never", |_, _| false);
    }

    fn footprint(&self, _: &Steps, process: usize, _: u32, out: &mut Footprint) -> bool {
        out.touch(ObjectId(if self.racing { 0 } else { process as u64 }), Mode::Write);
        true
    }

    fn distance(&self, steps: &Steps, _: sojourner_model::Target) -> Option<u32> {
        // As if the way to the end led through the last process.
        steps.left.last().map(|&left| left.into())
    }
}

fn first_execution(strategy: Strategy, seed: u64) -> Schedule {
    execution_of(Runners { processes: 4, racing: true }, strategy, seed)
}

fn execution_of(runners: Runners, strategy: Strategy, seed: u64) -> Schedule {
    let mut settings = Settings { seed, ..Settings::new(strategy) };
    settings.budget.executions = settings.strategy.shape.samples().then_some(1);
    let outcome = run(&Checked::new(runners), &settings);
    outcome.found[0].schedule.clone().unwrap()
}

fn dfs(order: OrderKind) -> Strategy {
    Strategy { order, ..Strategy::plain(Shape::DepthFirst) }
}

/// The executions that a hundred seeds give.
fn variety(strategy: &Strategy) -> BTreeSet<Schedule> {
    (0..100).map(|seed| first_execution(strategy.clone(), seed)).collect()
}

#[test]
fn as_given_runs_one_thread_after_the_other() {
    let schedule = first_execution(dfs(OrderKind::AsGiven), 0);
    assert_eq!(context_switches(&schedule), 3);
    assert!(schedule.is_sorted_by_key(|choice| choice.thread));
}

#[test]
fn interleaving_first_switches_at_every_step() {
    let schedule = first_execution(dfs(OrderKind::Interleave), 0);
    assert_eq!(context_switches(&schedule), schedule.len() - 1);
    let threads: Vec<u32> = schedule[..5].iter().map(|choice| choice.thread.0).collect();
    assert_eq!(threads, [0, 1, 2, 3, 0]);
}

#[test]
fn interference_first_takes_threads_that_touch_what_another_one_has_touched() {
    let threads = |racing| {
        let runners = Runners { processes: 3, racing };
        let schedule = execution_of(runners, dfs(OrderKind::Interference), 0);
        schedule[..6].iter().map(|choice| choice.thread.0).collect::<Vec<_>>()
    };
    // The step before the last one is further away, so that two threads change places as long as they can.
    assert_eq!(threads(true), [0, 1, 0, 1, 0, 1]);
    // Without conflicts, the order is as given.
    assert_eq!(threads(false), [0, 0, 0, 0, 0, 1]);
}

#[test]
fn by_heuristic_goes_where_the_rank_is_least() {
    let strategy = Strategy { heuristic: Heuristic::Distance, ..dfs(OrderKind::Heuristic) };
    let schedule = first_execution(strategy, 0);
    assert!(schedule[..5].iter().all(|choice| choice.thread == ThreadId(3)));
}

#[test]
fn random_order_is_another_with_every_seed_and_no_thread_is_favoured() {
    let schedules = variety(&dfs(OrderKind::Random));
    assert_eq!(schedules.len(), 100);
    for thread in 0..4 {
        let firsts = schedules.iter().filter(|schedule| schedule[0].thread == ThreadId(thread)).count();
        assert!((10..45).contains(&firsts), "thread {thread} is first in {firsts} of 100");
    }
}

#[test]
fn a_walk_is_another_with_every_seed() {
    assert_eq!(variety(&Strategy::plain(Shape::Walk)).len(), 100);
}

#[test]
fn pct_changes_priorities_fewer_times_than_its_depth() {
    for seed in 0..100 {
        assert_eq!(context_switches(&first_execution(Strategy::plain(Shape::Pct(Some(1))), seed)), 3);
    }
    // Four threads in any order.
    assert_eq!(variety(&Strategy::plain(Shape::Pct(Some(1)))).len(), 24);
    // The length of executions is known from the second one on, and change points are spread over it.
    let mut most = 0;
    for seed in 0..50 {
        let mut settings =
            Settings { seed, wanted: Wanted::All, ..Settings::new(Strategy::plain(Shape::Pct(Some(3)))) };
        settings.budget.executions = Some(5);
        let load = sojourner_testkit::Recorded::new(Checked::new(Runners { processes: 4, racing: true }));
        let (_, visits) = visited(&load, &settings);
        let ends: Vec<usize> = (0..visits.len()).filter(|&i| visits[i].stuck).collect();
        assert_eq!(ends.len(), 5);
        for pair in ends.windows(2) {
            let movers = movers(&visits[pair[0] + 1..=pair[1]]);
            let switches = movers.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(switches <= 3 + 2, "{switches}");
            most = most.max(switches);
        }
    }
    assert!(most > 3, "change points change something");
}

/// Who moved between the states of an execution: the process whose count fell.
fn movers(visits: &[sojourner_testkit::Visit]) -> Vec<usize> {
    let moved = |pair: &[sojourner_testkit::Visit]| {
        (0..pair[0].state.len()).find(|&i| pair[0].state[i] != pair[1].state[i]).unwrap()
    };
    visits.windows(2).map(moved).collect()
}

#[test]
fn pos_is_fair_with_and_without_races() {
    assert_eq!(variety(&Strategy::plain(Shape::Pos)).len(), 100);
    // A fair coin decides between two operations that race, however many steps of others lie between: with three
    // processes that have nothing in common, each is first about as often as the others.
    let mut firsts = [0; 3];
    for seed in 0..300 {
        let runners = Runners { processes: 3, racing: false };
        firsts[execution_of(runners, Strategy::plain(Shape::Pos), seed)[0].thread.0 as usize] += 1;
    }
    assert!(firsts.iter().all(|&n| (60..140).contains(&n)), "{firsts:?}");
}

#[test]
fn ties_are_broken_by_age_at_random_or_among_the_best() {
    let best_first =
        |ties| Strategy { heuristic: Heuristic::Switches, ..Strategy::plain(Shape::best_first(ties)) };
    assert_eq!(variety(&best_first(Ties::Age)).len(), 1);
    assert!(variety(&best_first(Ties::Random)).len() > 10);
    assert!(variety(&best_first(Ties::Best(3))).len() > 10);
}
