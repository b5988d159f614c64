//! Bounds and budgets: what was left out is said.

use crate::desk::Desk;
use serde_json::Value;

/// Checks with these options and requires that the result is incomplete for this reason.
#[track_caller]
fn cut(line: &str, reason: &str) -> Value {
    let (ran, result) = Desk::new().result(line);
    assert_eq!((ran.code, &result["verdict"]), (3, &"incomplete".into()), "{ran:?}");
    let reasons: Vec<&str> =
        result["reasons"].as_array().unwrap().iter().map(|reason| reason.as_str().unwrap()).collect();
    assert!(reasons.iter().any(|given| given.starts_with(reason)), "{reasons:?}");
    result
}

#[test]
fn time_is_a_budget() {
    let result = cut("model:grid --search dfs --time 300ms", "time:");
    let seconds = result["stats"]["seconds"].as_f64().unwrap();
    assert!((0.2..5.0).contains(&seconds), "{seconds}");
}

#[test]
fn time_is_a_budget_of_auto() {
    let result = cut("model:grid --time 300ms", "time:");
    assert_eq!(result["reasons"].as_array().unwrap().len(), 1, "the one of the exhaustive search: {result}");
}

#[test]
fn states_are_a_budget() {
    let result = cut("model:grid --search bfs --jobs 1 --states 1000", "states:");
    assert_eq!(result["stats"]["states"], 1000);
}

#[test]
fn executions_are_a_budget_of_samples() {
    cut("model:grid --search walk --jobs 1 --executions 10 -- counters=3", "executions: 10 ");
}

#[test]
fn as_many_executions_are_run_as_the_budget_has() {
    let result = cut("model:grid --search walk --jobs 1 --executions 10 -- counters=3", "executions:");
    assert_eq!(result["stats"]["executions"], 10);
}

#[test]
fn samples_end_after_a_thousand_executions_if_nothing_is_said() {
    cut("model:grid --search pos -- counters=2 values=3", "executions: 1000");
}

#[test]
fn samples_never_prove() {
    cut("model:grid --search pct --executions 5 -- counters=2 values=3", "randomised:");
}

#[test]
fn memory_is_a_budget() {
    cut("model:grid --search dfs --memory 40M -- counters=7 values=10", "memory:");
}

#[test]
fn depth_is_a_bound() {
    let result =
        cut("model:grid --search dfs --depth 3 -- counters=3 values=9", "depth: schedules of more than 3");
    assert_eq!(result["stats"]["max_depth"], 3);
}

#[test]
fn a_depth_that_nothing_exceeds_cuts_nothing() {
    Desk::new().run("check model:grid --search dfs --depth 100 -- counters=3 values=4").code(0);
}

#[test]
fn a_depth_below_that_of_the_defect_hides_it() {
    cut("model:phil --search bfs --depth 3 -- n=4 fair=false", "depth:");
    Desk::new().run("check model:phil --search bfs --depth 4 -- n=4 fair=false").code(1);
}

#[test]
fn preemptions_are_a_bound() {
    cut(
        "model:peterson --search dfs --preemptions 1 -- n=2",
        "bounded: schedules with more than 1 preemptions",
    );
}

#[test]
fn preemptions_below_those_of_the_defect_hide_it() {
    for search in ["dfs", "dpor"] {
        cut(&format!("model:bakery --search {search} --preemptions 1 -- n=2 choosing=false"), "bounded:");
        let enough = format!("check model:bakery --search {search} --preemptions 2 -- n=2 choosing=false");
        Desk::new().run(&enough).code(1);
    }
}

#[test]
fn a_budget_that_is_not_reached_leaves_the_proof_whole() {
    let line = "check model:phil --search dfs --time 1h --memory 8G --states 1000000 -- n=4";
    Desk::new().run(line).code(0).says("clean");
}

#[test]
fn cut_search_says_what_to_do() {
    let ran = Desk::new().run("check model:grid --search dfs --depth 3 --states 50 --jobs 1").code(3);
    ran.says("because   ").says("more states (--states)").says("a greater depth (--depth)");
}

/// The defect of the bakery shows with two preemptions.
#[test]
fn rounds_of_preemptions_name_the_bound_of_the_finding() {
    for search in ["dfs", "bfs", "best-first", "dfs --store none --depth 40", "dpor --depth 40"] {
        let line = format!("model:bakery --search {search} --preemptions 0..4 -- n=2 choosing=false");
        let (ran, result) = Desk::new().result(&line);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(result["findings"][0]["preemptions"], 2, "{search}");
    }
    let ran = Desk::new().run("check model:bakery --search dfs --preemptions 0.. -- n=2 choosing=false");
    ran.code(1).says("found with at most 2 preemptions");
}

#[test]
fn a_round_that_cuts_nothing_is_a_proof() {
    let (ran, result) = Desk::new().result("model:peterson --search dfs --preemptions 0.. -- n=2");
    assert_eq!((ran.code, &result["verdict"]), (0, &"clean".into()), "{ran:?}");
    let (ran, result) = Desk::new().result("model:peterson --search dfs --preemptions 0..1 -- n=2");
    assert_eq!((ran.code, &result["verdict"]), (3, &"incomplete".into()), "{ran:?}");
    assert!(result["reasons"][0].as_str().unwrap().contains("more than 1 preemptions"), "{result}");
}

#[test]
fn rounds_of_preemptions_share_the_budget_of_states() {
    let (ran, result) = Desk::new().result("model:phil --search dfs --preemptions 0.. --states 200 -- n=6");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(result["stats"]["states"], 200);
}
