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
