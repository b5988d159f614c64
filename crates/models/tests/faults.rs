//! A model whose own code panics is a finding, not the end of the search.

use sojourner_model::Checked;
use sojourner_models::{Faulty, Part};
use sojourner_program::{Choice, Detail, Kind, Load, Program, Step, ThreadId};
use sojourner_testkit::oracle::explore;

fn findings(part: Part) -> Vec<(Kind, String)> {
    explore(&Checked::new(Faulty(part))).unwrap().findings.into_iter().collect()
}

fn panicked(message: &str) -> (Kind, String) {
    (Kind::Panic, message.to_owned())
}

#[test]
fn a_panic_in_a_guard_is_found_in_a_state_without_choices() {
    assert_eq!(findings(Part::Guard), [panicked("a guard panicked: the Guard is broken at 2")]);
}

#[test]
fn a_panic_in_a_guard_is_still_found_on_the_way_back() {
    let mut program = Checked::new(Faulty(Part::Guard)).open().unwrap();
    let choice = Choice::pick(ThreadId(0), 0);
    for _ in 0..2 {
        program.step(choice, &mut Step::new(Detail::Outcome)).unwrap();
    }
    let mut choices = Vec::new();
    program.choices(&mut choices);
    assert_eq!(choices, []);
    assert!(program.step(choice, &mut Step::new(Detail::Words)).is_err());
    assert_eq!(program.judge(true).map(|finding| finding.kind), Some(Kind::Panic));
}

#[test]
fn a_panic_in_a_transition_is_found_in_its_process() {
    assert_eq!(
        findings(Part::Transition),
        [panicked("a transition panicked: the Transition is broken at 2")]
    );
    let mut program = Checked::new(Faulty(Part::Transition)).open().unwrap();
    let mut step = Step::new(Detail::Outcome);
    for depth in 1..=2 {
        let mut choices = Vec::new();
        program.choices(&mut choices);
        program.step(choices[0], &mut step).unwrap();
        assert_eq!(program.depth(), depth);
    }
    let finding = step.finding.unwrap();
    assert!(finding.thread.is_some());
    assert!(finding.location.unwrap().file.ends_with("faulty.rs"));
    // What the transition had changed before it panicked is undone.
    assert_eq!(*program.state(), 1);
    program.rewind(0).unwrap();
    assert_eq!(*program.state(), 0);
}

#[test]
fn a_panic_in_a_property_names_it() {
    let at = |n| panicked(&format!("invariant `sound` panicked: the Invariant is broken at {n}"));
    assert_eq!(findings(Part::Invariant), [at(2), at(3)]);
    let at = |n| panicked(&format!("goal `three` panicked: the Goal is broken at {n}"));
    assert_eq!(findings(Part::Goal), [at(2), at(3)]);
}

#[test]
fn a_panic_at_the_end_is_found() {
    assert_eq!(findings(Part::MayEnd), [panicked("`may_end` panicked: the MayEnd is broken at 3")]);
}

#[test]
fn a_panic_in_a_description_is_no_finding() {
    assert_eq!(findings(Part::Words), []);
    let mut program = Checked::new(Faulty(Part::Words)).open().unwrap();
    let mut step = Step::new(Detail::Words);
    for _ in 0..3 {
        let mut choices = Vec::new();
        program.choices(&mut choices);
        program.step(choices[0], &mut step).unwrap();
        assert_eq!(program.name(choices[0].thread), "process 0");
    }
    assert!(step.words.contains("panicked"));
    assert!(program.describe().contains("panicked"));
}

#[test]
fn a_panic_before_the_start_is_a_fault() {
    let fault = Checked::new(Faulty(Part::Initial)).open().err().unwrap();
    let message = "the program could not be run: the initial state panicked: the Initial is broken at 2";
    assert_eq!(fault.to_string(), message);
}
