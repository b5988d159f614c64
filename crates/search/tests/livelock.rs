//! Livelocks: executions that go on for ever, are fair, and end no thread.

use proptest::prelude::{prop_assert, prop_assert_eq, prop_assume, proptest};
use sojourner_model::{Checked, Model, State, Transitions};
use sojourner_program::{Detail, Kind, Load, Program, Stateful, Step, ThreadId, Verdict};
use sojourner_search::*;
use sojourner_testkit::Hasty;
use sojourner_testkit::RandomSystem;
use sojourner_testkit::models::{Grid, Peterson};
use sojourner_testkit::oracle::wire;
use std::collections::{BTreeSet, HashMap};

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
    livelock(load, Livelocks::All, budget, &Halt::new(), &Unobserved).unwrap()
}

fn look_for_hangs<L: Load<P: Stateful>>(load: &L) -> Outcome {
    livelock(load, Livelocks::Hangs, Budget::default(), &Halt::new(), &Unobserved).unwrap()
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
fn only_those_hang_for_whom_nothing_else_can_follow() {
    let verdict = |how| look_for_hangs(&Checked::new(Corridor { how })).verdict();
    assert_eq!(verdict(How::BothWait), Verdict::Found);
    // They could pass all the while.
    assert_eq!(verdict(How::Polite), Verdict::Clean);
    assert_eq!(verdict(How::Waits), Verdict::Clean);
    // They go on for ever, and do something.
    assert_eq!(look_for_hangs(&Checked::new(Peterson { n: 2 })).verdict(), Verdict::Clean);
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

/// The graph of states, explored as plainly as can be: for each state its successors, and by which thread.
fn graph(load: &Checked<RandomSystem>) -> Vec<Vec<(ThreadId, usize)>> {
    let mut program = load.open().unwrap();
    let mut step = Step::new(Detail::Outcome);
    let (mut numbers, mut places) = (HashMap::from([(wire(&mut program), 0)]), vec![program.here()]);
    let mut edges: Vec<Vec<(ThreadId, usize)>> = Vec::new();
    while let Some(place) = places.get(edges.len()).cloned() {
        program.go(&place).unwrap();
        let (mut choices, mut out) = (Vec::new(), Vec::new());
        program.choices(&mut choices);
        for choice in choices {
            program.go(&place).unwrap();
            program.step(choice, &mut step).unwrap();
            // What fails leads nowhere, and its thread could have moved all the same.
            if step.finding.take().is_some() {
                out.push((choice.thread, usize::MAX));
                continue;
            }
            let next = places.len();
            let to = *numbers.entry(wire(&mut program)).or_insert(next);
            if to == next {
                places.push(program.here());
            }
            out.push((choice.thread, to));
        }
        edges.push(out);
    }
    edges
}

/// Whether an execution can go round all states that lead to each other, for ever, without starving anybody.
fn has_livelock(graph: &[Vec<(ThreadId, usize)>]) -> bool {
    let from = |start: usize| {
        let (mut seen, mut rest) = (BTreeSet::new(), vec![start]);
        while let Some(state) = rest.pop() {
            let next = graph[state].iter().map(|(_, to)| *to).filter(|&to| to != usize::MAX);
            rest.extend(next.filter(|&to| seen.insert(to)));
        }
        seen
    };
    let reach: Vec<BTreeSet<usize>> = (0..graph.len()).map(from).collect();
    (0..graph.len()).filter(|&state| reach[state].contains(&state)).any(|state| {
        let together: BTreeSet<usize> =
            reach[state].iter().copied().filter(|&to| reach[to].contains(&state)).collect();
        let threads: BTreeSet<ThreadId> = graph.iter().flatten().map(|(thread, _)| *thread).collect();
        threads.iter().all(|thread| {
            let moves =
                |&state: &usize| graph[state].iter().any(|(by, to)| by == thread && together.contains(to));
            let able = |&state: &usize| graph[state].iter().any(|(by, _)| by == thread);
            together.iter().any(moves) || !together.iter().all(able)
        })
    })
}

#[test]
fn generated_systems_have_livelocks_now_and_then() {
    let verdict = |seed| look(&Checked::new(RandomSystem::any(seed)), Budget::default()).verdict();
    let found = (0..100).filter(|&seed| verdict(seed) == Verdict::Found).count();
    assert!((10..90).contains(&found), "{found}");
}

proptest! {
    #[test]
    fn it_finds_one_exactly_if_there_is_one(seed: u64) {
        let load = Checked::new(RandomSystem::any(seed));
        let graph = graph(&load);
        prop_assume!(graph.len() < 1_000);
        let outcome = look(&load, Budget::default());
        let expected = if has_livelock(&graph) { Verdict::Found } else { Verdict::Clean };
        prop_assert_eq!(outcome.verdict(), expected);
        if let Some(found) = outcome.found.first() {
            prop_assert!(comes_back(&load, found.schedule.as_ref().unwrap()).unwrap().is_some());
        }
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
