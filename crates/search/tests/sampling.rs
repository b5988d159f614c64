//! What searches that sample executions promise of their distribution, with fixed seeds.

mod common;

use common::*;
use sojourner_model::{Checked, Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};
use sojourner_search::*;
use sojourner_testkit::Recorded;
use std::collections::BTreeMap;

/// Processes that make so many steps each.
#[derive(Default)]
struct Steps {
    /// By process.
    counts: Vec<u8>,
    /// The first process makes so many steps before others can move.
    alone: u8,
    /// By process: its step, counted from 0, that writes to what all share. It touches nothing else.
    shared: Vec<Option<u8>>,
    /// The first process goes round until the last one has made its steps.
    spins: bool,
}

#[derive(Clone, Debug, State)]
struct Left {
    left: Row<u8, 8>,
}

impl Steps {
    fn of(counts: &[u8]) -> Steps {
        Steps { counts: counts.to_vec(), ..Steps::default() }
    }
}

impl Model for Steps {
    type State = Left;

    fn initial(&self) -> Left {
        let mut left = Row::filled(self.counts.len(), 0);
        for (process, &count) in self.counts.iter().enumerate() {
            left[process] = count;
        }
        Left { left }
    }

    fn processes(&self) -> u32 {
        self.counts.len() as u32
    }

    fn transitions(&self, state: &Left, on: &mut Transitions<'_>) {
        let alone = self.counts[0] - state.left[0] < self.alone;
        for (process, &left) in state.left.iter().enumerate() {
            on.when(left > 0 && (process == 0 || !alone), process, 0);
        }
    }

    fn fire(&self, state: &mut Left, process: usize, _: u32) {
        let waits = self.spins && process == 0 && state.left[self.counts.len() - 1] > 0;
        state.left[process] -= u8::from(!waits);
    }

    fn may_end(&self, _: &Left) -> bool {
        true
    }

    fn properties(&self, _: &mut Properties<Self>) {}

    fn footprint(&self, state: &Left, process: usize, _: u32, out: &mut Footprint) -> bool {
        let made = self.counts[process] - state.left[process];
        let is_shared = self.shared.get(process).copied().flatten() == Some(made);
        out.touch(ObjectId(if is_shared { 0 } else { process as u64 + 1 }), Mode::Write);
        true
    }
}

/// An encoded state has so many bytes for each process.
const PROCESS: usize = 3;

/// The processes that moved in each of so many executions, in order.
fn executions(steps: Steps, shape: Shape, count: u64) -> Vec<Vec<usize>> {
    let mut settings = Settings { seed: 5, wanted: Wanted::All, ..Settings::new(Strategy::plain(shape)) };
    settings.budget.executions = Some(count);
    let (_, visits) = visited(&Recorded::new(Checked::new(steps)), &settings);
    let moved = |pair: &[sojourner_testkit::Visit]| {
        let mut bytes = pair[0].state.iter().zip(&pair[1].state);
        bytes.position(|(before, after)| before != after).expect("a step") / PROCESS
    };
    visits.split_inclusive(|visit| visit.stuck).map(|visits| visits.windows(2).map(moved).collect()).collect()
}

fn count(executions: &[Vec<usize>], start: &[usize]) -> usize {
    executions.iter().filter(|moves| moves.starts_with(start)).count()
}

/// The sum of squared deviations from equal frequencies, each divided by the frequency.
fn chi_square(executions: &[Vec<usize>], kinds: usize) -> f64 {
    let mut counts = BTreeMap::new();
    executions.iter().for_each(|moves| *counts.entry(moves).or_insert(0_u32) += 1);
    let expected = executions.len() as f64 / kinds as f64;
    let missing = (kinds - counts.len()) as f64 * expected;
    counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum::<f64>() + missing
}

/// One, two and three steps have 60 interleavings. With 59 degrees of freedom, chance gives more than 98.3 once in a thousand.
const CRITICAL: f64 = 98.3;

#[test]
fn surw_draws_every_interleaving_equally_often() {
    for all in [true, false] {
        let drawn = executions(Steps::of(&[1, 2, 3]), Shape::Surw { all }, 6_001);
        // The first execution has shown the counts.
        let chi = chi_square(&drawn[1..], 60);
        assert!(chi < CRITICAL, "{chi}");
    }
    let walk = chi_square(&executions(Steps::of(&[1, 2, 3]), Shape::Walk, 6_000), 60);
    assert!(walk > 10.0 * CRITICAL, "a walk is not uniform: {walk}");
}

#[test]
fn surw_orders_accesses_to_a_shared_object_fairly() {
    let steps = || Steps { shared: vec![Some(3), Some(0)], ..Steps::of(&[4, 1]) };
    let first = |shape| {
        let drawn = executions(steps(), shape, 4_001);
        let ahead = |moves: &&Vec<usize>| moves.iter().position(|&process| process == 1) == Some(4);
        drawn[1..].iter().filter(ahead).count()
    };
    // One execution in four is uniform over all steps, of which the shared one of the first process comes last: 1 in 5.
    let expected = (0.75 * 0.5 + 0.25 * 0.2) * 4_000.0;
    let selective = first(Shape::Surw { all: false });
    assert!((selective as f64 - expected).abs() < 100.0, "{selective}");
    assert!((first(Shape::Surw { all: true }) as f64 - 800.0).abs() < 80.0);
    assert!((first(Shape::Walk) as f64 - 250.0).abs() < 50.0);
}

#[test]
fn pct_keeps_its_guarantee_for_a_defect_of_depth_three() {
    // At most seven steps are contested, and two threads start: at least once in 2 * 7 * 7.
    for alone in [0, 100] {
        let steps = Steps { alone, ..Steps::of(&[4 + alone, 4]) };
        let drawn = executions(steps, Shape::Pct(Some(3)), 9_800);
        let start: Vec<usize> = [vec![0; alone.into()], vec![0, 0, 1, 1, 0]].concat();
        let found = count(&drawn, &start);
        assert!(found >= 80, "{found} of at least 100 that are expected");
    }
}

#[test]
fn pct_lets_a_thread_that_dropped_later_go_on_first() {
    // Six steps are contested: the order of the threads is right once in 6, the two changes are once in 6 * 5.
    let found = count(&executions(Steps::of(&[3, 3, 1]), Shape::Pct(Some(3)), 5_400), &[0, 1, 2, 1]);
    assert!(found >= 15, "{found} of 30 that are expected");
}

#[test]
fn pct_without_a_depth_makes_executions_for_one_after_the_other() {
    let drawn = executions(Steps::of(&[6, 6]), Shape::Pct(None), 501);
    let switches = |moves: &Vec<usize>| moves.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let most = |depth: usize| drawn[1..].iter().skip((depth + 3) % 5).step_by(5).map(switches).max();
    assert_eq!(most(1), Some(1));
    for depth in 2..=5 {
        assert!(most(depth) > most(depth - 1), "depth {depth}");
    }
}

#[test]
fn every_sampled_execution_ends_although_a_thread_spins() {
    let shapes = [
        Shape::Walk,
        Shape::Pct(Some(1)),
        Shape::Pct(None),
        Shape::Pos,
        Shape::Surw { all: false },
        Shape::Surw { all: true },
    ];
    for shape in shapes {
        let steps = Steps { spins: true, shared: vec![None, Some(0)], ..Steps::of(&[1, 3, 3]) };
        let mut settings = settings(shape);
        settings.bounds.depth = Some(100_000);
        settings.budget.executions = Some(50);
        let outcome = run(&Checked::new(steps), &settings);
        assert_eq!(
            (outcome.tally.executions, &outcome.reasons[..]),
            (50, &[Reason::Randomised, Reason::Executions(50)][..]),
            "{shape}"
        );
    }
}
