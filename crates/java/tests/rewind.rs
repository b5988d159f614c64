//! However a search goes back, it explores the same: states, transitions, findings, end states and garbage are equal.

use sojourner_java::explore::{Exploration, JavaProgram, Rewind, Symmetry};
use sojourner_java::library::{Jdk, Launch, Origin, compile};
use sojourner_program::{Load, Verdict};
use sojourner_search::{Halt, OrderKind, Settings, Shape, Strategy, Unobserved, Wanted, explore};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// States of a search: enough to go back far and often, in programs of every kind.
const STATES: u64 = 250;
/// How many programs are explored at the same time.
const WORKERS: usize = 2;

/// What must be equal.
#[derive(Debug, PartialEq)]
struct Explored {
    verdict: Verdict,
    states: u64,
    transitions: u64,
    executions: u64,
    depth: u64,
    garbage: u64,
    findings: Vec<String>,
    ends: BTreeSet<String>,
}

/// A program and its arguments.
struct Case {
    launch: Launch,
    arguments: Vec<String>,
}

fn search(seed: Option<u64>) -> Settings {
    let mut strategy = Strategy::plain(Shape::DepthFirst);
    if seed.is_some() {
        strategy.order = OrderKind::Random;
    }
    let mut settings = Settings { wanted: Wanted::All, seed: seed.unwrap_or(0), ..Settings::new(strategy) };
    settings.budget.states = Some(STATES);
    settings
}

/// Explores a program, which goes by what is known, and returns what is known then.
fn explored(
    jdk: &Jdk,
    case: &Case,
    exploration: &Exploration,
    settings: &Settings,
    learned: &[String],
) -> (Explored, Vec<String>) {
    let subject = JavaProgram::new(case.launch.clone(), jdk, case.arguments.clone(), exploration.clone());
    subject.learn(learned);
    subject.collect_end_states();
    let outcome = explore(&subject, settings, &Halt::new(), &Unobserved).expect("the settings make sense");
    let explored = Explored {
        verdict: outcome.verdict(),
        states: outcome.tally.states,
        transitions: outcome.tally.transitions,
        executions: outcome.tally.executions,
        depth: outcome.tally.max_depth,
        garbage: outcome.garbage.expect("a Java program has a collector").objects,
        findings: outcome.found.iter().map(|found| format!("{:?}", found.finding)).collect(),
        ends: subject.end_states(),
    };
    (explored, subject.learned())
}

/// Explores a program in all ways that go by the same knowledge. What is wrong, if anything.
fn compare(jdk: &Jdk, case: &Case, exploration: &Exploration, settings: &Settings) -> Option<String> {
    let mut learned = Vec::new();
    // Each exploration may learn something that the others have not met: then all begin again.
    for _ in 0..20 {
        let results = Rewind::ALL.map(|rewind| {
            let exploration = Exploration { rewind, ..exploration.clone() };
            let (explored, known) = explored(jdk, case, &exploration, settings, &learned);
            (rewind, explored, known)
        });
        let known: BTreeSet<String> = results.iter().flat_map(|(.., known)| known.clone()).collect();
        let known: Vec<String> = known.into_iter().collect();
        if results.iter().any(|(.., of_one)| of_one.len() != known.len()) || learned.len() != known.len() {
            learned = known;
            continue;
        }
        let (_, undone, _) = &results[0];
        let different = results[1..].iter().find(|(_, explored, _)| explored != undone);
        return different.map(|(rewind, explored, _)| {
            format!("{} {:?}: {rewind} {explored:?}, undo {undone:?}", case.launch.main_class, case.arguments)
        });
    }
    Some(format!("{}: it goes on learning", case.launch.main_class))
}

/// Compares all programs. The second half of them is explored in random order.
fn compare_all(cases: &[Case], exploration: &Exploration) {
    let jdk = Jdk::find(None).expect("a JDK 17");
    let queue = Mutex::new(cases.iter().enumerate());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((index, case)) = { queue.lock().unwrap().next() } {
                    let settings = search((index % 2 == 1).then_some(index as u64));
                    wrong.lock().unwrap().extend(compare(&jdk, case, exploration, &settings));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The programs of a directory, by its `expected.tsv`. The columns of arguments are those of the examples.
fn cases(directory: &str, has_arguments: bool) -> Vec<Case> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let table = std::fs::read_to_string(sources.join("expected.tsv")).expect("the table");
    let rows: Vec<(&str, Vec<String>)> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split('\t');
            let name = columns.next().expect("a name").trim_end_matches(".java");
            let arguments = columns.next().filter(|_| has_arguments).unwrap_or("");
            (name, arguments.split_whitespace().map(String::from).collect())
        })
        .collect();
    let jdk = Jdk::find(None).expect("a JDK 17");
    let names: BTreeSet<&str> = rows.iter().map(|(name, _)| *name).collect();
    let files: Vec<PathBuf> = names.iter().map(|name| sources.join(format!("{name}.java"))).collect();
    let verify = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify/classes");
    let classes = compile(&files, &jdk, &[verify]).expect("the programs compile");
    rows.into_iter()
        .map(|(name, arguments)| Case {
            launch: Launch {
                class_path: vec![classes.clone()],
                main_class: name.into(),
                origin: Origin::ClassName,
            },
            arguments,
        })
        .collect()
}

#[test]
fn examples_are_explored_alike() {
    compare_all(&cases("../../examples/java", true), &Exploration::default());
}

#[test]
fn small_programs_are_explored_alike() {
    compare_all(&cases("tests/soundness", false), &Exploration::default());
}

#[test]
fn examples_are_explored_alike_whatever_objects_are_called() {
    for symmetry in [Symmetry::None, Symmetry::Site, Symmetry::Thread] {
        let exploration = Exploration { symmetry, ..Exploration::default() };
        compare_all(&cases("../../examples/java", true)[..8], &exploration);
    }
}
