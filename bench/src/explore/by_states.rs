//! C programs by states: transitions a second.

use super::check::{Checked, Checker};
use super::{Bars, Scale};
use crate::tables::{Table, grouped};

/// A program of `examples/c`, and what is known of it.
struct Case {
    /// The file, and flags for the compiler.
    program: &'static str,
    /// The states at which the search ends, if it does not explore all.
    most: Option<u64>,
    states: u64,
    transitions: u64,
    /// Transitions in a second of processor time.
    least: f64,
}

const PLAIN: Case = Case { program: "", most: None, states: 0, transitions: 0, least: 0.0 };

const PROGRAMS: [Case; 6] = [
    Case {
        program: "counter.c -DTHREADS=4 -DROUNDS=5",
        states: 11_682,
        transitions: 24_457,
        least: 400_000.0,
        ..PLAIN
    },
    Case { program: "aget.c", states: 5_519, transitions: 14_897, least: 350_000.0, ..PLAIN },
    Case {
        program: "bbuf.c -DPRODUCERS=3 -DCONSUMERS=3",
        states: 51_395,
        transitions: 167_095,
        least: 330_000.0,
        ..PLAIN
    },
    Case {
        program: "indexer.c -DTHREADS=12",
        most: Some(200_000),
        states: 200_000,
        transitions: 914_483,
        least: 240_000.0,
    },
    // Executions of 1,607 and of 3,207 steps.
    Case {
        program: "counter.c -DTHREADS=2 -DROUNDS=400",
        states: 484_811,
        transitions: 648_013,
        least: 500_000.0,
        ..PLAIN
    },
    Case {
        program: "counter.c -DTHREADS=2 -DROUNDS=800",
        states: 1_929_611,
        transitions: 2_576_013,
        least: 450_000.0,
        ..PLAIN
    },
];

const QUICK: [Case; 1] = [Case { program: "aget.c", states: 5_519, transitions: 14_897, ..PLAIN }];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    bars: &mut Bars,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut speed = Table::new(
        "C programs with `--search dfs --store compact --jobs 1`, in seconds of processor time of all processes. What one state \
         takes, with the start of the processes, is subtracted for transitions a second:",
        ["program", "states", "transitions", "seconds", "first", "transitions/s", "bar", ""],
    );
    let programs: &[Case] = if scale.quick { &QUICK } else { &PROGRAMS };
    for case in programs {
        if !wanted(&format!("explore native {}", case.program)) {
            continue;
        }
        let executable = checker.compile(case.program)?;
        let check = |options: &str| -> anyhow::Result<Checked> {
            let options = format!("--search dfs --store compact --jobs 1 {options}");
            checker.best_executable(&executable, case.program, &options, |checked| checked.cpu)
        };
        let bound = case.most.map_or(String::new(), |states| format!("--states {states}"));
        let (all, first) = (check(&bound)?, check("--states 1")?);
        anyhow::ensure!(
            (all.states, all.transitions) == (case.states, case.transitions),
            "{} should have {} states and {} transitions and has {} and {}",
            case.program,
            case.states,
            case.transitions,
            all.states,
            all.transitions
        );
        let rate = all.transitions as f64 / (all.cpu - first.cpu).max(1e-6);
        speed.row([
            case.program.to_owned(),
            grouped(all.states),
            grouped(all.transitions),
            format!("{:.2}", all.cpu),
            format!("{:.3}", first.cpu),
            grouped(rate as u64),
            format!(">= {} /s", grouped(case.least as u64)),
            bars.judge(rate >= case.least).to_owned(),
        ]);
    }
    Ok(vec![speed])
}
