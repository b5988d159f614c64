//! A search by states that the runtime goes on with by itself comes to what the search comes to that takes each step itself.

use sojourner_native::{Exploration, NativeProgram, Races, Toolchain, compile};
use sojourner_program::{Kind, Load, forward};
use sojourner_search::{
    Endless, Halt, Outcome, Settings, Shape, Sight, Strategy, Unobserved, Wanted, explore_fingerprints,
};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A program that does not go on with searches by itself.
struct StepByStep<'a>(&'a NativeProgram);

impl Load for StepByStep<'_> {
    type P = <NativeProgram as Load>::P;

    forward!(Load for 0);
}

/// What a search has to say, as far as it does not depend on how long it took.
#[derive(Debug, PartialEq)]
struct Said {
    states: u64,
    transitions: u64,
    executions: u64,
    max_depth: u64,
    found: Vec<(Kind, String, usize)>,
    reasons: String,
    endless: Sight,
    fault: bool,
    warnings: Vec<String>,
}

fn settings(wanted: Wanted, states: u64) -> Settings {
    let mut settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    settings.endless = Endless::Found;
    settings.wanted = wanted;
    settings.budget.states = Some(states);
    settings
}

fn result(subject: &NativeProgram, outcome: Outcome) -> Said {
    let mut found: Vec<(Kind, String, usize)> = outcome
        .found
        .into_iter()
        .map(|found| {
            (found.finding.kind, found.finding.message, found.schedule.map_or(0, |schedule| schedule.len()))
        })
        .collect();
    found.sort();
    let mut warnings: Vec<String> = subject.warnings().into_iter().map(|finding| finding.message).collect();
    warnings.sort();
    Said {
        states: outcome.tally.states,
        transitions: outcome.tally.transitions,
        executions: outcome.tally.executions,
        max_depth: outcome.tally.max_depth,
        found,
        reasons: format!("{:?}", outcome.reasons),
        endless: outcome.endless,
        fault: outcome.fault.is_some(),
        warnings,
    }
}

/// Searches a program in both ways. What they come to, and whether the runtime took steps by itself.
fn both(executable: &Path, arguments: &[&str], wanted: &Wanted, states: u64) -> [Said; 2] {
    let exploration = Exploration { races: Races::Last, ..Exploration::default() };
    let arguments: Vec<String> = arguments.iter().map(|text| text.to_string()).collect();
    let subject = || NativeProgram::new(executable, arguments.clone(), exploration.clone());
    let settings = settings(wanted.clone(), states);
    let (own, plain) = (subject(), subject());
    let (halt, observe) = (Halt::new(), Unobserved);
    let mine = explore_fingerprints(&own, &settings, &halt, &observe).expect("the settings fit");
    let theirs =
        explore_fingerprints(&StepByStep(&plain), &settings, &halt, &observe).expect("the settings fit");
    assert!(!own.has_lost_checkpoints() && !plain.has_lost_checkpoints(), "{executable:?}");
    [result(&own, mine), result(&plain, theirs)]
}

/// The programs of a folder, each with the flags of its cases.
fn programs(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    // One that does not do the same twice, and those that run so long without a visible operation that the clock decides when they are
    // looked at.
    let odd = ["nondeterministic.c", "long_loop.c", "nodes.cpp"];
    let is_odd = |file: &PathBuf| odd.iter().any(|name| file.ends_with(name));
    let files =
        std::fs::read_dir(root).expect("it is a folder").map(|entry| entry.expect("it is read").path());
    let mut programs = Vec::new();
    for file in
        files.filter(|file| file.extension().is_some_and(|ext| ext == "c" || ext == "cpp") && !is_odd(file))
    {
        let text = std::fs::read_to_string(&file).expect("it is a text");
        let mut cases: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("//! "))
            .map(|case| case.split(' ').filter(|word| word.starts_with("-")).collect::<Vec<_>>().join(" "))
            .collect();
        if cases.is_empty() {
            cases.push(String::new());
        }
        cases.sort();
        cases.dedup();
        programs.extend(cases.into_iter().map(|flags| (file.clone(), flags)));
    }
    programs.sort();
    programs
}

/// Compares the two on all programs of a folder.
fn agree(folder: &str, states: u64) {
    let programs = programs(folder);
    assert!(programs.len() > 10, "{folder}");
    let queue = Mutex::new(programs.iter());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((file, flags)) = { queue.lock().unwrap().next() } {
                    let words: Vec<String> = flags
                        .split_whitespace()
                        .filter(|word| !word.starts_with("--"))
                        .map(String::from)
                        .collect();
                    // Some files are parts of others, or need arguments.
                    let Ok(compiled) = compile(std::slice::from_ref(file), &words, &Toolchain::default())
                    else {
                        continue;
                    };
                    for wanted in [Wanted::First, Wanted::All] {
                        let [own, plain] = both(&compiled.executable, &[], &wanted, states);
                        // Where a call is refused, a search may end before it reaches the call. It must not call that a proof.
                        let refused = plain.fault && (own.fault || own.reasons != "[]");
                        if own != plain && !refused {
                            let text = format!("{file:?} {flags} {wanted:?}:\n  {own:?}\n  {plain:?}");
                            wrong.lock().unwrap().push(text);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn search_agrees_with_steps_on_the_corpus_of_c() {
    agree("tests/corpus/c", 1500);
}

#[test]
fn search_agrees_with_steps_on_the_corpus_of_cpp() {
    agree("tests/corpus/cpp", 1500);
}

#[test]
fn search_agrees_with_steps_on_the_examples() {
    agree("examples/c", 3000);
}

#[test]
fn search_agrees_with_steps_on_the_programs_of_the_tests() {
    agree("crates/native/tests/programs", 1500);
}
