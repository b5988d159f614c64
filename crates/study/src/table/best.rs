//! The best and the extreme of many configurations (RB Tables 2, 3 and 4).

use super::{Table, Value};
use crate::file::{Metric, Preset, Shown, TableKind};
use crate::results::{CellResults, Results};

const COLUMNS: [&str; 9] = ["program", "which", "strategy", "trials", "mean", "min", "max", "sd", "found"];

fn row(program: &str, which: &str, one: &CellResults, metric: Metric) -> Vec<Value> {
    let costs = one.costs(metric);
    let costs = costs.as_ref();
    vec![
        Value::text(program),
        Value::text(which),
        Value::text(&one.cell.strategy),
        Value::Count(one.trials.len() as u64),
        Value::cost(costs.map(|costs| costs.mean())),
        Value::cost(costs.map(|costs| costs.min())),
        Value::cost(costs.map(|costs| costs.max())),
        Value::cost(costs.map(|costs| costs.sd())),
        one.density().map_or(Value::Nothing, Value::Percent),
    ]
}

/// Whether a cell is a configuration of the technique. The others are techniques to compare with.
fn is_configuration(one: &CellResults, shown: &Shown<TableKind>) -> bool {
    shown.is_configuration(&one.cell.strategy, !one.cell.values.is_empty())
}

/// The cell with the least mean of those of which at least that share found the error, and less than another.
fn cheapest<'a>(
    cells: impl Iterator<Item = &'a CellResults>,
    shares: std::ops::RangeInclusive<f64>,
    metric: Metric,
) -> Option<&'a CellResults> {
    let enough = cells.filter(|one| one.density().is_some_and(|share| shares.contains(&share)));
    let costs = enough.filter_map(|one| Some((one.costs(metric)?.mean(), one)));
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, one)| one)
}

/// Of each program: the baseline, the best other technique, the best configuration that always finds the error, and one that finds it
/// in half of the trials or more if that is cheaper.
pub fn best(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Configurations with the best average".into()),
        "Costs are of trials that found the error. The best other technique and the best configuration found it in every trial. A \
         configuration that found it in half of the trials or more is shown if it is cheaper.",
        &COLUMNS,
    );
    for (program, cells) in results.programs(preset, shown) {
        let others = || cells.iter().copied().filter(|one| !is_configuration(one, shown));
        let configurations = || cells.iter().copied().filter(|one| is_configuration(one, shown));
        let baseline =
            others().find(|one| shown.baseline.as_ref().is_none_or(|name| one.cell.strategy == *name));
        let best_other = cheapest(others(), 1.0..=1.0, metric);
        let best = cheapest(configurations(), 1.0..=1.0, metric);
        let half = cheapest(configurations(), 0.5..=0.999_999, metric);
        let mean = |one: Option<&CellResults>| {
            one.and_then(|one| one.costs(metric)).map_or(f64::INFINITY, |costs| costs.mean())
        };
        let rows = [
            ("baseline", baseline),
            ("best other", best_other),
            ("best at 100 %", best),
            ("best at 50 %", half.filter(|_| mean(half) < mean(best))),
        ];
        let mut seen = Vec::new();
        for (which, one) in rows {
            if let Some(one) = one.filter(|one| !seen.contains(&one.cell.strategy.as_str())) {
                seen.push(&one.cell.strategy);
                table.rows.push(row(&program, which, one, metric));
            }
        }
    }
    table
}

/// Of each program, among configurations that found the error in half of the trials or more: the one with the cheapest trial, the one with
/// the dearest, and the configuration that found the error least often.
pub fn extremes(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Configurations with extremes".into()),
        "The cheapest and the dearest trial are of configurations that found the error in half of the trials or more.",
        &COLUMNS,
    );
    for (program, cells) in results.programs(preset, shown) {
        let configurations: Vec<&CellResults> =
            cells.into_iter().filter(|one| is_configuration(one, shown)).collect();
        let half = || configurations.iter().filter(|one| one.density().is_some_and(|share| share >= 0.5));
        let by = |value: fn(&crate::stats::Sample) -> f64| {
            let costs = half().filter_map(move |one| Some((value(&one.costs(metric)?), *one)));
            costs.collect::<Vec<_>>()
        };
        let least = by(|costs| costs.min()).into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let most = by(|costs| costs.max()).into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let share = |one: &&&CellResults| one.density().unwrap_or(2.0);
        let rarest = configurations.iter().min_by(|a, b| share(a).total_cmp(&share(b)));
        let rows = [
            ("cheapest trial", least.map(|(_, one)| one)),
            ("dearest trial", most.map(|(_, one)| one)),
            ("least often found", rarest.copied()),
        ];
        for (which, one) in rows {
            table.rows.extend(one.map(|one| row(&program, which, one, metric)));
        }
    }
    table
}
