//! Guided search: best-first by the program's own estimate of the distance to a finding.

mod common;

use common::*;
use sojourner_model::{Checked, Model, Properties, State, Target, Transitions};
use sojourner_program::{Choice, Detail, Load, Program, Step, ThreadId};
use sojourner_search::*;

/// Two processes that each walk along one side of a square. They must not meet at its far corner.
struct Square {
    side: u8,
}

#[derive(Clone, Debug, State)]
struct At {
    walked: [u8; 2],
}

impl Model for Square {
    type State = At;

    fn initial(&self) -> At {
        At { walked: [0; 2] }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, at: &At, on: &mut Transitions<'_>) {
        for process in 0..2 {
            on.when(at.walked[process] < self.side, process, 0);
        }
    }

    fn fire(&self, at: &mut At, process: usize, _: u32) {
        at.walked[process] += 1;
    }

    fn may_end(&self, _: &At) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("they do not meet", |square, at| at.walked != [square.side; 2]);
        expect.goal("middle", |square, at| at.walked == [square.side / 2; 2]);
    }

    fn distance(&self, at: &At, target: Target) -> Option<u32> {
        let to = match target {
            Target::Finding => self.side,
            Target::Goal(_) => self.side / 2,
        };
        Some(at.walked.iter().map(|&walked| u32::from(to.abs_diff(walked))).sum())
    }
}

const SIDE: u8 = 40;

#[test]
fn best_first_by_distance_goes_straight_to_the_finding() {
    let strategy =
        Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(Shape::best_first(Ties::Age)) };
    let guided = run(&Checked::new(Square { side: SIDE }), &Settings::new(strategy));
    let blind = run(&Checked::new(Square { side: SIDE }), &settings(Shape::BreadthFirst(None)));
    assert_eq!(guided.found[0].schedule.as_ref().map(Vec::len), Some(2 * usize::from(SIDE)));
    // Each step of the way opens at most two states.
    assert!(guided.tally.states <= 4 * u64::from(SIDE) + 1, "{}", guided.tally.states);
    assert_eq!(blind.tally.states, (u64::from(SIDE) + 1).pow(2));
}

#[test]
fn a_goal_is_reached_exactly_where_its_distance_is_zero() {
    let mut program = Checked::new(Square { side: 4 }).open().unwrap();
    let mut reached = Vec::new();
    for first in 0..=4 {
        for second in 0..=4 {
            program.rewind(0).unwrap();
            let mut step = Step::new(Detail::Outcome);
            for (process, steps) in [(0, first), (1, second)] {
                for _ in 0..steps {
                    let choice = Choice::pick(ThreadId(process), 0);
                    program.step(choice, &mut step).unwrap();
                }
            }
            if program.distance(Target::Goal(0)) == Some(0) {
                reached.push((first, second));
            }
        }
    }
    assert_eq!(reached, [(2, 2)]);
    assert_eq!(program.goals(), ["middle"]);
}

/// One step leads to any of some states, whose ranks are given. From each of them a finding of its own is a step away.
struct Fan {
    ranks: &'static [u32],
}

#[derive(Clone, Debug, State)]
struct Fanned {
    /// Which of them, counted from one.
    at: u8,
    found: bool,
}

impl Model for Fan {
    type State = Fanned;

    fn initial(&self) -> Fanned {
        Fanned { at: 0, found: false }
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, at: &Fanned, on: &mut Transitions<'_>) {
        (0..self.ranks.len() as u32).for_each(|value| on.when(at.at == 0, 0, value));
        on.when(at.at > 0 && !at.found, 0, 0);
    }

    fn fire(&self, at: &mut Fanned, _: usize, value: u32) {
        match at.at {
            0 => at.at = value as u8 + 1,
            _ => at.found = true,
        }
    }

    fn may_end(&self, _: &Fanned) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("nothing is found", |_, at| !at.found);
    }

    fn distance(&self, at: &Fanned, _: Target) -> Option<u32> {
        Some(at.at.checked_sub(1).map_or(0, |nth| self.ranks[usize::from(nth)]))
    }
}

/// How often each of the states is looked at first, over that many seeds.
fn looked_at_first(ranks: &'static [u32], ties: Ties, seeds: u64) -> Vec<u32> {
    let strategy = Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(Shape::best_first(ties)) };
    let mut counts = vec![0; ranks.len()];
    for seed in 0..seeds {
        let settings = Settings { seed, workers: 1, ..Settings::new(strategy.clone()) };
        let outcome = run(&Checked::new(Fan { ranks }), &settings);
        let schedule = outcome.found[0].schedule.clone().expect("it has one");
        counts[schedule[0].value().expect("it was chosen") as usize] += 1;
    }
    counts
}

/// Pearson's statistic for equal shares.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

#[test]
fn random_ties_favour_no_state() {
    let counts = looked_at_first(&[5; 8], Ties::Random, 4000);
    // Seven degrees of freedom: larger in one of a thousand samples.
    assert!(chi_square(&counts) < 24.3, "{counts:?}");
    assert_eq!(looked_at_first(&[5; 8], Ties::Age, 10)[0], 10, "by age, the first one comes first");
    let worse = looked_at_first(&[5, 5, 6, 7], Ties::Random, 1000);
    assert_eq!(worse[2..], [0, 0], "a rank comes before luck");
}

#[test]
fn any_of_the_best_is_taken_equally_often() {
    let counts = looked_at_first(&[9, 3, 7, 1, 8, 5], Ties::Best(3), 3000);
    assert_eq!([counts[0], counts[2], counts[4]], [0; 3], "{counts:?}");
    let best = [counts[1], counts[3], counts[5]];
    // Two degrees of freedom.
    assert!(chi_square(&best) < 13.8, "{best:?}");
}
