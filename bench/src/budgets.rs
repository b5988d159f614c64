//! Whether budgets hold: ten programs of all three kinds against a bound on time, a bound on memory, and a signal.
//!
//! The time counts from the start of the search, as the result says when it began by what it took in all: compiling, which comes
//! before, is measured by a check of no time and taken off. Memory is the resident memory of the command and of all
//! processes below it together, looked at every few milliseconds.

use crate::java::sojourner;
use crate::tables::Table;
use anyhow::Context;
use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A program, as words of the command line, and its bounds.
struct Case {
    name: &'static str,
    words: &'static [&'static str],
    megabytes: u64,
}

const PROGRAMS: [Case; 10] = [
    Case { name: "Quiet.java", words: &["bench/budgets/Quiet.java"], megabytes: 300 },
    Case { name: "Initial.java", words: &["bench/budgets/Initial.java"], megabytes: 300 },
    Case { name: "Many.java", words: &["bench/budgets/Many.java"], megabytes: 300 },
    Case { name: "quiet.c", words: &["bench/budgets/quiet.c"], megabytes: 300 },
    Case { name: "mutex.c", words: &["bench/budgets/mutex.c"], megabytes: 500 },
    Case { name: "cells.c", words: &["bench/budgets/cells.c"], megabytes: 500 },
    Case { name: "large.c", words: &["bench/budgets/large.c"], megabytes: 400 },
    Case { name: "grid", words: &["model:grid", "--", "counters=8", "values=12"], megabytes: 500 },
    Case {
        name: "grid, exact",
        words: &["model:grid", "--store", "exact", "--", "counters=8", "values=12"],
        megabytes: 500,
    },
    Case {
        name: "phil, bfs",
        words: &["model:phil", "--search", "bfs", "--", "n=16", "fair=true"],
        megabytes: 500,
    },
];

/// The bound on time.
const SECONDS: u64 = 5;
/// A check that is bounded by memory alone might take minutes to use it up: this is long enough for most.
const SECONDS_FOR_MEMORY: u64 = 30;
/// When a signal is sent.
const SIGNAL_AFTER: Duration = Duration::from_secs(4);

/// What became of a check.
struct Run {
    seconds: f64,
    peak: u64,
    /// From the signal to the end, if one was sent.
    after_signal: f64,
    reason: String,
}

pub fn bench(wanted: impl Fn(&str) -> bool) -> anyhow::Result<Table> {
    let mut table = Table::new(
        format!(
            "Budgets: `--time {SECONDS}s` (bar: 1 s more at most), `--memory M` (bar: 5 % more at most) and SIGTERM (bar: 1 s). \
             In brackets why the check ended:"
        ),
        ["program", "seconds", "", "M", "peak MB", "", "SIGTERM", ""],
    );
    let tool = sojourner()?;
    for case in PROGRAMS.iter().filter(|case| wanted(case.name)) {
        let before = check(&tool, case, &["--time", "1ms"], None)?.seconds;
        let by_time = check(&tool, case, &["--time", &format!("{SECONDS}s")], None)?;
        let seconds = by_time.seconds - before;
        let (memory, time) = (format!("{}M", case.megabytes), format!("{SECONDS_FOR_MEMORY}s"));
        let by_memory = check(&tool, case, &["--memory", &memory, "--time", &time], None)?;
        let by_signal = check(&tool, case, &[], Some(SIGNAL_AFTER))?;
        let verdict = |holds: bool| if holds { "pass" } else { "MISS" };
        table.row([
            case.name.to_string(),
            format!("{seconds:.2} ({})", by_time.reason),
            verdict(seconds <= SECONDS as f64 + 1.0).into(),
            case.megabytes.to_string(),
            format!("{} ({})", by_memory.peak >> 20, by_memory.reason),
            verdict(by_memory.peak <= (case.megabytes << 20) / 100 * 105).into(),
            format!("{:.2} ({})", by_signal.after_signal, by_signal.reason),
            verdict(by_signal.after_signal <= 1.0).into(),
        ]);
        eprintln!("{}: {seconds:.2} s, {} MB", case.name, by_memory.peak >> 20);
    }
    Ok(table)
}

/// Runs a check with these options, and sends it a signal after a while if that is wanted.
fn check(tool: &Path, case: &Case, options: &[&str], signal: Option<Duration>) -> anyhow::Result<Run> {
    let start = Instant::now();
    let mut child = Command::new(tool)
        .args(["check", "--json", "-"])
        .args(options)
        .args(case.words)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (mut peak, mut sent) = (0, None);
    while child.try_wait()?.is_none() {
        peak = peak.max(resident_of_all(child.id()));
        if sent.is_none() && signal.is_some_and(|after| start.elapsed() >= after) {
            terminate(&child)?;
            sent = Some(Instant::now());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let (seconds, after_signal) =
        (start.elapsed().as_secs_f64(), sent.map_or(0.0, |at| at.elapsed().as_secs_f64()));
    let output = child.wait_with_output()?;
    let result: serde_json::Value =
        serde_json::from_slice(&output.stdout).with_context(|| format!("{} has no result", case.name))?;
    let reason = result["reasons"][0].as_str().unwrap_or(result["verdict"].as_str().unwrap_or_default());
    let reason = reason.split(':').next().unwrap_or_default().to_string();
    Ok(Run { seconds, peak, after_signal, reason })
}

fn terminate(child: &Child) -> anyhow::Result<()> {
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status()?;
    Ok(())
}

/// The resident memory of a process and of all below it, in bytes.
fn resident_of_all(root: u32) -> u64 {
    let mut parents: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
        parents.entry(parent.unwrap_or(0)).or_default().push(process);
    }
    let (mut all, mut sum) = (vec![root], 0);
    while let Some(process) = all.pop() {
        let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        sum += statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096;
        all.extend(parents.remove(&process).unwrap_or_default());
    }
    sum
}
