//! Tables of results: rows and columns without any layout, and how they are written for a terminal, for other programs and for a page.

mod best;
mod counts;
mod layout;
pub(crate) mod normalised;
pub(crate) mod pairs;
pub(crate) mod prss;
mod summary;

pub use layout::{Table, Value};
pub(crate) use layout::{csv_field, grouped};

use crate::file::{Preset, Shown, TableKind};
use crate::results::Results;

/// The tables that a study file asks for: one for each preset of reductions.
pub fn tables(results: &Results) -> Vec<Table> {
    let mut all = Vec::new();
    for shown in &results.plan.file.tables {
        for preset in results.presets() {
            let mut table = table(results, *preset, shown);
            table.preset = Some(*preset);
            all.push(table);
        }
    }
    all
}

fn table(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    match shown.kind {
        TableKind::Summary => summary::summary(results, preset, shown),
        TableKind::Columns => summary::columns(results, preset, shown),
        TableKind::Prss => prss::table(results, preset, shown),
        TableKind::Normalised => normalised::table(results, preset, shown),
        TableKind::Best => best::best(results, preset, shown),
        TableKind::Extremes => best::extremes(results, preset, shown),
        TableKind::Pairs => pairs::table(results, preset, shown),
        TableKind::Counts => counts::counts(results, preset, shown),
        TableKind::Programs => counts::programs(results, preset, shown),
    }
}
