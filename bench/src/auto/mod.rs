//! `auto` against each of its strategies alone, on programs with a defect.
//!
//! The programs are the examples, hard sizes of those that the papers use, and the corpus. A program that `auto` finds within
//! [`LEAST`] seconds of processor time cannot be found faster by a factor that matters, so single strategies run on the others only.
//! What counts is the median over several seeds of the processor time of the process and of those that it started, without what
//! the same check takes to begin.

mod programs;

use crate::explore::check::children;
use crate::tables::Table;
use anyhow::{Context, ensure};
use programs::{Program, Programs};
use serde_json::Value;
use std::process::{Command, Stdio};

/// Shorter times are taken to be that long: in seconds.
const LEAST: f64 = 0.1;
/// How much longer than the best strategy `auto` may take at the median.
const MEDIAN: f64 = 3.0;
/// The most seconds by the clock until `auto` finds something.
const LONGEST: f64 = 20.0;
/// The time that a check may take, in seconds.
const PATIENCE: u32 = 60;

/// The strategies that `auto` is made of, as a user would run each of them alone.
const STRATEGIES: [&str; 11] = [
    "--search dfs",
    "--search best-first --order random",
    "--search dfs --order random",
    "--search dfs --order interleave",
    "--search dfs --preemptions 2",
    "--search dfs --order random --backtrack threshold=10,strategy=random,ratio=0.9",
    "--search dfs --order random --backtrack threshold=50,strategy=random,ratio=0.9",
    "--search dfs --order random --backtrack threshold=200,strategy=random,ratio=0.9",
    "--search pos --executions 1000000",
    "--search pct --executions 1000000",
    "--search surw --executions 1000000",
];

/// What one check took in seconds, and who found what it found.
#[derive(Clone, Debug)]
struct Run {
    found: bool,
    cpu: f64,
    wall: f64,
    winner: String,
}

/// Measures, and writes the tables. `seeds` says how many there are, `wanted` which programs.
pub fn bench(seeds: u32, wanted: impl Fn(&str) -> bool) -> anyhow::Result<String> {
    let programs = Programs::prepare(&wanted)?;
    let mut slow = Table::new(
        format!(
            "Programs on which `auto` takes more than {LEAST} s of processor time, at the median of {seeds} seeds:"
        ),
        ["program", "auto", "by the clock", "won by", "best alone", "", "ratio"],
    );
    let (mut missed, mut ratios, mut longest) = (Vec::new(), Vec::new(), 0.0_f64);
    for program in &programs.all {
        let start = programs.run(program, "--search dfs --states 1 --jobs 1", 0)?.cpu;
        let runs = programs.seeds(program, "", seeds)?;
        if runs.iter().any(|run| !run.found) {
            missed.push(program.name.clone());
        }
        let auto = median(&runs);
        let clock = runs.iter().map(|run| run.wall).fold(0.0, f64::max);
        longest = longest.max(clock);
        let auto_cpu = (auto.cpu - start).max(LEAST);
        eprintln!(
            "{}: {:.2} s, {clock:.2} s by the clock at most, {}",
            program.name,
            auto.cpu - start,
            auto.winner
        );
        if auto_cpu <= LEAST {
            ratios.push(1.0);
            continue;
        }
        let mut best = (f64::INFINITY, "none");
        for strategy in STRATEGIES {
            let runs = programs.seeds(program, &format!("{strategy} --jobs 1"), seeds)?;
            let alone = median(&runs);
            let cpu = (alone.cpu - start).max(LEAST);
            if alone.found && cpu < best.0 {
                best = (cpu, strategy);
            }
        }
        let ratio = auto_cpu / best.0;
        ratios.push(ratio);
        slow.row([
            program.name.clone(),
            format!("{auto_cpu:.2}"),
            format!("{clock:.2}"),
            auto.winner,
            best.1.replace("--search ", ""),
            format!("{:.2}", best.0),
            format!("{ratio:.2}"),
        ]);
    }
    ratios.sort_by(f64::total_cmp);
    let (middle, worst) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
    let most = 2 * (STRATEGIES.len() + 1) + 1;
    let verdict = |holds: bool| if holds { "pass" } else { "MISS" };
    let mut bars = Table::new("`auto` on programs with a defect:", ["", "measured", "bar", ""]);
    bars.row(["programs", &ratios.len().to_string(), "", ""]);
    bars.row(["not found", &missed.join(", "), "none", verdict(missed.is_empty())]);
    bars.row([
        "ratio at the median",
        &format!("{middle:.2}"),
        &MEDIAN.to_string(),
        verdict(middle <= MEDIAN),
    ]);
    bars.row(["largest ratio", &format!("{worst:.2}"), &most.to_string(), verdict(worst <= most as f64)]);
    let by_clock = format!("{longest:.2}");
    bars.row(["longest by the clock, s", &by_clock, &LONGEST.to_string(), verdict(longest <= LONGEST)]);
    Ok(format!("{bars}{slow}"))
}

/// The middle one by processor time. What was not found comes last.
fn median(runs: &[Run]) -> Run {
    let mut runs = runs.to_vec();
    runs.sort_by(|a, b| (!a.found).cmp(&!b.found).then(a.cpu.total_cmp(&b.cpu)));
    runs.swap_remove(runs.len() / 2)
}

impl Programs {
    /// One check for each seed. When most have found nothing, the others would not matter.
    fn seeds(&self, program: &Program, options: &str, seeds: u32) -> anyhow::Result<Vec<Run>> {
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            runs.push(self.run(program, options, seed)?);
            if runs.iter().filter(|run| !run.found).count() > seeds as usize / 2 {
                break;
            }
        }
        Ok(runs)
    }

    fn run(&self, program: &Program, options: &str, seed: u32) -> anyhow::Result<Run> {
        let mut command = Command::new(&self.sojourner);
        command
            .args(["check", "--quiet", "--json", "-", "--shorten", "0", "--seed", &seed.to_string()])
            .args(["--time", &format!("{PATIENCE}s"), "--trace"])
            .arg(self.folder.join("trace.json"))
            .args(options.split_whitespace())
            .args(&program.words)
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        let before = children()?;
        let output = command.output().context("sojourner")?;
        let cpu = children()? - before;
        let said = String::from_utf8_lossy(&output.stderr);
        let result: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{} {options}: {} {said}", program.name, output.status))?;
        let verdict = result["verdict"].as_str().unwrap_or_default();
        ensure!(
            matches!(verdict, "found" | "incomplete" | "clean"),
            "{} {options}: {verdict} {said}",
            program.name
        );
        let winner = result["search"]["winner"].as_str().unwrap_or("-").to_owned();
        let wall = result["stats"]["seconds"].as_f64().unwrap_or(0.0);
        Ok(Run { found: verdict == "found", cpu, wall, winner })
    }
}
