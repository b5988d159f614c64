//! The result for machines.

use crate::desk::Desk;
use serde_json::{Value, json};

/// The names of the fields of an object, in their order.
fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn the_result_has_its_schema_and_all_its_fields() {
    let (_, result) = Desk::new().result("model:phil --search dfs -- n=4");
    assert_eq!(result["schema"], "sojourner/result/1");
    assert_eq!(
        sorted(fields(&result)),
        [
            "arguments",
            "caveats",
            "findings",
            "members",
            "reasons",
            "schema",
            "search",
            "stats",
            "store",
            "target",
            "verdict",
            "warnings"
        ]
    );
    assert_eq!((&result["target"], &result["arguments"]), (&"model:phil".into(), &json!(["n=4"])));
}

#[test]
fn single_search_has_name_and_seed_but_no_winner() {
    let (_, result) = Desk::new().result("model:phil --search bfs --seed 9 -- n=4");
    assert_eq!(
        result["search"],
        json!({ "name": "bfs", "seed": 9, "winner": null, "winner_index": null, "repeat": null })
    );
    assert_eq!(result["members"], json!([]));
}

#[test]
fn the_numbers_are_all_there() {
    let (_, result) = Desk::new().result("model:phil --search dfs --jobs 1 -- n=4");
    let stats = &result["stats"];
    assert_eq!(
        sorted(fields(stats)),
        [
            "await_blocked_executions",
            "blocked_executions",
            "cpu_seconds",
            "executions",
            "garbage",
            "max_depth",
            "memory",
            "peak_memory_bytes",
            "restarts",
            "seconds",
            "states",
            "transitions"
        ]
    );
    let memory = |part: &str| stats["memory"][part].as_u64().unwrap();
    assert!(memory("store") > 0 && memory("queue") > 0 && memory("pools") == 0, "{stats}");
    assert_eq!(stats["garbage"], Value::Null);
    assert_eq!((&stats["states"], &stats["transitions"]), (&81.into(), &216.into()));
    assert!(stats["peak_memory_bytes"].as_u64().unwrap() > 1_000_000 && stats["seconds"].is_f64(), "{stats}");
}

#[test]
fn a_finding_has_all_its_fields_and_the_file_of_its_trace() {
    let desk = Desk::new();
    let (_, result) = desk.result("model:phil -- n=4 fair=false");
    let finding = &result["findings"][0];
    assert_eq!(
        sorted(fields(finding)),
        ["kind", "location", "message", "preemptions", "thread", "timeouts", "trace", "type"]
    );
    assert_eq!(finding["trace"], "phil-deadlock.trace.json");
    assert_eq!(desk.read_json("phil-deadlock.trace.json")["finding"]["kind"], "deadlock");
}

#[test]
fn a_property_that_does_not_hold_is_named() {
    let (_, result) = Desk::new().result("model:bakery -- n=2 choosing=false");
    let finding = &result["findings"][0];
    assert_eq!((&finding["kind"], &finding["type"]), (&"property".into(), &"mutual exclusion".into()));
}

#[test]
fn a_panic_has_its_place() {
    let (_, result) = Desk::new().result("model:faulty -- part=transition");
    let finding = &result["findings"][0];
    assert_eq!(finding["kind"], "panic");
    assert!(finding["location"]["file"].as_str().unwrap().ends_with("faulty.rs"), "{finding}");
    assert!(finding["location"]["line"].as_u64().unwrap() > 0, "{finding}");
}

#[test]
fn a_proof_by_fingerprints_says_how_likely_it_has_missed_a_state() {
    let (_, result) = Desk::new().result("model:phil --search dfs -- n=4");
    assert!(result["caveats"][0].as_str().unwrap().contains("missed with probability "), "{result}");
}

#[test]
fn a_lossless_proof_has_no_caveat() {
    let (_, result) = Desk::new().result("model:grid --search dfs --store exact -- counters=2,values=3");
    assert_eq!((&result["verdict"], &result["caveats"]), (&json!("clean"), &json!([])));
}

#[test]
fn finding_has_no_caveat() {
    let (_, result) = Desk::new().result("model:phil -- n=4 fair=false");
    assert_eq!(result["caveats"], json!([]));
}

#[test]
fn a_program_that_cannot_be_opened_has_its_reason() {
    let (ran, result) = Desk::new().result("model:faulty -- part=initial");
    assert_eq!((ran.code, &result["verdict"]), (4, &"unsupported".into()));
    assert!(result["reasons"][0].as_str().unwrap().contains("Initial is broken"), "{result}");
}

#[test]
fn standard_output_is_for_the_machine_and_standard_error_for_people() {
    let (ran, _) = Desk::new().result("model:phil -- n=4 fair=false");
    assert!(ran.err.starts_with("found: deadlock"), "{}", ran.err);
}

#[test]
fn with_quiet_people_get_the_verdict_only() {
    let (ran, _) = Desk::new().result("model:phil --quiet -- n=4 fair=false");
    assert_eq!(ran.err, "found\n");
}

#[test]
fn a_file_gets_the_result_and_people_get_the_report() {
    let desk = Desk::new();
    desk.run("check model:phil --json result.json -- n=4").code(0).says("clean: ");
    assert_eq!(desk.read_json("result.json")["verdict"], "clean");
}

#[test]
fn an_older_result_is_replaced() {
    let desk = Desk::new();
    desk.write("result.json", "x".repeat(100_000));
    desk.run("check model:phil --json result.json -- n=4").code(0);
    assert_eq!(desk.read_json("result.json")["verdict"], "clean");
}
