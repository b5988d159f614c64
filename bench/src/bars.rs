//! What Sojourner should achieve, and whether it does.

use crate::case::Case;
use crate::explorer::{Explorer, Order};
use crate::results::Results;
use crate::tables::{Table, bytes_a_state, megabytes, speedup};
use sojourner_store::StoreKind;

/// At most that many times the processor time of the floor.
const FLOOR: f64 = 1.5;
/// At least that many times as fast on two threads as on one.
const SPEEDUP: f64 = 1.6;

/// One thing that should be achieved, as it was measured.
struct Bar {
    what: String,
    bar: String,
    measured: String,
    passed: bool,
}

/// The table of all bars that could be measured, and how many are missed. Of `quick` sizes the start of a process is a
/// good part of the time, so nothing follows from them.
pub fn all(cases: &[Case], results: &Results, quick: bool) -> String {
    let bars: Vec<Bar> = cases.iter().flat_map(|case| of_case(case, results)).collect();
    let mut table = Table::new(
        if quick { "Bars, which are meant for the full sizes:" } else { "Bars:" },
        ["", "bar", "measured", ""],
    );
    for Bar { what, bar, measured, passed } in &bars {
        table.row([what.as_str(), bar, measured, if *passed { "pass" } else { "MISS" }]);
    }
    let missed = bars.iter().filter(|bar| !bar.passed).count();
    format!("{table}\n{missed} of {} bars missed.\n", bars.len())
}

fn of_case(case: &Case, results: &Results) -> Vec<Bar> {
    let mut bars = Vec::new();
    let mut add = |what: &str, bar: String, measured: String, passed: bool| {
        bars.push(Bar { what: format!("{}: {what}", case.name), bar, measured, passed });
    };
    let cpu = |above, below| results.ratio(case, |m| m.cpu, above, below);
    for order in Order::BOTH {
        if let Some(ratio) = cpu(Explorer::ours(order, 1), Explorer::Bare { threads: 1 }) {
            add(&format!("{order} / bare"), format!("<= {FLOOR}"), format!("{ratio:.2}"), ratio <= FLOOR);
        }
    }
    for order in Order::BOTH {
        let (ours, other) = (Explorer::ours(order, 1), Explorer::Stateright { order });
        let (Some(_), Some(run)) = (results.measured(case, ours), results.run(case, other)) else { continue };
        // A search that ended is faster than one that came to a limit.
        let ratio = cpu(ours, other).unwrap_or(0.0);
        let measured = run.show(|_| format!("{ratio:.2}"));
        add(&format!("{order} / Stateright {order}"), "< 1".to_owned(), measured, ratio < 1.0);
    }
    if let (Some(bar), Some(measured)) =
        (case.peak_bar, results.measured(case, Explorer::ours(Order::Dfs, 1)))
    {
        let (most, peak) = (megabytes(bar), megabytes(measured.peak));
        add("memory of dfs", format!("< {most} MB"), format!("{peak} MB"), measured.peak < bar);
    }
    for order in Order::BOTH.into_iter().filter(|_| case.scales) {
        if let Some(times) = speedup(case, results, Explorer::ours(order, 1), Explorer::ours(order, 2)) {
            let what = format!("{order}, speedup by a second thread");
            add(&what, format!(">= {SPEEDUP}"), format!("{times:.2}"), times >= SPEEDUP);
        }
    }
    let collapse = Explorer::with_store(StoreKind::Collapse);
    if let (Some(bar), Some(measured)) = (case.collapse_bar, results.measured(case, collapse)) {
        let bytes = bytes_a_state(measured);
        add("collapse, bytes a state", format!("<= {bar}"), format!("{bytes:.1}"), bytes <= bar);
    }
    bars
}
