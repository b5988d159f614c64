//! Cost against the number of searches side by side (PRSS Figure 5).

use super::axis::{Axis, label};
use super::plot::Plot;
use super::svg::Anchor;
use crate::file::{FigureKind, Shown};
use crate::results::CellResults;
use crate::table::prss::{curve, default_of};

/// How far above the largest mean the default may be and still be shown.
const ROOM: f64 = 1.6;

/// A panel for each cell with a pool.
pub fn panels(programs: &[(String, Vec<&CellResults>)], shown: &Shown<FigureKind>) -> Vec<String> {
    let mut all = Vec::new();
    for (program, cells) in programs {
        let default = default_of(cells, shown);
        let pools = cells.iter().filter(|one| one.trials.len() > 1 && one.found() > 0);
        all.extend(pools.filter_map(|one| panel(program, one, default, shown)));
    }
    all
}

fn panel(
    program: &str,
    one: &CellResults,
    default: Option<&CellResults>,
    shown: &Shown<FigureKind>,
) -> Option<String> {
    let metric = shown.metric;
    // More searches than the pool has are the same search again and again.
    let nodes: Vec<u64> =
        shown.nodes.iter().copied().filter(|nodes| *nodes <= one.trials.len() as u64).collect();
    let curve = curve(one, &nodes, metric);
    let pool = one.costs(metric)?;
    let spread = |costs: &crate::stats::Sample| (costs.mean() - costs.sd(), costs.mean() + costs.sd());
    let highest =
        curve.iter().filter_map(|one| one.costs.as_ref()).map(|costs| spread(costs).1).fold(0.0, f64::max);
    let first = default.and_then(|default| default.trials.first());
    let default = first.and_then(|trial| Some((trial.metric(metric)?, trial.found())));
    let fits = default.is_some_and(|(cost, _)| cost <= highest * ROOM);
    let top = default.filter(|_| fits).map_or(highest, |(cost, _)| highest.max(cost)) * 1.06;
    let names: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    let title = format!("{program}, {}", one.cell.strategy);
    let mut plot =
        Plot::named(&title, (&names, "searches side by side"), (Axis::even(0.0, top), &metric.to_string()));
    if let Some((cost, found)) = default {
        let text = format!("default {}{}", if found { "" } else { "\u{2265} " }, label(cost));
        match fits {
            true => plot.level(cost, "reference s1", &text, Anchor::End),
            false => {
                let (right, high) = (plot.x.at(f64::INFINITY), plot.y.at(f64::INFINITY));
                plot.svg.text(
                    (right - 4.0, high + 12.0),
                    Anchor::End,
                    "tick",
                    &format!("{text}: off the scale"),
                );
            }
        }
    }
    plot.level(pool.min(), "reference s2", &format!("minimum {}", label(pool.min())), Anchor::Start);
    if let Some(at) = curve.iter().position(|one| one.is_complete()) {
        plot.upright(at as f64, "reference s3", "100 % completed");
    }
    let mut points = Vec::new();
    for (nth, point) in curve.iter().enumerate() {
        let Some(costs) = &point.costs else { continue };
        let (low, high) = spread(costs);
        let (low, high) = (plot.at(nth as f64, low), plot.at(nth as f64, high));
        plot.svg.line(low, high, "whisker s0");
        for end in [low, high] {
            plot.svg.line((end.0 - 4.0, end.1), (end.0 + 4.0, end.1), "whisker s0");
        }
        let at = plot.at(nth as f64, costs.mean());
        plot.svg.circle(at, 3.5, "dot s0");
        points.push(at);
        if let Some(expected) = point.expected {
            let (x, y) = plot.at(nth as f64, expected);
            plot.svg.line((x - 5.0, y - 5.0), (x + 5.0, y + 5.0), "cross");
            plot.svg.line((x - 5.0, y + 5.0), (x + 5.0, y - 5.0), "cross");
        }
    }
    plot.svg.path(&points, "curve s0 d0");
    Some(plot.svg.finish())
}
