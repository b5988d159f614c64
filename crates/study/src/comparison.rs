//! Two studies against each other: the same programs and strategies, with effect size and significance.

use crate::file::{Metric, TableKind};
use crate::results::{CellResults, Results};
use crate::table::{Table, Value, pairs};

/// One row for each cell that both studies have, by the names of program, strategy and reductions.
pub fn compare(one: &Results, other: &Results) -> Table {
    let metric = one
        .plan
        .file
        .tables
        .iter()
        .find(|table| table.kind == TableKind::Summary)
        .map_or(Metric::States, |table| table.metric);
    let columns: Vec<&str> = ["program", "strategy", "reductions", "PED A", "PED B", "mean A", "mean B"]
        .into_iter()
        .chain(pairs::COLUMNS)
        .collect();
    let mut table = Table::new(
        format!("{} and {}: {metric}", one.plan.file.name, other.plan.file.name),
        format!("A is the first study, B the second. {}", pairs::NOTE),
        &columns,
    );
    let mut rows = Vec::new();
    for first in &one.cells {
        let same = |second: &&CellResults| {
            second.cell.label() == first.cell.label()
                && second.cell.strategy == first.cell.strategy
                && second.cell.preset == first.cell.preset
        };
        let Some(second) = other.cells.iter().find(same) else { continue };
        let mean = |one: &CellResults| Value::cost(one.costs(metric).map(|costs| costs.mean()));
        let row = vec![
            Value::text(first.cell.label()),
            Value::text(&first.cell.strategy),
            Value::text(first.cell.preset),
            Value::share(first.density()),
            Value::share(second.density()),
            mean(first),
            mean(second),
        ];
        let (first, second) = (first.censored(metric), second.censored(metric));
        rows.push(pairs::Pair { row, first, second });
    }
    table.rows = pairs::compared(rows);
    table
}
