//! Small Java programs, each explored in many ways: every end state and every finding of the exploration that leaves out
//! least is an end state or finding of all the others, and the other way round.
//!
//! `expected.tsv` says for each program what a person expects of it, so that a defect that all explorations share is seen, too.
//!
//! Every program is explored with each option by itself. Of the configurations in which every pair of options occurs, each
//! program has a few in its turn, and all of them with `SOJOURNER_SOUNDNESS=all`. `SOJOURNER_SOUNDNESS=Name,Name` picks
//! programs, and explores them in all ways. `SOJOURNER_SOUNDNESS_STATES` sets how many states an exploration may have; one
//! that has more is skipped and counted.

#[path = "../explorations/mod.rs"]
mod explorations;

use explorations::{Configuration, Explored, Seen, difference, explored};
use sojourner_java::library::{Jdk, Launch, Origin, compile};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many states an exploration may have if nothing else is said.
const STATES: u64 = 20_000;
/// The same for programs that take their time: what is skipped is explored with `SOJOURNER_SOUNDNESS=all`.
const SLOW: [(&str, u64); 10] = [
    ("BarrierMeets", 2_000),
    ("ConditionSignalled", 2_000),
    ("ExecutorRuns", 2_000),
    ("LocksForAWhile", 2_000),
    ("PollsUntilStopped", 2_000),
    ("QueueHandsOver", 2_000),
    ("SpinsWithoutReading", 2_000),
    ("TaskCancelled", 2_000),
    ("TaskRepeats", 2_000),
    ("TasksCounted", 2_000),
];
/// How many pairwise configurations each program has in its turn.
const ROWS: usize = 2;
/// How many programs must have been compared with each option by itself.
const LEAST_PROGRAMS: usize = 100;
/// How many programs are explored at the same time.
const WORKERS: usize = 2;

/// A program and what is expected of it.
struct Expected {
    name: String,
    verdict: String,
    kinds: BTreeSet<String>,
    /// The number of end states.
    ends: usize,
}

/// How much is explored.
struct Extent {
    /// The programs that are, if not all.
    names: Option<String>,
    /// How many states an exploration may have, if somebody has said so.
    states: Option<u64>,
    /// Whether every program is explored in all ways.
    all: bool,
}

/// What has come of a program.
#[derive(Default)]
struct Result {
    name: String,
    base: String,
    states: u64,
    ends: usize,
    comparisons: usize,
    skipped: usize,
    /// Whether it was compared with each option by itself.
    singles: bool,
    failures: Vec<String>,
    time: Duration,
}

#[test]
fn explorations_of_a_program_agree() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soundness");
    let extent = Extent::wanted();
    let programs = expected(&sources, extent.names.as_deref());
    let jdk = Jdk::find(None).expect("a JDK 17");
    let files: Vec<PathBuf> = programs.iter().map(|p| sources.join(format!("{}.java", p.name))).collect();
    let verify = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify/classes");
    let classes = compile(&files, &jdk, &[verify]).expect("the programs compile");

    let queue = Mutex::new(programs.iter().enumerate());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((index, program)) = { queue.lock().unwrap().next() } {
                    let states = extent.states(&program.name);
                    let result =
                        compare(&jdk, &classes, program, &extent.configurations(index), extent.all, states);
                    tell(&result);
                    results.lock().unwrap().push(result);
                }
            });
        }
    });

    let mut results = results.into_inner().unwrap();
    results.sort_by(|a, b| a.name.cmp(&b.name));
    let comparisons: usize = results.iter().map(|result| result.comparisons).sum();
    let skipped: usize = results.iter().map(|result| result.skipped).sum();
    say(&format!("{} programs, {comparisons} comparisons, {skipped} skipped\n", results.len()));
    let failures: Vec<String> = results
        .iter()
        .flat_map(|result| result.failures.iter().map(|failure| format!("{}: {failure}", result.name)))
        .collect();
    assert!(failures.is_empty(), "{} failures\n  {}", failures.len(), failures.join("\n  "));
    let singles = results.iter().filter(|result| result.singles).count();
    assert!(extent.names.is_some() || singles >= LEAST_PROGRAMS, "only {singles} programs with each option");
}

impl Extent {
    fn wanted() -> Extent {
        let number = |text: String| text.parse().expect("a number");
        let states = std::env::var("SOJOURNER_SOUNDNESS_STATES").ok().map(number);
        match std::env::var("SOJOURNER_SOUNDNESS") {
            Err(_) => Extent { names: None, states, all: false },
            Ok(word) if word == "all" => Extent { names: None, states, all: true },
            Ok(names) => Extent { names: Some(names), states, all: true },
        }
    }

    /// How many states an exploration of a program may have.
    fn states(&self, name: &str) -> u64 {
        let slow = SLOW.iter().find(|(slow, _)| !self.all && *slow == name);
        self.states.unwrap_or(slow.map_or(STATES, |(_, states)| *states))
    }

    /// In which ways the program of that number is explored.
    fn configurations(&self, index: usize) -> Vec<Configuration> {
        let rows = Configuration::pairs();
        let mut configurations = Configuration::singles();
        if self.all {
            configurations.extend(rows);
        } else {
            configurations.extend((0..ROWS).map(|nth| rows[(ROWS * index + nth) % rows.len()]));
        }
        configurations
    }
}

/// The programs, by `expected.tsv`, which names all sources and no others.
fn expected(sources: &Path, chosen: Option<&str>) -> Vec<Expected> {
    let table = std::fs::read_to_string(sources.join("expected.tsv")).expect("the table");
    let mut programs = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [name, verdict, kinds, ends] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("'{line}' has not four columns");
        };
        let kinds = kinds.split(',').filter(|kind| *kind != "-").map(String::from).collect();
        let ends = ends.parse().expect("a number of end states");
        programs.push(Expected { name: name.into(), verdict: verdict.into(), kinds, ends });
    }
    let named: BTreeSet<String> = programs.iter().map(|program| program.name.clone()).collect();
    let there = std::fs::read_dir(sources).expect("the sources").filter_map(|entry| {
        let path = entry.expect("an entry").path();
        let is_source = path.extension().is_some_and(|extension| extension == "java");
        is_source.then(|| path.file_stem().unwrap().to_string_lossy().into_owned())
    });
    assert_eq!(named, there.collect(), "expected.tsv names all programs");
    programs.retain(|p| chosen.is_none_or(|names| names.split(',').any(|name| name == p.name)));
    programs
}

/// Explores a program in many ways.
fn compare(
    jdk: &Jdk,
    classes: &Path,
    program: &Expected,
    configurations: &[Configuration],
    all: bool,
    states: u64,
) -> Result {
    let start = Instant::now();
    let class_path = vec![classes.to_path_buf()];
    let launch = Launch { main_class: program.name.clone(), class_path, origin: Origin::ClassName };
    let mut result = Result { name: program.name.clone(), ..Result::default() };
    // What leaves out least may have too many states; then the next one that leaves out a little more is the base.
    let primitive = Configuration::BASE.with("juc", "primitive");
    let private = primitive.with("private", "on");
    let bases =
        [Configuration::BASE, primitive, private, private.with("alone", "on").with("immutable", "on")];
    let mut base: Option<(Configuration, Seen)> = None;
    for candidate in bases {
        match explored(jdk, &launch, &candidate, states) {
            Explored::All(seen) => {
                base = Some((candidate, seen));
                break;
            }
            Explored::TooMany | Explored::TooLong => result.skipped += 1,
            Explored::Failed(reason) => {
                result.failures.push(format!("{candidate}: {reason}"));
                return result;
            }
        }
    }
    let Some((base, right)) = base else {
        result.failures.push("too many states, whatever is left out".into());
        return result;
    };
    (result.base, result.states, result.ends) = (base.to_string(), right.states, right.ends.len());
    result.failures.extend(unexpected(program, &right));
    // What the base leaves out all others leave out, too: without that they would have too many states as well.
    let mut others: BTreeSet<Configuration> = configurations.iter().map(|other| other.on(&base)).collect();
    if all {
        others.extend(configurations);
    }
    others.remove(&base);
    for configuration in &others {
        match explored(jdk, &launch, configuration, states) {
            Explored::All(seen) => {
                result.comparisons += 1;
                let ends = difference("end state", &seen.ends, &right.ends);
                let findings = difference("finding", &seen.findings, &right.findings);
                for line in [ends, findings].concat() {
                    result.failures.push(format!("{configuration}: {line}"));
                }
            }
            Explored::TooMany => result.skipped += 1,
            Explored::TooLong => {
                result.failures.push(format!("{configuration}: an execution does not end"));
            }
            Explored::Failed(reason) => result.failures.push(format!("{configuration}: {reason}")),
        }
    }
    result.singles = result.skipped == 0;
    result.time = start.elapsed();
    result
}

/// What differs from what a person expects.
fn unexpected(program: &Expected, seen: &Seen) -> Vec<String> {
    let verdict = if seen.findings.is_empty() { "clean" } else { "found" };
    let kind = |finding: &String| finding.split(' ').next().expect("a kind").to_string();
    let kinds: BTreeSet<String> = seen.findings.iter().map(kind).collect();
    let mut lines = difference("kind of finding", &kinds, &program.kinds);
    if verdict != program.verdict {
        lines.push(format!("{verdict}, where {} is expected", program.verdict));
    }
    if seen.ends.len() != program.ends {
        lines.push(format!("{} end states, where {} are expected", seen.ends.len(), program.ends));
        lines.extend(seen.ends.iter().map(|end| format!("  {}", end.replace('\n', "; "))));
    }
    lines
}

fn tell(result: &Result) {
    let Result { name, base, states, ends, comparisons, skipped, failures, time, .. } = result;
    let word = if failures.is_empty() { "ok  " } else { "FAIL" };
    let seconds = time.as_secs_f64();
    let mut text = format!(
        "{word} {name}: {states} states and {ends} end states by {base}; {comparisons} compared, {skipped} skipped, {seconds:.1} s\n"
    );
    for failure in failures.iter().take(30) {
        text.push_str(&format!("       {failure}\n"));
    }
    say(&text);
}

/// Writes to standard output past the capture of the test harness: what was skipped is to be seen when all passes, too.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).expect("somebody listens");
}
