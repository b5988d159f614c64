//! The tables of measurements.

use crate::case::Case;
use crate::explorer::{Explorer, Order};
use crate::measure::Measured;
use crate::results::Results;
use sojourner_store::StoreKind;
use std::fmt;

/// Rows of cells under a head, as Markdown with aligned columns.
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<T: ToString>(title: impl Into<String>, head: impl IntoIterator<Item = T>) -> Self {
        let mut table = Table { title: title.into(), rows: Vec::new() };
        table.row(head);
        table
    }

    pub fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|cell| cell.to_string()).collect());
    }
}

/// Nothing, if there are no rows.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [head, rows @ ..] = &self.rows[..] else { return Ok(()) };
        if rows.is_empty() {
            return Ok(());
        }
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let rule: Vec<String> = (widths.iter().enumerate())
            .map(|(column, &width)| match column {
                0 => "-".repeat(width),
                _ => format!("{}:", "-".repeat(width - 1)),
            })
            .collect();
        writeln!(f, "\n{}\n", self.title)?;
        for row in [head, &rule].into_iter().chain(rows) {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(f, "| {cell:width$} |")?,
                    _ => write!(f, " {cell:>width$} |")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

const BARE: Explorer = Explorer::Bare { threads: 1 };

/// All tables, with a blank line before each.
pub fn all(cases: &[Case], results: &Results) -> String {
    let tables = [
        processor_time(cases, results),
        ratios(cases, results),
        memory(cases, results),
        threads(cases, results),
        stores(cases, results),
    ];
    tables.iter().map(Table::to_string).collect()
}

/// The explorers on one thread.
fn alone() -> [(&'static str, Explorer); 5] {
    [
        ("bare", BARE),
        ("dfs", Explorer::ours(Order::Dfs, 1)),
        ("bfs", Explorer::ours(Order::Bfs, 1)),
        ("Stateright dfs", Explorer::Stateright { order: Order::Dfs }),
        ("Stateright bfs", Explorer::Stateright { order: Order::Bfs }),
    ]
}

fn processor_time(cases: &[Case], results: &Results) -> Table {
    let head = ["model", "states", "transitions"].into_iter().chain(alone().map(|(name, _)| name));
    let mut table = Table::new("Seconds of processor time, one thread each:", head);
    for case in cases {
        let counts = [case.name.to_owned(), grouped(case.states), grouped(case.transitions)];
        let times = alone().map(|(_, explorer)| cell(results, case, explorer, |m| format!("{:.2}", m.cpu)));
        table.row(counts.into_iter().chain(times));
    }
    table
}

fn ratios(cases: &[Case], results: &Results) -> Table {
    let head = ["model", "dfs / bare", "bfs / bare", "dfs / Stateright's", "bfs / Stateright's"];
    let mut table = Table::new("The same as ratios:", head);
    for case in cases {
        let ours = |order| Explorer::ours(order, 1);
        let ratio = |above, below| shown(results.ratio(case, |m| m.cpu, above, below));
        let floor = Order::BOTH.map(|order| ratio(ours(order), BARE));
        let other = Order::BOTH.map(|order| ratio(ours(order), Explorer::Stateright { order }));
        table.row([case.name.to_owned()].into_iter().chain(floor).chain(other));
    }
    table
}

fn memory(cases: &[Case], results: &Results) -> Table {
    let head = ["model"].into_iter().chain(alone().map(|(name, _)| name));
    let mut table = Table::new("Peak memory in MB, one thread each:", head);
    for case in cases {
        let peaks = alone().map(|(_, explorer)| cell(results, case, explorer, |m| megabytes(m.peak)));
        table.row([case.name.to_owned()].into_iter().chain(peaks));
    }
    table
}

fn threads(cases: &[Case], results: &Results) -> Table {
    let mut head = vec!["model".to_owned()];
    for name in ["bare", "dfs", "bfs"] {
        head.extend([format!("{name} 1"), format!("{name} 2"), "speedup".to_owned()]);
    }
    let mut table = Table::new("Seconds by the clock on one thread and on two:", head);
    for case in cases.iter().filter(|case| case.is_shared()) {
        let mut row = vec![case.name.to_owned()];
        let dfs = |threads| Explorer::ours(Order::Dfs, threads);
        let bfs = |threads| Explorer::ours(Order::Bfs, threads);
        for [one, two] in [[1, 2].map(|threads| Explorer::Bare { threads }), [1, 2].map(dfs), [1, 2].map(bfs)]
        {
            row.extend(
                [one, two].map(|explorer| cell(results, case, explorer, |m| format!("{:.2}", m.wall))),
            );
            row.push(shown(speedup(case, results, one, two)));
        }
        table.row(row);
    }
    table
}

fn stores(cases: &[Case], results: &Results) -> Table {
    let kinds = [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact];
    let mut head = vec!["model".to_owned()];
    head.extend(kinds.map(|kind| format!("{kind}, bytes a state")));
    head.extend(kinds.map(|kind| format!("{kind}, s")));
    let mut table =
        Table::new("Stores under depth-first search, in bytes a state and seconds of processor time:", head);
    for case in cases.iter().filter(|case| case.compares_stores) {
        let bytes = kinds.map(|kind| {
            cell(results, case, Explorer::with_store(kind), |m| format!("{:.1}", bytes_a_state(m)))
        });
        let times =
            kinds.map(|kind| cell(results, case, Explorer::with_store(kind), |m| format!("{:.2}", m.cpu)));
        table.row([case.name.to_owned()].into_iter().chain(bytes).chain(times));
    }
    table
}

/// How many times as fast two threads are as one, by the clock.
pub fn speedup(case: &Case, results: &Results, one: Explorer, two: Explorer) -> Option<f64> {
    results.ratio(case, |m| m.wall, one, two)
}

/// The memory of the store by its states.
pub fn bytes_a_state(measured: &Measured) -> f64 {
    measured.store as f64 / measured.states as f64
}

/// Millions of bytes.
pub fn megabytes(bytes: u64) -> String {
    (bytes / 1_000_000).to_string()
}

fn cell(
    results: &Results,
    case: &Case,
    explorer: Explorer,
    figure: impl FnOnce(&Measured) -> String,
) -> String {
    results.run(case, explorer).map_or("-".to_owned(), |run| run.show(figure))
}

fn shown(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// A number with commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}
