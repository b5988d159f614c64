//! How many trials cost how much (PRSS Figure 1).

use super::axis::Axis;
use super::plot::Plot;
use super::svg::Anchor;
use crate::file::Metric;
use crate::results::CellResults;

const BINS: usize = 24;

/// A panel for each cell with several trials that found the error.
pub fn panels(programs: &[(String, Vec<&CellResults>)], metric: Metric) -> Vec<String> {
    let cells = programs.iter().flat_map(|(program, cells)| cells.iter().map(move |one| (program, one)));
    cells.filter_map(|(program, one)| panel(program, one, metric)).collect()
}

fn panel(program: &str, one: &CellResults, metric: Metric) -> Option<String> {
    let costs = one.costs(metric).filter(|_| one.trials.len() > 1)?;
    let x = Axis::log(costs.min(), costs.max());
    let ends = x.divided(BINS);
    let mut counts = [0_usize; BINS];
    for cost in costs.sorted() {
        counts[ends[1..BINS].partition_point(|end| end <= cost)] += 1;
    }
    let percent = |count: usize| 100.0 * count as f64 / one.trials.len() as f64;
    let most = counts.iter().copied().max().map_or(1.0, percent);
    let title = format!("{program}, {}", one.cell.strategy);
    let mut plot =
        Plot::new(&title, (x, &format!("{metric} until the error")), (Axis::even(0.0, most), "% of trials"));
    let floor = plot.y.at(0.0);
    for (bin, count) in counts.into_iter().enumerate() {
        let (left, right) = (plot.x.at(ends[bin]), plot.x.at(ends[bin + 1]));
        let top = plot.y.at(percent(count));
        plot.svg.rect((left + 0.5, top), (right - left - 1.0, floor - top), "bar s0");
    }
    let (right, top) = (plot.x.at(f64::INFINITY), plot.y.at(f64::INFINITY));
    let found = format!("{} of {} found", one.found(), one.trials.len());
    plot.svg.text((right - 4.0, top - 4.0), Anchor::End, "tick", &found);
    Some(plot.svg.finish())
}
