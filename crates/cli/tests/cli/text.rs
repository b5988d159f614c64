//! Whole reports as people see them, with the numbers that differ from run to run made equal.

use crate::desk::{Desk, Ran};

/// The report of a command at this width.
fn report(width: usize, line: &str) -> String {
    let desk = Desk::new();
    // What comes of shortening must not depend on the time that there is for it.
    let line = line.replacen("check", "check --shorten 1000000", 1);
    let words: Vec<&str> = line.split_whitespace().collect();
    let ran = Ran::of(&desk.command(&words).env("COLUMNS", width.to_string()).output().unwrap());
    ran.out.lines().map(|line| normal(line) + "\n").collect()
}

/// A line without times, memory and line numbers.
fn normal(line: &str) -> String {
    let label = line.split_whitespace().next().unwrap_or("");
    match label {
        "time" => "  time      (time)".into(),
        "memory" => "  memory    (memory)".into(),
        // How much a store allocates at first is its own affair.
        "store" => match (line.split_once(" states in "), line.split_once(';')) {
            (Some((before, _)), Some((_, after))) => format!("{before} states in (bytes);{after}"),
            _ => line.to_owned(),
        },
        // The place of a panic moves with every edit of the model's source.
        "at" => line.rsplit_once(':').map_or(line, |(file, _)| file).to_owned() + ":(line)",
        _ => line.to_owned(),
    }
}

#[test]
fn a_proof() {
    insta::assert_snapshot!(report(80, "check model:phil --search dfs --jobs 1 -- n=4"));
}

#[test]
fn a_deadlock_in_columns() {
    insta::assert_snapshot!(report(80, "check model:phil --search bfs --jobs 1 -- n=4 fair=false"));
}

#[test]
fn a_deadlock_on_a_narrow_terminal() {
    insta::assert_snapshot!(report(60, "check model:phil --search bfs --jobs 1 -- n=4 fair=false"));
}

#[test]
fn a_lost_wake_up() {
    let line = "check model:buffer --search bfs --jobs 1 -- threads=4,items=1,all=false,capacity=1";
    insta::assert_snapshot!(report(80, line));
}

#[test]
fn a_broken_lock() {
    insta::assert_snapshot!(report(80, "check model:bakery --search bfs --jobs 1 -- n=2 choosing=false"));
}

#[test]
fn a_panic() {
    insta::assert_snapshot!(report(80, "check model:faulty --search dfs --jobs 1 -- part=transition"));
}

#[test]
fn a_search_that_was_cut() {
    insta::assert_snapshot!(report(80, "check model:grid --search bfs --jobs 1 --states 1000"));
}

#[test]
fn a_swarm() {
    let line = "check model:phil --search dfs --swarm 3 --jobs 1 --seed 1 -- n=4 fair=false";
    insta::assert_snapshot!(report(80, line));
}

#[test]
fn a_program_that_cannot_be_opened() {
    insta::assert_snapshot!(report(80, "check model:faulty --search dfs --jobs 1 -- part=initial"));
}
