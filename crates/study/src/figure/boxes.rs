//! Quartiles and extremes of each strategy.

use super::axis::Axis;
use super::svg::{Anchor, Svg};
use crate::file::Metric;
use crate::results::CellResults;

const LEFT: f64 = 210.0;
const WIDTH: f64 = 700.0;
const RIGHT: f64 = 70.0;
const ROW: f64 = 24.0;
const TOP: f64 = 34.0;

/// A panel for each program.
pub fn panels(programs: &[(String, Vec<&CellResults>)], metric: Metric) -> Vec<String> {
    programs.iter().filter_map(|(program, cells)| panel(program, cells, metric)).collect()
}

fn panel(program: &str, cells: &[&CellResults], metric: Metric) -> Option<String> {
    let costs: Vec<_> = cells.iter().map(|one| one.costs(metric)).collect();
    let low = costs.iter().flatten().map(|costs| costs.min()).fold(f64::INFINITY, f64::min);
    let high = costs.iter().flatten().map(|costs| costs.max()).fold(0.0, f64::max);
    if !low.is_finite() {
        return None;
    }
    let x = Axis::log(low, high).between(LEFT, WIDTH - RIGHT);
    let bottom = TOP + ROW * cells.len() as f64;
    let mut svg = Svg::new(WIDTH, bottom + 46.0, program);
    svg.text((12.0, 20.0), Anchor::Start, "panel", program);
    for (number, label) in x.ticks() {
        svg.line((x.at(number), TOP), (x.at(number), bottom), "grid");
        svg.text((x.at(number), bottom + 16.0), Anchor::Middle, "tick", &label);
    }
    svg.line((LEFT, bottom), (WIDTH - RIGHT, bottom), "axis");
    svg.text(
        ((LEFT + WIDTH - RIGHT) / 2.0, bottom + 36.0),
        Anchor::Middle,
        "label",
        &format!("{metric} until the error"),
    );
    for (nth, (one, costs)) in cells.iter().zip(&costs).enumerate() {
        let y = TOP + ROW * (nth as f64 + 0.5);
        svg.text((LEFT - 8.0, y + 4.0), Anchor::End, "tick", &one.cell.strategy);
        let share = one.density().map_or("-".into(), |share| format!("{:.0} %", share * 100.0));
        svg.text((WIDTH - RIGHT + 10.0, y + 4.0), Anchor::Start, "tick", &share);
        let Some(costs) = costs else { continue };
        let at = |q: f64| x.at(costs.quantile(q));
        svg.line((at(0.0), y), (at(0.25), y), "whisker s0");
        svg.line((at(0.75), y), (at(1.0), y), "whisker s0");
        for end in [at(0.0), at(1.0)] {
            svg.line((end, y - 5.0), (end, y + 5.0), "whisker s0");
        }
        svg.rect((at(0.25), y - 7.0), ((at(0.75) - at(0.25)).max(1.0), 14.0), "box s0");
        svg.line((at(0.5), y - 7.0), (at(0.5), y + 7.0), "median");
    }
    Some(svg.finish())
}
