//! Random Java programs: what the explorations say they can come to is what an interpreter of a few lines says.
//!
//! `SOJOURNER_RANDOM_PROGRAMS` says how many programs there are, `SOJOURNER_RANDOM_SEED` which: program `i` of seed `s` is always
//! the same one. A program on which the two do not agree is made smaller as long as they do not, and shown.

mod code;
#[path = "../explorations/mod.rs"]
mod explorations;
mod generate;
mod java;
mod known;
mod observed;
mod oracle;
mod program;

use explorations::{Configuration, Explored, Seen, difference, explored};
use oracle::End;
use program::Program;
use sojourner_java::library::{Jdk, Launch, Origin};
use sojourner_program::Random;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// How many programs there are if nothing else is said.
const PROGRAMS: usize = 100;
/// How many states an exploration may have; one that has more is skipped.
const STATES: u64 = 20_000;
/// By how many configurations each program is explored, beside the base and the default, each by states and by executions.
const SAMPLES: usize = 4;
/// How many programs are compiled by one call of the compiler.
const BATCH: usize = 100;
/// How many programs are explored at the same time.
const WORKERS: usize = 2;

/// A program, what it can come to, and how it is explored.
struct Case {
    name: String,
    program: Program,
    ends: BTreeSet<End>,
    configurations: Vec<Configuration>,
}

/// A configuration that does not agree with the oracle, and in what.
struct Disagreement {
    configuration: Configuration,
    lines: Vec<String>,
}

#[test]
fn explorations_come_to_what_the_oracle_says() {
    let number = |name: &str, default: usize| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let programs = number("SOJOURNER_RANDOM_PROGRAMS", PROGRAMS);
    let seed = number("SOJOURNER_RANDOM_SEED", 1) as u64;
    let jdk = Jdk::find(None).expect("a JDK 17");
    let (mut compared, mut skipped) = (0, 0);
    let cases: Vec<Case> = (0..programs).map(|nth| Case::random(seed, nth)).collect();
    for batch in cases.chunks(BATCH) {
        let classes = compile(&jdk, batch);
        let results = Mutex::new(Vec::new());
        let queue = Mutex::new(batch.iter());
        std::thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| {
                    while let Some(case) = { queue.lock().unwrap().next() } {
                        let result = case.disagreement(&jdk, classes.path());
                        results.lock().unwrap().push((case, result));
                    }
                });
            }
        });
        for (case, (done, over, disagreement)) in results.into_inner().unwrap() {
            compared += done;
            skipped += over;
            if let Some(disagreement) = disagreement {
                panic!("{}", case.shrunk(&jdk, disagreement));
            }
        }
    }
    say(&format!("{programs} programs of seed {seed}, {compared} comparisons, {skipped} skipped\n"));
    assert!(compared >= 3 * programs, "only {compared} comparisons");
}

impl Case {
    fn random(seed: u64, nth: usize) -> Case {
        let mut random = Random::stream(seed, nth as u64);
        let (program, ends) = generate::generate(&mut random);
        let base = Configuration::BASE;
        let mut others = [Configuration::singles(), Configuration::pairs()].concat();
        random.shuffle(&mut others);
        others.truncate(SAMPLES);
        let default = base.reduced().with("juc", "primitive").with("store", "compact");
        others.extend([base, default, base.with("search", "dpor"), default.with("search", "dpor")]);
        Case { name: format!("P{nth}"), program, ends, configurations: others }
    }

    /// Explores the program: how many configurations were compared, how many skipped, and the first that disagrees.
    fn disagreement(&self, jdk: &Jdk, classes: &Path) -> (usize, usize, Option<Disagreement>) {
        let class_path = vec![classes.to_path_buf()];
        let launch = Launch { main_class: self.name.clone(), class_path, origin: Origin::ClassName };
        let (mut compared, mut skipped) = (0, 0);
        for configuration in &self.configurations {
            let lines = match explored(jdk, &launch, configuration, STATES) {
                // Who spins until another thread has done something may do so for ever.
                Explored::TooMany | Explored::TooLong => {
                    skipped += 1;
                    continue;
                }
                Explored::Failed(reason) => vec![reason],
                Explored::All(seen) => self.differences(&seen, *configuration == Configuration::BASE),
            };
            compared += 1;
            if !lines.is_empty() {
                return (compared, skipped, Some(Disagreement { configuration: *configuration, lines }));
            }
        }
        (compared, skipped, None)
    }

    /// What an exploration has seen that cannot be, or has not seen and should have. Behind an assertion that fails nothing
    /// comes: where one can, which others can, and what else the program comes to, is seen as far as threads took turns
    /// before, and by the base as far as there is any.
    fn differences(&self, seen: &Seen, base: bool) -> Vec<String> {
        let threads = self.program.threads.len();
        let observed: BTreeSet<End> =
            seen.ends.iter().map(|end| observed::end(end, &self.name, threads)).collect();
        let (failing, ends): (Vec<&End>, Vec<&End>) = self.ends.iter().partition(|end| end.failed.is_some());
        let kinds: BTreeSet<&str> =
            seen.findings.iter().map(|finding| finding.split(' ').next().expect("a kind")).collect();
        let all = base || failing.is_empty();
        let ends: BTreeSet<End> = ends.into_iter().cloned().collect();
        let mut wanted = BTreeSet::from_iter((!failing.is_empty()).then_some("assertion"));
        let (must, may) = oracle::cycles(&self.program);
        let closes = ends.iter().any(|end| end.stuck) || must;
        if closes && (all || kinds.contains("deadlock")) || may && kinds.contains("deadlock") {
            wanted.insert("deadlock");
        }
        let ends = ends.into_iter().filter(|end| all || observed.contains(end)).collect();
        let mut lines = difference("end", &observed, &ends);
        lines.extend(difference("finding", &kinds, &wanted));
        let failed = seen.findings.iter().filter_map(|finding| observed::assertion(finding));
        let able = |number: &usize| failing.iter().any(|end| end.failed == Some(*number));
        let wrong = failed.filter(|number| !able(number));
        lines.extend(wrong.map(|number| format!("assertion {number} cannot fail")));
        lines
    }

    /// The smallest program that is found to disagree in the same configuration, and how it does, as text.
    fn shrunk(&self, jdk: &Jdk, disagreement: Disagreement) -> String {
        let mut program = self.program.clone();
        let mut disagreement = disagreement;
        'smaller: loop {
            let candidates: Vec<Case> = program
                .smaller()
                .into_iter()
                .enumerate()
                .map(|(nth, program)| {
                    let ends = oracle::ends(&program, usize::MAX).expect("a program smaller than the first");
                    let configurations = vec![disagreement.configuration];
                    Case { name: format!("Q{nth}"), program, ends, configurations }
                })
                .collect();
            let classes = compile(jdk, &candidates);
            for case in candidates {
                if let (_, _, Some(smaller)) = case.disagreement(jdk, classes.path()) {
                    program = case.program;
                    disagreement = smaller;
                    continue 'smaller;
                }
            }
            break;
        }
        let Disagreement { configuration, lines } = disagreement;
        let class = java::class(&self.name, &program);
        format!("{} by {configuration}:\n  {}\n\n{class}", self.name, lines.join("\n  "))
    }
}

/// Compiles the programs with one call of the compiler.
fn compile(jdk: &Jdk, cases: &[Case]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("Programs.java");
    let classes: Vec<String> = cases.iter().map(|case| java::class(&case.name, &case.program)).collect();
    std::fs::write(&source, classes.join("\n")).expect("a file");
    let status = Command::new(jdk.home.join("bin/javac"))
        .args(["-g", "-nowarn", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-d"])
        .arg(directory.path())
        .arg(source)
        .status();
    assert!(status.expect("there is a javac").success(), "the programs compile");
    directory
}

/// Writes to standard output past the capture of the test harness: what was skipped is to be seen when all passes, too.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).expect("somebody listens");
}
