//! Help, the manual, completions, the list of models, and the examination of a machine. What help shows works.

use crate::desk::Desk;
use std::process::{Command, Stdio};

const COMMANDS: [&str; 9] =
    ["check", "run", "replay", "diff-states", "study", "models", "doctor", "completions", "man"];
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The lines of a help text that are examples, without the remarks behind them.
fn examples(help: &str) -> Vec<Vec<String>> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  sojourner "));
    lines
        .map(|line| line.split("  ").next().unwrap().split_whitespace().map(String::from).collect())
        .collect()
}

#[test]
fn every_command_has_help_with_its_usage() {
    let desk = Desk::new();
    for command in COMMANDS {
        let ran = desk.run(&format!("{command} --help")).code(0);
        assert!(ran.out.contains(&format!("Usage: sojourner {command}")), "{}", ran.out);
        assert_eq!(desk.run(&format!("help {command}")).code(0).out, ran.out);
        desk.run(&format!("{command} -h")).code(0).says("Usage: ");
    }
}

#[test]
fn the_help_lists_every_command() {
    let ran = Desk::new().run("--help").code(0);
    for command in COMMANDS {
        assert!(ran.out.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn the_help_names_all_exit_codes() {
    for line in ["--help", "check --help"] {
        let ran = Desk::new().run(line);
        for code in ["0 clean", "1 found", "2 usage", "3 incomplete", "4 unsupported", "70 a defect"] {
            assert!(ran.out.contains(code), "{line}: {code}");
        }
    }
}

#[test]
fn the_examples_of_check_work() {
    let desk = Desk::new();
    let main = "public class Main { public static void main(String[] args) { } static boolean holds() { return true; } }";
    desk.write("Main.java", main);
    desk.javac(&["Main.java"]);
    let jar = ["--create", "--file", "program.jar", "--main-class", "Main", "Main.class"];
    assert!(Command::new("jar").args(jar).current_dir(desk.root()).status().unwrap().success());
    desk.write("Main.java", format!("package org.example; {main}"));
    desk.javac_into("classes", &["Main.java"]);
    desk.write("main.c", "int main(void) { return 0; }");
    desk.write("queue.c", "int queue;");
    let all = examples(&desk.run("check --help").out);
    assert!(all.len() >= 11, "{all:?}");
    for mut example in all {
        // Large instances as the user would run them, cut short: what counts is that they are understood.
        example.splice(1..1, ["--quiet", "--time", "2s", "--shorten", "1000"].map(String::from));
        let words: Vec<&str> = example.iter().map(String::as_str).collect();
        let ran = desk.run_words(&words);
        assert!([0, 1, 3].contains(&ran.code), "{example:?}: {ran:?}");
    }
}

#[test]
fn the_examples_of_the_command_work_in_their_order() {
    let desk = Desk::new();
    desk.write("Main.java", "class Main { public static void main(String[] args) { } }");
    desk.write("main.c", "int main(void) { return 0; }");
    desk.write("queue.c", "int queue;");
    let codes: Vec<i32> = examples(&desk.run("--help").out)
        .iter()
        .map(|example| desk.run_words(&example.iter().map(String::as_str).collect::<Vec<_>>()).code)
        .collect();
    assert_eq!(codes, [1, 0, 1, 0, 0, 0, 0, 0]);
}

#[test]
fn the_examples_of_replay_work_with_a_real_token() {
    let desk = Desk::new();
    desk.run("check model:phil -- n=6 fair=false").code(1);
    let ran = desk.run("replay phil-deadlock.trace.json");
    let token = ran.out.lines().find_map(|line| line.strip_prefix("replay token: ")).unwrap();
    let all = examples(&desk.run("replay --help").out);
    assert_eq!(all.len(), 2);
    for example in all {
        let words: Vec<&str> =
            example.iter().map(|word| if word == "TOKEN" { token } else { word.as_str() }).collect();
        desk.run_words(&words).code(1).says("deadlock: ");
    }
}

#[test]
fn the_syntax_that_help_shows_for_stores_is_understood() {
    let desk = Desk::new();
    for store in ["bitstate", "bitstate:bytes=64M", "bitstate:hashes=3", "bitstate:bytes=64M,hashes=3"] {
        desk.run(&format!("check model:phil -q --search dfs --store {store} -- n=3")).code(3);
    }
}

#[test]
fn the_syntax_that_help_shows_for_searches_is_understood() {
    let desk = Desk::new();
    for search in [
        "bfs:bound=9",
        "best-first:ties=age",
        "best-first:ties=random",
        "best-first:best=2",
        "best-first:bound=9",
        "best-first:ties=random,bound=9",
        "best-first:best=2,bound=9",
        "pct:depth=2",
        "surw:all",
    ] {
        let ran =
            desk.run(&format!("check model:grid -q --search {search} --states 40 -- counters=2 values=3"));
        assert!([0, 3].contains(&ran.code), "{search}: {ran:?}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("sojourner {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Desk::new().run("--version").code(0).out, version);
}

#[test]
fn models_are_listed_with_their_parameters_defaults_and_ranges() {
    let ran = Desk::new().run("models").code(0);
    ran.says("model:phil: ")
        .says("n=12")
        .says("a number from 2 to 16")
        .says("fair=true")
        .says("true or false");
}

#[test]
fn every_model_that_is_listed_can_be_examined() {
    let desk = Desk::new();
    let list = desk.run("models").out;
    let names: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("model:"))
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        desk.run(&format!("doctor {name}")).code(0).says(&format!("{name}: can be checked"));
    }
}

#[test]
fn the_model_that_is_broken_says_that_it_is_for_tests() {
    Desk::new().run("models").code(0).says("model:faulty: for tests of the tool");
}

#[test]
fn the_doctor_looks_at_the_machine() {
    let ran = Desk::new().run("doctor").code(0);
    ran.says("machine: ").says("cores").says("B of memory free").says("checks models: model:NAME");
}

#[test]
fn the_doctor_looks_at_a_program() {
    let ran = Desk::new().run("doctor model:phil -- n=4").code(0);
    ran.says("model:phil: can be checked")
        .says("threads at the start: 4, 4 of them can move")
        .says("a state: ");
}

#[test]
fn the_doctor_says_what_cannot_be_checked() {
    Desk::new()
        .run("doctor model:faulty -- part=initial")
        .says("cannot be checked: ")
        .says("Initial is broken");
}

#[test]
fn every_shell_gets_completions() {
    let desk = Desk::new();
    for shell in SHELLS {
        let ran = desk.run(&format!("completions {shell}")).code(0);
        assert!(ran.out.contains("preemptions") && ran.err.is_empty(), "{shell}");
    }
}

/// Has a program read the text, if there is such a program here: its exit code.
fn read_by(program: &str, arguments: &[&str], text: &str) -> Option<i32> {
    use std::io::Write;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let mut child = command.spawn().ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait().unwrap().code()
}

#[test]
fn bash_can_load_its_completions() {
    let script = Desk::new().run("completions bash").out;
    if let Some(code) = read_by("bash", &["-n"], &script) {
        assert_eq!(code, 0);
    }
    let script = script + "\ncomplete -p sojourner";
    if let Some(code) = read_by("bash", &["--norc", "-s"], &script) {
        assert_eq!(code, 0);
    }
}

#[test]
fn zsh_can_load_its_completions() {
    let script = Desk::new().run("completions zsh").out;
    if let Some(code) = read_by("zsh", &["-n"], &script) {
        assert_eq!(code, 0);
    }
}

#[test]
fn the_manual_starts_with_a_page_that_names_the_others() {
    let ran = Desk::new().run("man").code(0).says(".TH sojourner 1");
    for command in COMMANDS {
        let name = command.replace('-', "\\-");
        assert!(ran.out.contains(&format!("sojourner\\-{name}(1)")), "{command}");
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let desk = Desk::new();
    for command in COMMANDS {
        let page = desk.run(&format!("man {command}")).code(0).out;
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{page}");
        assert!(page.contains(&format!(".TH sojourner-{command} 1")), "{page}");
    }
}

#[test]
fn the_page_of_check_has_its_options_and_its_exit_codes() {
    let page = Desk::new().run("man check").out;
    for text in ["preemptions", "backtrack", "bitstate", "70 a defect"] {
        assert!(page.contains(text), "{text}");
    }
}
