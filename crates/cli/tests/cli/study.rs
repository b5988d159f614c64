//! Studies as a user runs them: results that survive a kill, reports, comparisons, and errors that name the line.

use crate::desk::Desk;
use sojourner_program::Random;
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A study of models of which each trial takes about a millisecond.
fn study(trials: usize) -> String {
    format!(
        r#"
name = "quick"
[run]
trials = {trials}
states = 500
[[program]]
target = "model:phil"
arguments = ["n=5 fair=false"]
[[strategy]]
name = "random"
options = "--search dfs --order random"
[[strategy]]
name = "guided"
options = "--search best-first:ties=random"
[[strategy]]
name = "until found"
options = "--search walk --executions 2"
[[table]]
kind = "summary"
[[figure]]
kind = "survival"
"#
    )
}

impl Desk {
    /// A desk with a study file.
    fn with_study(text: &str) -> Desk {
        let desk = Desk::new();
        desk.write("study.toml", text);
        desk
    }

    /// The rows of a study, without what a clock says.
    fn rows(&self, directory: &str) -> BTreeMap<String, String> {
        let text = self.read(&format!("{directory}/trials.csv"));
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let seconds = 13;
            let rest: Vec<&str> = [&fields[..seconds], &fields[seconds + 1..]].concat();
            (fields[..4].join(","), rest.join(","))
        };
        text.lines().map(row).collect()
    }
}

/// Kills a study at random moments and lets it go on, and compares its rows with those of one that was left alone.
fn killed_and_resumed(trials: usize, kills: u32) {
    let desk = Desk::with_study(&study(trials));
    let begun = Instant::now();
    desk.run("study study.toml --out whole").code(0);
    let whole = begun.elapsed();
    let mut random = Random::new(18);
    let mut killed = 0;
    for _ in 0..kills {
        let mut child = desk
            .command(&["study", "study.toml", "--out", "parts", "--jobs", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // On average all kills together leave half of the study to be done.
        std::thread::sleep(Duration::from_millis(30) + whole.mul_f64(random.unit() / f64::from(kills)));
        killed += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    desk.run("study study.toml --out parts").code(0);
    assert!(killed > 0, "no kill came in time");
    let rows = desk.rows("whole");
    assert_eq!(rows.len(), 3 * trials + 1);
    assert!(rows == desk.rows("parts"), "rows differ");
}

#[test]
fn killed_study_goes_on_with_the_same_rows() {
    match std::env::var_os("SOJOURNER_LONG_STUDY") {
        Some(_) => killed_and_resumed(10_000 / 3 + 1, 10),
        None => killed_and_resumed(100, 4),
    }
}

#[test]
fn report_can_be_made_again() {
    let desk = Desk::with_study(&study(10));
    desk.run("study study.toml").code(0).says("report: study-quick/report.html");
    let first = desk.read("study-quick/report.html");
    assert!(first.contains("<svg "));
    std::fs::remove_file(desk.path("study-quick/report.html")).unwrap();
    desk.run("study report study-quick").code(0).says("random");
    assert_eq!(desk.read("study-quick/report.html"), first);
}

#[test]
fn two_studies_are_compared() {
    let desk = Desk::with_study(&study(10));
    desk.run("study study.toml --out a").code(0);
    desk.run("study study.toml --out b").code(0);
    desk.run("study compare a b").code(0).says("p (Holm)").says("negligible");
}

#[test]
fn only_one_program_or_strategy_runs() {
    let desk = Desk::with_study(&study(10));
    desk.run("study study.toml --only guided").code(0);
    assert_eq!(desk.rows("study-quick").len(), 10 + 1);
    desk.run("study study.toml --only nothing").refused(&["no program and no strategy is called 'nothing'"]);
}

#[test]
fn bad_study_files_are_refused_with_the_line() {
    let desk = Desk::with_study(&study(10).replace("trials =", "trails ="));
    desk.run("study study.toml").refused(&["line 4: [run] has no key 'trails'", "did you mean trials?"]);
    desk.write("study.toml", study(10).replace("model:phil", "model:phill"));
    desk.run("study study.toml").refused(&["phill"]);
    desk.run("study nothing.toml").refused(&["nothing.toml cannot be read"]);
    desk.run("study report nowhere").refused(&["no file study.sqlite"]);
    desk.run("study").code(2);
}

#[test]
fn changed_limits_are_another_experiment() {
    let desk = Desk::with_study(&study(5));
    desk.run("study study.toml").code(0);
    let before = desk.rows("study-quick");
    desk.write("study.toml", study(5).replace("states = 500", "states = 400"));
    desk.run("study study.toml").code(0);
    assert_ne!(before, desk.rows("study-quick"));
}
