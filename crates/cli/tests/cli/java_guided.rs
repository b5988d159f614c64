//! Guided searches of Java programs by the distance to places in the code.

use crate::java::desk;
use serde_json::json;

/// Writers count under a lock. The reader fails if it comes between the two stages of a writer.
const TWO_STAGES: &str = "public class Main {
    static int first, second;
    static final Object one = new Object(), two = new Object();

    static void write() {
        synchronized (one) { first++; }
        synchronized (two) { second++; }
    }

    static void read() {
        int seen;
        synchronized (one) { seen = first; }
        synchronized (two) {
            if (second < seen) {
                report();
            }
        }
    }

    static void report() {
        throw new IllegalStateException(\"between the stages\");
    }

    static void unused() {
        throw new IllegalStateException(\"never called\");
    }

    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            new Thread(Main::write).start();
        }
        new Thread(() -> read()).start();
    }
}";

/// The states that a search visits until it finds the failure.
fn states(options: &str) -> u64 {
    let (ran, result) = desk(TWO_STAGES).result(&format!("Main.java --jobs 1 --shorten 0 {options}"));
    assert_eq!((ran.code, &result["findings"][0]["kind"]), (1, &json!("exception")), "{options}: {result:#}");
    result["stats"]["states"].as_u64().expect("it is a number")
}

#[test]
fn distance_leads_to_the_failure_through_calls_and_lambdas() {
    let blind = states("--search bfs");
    for heuristic in ["fsm", "efsm", "efsm:0", "e-fca"] {
        let guided = states(&format!("--search best-first --heuristic {heuristic}"));
        assert!(guided * 4 < blind, "{heuristic}: {guided} of {blind}");
    }
}

#[test]
fn targets_are_lines_methods_and_assertions() {
    let nearest = states("--search best-first --heuristic e-fca");
    for target in ["Main.java:22", "Main.report", "report", "assertions"] {
        assert_eq!(states(&format!("--search best-first --target {target}")), nearest, "{target}");
    }
    // Of several targets the nearest counts.
    states("--search best-first --target Main.report --target Main.write");
}

#[test]
fn auto_and_the_order_of_a_depth_first_search_go_by_distance_too() {
    states("--search dfs --order heuristic --target Main.report");
    states("--target Main.report");
}

#[test]
fn places_that_are_not_there_are_refused_with_what_is() {
    let desk = desk(TWO_STAGES);
    let refused = |options: &str, texts: &[&str]| {
        desk.run(&format!("check Main.java --search best-first {options}")).refused(texts);
    };
    refused("--target Main.java:4", &["Main.java has no code at line 4", "the nearest is line"]);
    refused("--target Other.java:4", &["can reach no code of Other.java; it can reach Main.java"]);
    refused("--target Main.unused", &["can reach no method Main.unused"]);
    refused("--target Main.java:", &["'Main.java:' is no place: write FILE:LINE"]);
    refused("--heuristic switches --target Main.read", &["--target is for guided searches by distance"]);
    desk.run("check Main.java --search pos --target Main.read").refused(&["add --search best-first"]);
    desk.run("check model:phil --search best-first --heuristic e-fca")
        .refused(&["distances through the code are known for Java programs only"]);
}
