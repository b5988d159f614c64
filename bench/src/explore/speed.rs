//! How fast states are made, how much memory they take, and how soon the first is there.

use super::check::{Checked, Checker};
use super::{Bars, Scale, objects};
use crate::tables::{Table, grouped, megabytes};

/// At least that many transitions in a second of processor time with at most that many live dynamic objects.
const SPEED: [(usize, f64); 2] = [(40, 1e6), (100, 5e5)];
/// At most that many bytes a state, where there are enough of them for the first block of the table not to count.
const BYTES: f64 = 40.0;
const ENOUGH: u64 = 10_000;
/// The longest from the shell and back for a program that does next to nothing, in seconds by the clock.
const START: f64 = 0.2;

/// A program, and arguments that make about a million transitions with all reductions and with none.
struct Program {
    name: &'static str,
    all: &'static str,
    none: &'static str,
    /// The same for a quick look.
    quick: &'static str,
}

const PROGRAMS: [Program; 5] = [
    Program { name: "BoundedBufferFixed", all: "2 4 3 1", none: "2 2 2 1", quick: "2 2 1 1" },
    Program { name: "DiningPhilosophersFixed", all: "5 3", none: "4 1", quick: "3 1" },
    Program {
        name: "ReplicatedWorkersFixed",
        all: "6 4 0.0 1.0 0.05",
        none: "3 4 0.0 1.0 0.05",
        quick: "3 2 0.0 1.0 0.05",
    },
    Program { name: "Pipeline", all: "6 4", none: "5 2", quick: "3 1" },
    Program { name: "Laden", all: "5 3 60", none: "4 1 60", quick: "3 1 60" },
];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    bars: &mut Bars,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut speed = Table::new(
        "Transitions in a second of processor time (`--search dfs --jobs 1 --races off --store compact`):",
        [
            "program",
            "reduce",
            "objects",
            "states",
            "transitions",
            "s",
            "transitions/s",
            "bar",
            "",
            "peak MB",
            "bytes a state",
            "bar",
            "",
        ],
    );
    for program in &PROGRAMS {
        for (reduce, arguments) in [("all", program.all), ("none", program.none)] {
            let arguments = if scale.quick { program.quick } else { arguments };
            let called = format!("{} {arguments}", program.name);
            if !wanted(&format!("explore speed {called} {reduce}")) {
                continue;
            }
            let options = format!(
                "--search dfs --jobs 1 --races off --store compact --time {}s --reduce {reduce}",
                if scale.quick { 5 } else { 60 }
            );
            let best = checker.best(&called, &options, "clean", |checked| checked.cpu)?;
            let objects = objects::most(&called, reduce, &checker.classes)?;
            speed.row(row(&called, reduce, objects, &best, bars));
        }
    }
    let mut start = Table::new(
        "A program that prints one line, from the shell and back, in seconds by the clock (of processor time):",
        ["program", "check", "bar", ""],
    );
    if wanted("explore speed Hello") {
        let best = checker.best("Hello", "--search dfs --jobs 1", "clean", |checked| checked.wall)?;
        let taken = format!("{:.3} ({:.3})", best.wall, best.cpu);
        start.row(["Hello", &taken, &format!("<= {START}"), bars.judge(best.wall <= START)]);
    }
    Ok(vec![speed, start])
}

fn row(called: &str, reduce: &str, objects: usize, best: &Checked, bars: &mut Bars) -> Vec<String> {
    let speed = best.transitions as f64 / best.cpu;
    let least = SPEED.iter().find(|&&(most, _)| objects <= most).map(|&(_, least)| least);
    let (speed_bar, speed_met) = match least {
        Some(least) => (format!(">= {}", grouped(least as u64)), bars.judge(speed >= least)),
        None => ("-".to_owned(), ""),
    };
    let bytes = best.bytes_a_state();
    let (bytes_bar, bytes_met) = match best.states {
        ENOUGH.. => (format!("<= {BYTES}"), bars.judge(bytes <= BYTES)),
        _ => ("-".to_owned(), ""),
    };
    let unfinished = if best.finished() { "" } else { "> " };
    [
        called,
        reduce,
        &objects.to_string(),
        &format!("{unfinished}{}", grouped(best.states)),
        &format!("{unfinished}{}", grouped(best.transitions)),
        &format!("{:.2}", best.cpu),
        &grouped(speed as u64),
        &speed_bar,
        speed_met,
        &megabytes(best.peak),
        &format!("{bytes:.1}"),
        &bytes_bar,
        bytes_met,
    ]
    .map(str::to_owned)
    .to_vec()
}
