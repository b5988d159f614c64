//! The tables of Lerda and Visser, *Addressing dynamic issues of program model checking* (2001), for our programs.

use super::Scale;
use super::check::{Checked, Checker};
use crate::tables::{Table, grouped};

/// Programs for the store, after Table 1.
const STORED: [&str; 4] = [
    "BoundedBufferFixed 2 3 3 1",
    "DiningPhilosophersFixed 5 2",
    "RaxExtendedFixed 1 2",
    "ReplicatedWorkersFixed 5 4 0.0 1.0 0.05",
];
const STORED_QUICK: [&str; 2] = ["BoundedBufferFixed 2 2 1 1", "DiningPhilosophersFixed 3 1"];

/// Programs for the collection of garbage, after Table 2.
const GARBAGE: [&str; 5] =
    ["TempObj 2 5", "TempObj 2 10", "NoGarbage 2 4", "DoubleLinked 2 2 2", "DoubleLinked 2 4 3"];

/// Programs for symmetry, after Figures 2 to 4, and which reductions.
const SYMMETRIC: [(&str, &str); 8] = [
    ("TwoClasses", "all"),
    ("TwoClasses", "none"),
    ("TwoThreads", "all"),
    ("TwoThreads", "none"),
    ("TwoThreadsOneSite", "all"),
    ("TwoThreadsOneSite", "none"),
    ("ReplicatedWorkersFixed 3 2 0.0 1.0 0.05", "all"),
    ("ReplicatedWorkersFixed 3 2 0.0 1.0 0.05", "none"),
];

const DFS: &str = "--search dfs --jobs 1 --races off --time 60s";

pub fn measure(
    checker: &Checker,
    scale: Scale,
    wanted: &impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Table>> {
    let mut tables = stores(checker, scale, wanted)?;
    tables.push(garbage(checker, wanted)?);
    tables.push(symmetry(checker, wanted)?);
    Ok(tables)
}

/// Table 1: what the components of states take when each is kept once.
fn stores(checker: &Checker, scale: Scale, wanted: &impl Fn(&str) -> bool) -> anyhow::Result<Vec<Table>> {
    const STORES: [&str; 3] = ["exact", "collapse", "compact"];
    let bytes = STORES.map(|store| format!("{store}, bytes a state"));
    let times = STORES.map(|store| format!("{store}, s"));
    let head = ["program", "states"].map(str::to_owned).into_iter().chain(bytes).chain(times);
    let mut table = Table::new("Stores, in bytes a state and seconds of processor time:", head);
    let mut pooled: Vec<(&str, Checked)> = Vec::new();
    let programs: &[&str] = if scale.quick { &STORED_QUICK } else { &STORED };
    for &program in programs {
        if !wanted(&format!("explore paper store {program}")) {
            continue;
        }
        let mut measured = Vec::new();
        for store in STORES {
            measured.push(checker.once(program, &format!("{DFS} --store {store}"), "clean")?);
        }
        let states = count(&measured[0]);
        let bytes = measured.iter().map(|checked| format!("{:.1}", checked.bytes_a_state()));
        let times = measured.iter().map(|checked| format!("{:.2}", checked.cpu));
        table.row([program.to_owned(), states].into_iter().chain(bytes).chain(times));
        pooled.push((program, measured.swap_remove(1)));
    }
    let kinds: Vec<String> = (pooled.iter().take(1))
        .flat_map(|(_, checked)| checked.pools.iter().map(|(name, _, _)| name.clone()))
        .collect();
    let mut pools = Table::new(
        "`--store collapse`: different components of each kind, and the kilobytes of their pool:",
        ["program".to_owned()].into_iter().chain(kinds),
    );
    for (program, checked) in &pooled {
        let cells = checked
            .pools
            .iter()
            .map(|&(_, entries, bytes)| format!("{} ({:.1})", grouped(entries), bytes as f64 / 1e3));
        pools.row([(*program).to_owned()].into_iter().chain(cells));
    }
    Ok(vec![table, pools])
}

/// Table 2: states by what is done about garbage. Objects are named as in the paper, by thread and occurrence: numbers in
/// the order in which objects are reached hide most of what garbage does.
fn garbage(checker: &Checker, wanted: &impl Fn(&str) -> bool) -> anyhow::Result<Table> {
    let mut table = Table::new(
        "States by garbage collection (`--search dfs --jobs 1 --symmetry thread --gc G`):",
        ["program", "mark", "refcount", "none"],
    );
    for program in GARBAGE {
        if !wanted(&format!("explore paper garbage {program}")) {
            continue;
        }
        let mut row = vec![program.to_owned()];
        for gc in ["mark", "refcount", "none"] {
            let options = format!("{DFS} --symmetry thread --gc {gc}");
            row.push(count(&checker.once(program, &options, "clean")?));
        }
        table.row(row);
    }
    Ok(table)
}

/// Figures 2 to 4: states by how objects are named.
fn symmetry(checker: &Checker, wanted: &impl Fn(&str) -> bool) -> anyhow::Result<Table> {
    let mut table = Table::new(
        "States by the names of objects (`--search dfs --jobs 1 --symmetry S`):",
        ["program", "reduce", "canonical", "site", "thread", "none"],
    );
    for (program, reduce) in SYMMETRIC {
        if !wanted(&format!("explore paper symmetry {program} {reduce}")) {
            continue;
        }
        let mut row = vec![program.to_owned(), reduce.to_owned()];
        for symmetry in ["canonical", "site", "thread", "none"] {
            let options = format!("{DFS} --reduce {reduce} --symmetry {symmetry}");
            row.push(count(&checker.once(program, &options, "clean")?));
        }
        table.row(row);
    }
    Ok(table)
}

/// The number of states.
fn count(checked: &Checked) -> String {
    let unfinished = if checked.finished() { "" } else { "> " };
    format!("{unfinished}{}", grouped(checked.states))
}
