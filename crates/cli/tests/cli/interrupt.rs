//! Ctrl-C ends a search, and what it has to say by then is said.

use crate::desk::{Desk, Ran};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// A search that would take minutes.
const LONG: [&str; 5] = ["--search", "dfs", "--", "counters=7", "values=10"];

/// Starts a long check and returns when it has shown that it is under way.
fn under_way(desk: &Desk, options: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    started(desk.command(&[&["check", "model:grid"], options, &LONG].concat()))
}

fn started(mut command: Command) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.contains(" states"), "{line}");
    (child, errors)
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

fn end((child, mut errors): (Child, BufReader<std::process::ChildStderr>)) -> Ran {
    let mut err = String::new();
    errors.read_to_string(&mut err).unwrap();
    Ran { err, ..Ran::of(&child.wait_with_output().unwrap()) }
}

#[test]
fn an_interrupted_search_is_incomplete_and_its_result_is_whole() {
    let desk = Desk::new();
    let running = under_way(&desk, &["--json", "-"]);
    interrupt(&running.0);
    let ran = end(running).code(3);
    let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&result["verdict"], &result["reasons"][0]), (&"incomplete".into(), &"interrupted".into()));
    assert!(result["stats"]["states"].as_u64().unwrap() > 0, "{result}");
}

#[test]
fn an_interrupted_search_reports_to_people_too() {
    let desk = Desk::new();
    let running = under_way(&desk, &["--json", "r.json"]);
    interrupt(&running.0);
    end(running).code(3).says("incomplete: ").says("because   interrupted").says("next ");
    assert_eq!(desk.read_json("r.json")["verdict"], "incomplete");
}

#[test]
fn a_program_that_is_checked_is_not_interrupted_itself() {
    let desk = Desk::new();
    let counter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/c/counter.c");
    let mut command =
        desk.command(&["check", counter, "--search", "dpor", "--cflags", "-DTHREADS=4", "-DROUNDS=9"]);
    command.process_group(0);
    let running = started(command);
    // A terminal interrupts everybody in the group.
    let group = format!("-{}", running.0.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    end(running).code(3).says("incomplete: ").says("because   interrupted");
}
