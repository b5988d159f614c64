//! Two strategies, normalised, one point for each program (RGDS Figure 3).

use super::axis::Axis;
use super::plot::Plot;
use super::svg::Anchor;
use crate::file::{FigureKind, Metric, Shown};
use crate::results::CellResults;
use crate::table::normalised::{MEASURES, pairs, scaled};

/// A point: which of minimum, mean and maximum it is, and its place.
type Point = (usize, f64, f64);

const KINDS: [&str; 3] = ["minimum", "mean", "maximum"];
const SIZE: (f64, f64) = (330.0, 340.0);
/// The room below for what the marks mean.
const ROOM: f64 = 40.0;

/// The panels of the paper: all measures, then each of them.
pub fn panels(programs: &[(String, Vec<&CellResults>)], shown: &Shown<FigureKind>) -> Vec<String> {
    let both: Vec<_> = programs.iter().flat_map(|(_, cells)| pairs(cells, shown)).collect();
    let Some((first, second)) = both.first() else { return Vec::new() };
    let names = (first.cell.strategy.clone(), second.cell.strategy.clone());
    let density: Vec<Point> =
        both.iter().filter_map(|(one, other)| Some((1, one.density()?, other.density()?))).collect();
    let points = |metric: Metric| -> Vec<Point> {
        let all = both.iter().filter(|(one, other)| one.found() + other.found() > 0);
        all.flat_map(|(one, other)| {
            let [x, y] = scaled(one, other, metric);
            [(0, x.min, y.min), (1, x.mean, y.mean), (2, x.max, y.max)]
        })
        .collect()
    };
    let measure =
        |name: &str| MEASURES.iter().find(|(known, _)| *known == name).map(|(_, metric)| points(*metric));
    let each = [
        ("path error density", Some(density)),
        ("length of the trace", measure("trace")),
        ("time", measure("time")),
        ("states", measure("states")),
        ("memory", measure("memory")),
    ];
    let all: Vec<Point> = each.iter().flat_map(|(_, points)| points.clone().unwrap_or_default()).collect();
    let mut panels = vec![panel("(a) all measures", &all, &names)];
    for (nth, (name, points)) in each.into_iter().enumerate() {
        let letter = char::from(b'b' + nth as u8);
        panels.push(panel(&format!("({letter}) {name}"), &points.unwrap_or_default(), &names));
    }
    panels
}

fn panel(title: &str, points: &[Point], (x, y): &(String, String)) -> String {
    let axis = || Axis::even(0.0, 1.0);
    let mut plot = Plot::sized_with_room(title, SIZE, ROOM, (axis(), x), (axis(), y));
    let (from, to) = (plot.at(0.0, 0.0), plot.at(1.0, 1.0));
    plot.svg.line(from, to, "diagonal");
    for (kind, x, y) in points {
        let at = plot.at(*x, *y);
        plot.svg.circle(at, 3.5, &format!("mark s{kind}"));
    }
    let above = points.iter().filter(|(_, x, y)| y > x).count();
    let below = points.iter().filter(|(_, x, y)| y < x).count();
    let counts = format!("{above} above, {below} below the diagonal");
    for (nth, name) in KINDS.iter().enumerate() {
        let left = 66.0 + 84.0 * nth as f64;
        plot.svg.circle((left, SIZE.1 + 8.0), 3.5, &format!("mark s{nth}"));
        plot.svg.text((left + 7.0, SIZE.1 + 12.0), Anchor::Start, "tick", name);
    }
    plot.svg.text((62.0, SIZE.1 + 30.0), Anchor::Start, "tick", &counts);
    plot.svg.finish()
}
