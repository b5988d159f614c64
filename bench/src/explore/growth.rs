//! How spaces grow with the program's parameters, with each reduction alone, with none and with all.

use super::Scale;
use super::check::{Checked, Checker};
use crate::tables::{Table, grouped};

const REDUCTIONS: [&str; 8] = ["none", "private", "immutable", "locked", "owned", "alone", "movers", "all"];

/// A program with parameters that grow.
struct Family {
    what: &'static str,
    programs: &'static [&'static str],
}

const FAMILIES: [Family; 4] = [
    Family {
        what: "philosophers",
        programs: &[
            "DiningPhilosophersFixed 3 1",
            "DiningPhilosophersFixed 4 1",
            "DiningPhilosophersFixed 5 1",
            "DiningPhilosophersFixed 6 1",
            "DiningPhilosophersFixed 7 1",
            "DiningPhilosophersFixed 8 1",
        ],
    },
    Family {
        what: "bounded buffer",
        programs: &[
            "BoundedBufferFixed 2 1 1 1",
            "BoundedBufferFixed 2 2 1 1",
            "BoundedBufferFixed 2 2 2 1",
            "BoundedBufferFixed 2 3 2 1",
        ],
    },
    Family {
        what: "counter, threads",
        programs: &["Counter 2 2", "Counter 3 2", "Counter 4 2", "Counter 5 2", "Counter 6 2"],
    },
    Family {
        what: "counter, increments",
        programs: &["Counter 3 1", "Counter 3 2", "Counter 3 4", "Counter 3 8", "Counter 3 16"],
    },
];

pub fn measure(
    checker: &Checker,
    scale: Scale,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let seconds = if scale.quick { 1 } else { 20 };
    let head = || ["program"].into_iter().chain(REDUCTIONS);
    let of =
        |what: &str| format!("{what} (`--search dfs --jobs 1 --races off --reduce R --time {seconds}s`):");
    let mut states = Table::new(of("States by reduction"), head());
    let mut transitions = Table::new(of("Transitions by reduction"), head());
    let mut times = Table::new(of("Seconds of processor time by reduction"), head());
    for family in &FAMILIES {
        // Nothing larger is tried with a reduction that did not finish.
        let mut given_up = [false; REDUCTIONS.len()];
        for program in family.programs {
            if !wanted(&format!("explore growth {} {program}", family.what)) {
                continue;
            }
            let mut row: Vec<Option<Checked>> = Vec::new();
            for (reduce, given_up) in REDUCTIONS.iter().zip(&mut given_up) {
                if *given_up {
                    row.push(None);
                    continue;
                }
                let options =
                    format!("--search dfs --jobs 1 --races off --time {seconds}s --reduce {reduce}");
                let checked = checker.once(program, &options, "clean")?;
                *given_up = !checked.finished();
                row.push(Some(checked));
            }
            let cells = |figure: &dyn Fn(&Checked) -> String| -> Vec<String> {
                let cell = |checked: &Option<Checked>| match checked {
                    Some(checked) if checked.finished() => figure(checked),
                    Some(checked) => format!("> {}", figure(checked)),
                    None => "-".to_owned(),
                };
                std::iter::once((*program).to_owned()).chain(row.iter().map(cell)).collect()
            };
            states.row(cells(&|checked| grouped(checked.states)));
            transitions.row(cells(&|checked| grouped(checked.transitions)));
            times.row(cells(&|checked| format!("{:.2}", checked.cpu)));
        }
    }
    Ok(vec![states, transitions, times])
}
