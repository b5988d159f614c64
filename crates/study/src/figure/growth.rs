//! Memory and depth while a search goes on (JPF Figure 1).

use super::axis::{Axis, label};
use super::plot::Plot;
use super::svg::Anchor;
use crate::results::CellResults;

/// A panel for each cell of which the growth was taken down.
pub fn panels(programs: &[(String, Vec<&CellResults>)]) -> Vec<String> {
    let cells = programs.iter().flat_map(|(program, cells)| cells.iter().map(move |one| (program, one)));
    cells.filter_map(|(program, one)| panel(program, one)).collect()
}

fn panel(program: &str, one: &CellResults) -> Option<String> {
    let last = one.growth.last()?;
    let most = |value: fn(&sojourner_check::Growth) -> u64| {
        one.growth.iter().map(value).max().unwrap_or(0).max(1) as f64
    };
    let (bytes, depth) = (most(|row| row.bytes), most(|row| row.depth));
    let title = format!("{program}, {}", one.cell.strategy);
    let x = Axis::even(0.0, last.states.max(1) as f64);
    let mut plot = Plot::new(&title, (x, "states"), (Axis::even(0.0, 1.0), "share of the maximum"));
    for (nth, (name, unit, top, value)) in [
        ("memory of the store", "B", bytes, (|row| row.bytes) as fn(&sojourner_check::Growth) -> u64),
        ("depth", " steps", depth, |row| row.depth),
    ]
    .into_iter()
    .enumerate()
    {
        let points: Vec<_> =
            one.growth.iter().map(|row| plot.at(row.states as f64, value(row) as f64 / top)).collect();
        plot.svg.path(&points, &format!("curve s{nth} d0"));
        let text = format!("{name}, at most {}{unit}", label(top));
        let (left, low) = plot.at(0.0, 0.0);
        let y = low - 26.0 + 14.0 * nth as f64;
        plot.svg.line((left + 150.0, y - 4.0), (left + 170.0, y - 4.0), &format!("curve s{nth} d0"));
        plot.svg.text((left + 176.0, y), Anchor::Start, "tick", &text);
    }
    Some(plot.svg.finish())
}
