//! Against Java PathFinder, by the processor time to the verdict.
//!
//! Both are called without options. Ours then runs several searches beside each other, on all cores, and which of them is
//! first is up to the machine: what counts is the median, not the best, and the time of all threads.

use super::check::{Checked, Checker};
use super::{Bars, Scale};
use crate::tables::{Table, grouped};

/// At most that part of its processor time.
const RATIO: f64 = 1.0 / 30.0;

/// What Java PathFinder did with programs of the same kind and size.
///
/// Measured once, with its branch for Java 17 as it is out of the box (depth-first, one thread) on OpenJDK 17, on the machine
/// on which the figures of `docs/benchmarks.md` were taken, and in seconds of processor time of its whole process: the start of
/// its machine, 1.7 seconds, is in them, as ours is in ours.
struct Theirs {
    what: &'static str,
    seconds: f64,
    /// Whether it came to a verdict in that time.
    finished: bool,
    /// Our program of that kind, its arguments, and its verdict.
    ours: &'static str,
    verdict: &'static str,
}

const THEIRS: [Theirs; 6] = [
    Theirs {
        what: "dining philosophers, 5 threads: deadlock",
        seconds: 8.5,
        finished: true,
        ours: "DiningPhilosophers 5 1",
        verdict: "found",
    },
    Theirs {
        what: "bounded buffer, 2 producers, 2 consumers, size 2: all of it",
        seconds: 25.0,
        finished: true,
        ours: "BoundedBufferFixed 2 2 2 4",
        verdict: "clean",
    },
    Theirs {
        what: "Reorder, 8 setters: found",
        seconds: 35.0,
        finished: true,
        ours: "Reorder 8 1",
        verdict: "found",
    },
    Theirs {
        what: "three-stage pipeline: all of it",
        seconds: 32.0,
        finished: true,
        ours: "Pipeline 6 1",
        verdict: "clean",
    },
    Theirs {
        what: "Twostage, 6 updaters",
        seconds: 108.0,
        finished: false,
        ours: "Twostage 6 1",
        verdict: "found",
    },
    Theirs {
        what: "Remote Agent, 4 and 3 tasks",
        seconds: 42.0,
        finished: false,
        ours: "RaxExtended 4 3",
        verdict: "found",
    },
];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    bars: &mut Bars,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Seconds of processor time to the verdict, both without options; ours with one thread depth-first beside it:",
        [
            "what",
            "Java PathFinder",
            "program",
            "verdict",
            "states",
            "ours",
            "ours / theirs",
            "bar",
            "",
            "`--search dfs --jobs 1`",
        ],
    );
    for theirs in THEIRS.iter().filter(|theirs| wanted(&format!("explore jpf {}", theirs.ours))) {
        let time = if scale.quick { "--time 10s" } else { "--time 60s" };
        let ours = checker.median(theirs.ours, time, theirs.verdict)?;
        let alone = format!("--search dfs --jobs 1 {time}");
        let alone = checker.best(theirs.ours, &alone, theirs.verdict, |checked| checked.cpu)?;
        let ratio = ours.cpu / theirs.seconds;
        let passed = ours.finished() && ratio <= RATIO;
        let less = if theirs.finished { "" } else { "< " };
        let more = if theirs.finished { "" } else { "> " };
        let cpu = |checked: &Checked| match checked.finished() {
            true => format!("{:.3}", checked.cpu),
            false => format!("> {:.3}", checked.cpu),
        };
        table.row([
            theirs.what,
            &format!("{more}{}", theirs.seconds),
            theirs.ours,
            &ours.verdict,
            &grouped(ours.states),
            &cpu(&ours),
            &if ours.finished() { format!("{less}1/{:.0}", 1.0 / ratio) } else { "-".to_owned() },
            "<= 1/30",
            bars.judge(passed),
            &cpu(&alone),
        ]);
    }
    Ok(vec![table])
}
