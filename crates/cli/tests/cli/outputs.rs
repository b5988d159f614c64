//! What is printed and what is written, and where.

use crate::desk::{Desk, Ran};
use serde_json::Value;
use std::process::Stdio;

#[test]
fn a_finding_is_saved_under_its_name() {
    let desk = Desk::new();
    desk.run("check model:phil -- n=4 fair=false").code(1).says("sojourner replay phil-deadlock.trace.json");
    assert_eq!(desk.files(), ["phil-deadlock.trace.json"]);
}

#[test]
fn a_finding_is_saved_where_the_user_says() {
    let desk = Desk::new();
    desk.run("check model:phil --trace here.json -- n=4 fair=false")
        .code(1)
        .says("sojourner replay here.json");
    assert_eq!(desk.files(), ["here.json"]);
}

#[test]
fn a_name_with_spaces_is_printed_as_a_shell_needs_it() {
    let desk = Desk::new();
    let ran = desk.run_words(&["check", "model:phil", "--trace", "my trace.json", "--", "n=4", "fair=false"]);
    ran.code(1).says("sojourner replay 'my trace.json'");
}

#[test]
fn nothing_is_left_behind_if_nothing_is_found() {
    let desk = Desk::new();
    desk.run("check model:phil --trace here.json -- n=4").code(0);
    assert!(desk.files().is_empty(), "{:?}", desk.files());
}

#[test]
fn a_trace_of_before_stays_if_nothing_is_found() {
    let desk = Desk::new();
    desk.write("here.json", "kept");
    desk.run("check model:phil --trace here.json -- n=4").code(0);
    assert_eq!(desk.read("here.json"), "kept");
}

#[test]
fn unsaved_trace_is_a_warning() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("phil-deadlock.trace.json")).unwrap();
    desk.run("check model:phil -- n=4 fair=false").code(1).says("warning").says("cannot be written");
}

#[test]
fn quiet_prints_the_verdict_only() {
    let desk = Desk::new();
    let ran = desk.run("check model:phil -q -- n=4 fair=false").code(1);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("found\n", ""));
    assert_eq!(desk.files(), ["phil-deadlock.trace.json"]);
}

/// The trace of a check of six philosophers with these options.
fn trace(desk: &Desk, options: &str) -> Value {
    let line = format!("check model:phil --search dfs --jobs 1 {options} --trace t.json -- n=6 fair=false");
    desk.run(&line).code(1);
    desk.read_json("t.json")
}

#[test]
fn a_schedule_is_made_short_and_the_original_is_kept() {
    let desk = Desk::new();
    let short = trace(&desk, "--shorten 1000000");
    assert_eq!(short["events"].as_array().unwrap().len(), 6);
    let original = trace(&Desk::new(), "--shorten 0");
    assert_eq!(short["original"], original["schedule"]);
    assert!(original["events"].as_array().unwrap().len() > 6);
    assert_eq!(original["original"], Value::Null);
}

#[test]
fn replay_follows_the_short_schedule_or_the_original() {
    let desk = Desk::new();
    trace(&desk, "--shorten 1000000");
    desk.run("replay t.json").code(1).says("6 steps");
    let found = trace(&Desk::new(), "--shorten 0")["events"].as_array().unwrap().len();
    desk.run("replay --original t.json").code(1).says(&format!("{found} steps"));
}

#[test]
fn growth_is_a_table_with_a_line_for_each_level() {
    let desk = Desk::new();
    desk.run("check model:phil --search bfs --jobs 1 --growth g.tsv -- n=3").code(0);
    let table = desk.read("g.tsv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["depth", "states", "store_bytes", "bytes_per_state"]);
    let numbers =
        |column: usize| -> Vec<u64> { lines[1..].iter().map(|line| line[column].parse().unwrap()).collect() };
    let (depths, states) = (numbers(0), numbers(1));
    assert_eq!(depths[..3], [1, 2, 3]);
    assert!(states.is_sorted() && states[0] == 1, "{table}");
    let (_, result) = desk.result("model:phil --search bfs -- n=3");
    assert_eq!(result["stats"]["states"].as_u64(), states.last().copied());
    desk.run("check model:phil --growth g.tsv").refused(&["--growth is for one search"]);
    desk.run("check model:phil --search bfs --growth - --json -").refused(&["give each its own"]);
}

#[test]
fn samples_are_a_table_over_time() {
    let desk = Desk::new();
    desk.run("check model:phil --search dfs --jobs 1 --samples s.tsv -- n=5").code(0);
    let table = desk.read("s.tsv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let head = ["transitions", "seconds", "states", "depth", "store_bytes", "queue_bytes", "pool_bytes"];
    assert_eq!(lines[0], head);
    let numbers =
        |column: usize| -> Vec<f64> { lines[1..].iter().map(|line| line[column].parse().unwrap()).collect() };
    let transitions = numbers(0);
    assert_eq!(transitions[..3], [16.0, 32.0, 48.0]);
    assert!(transitions.is_sorted() && numbers(1).is_sorted() && numbers(2).is_sorted(), "{table}");
    assert!(numbers(3).iter().any(|&depth| depth > 5.0) && numbers(5).iter().all(|&bytes| bytes > 0.0));
    let (_, result) = desk.result("model:phil --search dfs --jobs 1 -- n=5");
    assert_eq!(result["stats"]["transitions"].as_f64(), transitions.last().copied());
    desk.run("check model:phil --samples s.tsv").refused(&["--samples is for one search"]);
    let line = "check model:phil --search dfs --samples t.tsv --growth t.tsv";
    desk.run(line).refused(&["give each its own"]);
}

#[test]
fn colours_are_for_terminals() {
    let desk = Desk::new();
    let line = "check model:phil -- n=3";
    assert!(!desk.run(line).out.contains('\x1b'));
    assert!(desk.run(&format!("--color always {line}")).out.contains('\x1b'));
    assert!(!desk.run(&format!("--color never {line}")).out.contains('\x1b'));
}

#[test]
fn lines_are_as_wide_as_the_terminal_says() {
    for width in [60, 80, 120] {
        let desk = Desk::new();
        let mut command =
            desk.command(&["check", "model:buffer", "--", "threads=6", "items=1", "capacity=1"]);
        let ran = Ran::of(&command.env("COLUMNS", width.to_string()).output().unwrap()).code(1);
        for line in ran.out.lines() {
            assert!(line.chars().count() <= width, "more than {width}: {line}");
        }
    }
}

#[test]
fn a_reader_that_has_gone_away_changes_nothing() {
    let desk = Desk::new();
    let mut command = desk.command(&["check", "model:phil", "--json", "-", "--", "n=4", "fair=false"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn schedules_are_made_short_for_as_long_as_asked() {
    assert_eq!(trace(&Desk::new(), "--shorten 30s")["events"].as_array().unwrap().len(), 6);
    let desk = Desk::new();
    desk.run("check model:phil --shorten 5x -- n=3")
        .refused(&["'5x' is not a time (10s, 500ms), a number of states, or 0"]);
}
