//! A study has the same rows on any number of threads, and after any interruption.

use crate::common::{STUDY, plan, rows, run};
use sojourner_program::Random;
use sojourner_study::runner::enough;

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let (one, four) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plan = plan(STUDY);
    assert!(!run(&plan, one.path(), 1, u64::MAX));
    assert!(!run(&plan, four.path(), 4, u64::MAX));
    let rows_of_one = rows(&plan, one.path());
    assert_eq!(rows_of_one, rows(&plan, four.path()));
    let trials: usize = rows_of_one.iter().map(|(_, trials)| trials.len()).sum();
    assert_eq!(trials, 3 * (1 + 40 + 40) + 2 * 4 * 40);
}

#[test]
fn interrupted_study_goes_on_with_the_same_rows() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plan = plan(&STUDY.replace("trials = 40", "found = 12\nruns = 40"));
    assert!(!run(&plan, whole.path(), 2, u64::MAX));
    let mut random = Random::new(3);
    let mut runs = 1;
    while run(&plan, parts.path(), 2, 1 + random.below(60) as u64) {
        runs += 1;
    }
    assert!(runs > 3, "it was interrupted {runs} times");
    let rows = rows(&plan, whole.path());
    assert_eq!(rows, crate::common::rows(&plan, parts.path()));
    for ((name, trials), cell) in rows.iter().zip(&plan.cells) {
        assert_eq!(enough(cell.stop, trials).len(), trials.len(), "{name}");
    }
}

#[test]
fn larger_study_keeps_the_trials_that_are_there() {
    let directory = tempfile::tempdir().unwrap();
    let small = plan(&STUDY.replace("trials = 40", "trials = 5"));
    run(&small, directory.path(), 2, u64::MAX);
    let before = rows(&small, directory.path());
    let large = plan(STUDY);
    run(&large, directory.path(), 2, u64::MAX);
    let after = rows(&large, directory.path());
    for ((name, few), (_, many)) in before.iter().zip(&after) {
        assert_eq!(few[..], many[..few.len()], "{name}");
    }
}
