//! Livelocks: executions that go on for ever, are fair, and end no thread.

use sojourner_model::{Checked, Model, State, Transitions};
use sojourner_program::{Kind, Load, Program, Stateful, Verdict};
use sojourner_search::*;
use sojourner_testkit::Hasty;
use sojourner_testkit::models::{Grid, Peterson};

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

#[test]
fn who_waits_for_one_that_can_go_on_is_no_livelock() {
    let outcome = look(&Checked::new(Corridor { how: How::Waits }), Budget::default());
    assert_eq!(outcome.verdict(), Verdict::Clean);
}

#[test]
fn all_who_wait_for_each_other_are_one() {
    for how in [How::BothWait, How::Polite] {
        let load = Checked::new(Corridor { how });
        let outcome = look(&load, Budget::default());
        assert_eq!(outcome.found[0].finding.kind, Kind::Livelock);
        let schedule = outcome.found[0].schedule.as_ref().unwrap();
        let back = comes_back(&load, schedule).unwrap().unwrap();
        // Nobody is starved on the way round.
        let threads: std::collections::BTreeSet<u32> =
            schedule[back..].iter().map(|choice| choice.thread.0).collect();
        assert_eq!(threads.into_iter().collect::<Vec<_>>(), [0, 1]);
        assert!(
            outcome.found[0].finding.message.contains(&format!("after step {back}")),
            "{:?}",
            outcome.found
        );
    }
}

#[test]
fn a_program_that_always_ends_has_none_and_all_of_it_is_looked_at() {
    let grid = Checked::new(Grid { counters: 3, values: 4 });
    let outcome = look(&grid, Budget::default());
    assert_eq!((outcome.verdict(), outcome.tally.states), (Verdict::Clean, 64));
    // Processes that enter their critical sections for ever do go on for ever.
    let outcome = look(&Checked::new(Peterson { n: 2 }), Budget::default());
    assert_eq!(outcome.verdict(), Verdict::Found);
}

#[test]
fn it_keeps_to_its_budget_and_begins_again_when_asked_to() {
    let grid = || Checked::new(Grid { counters: 3, values: 9 });
    let outcome = look(&grid(), Budget { states: Some(50), ..Budget::default() });
    assert_eq!((outcome.verdict(), outcome.reasons), (Verdict::Incomplete, vec![Reason::States(50)]));
    let outcome = look(&Hasty::new(grid(), 2), Budget::default());
    assert_eq!((outcome.verdict(), outcome.restarts), (Verdict::Clean, 2));
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
