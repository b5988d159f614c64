//! Suites of Java programs that are run by `java` and by `sojourner run`, which must do the same.
//!
//! A suite is a directory of `.java` files, each one program, compiled together by one call of `javac`. Compared are standard
//! output, standard error and the exit status. A program says in comments at its head what it needs:
//!
//! ```text
//! // args: one "two three"    its arguments; {sources} is the suite's directory
//! // exit: 1                  the exit status that `java` must give; 0 if nothing is said
//! // props: -Dkey=value       system properties
//! // cp: resources            further entries of the class path, beside the program
//! ```
//!
//! Of the environment, `SOJOURNER_CONFORMANCE=Name,Name` picks programs, and `SOJOURNER_CONFORMANCE_COMMAND` names another
//! command to be run in the place of `sojourner`, with the same arguments; what it covers is then not judged.

mod comparison;
mod coverage;
mod execution;
mod jdk;
mod program;

pub use coverage::Coverage;

use comparison::{Difference, compare};
use execution::execute;
use jdk::Jdk;
use program::Program;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// How long a program may run, on either side.
const LIMIT: Duration = Duration::from_secs(60);
/// How many programs run at the same time.
const WORKERS: usize = 2;

/// What a suite has shown. Its classes are gone when this is dropped.
pub struct Outcome {
    /// What the runs have covered together.
    pub coverage: Coverage,
    /// Whether no program of the suite was left out.
    complete: bool,
    /// Whether it was `sojourner` itself that ran them.
    genuine: bool,
    failures: Vec<(String, Vec<Difference>)>,
    classes: PathBuf,
    _directory: tempfile::TempDir,
}

impl Outcome {
    /// Says what has failed, one line for each program; and what else is missing, for which `judge` is asked if the whole
    /// suite was run: with the directory of its classes, and whether `sojourner` itself ran them.
    ///
    /// # Panics
    ///
    /// If anything has failed or is missing.
    pub fn demand(&self, judge: impl FnOnce(&Path, bool) -> Vec<String>) {
        let mut lines: Vec<String> = Vec::new();
        for (name, differences) in &self.failures {
            let reasons: Vec<&str> = differences.iter().map(|d| d.summary.as_str()).collect();
            lines.push(format!("{name}: {}", reasons.join("; ")));
        }
        let failed = lines.len();
        if self.complete {
            lines.extend(judge(&self.classes, self.genuine));
        }
        assert!(lines.is_empty(), "{failed} programs do not run as by java\n  {}", lines.join("\n  "));
    }
}

/// Runs every program in a directory by both machines, with jars on the class path, and tells on standard output how each went.
///
/// # Panics
///
/// If there is no JDK, or if the programs do not compile.
pub fn run_suite(sources: &Path, jars: &[PathBuf]) -> Outcome {
    let jdk = Jdk::find();
    let chosen = std::env::var("SOJOURNER_CONFORMANCE").ok();
    let stand_in = std::env::var("SOJOURNER_CONFORMANCE_COMMAND").ok();
    let programs = Program::all_in(sources, chosen.as_deref());
    let directory = tempfile::tempdir().unwrap();
    let classes = directory.path().join("classes");
    jdk.compile(&programs, jars, &classes);

    let sojourner = stand_in.clone().unwrap_or_else(|| env!("CARGO_BIN_EXE_sojourner").to_owned());
    let queue = Mutex::new(programs.iter());
    let done = Mutex::new((Coverage::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(program) = { queue.lock().unwrap().next() } {
                    let class_path = program.class_path(&classes, jars);
                    let reported = directory.path().join(format!("{}.coverage.json", program.name));
                    let reference = execute(jdk.java(program, &class_path), directory.path(), LIMIT);
                    let ours = execute(
                        program.sojourner(&sojourner, &class_path, &reported),
                        directory.path(),
                        LIMIT,
                    );
                    let differences = compare(program, &reference, &ours);
                    let mut done = done.lock().unwrap();
                    done.0.add_file(&reported);
                    tell(program, &differences, reference.time, ours.time);
                    if !differences.is_empty() {
                        done.1.push((program.name.clone(), differences));
                    }
                }
            });
        }
    });
    let (coverage, mut failures) = done.into_inner().unwrap();
    failures.sort_by(|a, b| a.0.cmp(&b.0));
    say(&format!("{} of {} programs run as by java\n", programs.len() - failures.len(), programs.len()));
    let (complete, genuine) = (chosen.is_none(), stand_in.is_none());
    Outcome { coverage, complete, genuine, failures, classes, _directory: directory }
}

/// Writes to standard output past the capture of the test harness: what a suite covers is to be seen when it passes, too.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).unwrap();
}

fn tell(program: &Program, differences: &[Difference], reference: Duration, ours: Duration) {
    let word = if differences.is_empty() { "ok  " } else { "FAIL" };
    let mut text = format!(
        "{word} {} ({:.2} s, java {:.2} s)\n",
        program.name,
        ours.as_secs_f64(),
        reference.as_secs_f64()
    );
    for difference in differences {
        text.push_str(&format!("  {}\n", difference.summary));
        for line in &difference.lines {
            text.push_str(&format!("    {line}\n"));
        }
    }
    say(&text);
}
