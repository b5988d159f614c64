//! How a search stands, on standard error: lines now and then, or one that changes on a terminal.

use crate::desk::Desk;
use assert_cmd::cargo::cargo_bin;
use std::process::{Command, Stdio};

#[test]
fn a_search_of_several_seconds_prints_plain_lines() {
    let ran = Desk::new().run("check model:grid --search dfs --time 5s").code(3);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!((1..=3).contains(&lines.len()), "{lines:?}");
    for line in lines {
        assert!(line.contains(" states  ") && line.contains("/s  ") && line.ends_with(" s"), "{line}");
        assert!(!line.contains(['\r', '\x1b']), "{line:?}");
    }
}

#[test]
fn a_short_search_prints_none() {
    assert_eq!(Desk::new().run("check model:phil -- n=4").code(0).err, "");
}

#[test]
fn a_quiet_search_prints_none() {
    assert_eq!(Desk::new().run("check model:grid -q --search dfs --time 3s").code(3).err, "");
}

#[test]
fn on_a_terminal_a_line_changes_and_is_cleared() {
    let desk = Desk::new();
    let check =
        format!("{} check model:grid --search dfs --time 2s >report.txt", cargo_bin!("sojourner").display());
    let mut script = Command::new("script");
    script.args(["-qec", &check, "/dev/null"]).current_dir(desk.root()).stdin(Stdio::null());
    let Ok(output) = script.env("TERM", "xterm").output() else { return };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{shown}");
    let lines: Vec<&str> = shown.split('\r').filter(|line| line.contains(" states")).collect();
    assert!(lines.len() > 3, "{shown:?}");
    assert!(!lines.iter().any(|line| line.contains('\n')), "one line that changes: {shown:?}");
    let last = shown.rfind(" states").unwrap();
    assert!(shown[last..].contains("\x1b[2K"), "the line is cleared: {shown:?}");
    assert!(desk.read("report.txt").starts_with("incomplete: "));
}
