//! C programs under dynamic partial order reduction: executions a second, and two workers against one.

use super::check::{Checked, Checker};
use super::{Bars, Scale};
use crate::tables::{Table, grouped};

/// At least that many times as fast with two workers as with one.
const SPEEDUP: f64 = 1.8;

/// A program of `examples/c`, and what is known of it.
struct Case {
    /// The file, and flags for the compiler.
    program: &'static str,
    signal: &'static str,
    /// What is done about data races: nothing, or the default.
    races: &'static str,
    /// Its inequivalent executions.
    executions: u64,
    /// Executions in a second of processor time.
    least: Option<f64>,
    /// Seconds of processor time.
    most: Option<f64>,
    /// What Yang, Chen, Gopalakrishnan and Kirby needed in 2007, in seconds on one node.
    paper: Option<f64>,
    /// Whether two workers are measured, too.
    shared: bool,
}

const PLAIN: Case = Case {
    program: "",
    signal: "any",
    races: "off",
    executions: 0,
    least: None,
    most: None,
    paper: None,
    shared: false,
};

const PROGRAMS: [Case; 10] = [
    Case { program: "counter.c", executions: 1_680, least: Some(80_000.0), ..PLAIN },
    Case { program: "counter.c -DROUNDS=4", executions: 34_650, ..PLAIN },
    Case { program: "fsbench.c", executions: 8_192, paper: Some(291.0), ..PLAIN },
    Case {
        program: "indexer.c -DTHREADS=16",
        executions: 32_768,
        least: Some(20_000.0),
        paper: Some(1_189.0),
        ..PLAIN
    },
    Case {
        program: "indexer.c -DTHREADS=16",
        races: "last",
        executions: 32_768,
        least: Some(20_000.0),
        ..PLAIN
    },
    Case { program: "readers.c -DREADERS=12", races: "last", executions: 4_096, ..PLAIN },
    Case { program: "aget.c", executions: 113_400, paper: Some(5_663.0), shared: true, ..PLAIN },
    Case { program: "lastzero.c -DN=10", executions: 3_328, ..PLAIN },
    Case {
        program: "bbuf.c -DPRODUCERS=4 -DCONSUMERS=4",
        signal: "fifo",
        executions: 1_938_816,
        most: Some(40.0),
        paper: Some(39_710.0),
        shared: true,
        ..PLAIN
    },
    Case {
        program: "bbuf.c -DPRODUCERS=4 -DCONSUMERS=4",
        signal: "fifo",
        races: "last",
        executions: 1_938_816,
        most: Some(40.0),
        ..PLAIN
    },
];

const QUICK: [Case; 2] = [
    Case { program: "counter.c", executions: 1_680, ..PLAIN },
    Case { program: "bbuf.c", signal: "fifo", executions: 48, shared: true, ..PLAIN },
];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    bars: &mut Bars,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut speed = Table::new(
        "C programs with `--search dpor --jobs 1`, in seconds of processor time of all processes. What one execution takes, \
         with the start of the processes, is subtracted for executions a second:",
        [
            "program",
            "races",
            "executions",
            "blocked",
            "seconds",
            "first",
            "executions/s",
            "bar",
            "",
            "Yang et al. 2007",
        ],
    );
    let mut shared = Table::new(
        "The same by the clock with one worker and with two:",
        ["program", "1 worker", "2 workers", "speedup", "bar", ""],
    );
    let programs: &[Case] = if scale.quick { &QUICK } else { &PROGRAMS };
    for case in programs {
        if !wanted(&format!("explore native {}", case.program)) {
            continue;
        }
        let executable = checker.compile(case.program)?;
        let check = |options: &str, figure: fn(&Checked) -> f64| -> anyhow::Result<Checked> {
            let options = format!("--search dpor --races {} --signal {} {options}", case.races, case.signal);
            checker.best_executable(&executable, case.program, &options, figure)
        };
        let one = check("--jobs 1", |checked| checked.cpu)?;
        let first = check("--jobs 1 --executions 1", |checked| checked.cpu)?;
        anyhow::ensure!(
            one.executions == case.executions,
            "{} should have {} executions and has {}",
            case.program,
            case.executions,
            one.executions
        );
        let rate = (one.executions - 1) as f64 / (one.cpu - first.cpu).max(1e-6);
        let (bar, met) = match (case.least, case.most) {
            (Some(least), _) => (format!(">= {least} /s"), bars.judge(rate >= least)),
            (None, Some(most)) => (format!("<= {most} s"), bars.judge(one.cpu <= most)),
            (None, None) => (String::new(), ""),
        };
        speed.row([
            case.program.to_owned(),
            case.races.to_owned(),
            grouped(one.executions),
            grouped(one.blocked),
            format!("{:.2}", one.cpu),
            format!("{:.3}", first.cpu),
            grouped(rate as u64),
            bar,
            met.to_owned(),
            case.paper.map_or(String::new(), |seconds| format!("{} s", grouped(seconds as u64))),
        ]);
        if case.shared {
            let alone = check("--jobs 1", |checked| checked.wall)?;
            let both = check("--jobs 2", |checked| checked.wall)?;
            anyhow::ensure!(
                both.executions == one.executions,
                "{}: two workers count otherwise",
                case.program
            );
            let speedup = alone.wall / both.wall;
            shared.row([
                case.program.to_owned(),
                format!("{:.2}", alone.wall),
                format!("{:.2}", both.wall),
                format!("{speedup:.2}"),
                format!(">= {SPEEDUP}"),
                bars.judge(speedup >= SPEEDUP).to_owned(),
            ]);
        }
    }
    Ok(vec![speed, shared])
}
