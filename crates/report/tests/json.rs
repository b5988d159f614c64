//! What machines read.

mod sample;

use sample::{deadlock, found, late, property, summary, swarm};
use serde_json::{Value, json};
use sojourner_report::Verdict;

fn result(summary: &sojourner_report::Summary) -> Value {
    serde_json::from_str(&sojourner_report::json(summary)).expect("the result is JSON")
}

#[test]
fn verdicts_have_their_names_and_exit_codes() {
    use Verdict::{Clean, Found, Incomplete, Unsupported};
    let names = ["clean", "found", "incomplete", "unsupported"];
    for ((verdict, name), code) in
        [Clean, Found, Incomplete, Unsupported].into_iter().zip(names).zip([0, 1, 3, 4])
    {
        assert_eq!((verdict.name(), verdict.exit_code()), (name, code));
        assert_eq!(result(&summary(verdict))["verdict"], name);
    }
}

#[test]
fn a_finding_has_every_field() {
    let mut summary = summary(Verdict::Found);
    summary.findings = vec![found(property(), "out/1.json"), found(deadlock(), "2.json")];
    summary.findings[1].trace_file = None;
    let result = result(&summary);
    assert_eq!(result["schema"], "sojourner/result/1");
    assert_eq!(
        result["findings"],
        json!([
            {
                "kind": "property",
                "message": "mutual exclusion: both threads are in the critical section",
                "type": "mutual exclusion",
                "thread": "left",
                "location": { "file": "peterson.rs", "line": 14, "function": "enter" },
                "preemptions": null,
                "trace": "out/1.json",
                "timeouts": [],
            },
            {
                "kind": "deadlock",
                "message": "no thread can move, and 3 have not finished",
                "type": null,
                "thread": null,
                "location": null,
                "preemptions": null,
                "trace": null,
                "timeouts": [],
            },
        ])
    );
}

#[test]
fn time_outs_of_the_schedule_are_listed() {
    let mut summary = summary(Verdict::Found);
    summary.findings = vec![found(late(), "late.json")];
    assert_eq!(
        result(&summary)["findings"][0]["timeouts"],
        json!([{
            "step": 3,
            "thread": "consumer",
            "location": { "file": "Queue.java", "line": 31, "function": "take" },
            "how": "wait",
            "operation": "Object.wait",
            "overtakes": ["producer"],
            "withheld_by": "patient",
        }])
    );
}

#[test]
fn the_numbers_are_exact() {
    let mut summary = swarm(summary(Verdict::Incomplete));
    summary.reasons = vec!["time".into()];
    summary.stats.transitions = u64::MAX;
    summary.store.as_mut().unwrap().pools = vec![("threads".into(), 2, 3)];
    let result = result(&summary);
    assert_eq!(
        result["stats"],
        json!({
            "states": 1_234_567, "transitions": u64::MAX, "executions": 812, "blocked_executions": 0,
            "await_blocked_executions": 0, "max_depth": 96, "restarts": 0, "seconds": 2.5, "cpu_seconds": 4.75,
            "peak_memory_bytes": 123_456_789,
            "memory": { "store": 1_048_576, "queue": 4_096, "pools": 512 },
            "garbage": { "objects": 2_750, "runs": 4_286 },
        })
    );
    assert_eq!(
        result["search"],
        json!({ "name": "auto", "seed": 7, "winner": "dfs:order=random", "winner_index": 1, "repeat": null })
    );
    assert_eq!(result["members"][2]["executions"], 812);
    assert_eq!(result["members"][2]["ended"], "stopped by the finding");
    assert_eq!(result["store"]["pools"], json!([{ "name": "threads", "entries": 2, "bytes": 3 }]));
    assert_eq!(result["reasons"], json!(["time"]));
}

#[test]
fn nothing_is_left_out_of_an_empty_result() {
    let result = result(&sojourner_report::Summary::default());
    let fields: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        vec!["schema", "target", "arguments", "verdict", "reasons", "findings", "warnings", "caveats"];
    expected.extend(["search", "members", "stats", "store"]);
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(result["search"]["winner"], Value::Null);
    assert_eq!(result["store"], Value::Null);
}
