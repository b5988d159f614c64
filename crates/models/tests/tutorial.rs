//! The model of `docs/tutorial.md`, as it is printed there: the text and the module are compared.

use sojourner_model::Checked;
use sojourner_program::Kind;
use sojourner_testkit::oracle::explore;

#[path = "tutorial/ticket_lock.rs"]
mod ticket_lock;

use ticket_lock::TicketLock;

#[test]
fn two_steps_let_two_threads_in_and_one_does_not() {
    let broken = explore(&Checked::new(TicketLock { threads: 3, atomic: false })).unwrap();
    let inside = (Kind::Property, "invariant `at most one thread is inside` does not hold".to_owned());
    assert_eq!(broken.shortest[&inside], 6);
    let fixed = explore(&Checked::new(TicketLock { threads: 4, atomic: true })).unwrap();
    assert!(fixed.findings.is_empty());
    assert_eq!(fixed.goals.len(), 1);
}

#[test]
fn the_tutorial_shows_this_model() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tutorial = include_str!("../../../docs/tutorial.md");
    let shown: Vec<&str> =
        tutorial.split("```rust\n").skip(1).filter_map(|part| part.split("```").next()).collect();
    let (main, model) = shown.split_last().expect("the tutorial shows code");
    assert!(words(include_str!("tutorial/ticket_lock.rs")).contains(&words(&model.concat())));
    assert!(words(include_str!("../../cli/examples/ticket_lock.rs")).contains(&words(main)));
}
