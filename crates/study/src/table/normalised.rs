//! Two strategies side by side, all measures between 0 (worst) and 1 (best) (RGDS Tables 3 to 6).

use super::{Table, Value};
use crate::file::{Metric, Preset, Shown, TableKind};
use crate::results::{CellResults, Results};
use crate::stats::normalise::{Normalised, normalise};

/// The measures of the paper, in its order.
pub(crate) const MEASURES: [(&str, Metric); 4] = [
    ("states", Metric::States),
    ("time", Metric::Time),
    ("trace", Metric::Trace),
    ("memory", Metric::Memory),
];

/// The two strategies of a program: the baseline, and the other one. With more than two, each other one has a pair.
pub(crate) fn pairs<'a, K>(
    cells: &[&'a CellResults],
    shown: &Shown<K>,
) -> Vec<(&'a CellResults, &'a CellResults)> {
    let is_baseline =
        |one: &&&CellResults| shown.baseline.as_ref().is_none_or(|name| one.cell.strategy == *name);
    let Some(first) = cells.iter().find(is_baseline) else { return Vec::new() };
    let others = cells.iter().filter(|one| one.cell.strategy != first.cell.strategy);
    others.map(|other| (*first, *other)).collect()
}

/// The measures of two cells on one scale.
pub(crate) fn scaled(one: &CellResults, other: &CellResults, metric: Metric) -> [Normalised; 2] {
    normalise(one.costs(metric).as_ref(), other.costs(metric).as_ref())
}

/// One row for each program and pair of strategies.
pub fn table(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let mut columns =
        vec!["program".to_string(), "first".into(), "second".into(), "PED 1".into(), "PED 2".into()];
    for (name, _) in MEASURES {
        columns.extend([format!("{name} 1"), format!("{name} 2")]);
    }
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Two strategies, normalised".into()),
        "Means over the trials that found the error. Of each measure, the least of all such trials of both strategies is 1 and the \
         greatest is 0. A strategy without success has 0. PED is the share of trials that found the error; it is not scaled.",
        &columns.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    for (program, cells) in results.programs(preset, shown) {
        for (one, other) in pairs(&cells, shown) {
            let mut row = vec![
                Value::text(&program),
                Value::text(&one.cell.strategy),
                Value::text(&other.cell.strategy),
                Value::share(one.density()),
                Value::share(other.density()),
            ];
            for (_, metric) in MEASURES {
                row.extend(scaled(one, other, metric).map(|one| Value::share(Some(one.mean))));
            }
            table.rows.push(row);
        }
    }
    table
}
