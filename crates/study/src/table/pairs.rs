//! Pairs of strategies: how large the difference is, and whether it may be chance.

use super::{Table, Value, normalised};
use crate::file::{Preset, Shown, TableKind};
use crate::results::Results;
use crate::stats::compare::{Cost, a12, holm, log_rank, size_of};

/// The columns that every comparison has.
pub(crate) const COLUMNS: [&str; 5] = ["A12", "effect", "p", "p (Holm)", "significant"];

/// How a comparison is to be read.
pub(crate) const NOTE: &str = "A12 (Vargha and Delaney) is how likely a trial of the second is cheaper than one of the first; a trial \
     that found nothing is dearer than all that did. The p-value is of the log-rank test, in which trials without an error count up to \
     their limit. Holm's method adjusts it for all rows of the table; a difference is significant if the adjusted value is below 0.05.";

/// A row that compares two strategies, without the columns of the comparison.
pub(crate) struct Pair {
    /// The columns that name and describe both.
    pub row: Vec<Value>,
    /// What trials of the first cost.
    pub first: Vec<Cost>,
    /// What trials of the second cost.
    pub second: Vec<Cost>,
}

/// Adds the columns of comparisons to rows.
pub(crate) fn compared(pairs: Vec<Pair>) -> Vec<Vec<Value>> {
    let tests: Vec<Option<f64>> = pairs.iter().map(|pair| log_rank(&pair.second, &pair.first)).collect();
    let mut adjusted = holm(&tests.iter().copied().flatten().collect::<Vec<_>>()).into_iter();
    let with = |(pair, p): (Pair, Option<f64>)| {
        let Pair { mut row, first, second } = pair;
        let effect = a12(&second, &first);
        let adjusted = p.and_then(|_| adjusted.next());
        row.push(Value::share(effect));
        row.push(Value::text(effect.map_or("", size_of)));
        row.extend([p, adjusted].map(|p| p.map_or(Value::Nothing, |p| Value::Real(p, 4))));
        row.push(Value::text(match adjusted {
            Some(p) if p < 0.05 => "yes",
            Some(_) => "no",
            None => "",
        }));
        row
    };
    pairs.into_iter().zip(tests).map(with).collect()
}

/// One row for each program and strategy that is compared with the baseline.
pub fn table(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let columns: Vec<&str> = ["program", "first", "second", "PED 1", "PED 2", "mean 1", "mean 2"]
        .into_iter()
        .chain(COLUMNS)
        .collect();
    let mut table = Table::new(
        shown.title.clone().unwrap_or(format!("Strategies compared: {metric}")),
        format!("Means are of trials that found the error. {NOTE}"),
        &columns,
    );
    let mut rows = Vec::new();
    for (program, cells) in results.programs(preset, shown) {
        for (first, second) in normalised::pairs(&cells, shown) {
            let mean =
                |one: &crate::results::CellResults| Value::cost(one.costs(metric).map(|costs| costs.mean()));
            let row = vec![
                Value::text(&program),
                Value::text(&first.cell.strategy),
                Value::text(&second.cell.strategy),
                Value::share(first.density()),
                Value::share(second.density()),
                mean(first),
                mean(second),
            ];
            rows.push(Pair { row, first: first.censored(metric), second: second.censored(metric) });
        }
    }
    table.rows = compared(rows);
    table
}
