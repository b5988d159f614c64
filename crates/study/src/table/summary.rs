//! Of each cell: how many trials found an error, and what they cost.

use super::{Table, Value};
use crate::file::{Metric, Preset, Shown, TableKind};
use crate::results::{CellResults, Results};
use crate::stats::{Sample, bootstrap, proportion};

/// One row for each cell.
pub fn summary(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let columns = [
        "program",
        "strategy",
        "trials",
        "found",
        "PED",
        "PED low",
        "PED high",
        "min",
        "mean",
        "max",
        "sd",
        "95% CI",
        "median",
        "median low",
        "median high",
        "mean of all",
        "otherwise",
    ];
    let mut table = Table::new(
        shown.title.clone().unwrap_or(format!("Cost of finding the error: {metric}")),
        format!(
            "PED is the share of trials that found an error, with its 95 % interval (Wilson). Minimum, mean, maximum and standard \
             deviation are of the {metric} of trials that found it. 95% CI is half of the width of the interval of the mean \
             (Student's t); the interval of the median is by bootstrap. The mean of all counts trials without an error at their \
             limit. The last column says how those ended."
        ),
        &columns,
    );
    for (program, cells) in results.programs(preset, shown) {
        table.rows.extend(cells.into_iter().map(|one| row(&program, one, metric)));
    }
    table
}

fn row(program: &str, one: &CellResults, metric: Metric) -> Vec<Value> {
    let trials = one.trials.len() as u64;
    let interval = proportion::wilson(one.found(), trials);
    let costs = one.costs(metric);
    let of = |value: fn(&Sample) -> f64| Value::cost(costs.as_ref().map(value));
    let median = costs.as_ref().and_then(|costs| bootstrap::interval(costs, Sample::median));
    vec![
        Value::text(program),
        Value::text(&one.cell.strategy),
        Value::Count(trials),
        Value::Count(one.found()),
        Value::share(one.density()),
        Value::share(interval.map(|(low, _)| low)),
        Value::share(interval.map(|(_, high)| high)),
        of(Sample::min),
        of(Sample::mean),
        of(Sample::max),
        of(Sample::sd),
        Value::cost(costs.as_ref().and_then(Sample::half_width)),
        of(Sample::median),
        Value::cost(median.map(|(low, _)| low)),
        Value::cost(median.map(|(_, high)| high)),
        Value::cost(one.restricted_mean(metric)),
        Value::text(one.why_not()),
    ]
}

/// One column for each strategy; of each program the mean cost, the depth of the error and the share that found it (RB Table 5).
pub fn columns(results: &Results, preset: Preset, shown: &Shown<TableKind>) -> Table {
    let metric = shown.metric;
    let programs = results.programs(preset, shown);
    let mut strategies: Vec<&str> = Vec::new();
    for one in programs.iter().flat_map(|(_, cells)| cells) {
        if !strategies.contains(&one.cell.strategy.as_str()) {
            strategies.push(&one.cell.strategy);
        }
    }
    let headings: Vec<&str> = ["program", "metric"].into_iter().chain(strategies.iter().copied()).collect();
    let mut table = Table::new(
        shown.title.clone().unwrap_or("Strategies side by side".into()),
        "Mean cost and depth of the error are of trials that found it.",
        &headings,
    );
    for (program, cells) in &programs {
        type Measure = (&'static str, fn(&CellResults, Metric) -> Value);
        let measures: [Measure; 4] = [
            ("mean", |one, metric| Value::cost(one.costs(metric).map(|costs| costs.mean()))),
            ("depth mean", |one, _| Value::cost(one.costs(Metric::Trace).map(|costs| costs.mean()))),
            ("depth sd", |one, _| Value::cost(one.costs(Metric::Trace).map(|costs| costs.sd()))),
            ("found", |one, _| one.density().map_or(Value::Nothing, Value::Percent)),
        ];
        for (name, measure) in measures {
            let name = if name == "mean" { format!("{metric} mean") } else { name.into() };
            let cell = |strategy: &&str| cells.iter().find(|one| one.cell.strategy == *strategy);
            let values = strategies
                .iter()
                .map(|strategy| cell(strategy).map_or(Value::Nothing, |one| measure(one, metric)));
            table.rows.push([Value::text(program), Value::text(name)].into_iter().chain(values).collect());
        }
    }
    table
}
