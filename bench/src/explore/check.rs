//! One run of `sojourner check` in a process of its own, and what it said.

use anyhow::{Context, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The examples that are measured; with those of `bench/java` they are all that is compiled.
const EXAMPLES: [&str; 15] = [
    "BoundedBuffer",
    "BoundedBufferFixed",
    "DiningPhilosophers",
    "DiningPhilosophersFixed",
    "DoubleLinked",
    "NoGarbage",
    "RaxExtended",
    "RaxExtendedFixed",
    "Reorder",
    "ReplicatedWorkersFixed",
    "TempObj",
    "TwoClasses",
    "TwoThreads",
    "TwoThreadsOneSite",
    "Twostage",
];
/// Those with threads that are meant to run for ever.
const ENDLESS: [&str; 2] = ["BoundedBufferFixed", "RaxExtendedFixed"];
const OWN: [&str; 4] = ["Counter", "Hello", "Laden", "Pipeline"];

/// The command that is measured, and the programs that it checks.
pub struct Checker {
    sojourner: PathBuf,
    /// The classes of all programs, compiled beforehand.
    pub classes: PathBuf,
    /// How often everything is measured; the best time counts.
    pub rounds: u32,
}

/// What a check found, counted and took.
#[derive(Clone, Debug)]
pub struct Checked {
    pub verdict: String,
    pub states: u64,
    pub transitions: u64,
    /// Executions to their ends, of searches that keep no states, and those that were begun in vain.
    pub executions: u64,
    pub blocked: u64,
    /// Processor time of the whole process, from its start to its end, in seconds.
    pub cpu: f64,
    /// The same by the clock.
    pub wall: f64,
    /// The most memory that was resident, in bytes.
    pub peak: u64,
    /// The memory of its store, in bytes; 0 where there is none.
    pub store: u64,
    /// The pools of the store: name, entries, bytes.
    pub pools: Vec<(String, u64, u64)>,
}

impl Checker {
    /// Compiles the programs.
    pub fn new(rounds: u32) -> anyhow::Result<Checker> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let sojourner = crate::java::sojourner()?;
        let classes = std::env::temp_dir().join(format!("sojourner-explore-{}", std::process::id()));
        let source = |folder: &str, name: &str| root.join(folder).join(format!("{name}.java"));
        let examples = EXAMPLES.iter().map(|name| source("../examples/java", name));
        let own = OWN.iter().map(|name| source("java", name));
        let compiler = Command::new("javac").arg("-d").arg(&classes).args(examples.chain(own)).status();
        ensure!(compiler.context("javac")?.success(), "javac failed");
        Ok(Checker { sojourner, classes, rounds })
    }

    /// Checks a program, a class with its arguments, once. Fails unless the verdict is one of those `expected`, or the
    /// time was up.
    pub fn once(&self, program: &str, options: &str, expected: &str) -> anyhow::Result<Checked> {
        let mut words = program.split(' ');
        let class = words.next().unwrap_or_default();
        let mut command = self.command(options);
        if ENDLESS.contains(&class) {
            command.args(["--livelock", "off"]);
        }
        command.arg("-cp").arg(&self.classes).arg(class).arg("--").args(words);
        measured(&mut command, &format!("{program} {options}"), expected)
    }

    /// `sojourner check` with these options, and nothing yet that it is to check.
    fn command(&self, options: &str) -> Command {
        let mut command = Command::new(&self.sojourner);
        command
            .args(["check", "--quiet", "--json", "-", "--shorten", "0", "--trace"])
            .arg(self.classes.join("trace.json"))
            .args(options.split_whitespace())
            .current_dir(&self.classes)
            .stdin(Stdio::null());
        command
    }

    /// Compiles a C program of the examples: its file, and flags for the compiler.
    pub fn compile(&self, program: &str) -> anyhow::Result<PathBuf> {
        let mut words = program.split(' ');
        let file = words.next().unwrap_or_default();
        let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/c").join(file);
        let executable = self.classes.join("program");
        let mut compiler = Command::new(&self.sojourner);
        let status = compiler.arg("cc").arg("-o").arg(&executable).args(words).arg(source).status();
        ensure!(status.context("sojourner cc")?.success(), "{program} does not compile");
        Ok(executable)
    }

    /// The best of several checks of an executable by the figure, which should be small.
    pub fn best_executable(
        &self,
        executable: &Path,
        name: &str,
        options: &str,
        figure: impl Fn(&Checked) -> f64,
    ) -> anyhow::Result<Checked> {
        let name = format!("{name} {options}");
        self.best_of(figure, || measured(self.command(options).arg(executable), &name, "clean"))
    }

    /// The best of several checks by the figure, which should be small.
    pub fn best(
        &self,
        program: &str,
        options: &str,
        expected: &str,
        figure: impl Fn(&Checked) -> f64,
    ) -> anyhow::Result<Checked> {
        self.best_of(figure, || self.once(program, options, expected))
    }

    /// The best of several rounds. One that did not finish is not repeated.
    fn best_of(
        &self,
        figure: impl Fn(&Checked) -> f64,
        once: impl Fn() -> anyhow::Result<Checked>,
    ) -> anyhow::Result<Checked> {
        let mut best = once()?;
        for _ in 1..self.rounds {
            if !best.finished() {
                break;
            }
            let next = once()?;
            if figure(&next) < figure(&best) {
                best = next;
            }
        }
        Ok(best)
    }

    /// The median of several checks by processor time, the longer of two. One that did not finish is not repeated.
    pub fn median(&self, program: &str, options: &str, expected: &str) -> anyhow::Result<Checked> {
        let mut all = Vec::new();
        for _ in 0..self.rounds {
            let checked = self.once(program, options, expected)?;
            if !checked.finished() {
                return Ok(checked);
            }
            all.push(checked);
        }
        all.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        let middle = all.len() / 2;
        Ok(all.swap_remove(middle))
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        // A directory for temporary files that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.classes);
    }
}

/// Runs a check. Fails unless the verdict is the one that is expected, or something was left out.
fn measured(command: &mut Command, name: &str, expected: &str) -> anyhow::Result<Checked> {
    let before = children()?;
    let start = Instant::now();
    let output = command.output().context("sojourner")?;
    let wall = start.elapsed().as_secs_f64();
    let cpu = children()? - before;
    let checked = Checked::read(&output.stdout, cpu, wall).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("sojourner check {name}: {} {said}", output.status)
    })?;
    let verdict = &checked.verdict;
    ensure!(verdict == expected || verdict == "incomplete", "{name} should be {expected} and is {verdict}");
    eprintln!(
        "{name}: {verdict}, {} states, {} transitions, {cpu:.3} s, {wall:.3} s by the clock",
        checked.states, checked.transitions
    );
    Ok(checked)
}

impl Checked {
    /// From the result for machines.
    fn read(json: &[u8], cpu: f64, wall: f64) -> anyhow::Result<Checked> {
        let result: Value = serde_json::from_slice(json)?;
        let number = |value: &Value, name: &str| value[name].as_u64().with_context(|| format!("no {name}"));
        let (stats, store) = (&result["stats"], &result["store"]);
        let mut pools = Vec::new();
        for pool in store["pools"].as_array().into_iter().flatten() {
            let name = pool["name"].as_str().unwrap_or_default().to_owned();
            pools.push((name, number(pool, "entries")?, number(pool, "bytes")?));
        }
        let Some(verdict) = result["verdict"].as_str() else { bail!("no verdict") };
        Ok(Checked {
            verdict: verdict.to_owned(),
            states: number(stats, "states")?,
            transitions: number(stats, "transitions")?,
            executions: number(stats, "executions")?,
            blocked: number(stats, "blocked_executions")?,
            cpu,
            wall,
            peak: number(stats, "peak_memory_bytes")?,
            // Sampled executions keep no states.
            store: store["bytes"].as_u64().unwrap_or(0),
            pools,
        })
    }

    /// Whether it came to a verdict before the time was up.
    pub fn finished(&self) -> bool {
        self.verdict != "incomplete"
    }

    /// The memory of the store by its states.
    pub fn bytes_a_state(&self) -> f64 {
        self.store as f64 / self.states as f64
    }
}

/// The processor time of all processes that this one started and that have ended, in seconds.
pub fn children() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(microseconds as f64 / 1e6)
}
