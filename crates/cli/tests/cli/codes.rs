//! Exit codes are part of the interface.

use crate::desk::Desk;

#[test]
fn a_program_without_defects_exits_with_0() {
    Desk::new().run("check model:phil -- n=4").code(0).says("clean: ");
}

#[test]
fn a_finding_exits_with_1() {
    Desk::new().run("check model:phil -- n=4 fair=false").code(1).says("found: deadlock");
}

#[test]
fn an_unknown_option_exits_with_2() {
    Desk::new().run("check model:phil --no-such-option").refused(&["--no-such-option", "--help"]);
}

#[test]
fn a_search_that_was_cut_exits_with_3() {
    Desk::new().run("check model:grid --search dfs --states 100").code(3).says("incomplete: ");
}

#[test]
fn a_program_that_cannot_be_opened_exits_with_4() {
    let ran = Desk::new().run("check model:faulty -- part=initial").code(4);
    ran.says("unsupported: ").says("the Initial is broken at 2");
}

#[test]
fn no_command_at_all_shows_the_help_and_exits_with_2() {
    let ran = Desk::new().run_words(&[]).code(2);
    assert!(ran.err.contains("Usage: sojourner") && ran.out.is_empty(), "{ran:?}");
}

#[test]
fn panic_in_invariant_is_a_finding() {
    let ran = Desk::new().run("check model:faulty -- part=invariant").code(1);
    ran.says("found: panic").says("the Invariant is broken at 2");
}

#[test]
fn panic_in_guard_is_a_finding() {
    Desk::new()
        .run("check model:faulty -- part=guard")
        .code(1)
        .says("found: panic")
        .says("the Guard is broken");
}

#[test]
fn panic_in_transition_is_a_finding() {
    let ran = Desk::new().run("check model:faulty -- part=transition").code(1);
    ran.says("found: panic").says("the Transition is broken");
}

#[test]
fn panic_in_goal_is_a_finding() {
    Desk::new()
        .run("check model:faulty -- part=goal")
        .code(1)
        .says("found: panic")
        .says("the Goal is broken");
}

#[test]
fn panic_in_may_end_is_a_finding() {
    Desk::new()
        .run("check model:faulty -- part=may-end")
        .code(1)
        .says("found: panic")
        .says("MayEnd is broken");
}

#[test]
fn words_that_cannot_be_had_are_no_finding() {
    Desk::new().run("check model:faulty -- part=words").code(0).says("clean: ");
}

#[test]
fn a_panic_of_the_program_replays() {
    let desk = Desk::new();
    desk.run("check model:faulty").code(1).says("sojourner replay faulty-panic.trace.json");
    desk.run("replay faulty-panic.trace.json").code(1).says("the Invariant is broken at 2");
}
