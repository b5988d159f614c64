//! The files that a study writes: a page for people, and tables for other programs.

use crate::database::DatabaseError;
use crate::results::Results;
use crate::table::{Table, csv_field};
use crate::{figure, page, table};
use std::path::{Path, PathBuf};

/// What was written.
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The tables, as the page shows them.
    pub tables: Vec<Table>,
}

/// Writes `report.html`, `trials.csv` and a file for each table into the directory of a study. Equal results give equal files.
pub fn write(results: &Results, directory: &Path) -> Result<Written, DatabaseError> {
    let put = |name: &str, text: &str| {
        let path = directory.join(name);
        let written = std::fs::write(&path, text);
        written
            .map(|()| path.clone())
            .map_err(|error| DatabaseError::Unwritable { path, why: error.to_string() })
    };
    let tables = table::tables(results);
    for (nth, table) in tables.iter().enumerate() {
        put(&format!("table-{}.csv", nth + 1), &table.csv())?;
    }
    put("trials.csv", &trials(results))?;
    let page = put("report.html", &page::page(results, &tables, &figure::figures(results)))?;
    Ok(Written { page, tables })
}

/// Every trial, one line each, with the command that repeats it.
fn trials(results: &Results) -> String {
    let mut text = String::from(
        "program,strategy,reductions,trial,seed,verdict,reason,kind,states,transitions,executions,depth,trace,seconds,bytes,\
         winner,command\n",
    );
    for one in &results.cells {
        for trial in &one.trials {
            let fields = [
                one.cell.label(),
                one.cell.strategy.clone(),
                one.cell.preset.to_string(),
                trial.nth.to_string(),
                trial.seed.to_string(),
                trial.verdict.clone(),
                trial.reason.clone(),
                trial.kind.clone().unwrap_or_default(),
                trial.states.to_string(),
                trial.transitions.to_string(),
                trial.executions.to_string(),
                trial.depth.to_string(),
                trial.trace.map(|steps| steps.to_string()).unwrap_or_default(),
                format!("{:.4}", trial.seconds),
                trial.bytes.to_string(),
                trial.winner.clone().unwrap_or_default(),
                one.cell.command(trial.seed),
            ];
            let fields: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
            text.push_str(&fields.join(","));
            text.push('\n');
        }
    }
    text
}
