//! The share of trials that have found the error within a cost.

use super::axis::Axis;
use super::plot::{self, Plot, WIDTH};
use crate::file::Metric;
use crate::results::CellResults;

/// A panel for each program: a curve for each strategy.
pub fn panels(programs: &[(String, Vec<&CellResults>)], metric: Metric) -> Vec<String> {
    programs.iter().filter_map(|(program, cells)| panel(program, cells, metric)).collect()
}

fn panel(program: &str, cells: &[&CellResults], metric: Metric) -> Option<String> {
    let costs = || cells.iter().flat_map(|one| one.censored(metric));
    let low = costs().filter(|cost| cost.found).map(|cost| cost.cost).fold(f64::INFINITY, f64::min);
    let high = costs().map(|cost| cost.cost).fold(0.0, f64::max);
    if !low.is_finite() {
        return None;
    }
    let names: Vec<String> = cells.iter().map(|one| one.cell.strategy.clone()).collect();
    let height = plot::height();
    let mut plot = Plot::sized_with_room(
        program,
        (WIDTH, height),
        plot::legend_height(names.len()),
        (Axis::log(low, high), &metric.to_string()),
        (Axis::even(0.0, 1.0), "share found"),
    );
    for (nth, one) in cells.iter().enumerate() {
        let Some(costs) = one.costs(metric) else { continue };
        let all = one.trials.len() as f64;
        let mut points = vec![plot.at(costs.min(), 0.0)];
        for (at, cost) in costs.sorted().iter().enumerate() {
            points.push(plot.at(*cost, at as f64 / all));
            points.push(plot.at(*cost, (at + 1) as f64 / all));
        }
        points.push(plot.at(high.max(costs.max()), costs.len() as f64 / all));
        plot.svg.path(&points, &format!("curve {}", plot::series(nth)));
    }
    plot::legend(&mut plot.svg, height, &names);
    Some(plot.svg.finish())
}
