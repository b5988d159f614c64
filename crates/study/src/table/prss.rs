//! Randomised searches side by side against the default search (PRSS Table 2).

use super::{Table, Value};
use crate::file::{Metric, Preset, Shown, TableKind};
use crate::results::{CellResults, Results};
use crate::stats::{diminishing, side_by_side::SideBySide};

/// One row for each program and strategy with a pool.
pub fn table(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let columns = [
        "program",
        "strategy",
        "default",
        "ended by",
        "pool",
        "PED",
        "min",
        "max",
        "nodes",
        "mean there",
        "expected there",
        "speed-up",
        "nodes at 5%",
        "nodes at 2%",
        "complete from",
    ];
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Searches side by side".into()),
        "The default search runs once. Nodes is the point of diminishing returns: the least number of searches side by side that fulfils two \
         conditions. At that number, 95 % of 50 samples find the error. The next number of the list that is at least twice as large saves \
         less than 10 % of the mean of a single search. Two columns show the point for 5 % and 2 %. The expected mean is computed without \
         drawing. The speed-up is the cost of the default search over the mean. Complete from is the least number at which all 50 samples \
         find the error.",
        &columns,
    );
    for (program, cells) in results.programs(preset, shown) {
        let default = default_of(&cells, shown);
        for one in cells.iter().filter(|one| one.trials.len() > 1) {
            table.rows.push(row(&program, one, default, shown, metric));
        }
    }
    table
}

/// The cell of the default search: the baseline, or the one with a single trial.
pub(crate) fn default_of<'a, K>(cells: &[&'a CellResults], shown: &Shown<K>) -> Option<&'a CellResults> {
    let is = |one: &&&CellResults| match &shown.baseline {
        Some(name) => one.cell.strategy == *name,
        None => one.trials.len() == 1,
    };
    cells.iter().find(is).copied()
}

/// What every number of searches side by side costs.
pub(crate) fn curve(one: &CellResults, nodes: &[u64], metric: Metric) -> Vec<SideBySide> {
    let pool = one.pool(metric);
    nodes.iter().map(|nodes| pool.side_by_side(*nodes)).collect()
}

fn row(
    program: &str,
    one: &CellResults,
    default: Option<&CellResults>,
    shown: &Shown<TableKind>,
    metric: Metric,
) -> Vec<Value> {
    let curve = curve(one, &shown.nodes, metric);
    let at = |little| diminishing::point(&curve, little);
    let nodes = |little| at(little).map_or(Value::Nothing, |point| Value::Count(point.nodes));
    let point = at(diminishing::LITTLE);
    let mean = point.and_then(|point| point.costs.as_ref()).map(|costs| costs.mean());
    let first = default.and_then(|default| default.trials.first());
    let cost = first.and_then(|trial| trial.metric(metric));
    let found = first.is_some_and(|trial| trial.found());
    let costs = one.costs(metric);
    let speed_up = cost.zip(mean).filter(|(_, mean)| *mean > 0.0).map(|(cost, mean)| cost / mean);
    let complete = curve.iter().find(|one| one.is_complete());
    vec![
        Value::text(program),
        Value::text(&one.cell.strategy),
        match cost {
            Some(cost) if found => Value::Real(cost, 0),
            Some(cost) => Value::AtLeast(cost),
            None => Value::Nothing,
        },
        Value::text(default.map_or("", |default| if found { "found" } else { default.why_not() })),
        Value::Count(one.trials.len() as u64),
        Value::share(one.density()),
        Value::cost(costs.as_ref().map(|costs| costs.min())),
        Value::cost(costs.as_ref().map(|costs| costs.max())),
        nodes(diminishing::LITTLE),
        Value::cost(mean),
        Value::cost(point.and_then(|point| point.expected)),
        match speed_up {
            Some(factor) if found => Value::Real(factor, 1),
            Some(factor) => Value::AtLeast(factor),
            None => Value::Nothing,
        },
        nodes(diminishing::SENSITIVITY[0]),
        nodes(diminishing::SENSITIVITY[1]),
        complete.map_or(Value::Nothing, |point| Value::Count(point.nodes)),
    ]
}
