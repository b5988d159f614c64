//! The files of a study: equal results give equal bytes, and text of others cannot become markup.

use crate::common::{STUDY, plan, results, run};
use sojourner_study::table::{Value, tables};
use sojourner_study::{comparison, write};
use std::fs::read_to_string;

#[test]
fn equal_results_give_equal_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(&STUDY.replace("trials = 40", "trials = 15"));
    run(&plan, directory.path(), 2, u64::MAX);
    let read = |name: &str| read_to_string(directory.path().join(name)).unwrap();
    let files = || ["report.html", "trials.csv", "table-1.csv", "table-9.csv"].map(read);
    write(&results(&plan, directory.path()), directory.path()).unwrap();
    let first = files();
    write(&results(&plan, directory.path()), directory.path()).unwrap();
    assert_eq!(first, files());

    let page = &first[0];
    assert!(page.contains("Models &lt;under&gt; several &quot;strategies&quot; &amp; seeds"));
    for forbidden in ["<under>", "<script", "http://", "https://", "NaN", "inf\""] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    // A figure of each kind is there, and every drawing is closed.
    assert_eq!(page.matches("<section id=\"figure-").count(), 7);
    assert_eq!(page.matches("<svg ").count(), page.matches("</svg>").count());
}

#[test]
fn tables_agree_with_trials() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(&STUDY.replace("trials = 40", "trials = 15"));
    run(&plan, directory.path(), 2, u64::MAX);
    let results = results(&plan, directory.path());
    let all = tables(&results);
    assert!(all.iter().all(|table| table.rows.iter().all(|row| row.len() == table.columns.len())));
    let summary = &all[0];
    let row = summary.rows.iter().find(|row| row[1] == Value::text("guided")).unwrap();
    let cell = results.cells.iter().find(|one| one.cell.strategy == "guided").unwrap();
    assert_eq!(row[2..4], [Value::Count(15), Value::Count(cell.found())]);
    let least = cell.trials.iter().filter(|trial| trial.found()).map(|trial| trial.states).min().unwrap();
    assert_eq!(row[7].raw(), least.to_string());
}

#[test]
fn study_equals_itself() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(&STUDY.replace("trials = 40", "trials = 5"));
    run(&plan, directory.path(), 2, u64::MAX);
    let table = comparison::compare(&results(&plan, directory.path()), &results(&plan, directory.path()));
    assert_eq!(table.rows.len(), plan.cells.len());
    let effect = table.columns.iter().position(|column| column == "A12").unwrap();
    assert!(table.rows.iter().all(|row| row[effect] == Value::share(Some(0.5))));
    assert!(table.rows.iter().all(|row| row.last() != Some(&Value::text("yes"))));
}
