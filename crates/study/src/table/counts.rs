//! Counts of searches without random choices, and the programs themselves.

use super::{Table, Value};
use crate::file::{Metric, Preset, Shown, TableKind};
use crate::results::Results;

/// One row for each cell: what its first trial counted.
pub fn counts(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let columns = [
        "program",
        "strategy",
        "verdict",
        "ended by",
        "states",
        "transitions",
        "executions",
        "depth",
        "MB",
        "bytes/state",
        "seconds",
        "collected",
        "runs",
    ];
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Counts".into()),
        "One search each. The memory is the most that store, open states and pools held. Collected are objects that the garbage \
         collector of the program took away, and runs how often it ran.",
        &columns,
    );
    for (program, cells) in results.programs(preset, shown) {
        for one in cells {
            let Some(trial) = one.trials.first() else { continue };
            let each =
                (trial.states > 0 && trial.bytes > 0).then(|| trial.bytes as f64 / trial.states as f64);
            table.rows.push(vec![
                Value::text(&program),
                Value::text(&one.cell.strategy),
                Value::text(
                    trial
                        .kind
                        .as_ref()
                        .map_or(trial.verdict.clone(), |kind| format!("{}: {kind}", trial.verdict)),
                ),
                Value::text(trial.reason.split(':').next().unwrap_or_default()),
                Value::Count(trial.states),
                Value::Count(trial.transitions),
                Value::Count(trial.executions),
                Value::Count(trial.depth),
                Value::Real(trial.bytes as f64 / 1e6, 2),
                each.map_or(Value::Nothing, |bytes| Value::Real(bytes, 1)),
                Value::Real(trial.seconds, 2),
                trial.garbage.map_or(Value::Nothing, |(objects, _)| Value::Count(objects)),
                trial.garbage.and_then(|(_, runs)| runs).map_or(Value::Nothing, Value::Count),
            ]);
        }
    }
    table
}

/// One row for each program: what it is, and which error was found.
pub fn programs(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Programs".into()),
        "Lines are those of the source that are neither empty nor comments. The error is the one that most trials found.",
        &["program", "source", "lines", "error", "depth of the error"],
    );
    for (program, cells) in results.programs(preset, shown) {
        let Some(first) = cells.first() else { continue };
        let subject = &first.cell.subject;
        let sources: Vec<&String> = std::iter::once(&subject.target).chain(&subject.more).collect();
        let lines: u64 = sources.iter().map(|path| lines_of(path)).sum();
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for kind in cells.iter().flat_map(|one| &one.trials).filter_map(|trial| trial.kind.as_deref()) {
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, n)) => *n += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let most = kinds.iter().max_by_key(|(_, n)| *n).map_or("none found", |(kind, _)| *kind);
        let depths = cells.iter().filter_map(|one| one.costs(Metric::Trace)).map(|costs| costs.median());
        table.rows.push(vec![
            Value::text(&program),
            Value::text(subject.target.rsplit('/').next().unwrap_or_default()),
            if lines > 0 { Value::Count(lines) } else { Value::Nothing },
            Value::text(most),
            Value::cost(
                depths.fold(None, |least, depth| Some(least.map_or(depth, |least: f64| least.min(depth)))),
            ),
        ]);
    }
    table
}

/// Lines of a source that are neither empty nor comments. 0 for what is no source.
fn lines_of(path: &str) -> u64 {
    let is_source = [".java", ".c", ".cpp", ".rs"].iter().any(|end| path.ends_with(end));
    let text = if is_source { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
    let counts = |line: &&str| {
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("/*") && !line.starts_with('*')
    };
    text.lines().map(str::trim).filter(counts).count() as u64
}
