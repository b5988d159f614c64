//! Guided searches of Java programs by the distance to places in the code.

use crate::java::desk;
use serde_json::json;

/// Setters change two values. The checker fails if it comes between the two changes.
const PAIRS: &str = "public class Main {
    static volatile int first, second;

    static void set() {
        first = 1;
        second = -1;
    }

    static void check() {
        int sum = first + second;
        if (sum != 0) {
            report();
        }
    }

    static void report() {
        throw new IllegalStateException(\"between the changes\");
    }

    static void unused() {
        throw new IllegalStateException(\"never called\");
    }

    public static void main(String[] args) {
        for (int i = 0; i < 6; i++) {
            new Thread(Main::set).start();
        }
        new Thread(() -> check()).start();
    }
}";

/// The states that a search visits until it finds the failure.
fn states(options: &str) -> u64 {
    let (ran, result) = desk(PAIRS).result(&format!("Main.java --jobs 1 --shorten 0 {options}"));
    assert_eq!((ran.code, &result["findings"][0]["kind"]), (1, &json!("exception")), "{options}: {result:#}");
    result["stats"]["states"].as_u64().expect("it is a number")
}

#[test]
fn distance_leads_to_the_failure_through_calls_and_lambdas() {
    let blind = states("--search best-first");
    for heuristic in ["fsm", "efsm", "efsm:0", "e-fca"] {
        let guided = states(&format!("--search best-first --heuristic {heuristic}"));
        assert!(guided * 4 < blind, "{heuristic}: {guided} of {blind}");
    }
}

#[test]
fn targets_are_lines_methods_and_assertions() {
    let nearest = states("--search best-first --heuristic e-fca");
    for target in ["Main.java:17", "Main.report", "report", "assertions"] {
        assert_eq!(states(&format!("--search best-first --target {target}")), nearest, "{target}");
    }
    // Of several targets the nearest counts.
    states("--search best-first --target Main.report --target Main.set");
}

#[test]
fn auto_and_the_order_of_a_depth_first_search_go_by_distance_too() {
    states("--search dfs --order heuristic --target Main.report");
    states("--target Main.report");
}

#[test]
fn places_that_are_not_there_are_refused_with_what_is() {
    let desk = desk(PAIRS);
    let refused = |options: &str, texts: &[&str]| {
        desk.run(&format!("check Main.java --search best-first {options}")).refused(texts);
    };
    refused("--target Main.java:3", &["Main.java has no code at line 3", "the nearest is line"]);
    refused("--target Other.java:3", &["can reach no code of Other.java; it can reach Main.java"]);
    refused("--target Main.unused", &["can reach no method Main.unused"]);
    refused("--target Main.java:", &["'Main.java:' is no place: write FILE:LINE"]);
    refused("--heuristic switches --target Main.check", &["--target is for guided searches by distance"]);
    desk.run("check Main.java --search pos --target Main.check").refused(&["add --search best-first"]);
    desk.run("check model:phil --search best-first --heuristic e-fca")
        .refused(&["distances through the code are known for Java, C, C++ and Rust programs only"]);
}
