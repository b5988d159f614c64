//! Two threads against one.

use super::check::Checker;
use super::{Bars, Scale};
use crate::tables::{Table, grouped};

/// At least that many times as fast on two threads as on one.
const SPEEDUP: f64 = 1.6;

/// Programs and reductions; the last two have more than a million states.
const PROGRAMS: [(&str, &str); 6] = [
    ("DiningPhilosophersFixed 6 3", "all"),
    ("BoundedBufferFixed 2 5 4 1", "all"),
    ("DiningPhilosophersFixed 4 4", "none"),
    ("BoundedBufferFixed 2 2 2 2", "none"),
    ("BoundedBufferFixed 2 2 2 3", "none"),
    ("ReplicatedWorkersFixed 4 4 0.0 1.0 0.05", "none"),
];
const QUICK: [(&str, &str); 2] =
    [("DiningPhilosophersFixed 4 2", "all"), ("BoundedBufferFixed 2 2 1 1", "none")];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    bars: &mut Bars,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Seconds by the clock on one thread and on two (`--search dfs --races off`):",
        ["program", "reduce", "states", "1 thread", "2 threads", "speedup", "bar", ""],
    );
    let programs: &[(&str, &str)] = if scale.quick { &QUICK } else { &PROGRAMS };
    for &(program, reduce) in programs {
        if !wanted(&format!("explore threads {program} {reduce}")) {
            continue;
        }
        let options = format!("--search dfs --races off --time 120s --reduce {reduce} --jobs");
        let one = checker.best(program, &format!("{options} 1"), "clean", |checked| checked.wall)?;
        let two = checker.best(program, &format!("{options} 2"), "clean", |checked| checked.wall)?;
        let finished = one.finished() && two.finished();
        let speedup = if finished { one.wall / two.wall } else { 0.0 };
        table.row([
            program,
            reduce,
            &grouped(one.states),
            &format!("{:.2}", one.wall),
            &format!("{:.2}", two.wall),
            &if finished { format!("{speedup:.2}") } else { "not finished".to_owned() },
            &format!(">= {SPEEDUP}"),
            bars.judge(speedup >= SPEEDUP),
        ]);
    }
    Ok(vec![table])
}
