//! Findings are seen again: from a file, from a token.

use crate::desk::{Desk, Ran};
use serde_json::{Value, json};

/// A deadlock of four philosophers, saved as `t.json`.
fn saved() -> Desk {
    let desk = Desk::new();
    desk.run("check model:phil --shorten 1000000 --trace t.json -- n=4 fair=false").code(1);
    desk
}

/// The token that a replay prints.
fn token(ran: &Ran) -> String {
    ran.out.lines().find_map(|line| line.strip_prefix("replay token: ")).unwrap().to_owned()
}

/// Changes the saved trace.
fn change(desk: &Desk, change: impl FnOnce(&mut Value)) {
    let mut trace = desk.read_json("t.json");
    change(&mut trace);
    desk.write("t.json", trace.to_string());
}

#[test]
fn a_file_shows_the_finding_again() {
    let ran = saved().run("replay t.json").code(1);
    ran.says("deadlock: ").says("model:phil -- n=4 fair=false").says("takes fork").says("4 steps");
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let ran = saved().run("replay t.json").code(1);
    for i in 0..4 {
        assert!(
            ran.out.contains(&format!("philosopher {i} waits for fork {}\n", (i + 1) % 4)),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_token_shows_the_finding_again() {
    let desk = saved();
    let token = token(&desk.run("replay t.json"));
    let ran = desk.run(&format!("replay --token {token} model:phil -- n=4 fair=false")).code(1);
    ran.says("deadlock: ").says("4 steps").says(&token);
}

#[test]
fn a_token_has_no_search_to_name() {
    let desk = saved();
    let token = token(&desk.run("replay t.json"));
    let ran = desk.run(&format!("replay --token {token} model:phil -- n=4,fair=false")).code(1);
    assert!(!ran.out.contains("found by"), "{}", ran.out);
}

#[test]
fn a_token_that_is_too_long_to_paste_is_not_printed() {
    let desk = Desk::new();
    desk.run("check model:phil --search dfs --jobs 1 --shorten 0 --trace t.json -- n=9 fair=false").code(1);
    desk.run("replay t.json").code(1).says("replay token: none").says("keep the trace file");
}

#[test]
fn token_without_its_finding_exits_with_3() {
    let desk = saved();
    let token = token(&desk.run("replay t.json"));
    let ran = desk.run(&format!("replay --token {token} model:phil -- n=5 fair=false")).code(3);
    ran.says("nothing is found: the schedule ends after 4 steps");
}

#[test]
fn a_schedule_that_does_not_fit_its_program_names_the_step() {
    let desk = saved();
    change(&desk, |trace| trace["program"]["arguments"] = json!(["n=4", "fair=true"]));
    let ran = desk.run("replay t.json").code(3);
    ran.says("the trace does not fit this program: step ").says(" of 4 cannot be taken: ");
}

#[test]
fn steps_that_do_not_fit_are_counted_from_one() {
    let desk = saved();
    change(&desk, |trace| {
        trace["schedule"] = "0:7".into();
        trace.as_object_mut().unwrap().remove("events");
    });
    desk.run("replay t.json").code(3).says("step 1 of 1 cannot be taken");
}

#[test]
fn a_program_that_has_changed_is_noticed() {
    let desk = saved();
    change(&desk, |trace| trace["program"]["arguments"] = json!(["n=5", "fair=false"]));
    desk.run("replay t.json").code(3).says("note: the program has changed since").says("nothing is found");
}

#[test]
fn a_finding_that_comes_sooner_than_it_was_saved_says_so() {
    let desk = saved();
    change(&desk, |trace| trace["program"]["arguments"] = json!(["n=3", "fair=false"]));
    let ran = desk.run("replay t.json");
    // Which philosopher is the last to take a fork is up to the search.
    if ran.code == 1 {
        ran.says("note: the finding comes after 3 of the 4 steps");
    } else {
        ran.code(3).says("cannot be taken");
    }
}

#[test]
fn another_finding_than_the_saved_one_is_not_taken_for_it() {
    let desk = saved();
    change(&desk, |trace| trace["finding"]["kind"] = "race".into());
    desk.run("replay t.json").code(3).says("this is not the finding that was saved");
}

#[test]
fn an_original_that_was_not_made_short_is_the_schedule_itself() {
    let desk = Desk::new();
    desk.run("check model:phil --search bfs --shorten 0 --trace t.json -- n=4 fair=false").code(1);
    desk.run("replay --original t.json")
        .code(1)
        .says("note: the schedule was saved as it was found")
        .says("4 steps");
}

#[test]
fn fields_of_later_versions_are_ignored() {
    let desk = saved();
    change(&desk, |trace| trace["weather"] = "fine".into());
    desk.run("replay t.json").code(1);
}

#[test]
fn a_trace_has_the_options_of_the_program_in_it() {
    let desk = saved();
    desk.run("replay t.json --gc none").refused(&["a trace contains the program's options: leave out --gc"]);
    // Where classes are may have changed, but a model has none.
    desk.run("replay t.json --classpath x").refused(&["--classpath is for Java programs"]);
    change(&desk, |trace| trace["program"]["options"] = json!(["--gc", "sometimes"]));
    desk.run("replay t.json").refused(&["the trace contains options that are not understood", "sometimes"]);
    change(&desk, |trace| trace["program"]["options"] = json!(["--gc", "none"]));
    desk.run("replay t.json").refused(&["--gc is for Java programs; 'model:phil' is a model"]);
}

#[test]
fn schedule_that_needs_learned_facts_has_no_token() {
    let desk = saved();
    change(&desk, |trace| trace["program"]["learned"] = json!(["something"]));
    desk.run("replay t.json").code(1).says("replay token: none, it would not say what had been learned");
}
