//! A command of one's own, as the tutorial makes it.

use crate::desk::Desk;

const EXAMPLE: &str = "ticket_lock";

#[test]
fn a_model_of_ones_own_is_checked_and_its_finding_replays() {
    let desk = Desk::new();
    let ran = desk.run_example(EXAMPLE, "--search bfs");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("found: property in ticket-lock\n"), "{}", ran.out);
    assert!(ran.out.contains("6 steps"), "{}", ran.out);
    assert!(ran.out.contains("ticket-lock replay ticket-lock-property.trace.json"), "{}", ran.out);
    let replayed = desk.run_example(EXAMPLE, "replay ticket-lock-property.trace.json");
    assert_eq!(replayed.code, 1, "{replayed:?}");
    assert!(replayed.out.contains("enters with ticket 0"), "{}", replayed.out);
}

#[test]
fn its_arguments_are_its_own() {
    let desk = Desk::new();
    let ran = desk.run_example(EXAMPLE, "-- atomic");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("clean: no finding in ticket-lock -- atomic"), "{}", ran.out);
    let ran = desk.run_example(EXAMPLE, "-- atomically");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there is one argument: atomic"), "{}", ran.err);
}

#[test]
fn it_has_the_options_of_check_and_no_target() {
    let desk = Desk::new();
    let help = desk.run_example(EXAMPLE, "--help");
    assert_eq!(help.code, 0);
    assert!(help.out.contains("--preemptions") && !help.out.contains("TARGET"), "{}", help.out);
}

#[test]
fn it_refuses_traces_of_other_programs() {
    let desk = Desk::new();
    assert_eq!(desk.run("check model:phil -- n=3 fair=false").code, 1);
    let ran = desk.run_example(EXAMPLE, "replay phil-deadlock.trace.json");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("models: ticket-lock"), "{}", ran.err);
}
