//! The exact number of states and transitions of every model.

use sojourner_model::{Checked, Model};
use sojourner_program::Kind;
use sojourner_testkit::models::{self, Visit};
use sojourner_testkit::oracle::{Oracle, explore};

struct Explore;

impl Visit for Explore {
    type Out = Oracle;

    fn visit<M: Model>(self, model: M) -> Oracle {
        explore(&Checked::new(model)).expect("a model does not fail")
    }
}

fn explored(name: &str, parameters: &str) -> Oracle {
    models::with(name, &[parameters.to_owned()], Explore).expect("a model of that name")
}

/// States, transitions and the kinds of the findings.
fn counts(name: &str, parameters: &str) -> (usize, u64, Vec<Kind>) {
    let oracle = explored(name, parameters);
    (oracle.count(), oracle.transitions, oracle.findings.iter().map(|finding| finding.0).collect())
}

#[test]
fn grid_has_values_to_the_power_of_counters() {
    assert_eq!(counts("grid", "counters=4,values=5"), (625, 2000, vec![]));
    assert_eq!(explored("grid", "counters=4,values=5").depth, 16);
}

#[test]
fn fair_philosophers_have_three_to_the_power_of_n_and_no_deadlock() {
    let (states, _, findings) = counts("phil", "n=8,fair=true");
    assert_eq!((states, findings), (6561, vec![]));
}

#[test]
fn unfair_philosophers_have_one_state_fewer_and_a_deadlock() {
    let oracle = explored("phil", "n=8,fair=false");
    assert_eq!((oracle.count(), oracle.end_states.len()), (6560, 1));
    assert_eq!(oracle.shortest.values().collect::<Vec<_>>(), [&8]);
}

#[test]
fn peterson_excludes() {
    assert_eq!(counts("peterson", "n=3"), (12_498, 33_369, vec![]));
}

#[test]
fn two_phase_commit_agrees() {
    assert_eq!(counts("twophase", "n=7"), (296_448, 2_744_705, vec![]));
}

#[test]
fn a_buffer_that_wakes_all_works() {
    let (states, _, findings) = counts("buffer", "threads=6,items=3,all=true");
    assert_eq!((states, findings), (48_088, vec![]));
}

#[test]
fn a_buffer_that_wakes_one_loses_wake_ups() {
    let (states, _, findings) = counts("buffer", "threads=6,items=3,all=false");
    assert_eq!((states, findings), (321_234, vec![Kind::Deadlock]));
}
