//! Mean cost over two parameters of a strategy.

use super::axis::label;
use super::svg::{Anchor, Svg};
use crate::file::{FigureKind, Metric, Shown};
use crate::results::CellResults;

const CELL: (f64, f64) = (66.0, 36.0);
const LEFT: f64 = 84.0;
const TOP: f64 = 60.0;

/// A panel for each program and each value of the parameters that make no axis.
pub fn panels(programs: &[(String, Vec<&CellResults>)], shown: &Shown<FigureKind>) -> Vec<String> {
    let Some((rows, columns)) = &shown.axes else { return Vec::new() };
    let mut all = Vec::new();
    for (program, cells) in programs {
        // Strategies of the same matrix whose other parameters are equal share a panel.
        let mut groups: Vec<(String, Vec<&CellResults>)> = Vec::new();
        for one in cells.iter().filter(|one| value(one, rows).is_some() && value(one, columns).is_some()) {
            let others = one.cell.values.iter().filter(|(name, _)| name != rows && name != columns);
            let name = others.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, group)) => group.push(one),
                None => groups.push((name, vec![one])),
            }
        }
        for (name, group) in groups {
            let title = if name.is_empty() { program.clone() } else { format!("{program}, {name}") };
            all.push(panel(&title, &group, (rows, columns), shown.metric));
        }
    }
    all
}

fn value<'a>(one: &'a CellResults, axis: &str) -> Option<&'a str> {
    one.cell.values.iter().find(|(name, _)| name == axis).map(|(_, value)| value.as_str())
}

fn values<'a>(cells: &[&'a CellResults], axis: &str) -> Vec<&'a str> {
    let mut all = Vec::new();
    for value in cells.iter().filter_map(|one| value(one, axis)) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

fn panel(title: &str, cells: &[&CellResults], (rows, columns): (&str, &str), metric: Metric) -> String {
    let (down, across) = (values(cells, rows), values(cells, columns));
    let width = LEFT + CELL.0 * across.len() as f64 + 12.0;
    let height = TOP + CELL.1 * down.len() as f64 + 12.0;
    let mut svg = Svg::new(width.max(280.0), height, title);
    svg.text((12.0, 20.0), Anchor::Start, "panel", &super::plot::short(title, 34));
    svg.text((12.0, 36.0), Anchor::Start, "tick", &format!("rows: {rows}, columns: {columns}"));
    let means = || cells.iter().filter_map(|one| one.costs(metric)).map(|costs| costs.mean().max(1e-9).ln());
    let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
    for (column, name) in across.iter().enumerate() {
        let x = LEFT + CELL.0 * (column as f64 + 0.5);
        svg.text((x, TOP - 8.0), Anchor::Middle, "tick", name);
    }
    for (row, name) in down.iter().enumerate() {
        let y = TOP + CELL.1 * row as f64;
        svg.text((LEFT - 8.0, y + CELL.1 / 2.0 + 4.0), Anchor::End, "tick", name);
        for (column, across) in across.iter().enumerate() {
            let x = LEFT + CELL.0 * column as f64;
            let is =
                |one: &&&CellResults| value(one, rows) == Some(name) && value(one, columns) == Some(across);
            let Some(one) = cells.iter().find(is) else { continue };
            let middle = x + CELL.0 / 2.0;
            let share = one.density().map_or("-".into(), |share| format!("{:.0} %", share * 100.0));
            match one.costs(metric) {
                None => {
                    svg.shade((x, y), (CELL.0 - 2.0, CELL.1 - 2.0), "none", 0.5);
                    svg.text((middle, y + 22.0), Anchor::Middle, "tick", &share);
                }
                Some(costs) => {
                    let cheap =
                        if high > low { (high - costs.mean().max(1e-9).ln()) / (high - low) } else { 1.0 };
                    svg.shade((x, y), (CELL.0 - 2.0, CELL.1 - 2.0), "heat", 0.12 + 0.88 * cheap);
                    let class = if cheap > 0.45 { "tick on" } else { "tick ink" };
                    svg.text((middle, y + 15.0), Anchor::Middle, class, &label(costs.mean().round()));
                    svg.text((middle, y + 29.0), Anchor::Middle, class, &share);
                }
            }
        }
    }
    svg.finish()
}
