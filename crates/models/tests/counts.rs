//! The exact number of states and transitions of every model.

use sojourner_model::{Checked, Model};
use sojourner_models::{self as models, Visit};
use sojourner_program::Kind;
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

#[test]
fn dekker_excludes_if_it_is_polite() {
    assert_eq!(counts("dekker", ""), (56, 106, vec![]));
    assert_eq!(counts("dekker", "polite=false").2, [Kind::Property]);
}

#[test]
fn the_bakery_excludes_if_those_who_choose_are_waited_for() {
    assert_eq!(counts("bakery", "n=2,rounds=3"), (3269, 5653, vec![]));
    assert_eq!(counts("bakery", "n=3"), (6232, 14_661, vec![]));
    assert_eq!(counts("bakery", "n=3,choosing=false").2, [Kind::Property]);
}

#[test]
fn a_writer_is_alone_if_it_enters_in_one_step() {
    assert_eq!(counts("readers-writers", "readers=3,writers=2"), (10, 28, vec![]));
    assert_eq!(counts("readers-writers", "atomic=false").2, [Kind::Property]);
}

#[test]
fn the_alternating_bit_keeps_items_in_order() {
    assert_eq!(counts("abp", "items=3,capacity=2"), (78, 239, vec![]));
    assert_eq!(explored("abp", "items=3,capacity=2").goals.len(), 1);
    assert_eq!(counts("abp", "checks=false").2, [Kind::Property]);
}
