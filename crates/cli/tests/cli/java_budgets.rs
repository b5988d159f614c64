//! `sojourner check` on Java programs that use much memory or time: budgets end the search.

use crate::java::desk;
use serde_json::{Value, json};

#[test]
fn a_long_loop_without_visible_operations_is_named_with_its_place() {
    let desk = desk(
        "public class Main {
            public static void main(String[] args) {
                long sum = 0;
                for (long i = 0; i < Long.MAX_VALUE; i++)
                    sum += i * 31;
                System.exit((int) sum);
            }
        }",
    );
    let (ran, result) = desk.result("Main.java --search dfs --states 20");
    assert_eq!(ran.code, 3);
    let caveats = result["caveats"].to_string();
    assert!(caveats.contains("without an operation that other threads can notice: Main.java:"), "{caveats}");
}

#[test]
fn budgets_end_a_check_that_would_go_on() {
    let desk = desk(
        "public class Main {
            static volatile int count;
            public static void main(String[] args) {
                new Thread(() -> { while (true) count++; }).start();
                while (true) count++;
            }
        }",
    );
    let (ran, result) = desk.result("Main.java --time 1s");
    assert_eq!((ran.code, &result["verdict"]), (3, &json!("incomplete")));
    assert!(result["stats"]["seconds"].as_f64().unwrap() < 10.0, "{result:#}");
    desk.run("check Main.java --search dfs --states 100").code(3);
}

#[test]
fn garbage_of_earlier_steps_is_not_the_programs_lack_of_memory() {
    let source = |keeps: &str| {
        format!(
            "class Main {{
                static volatile int step;
                static byte[][] kept = new byte[200][];
                public static void main(String[] args) throws Exception {{
                    Thread other = new Thread(() -> step = -1);
                    other.start();
                    for (int i = 0; i < 200; i++) {{
                        byte[] bytes = new byte[1 << 20];
                        {keeps}
                        step = bytes.length;
                    }}
                    other.join();
                }}
            }}"
        )
    };
    let ran = desk(&source("")).run("check Main.java --heap 128M --search dfs").code(4);
    ran.says("the heap of 128 MB is full of what earlier steps").says("--heap");
    desk(&source("")).run("check Main.java --search dfs").code(0);
    let ran = desk(&source("kept[i] = bytes;")).run("check Main.java --heap 128M --search dfs").code(1);
    ran.says("OutOfMemoryError");
}

/// A program that holds on to more and more, in a single step if it is let.
const GROWS: &str = "import java.util.*;
public class Main {
    public static void main(String[] args) {
        List<byte[]> all = new ArrayList<>();
        while (true) all.add(new byte[1000]);
    }
}";

/// The same in one array after the other, each of which is garbage when the next is there.
const APPENDS: &str = "public class Main {
    public static void main(String[] args) {
        StringBuilder all = new StringBuilder();
        while (true) all.append(\"some text that is appended\");
    }
}";

/// Checks a program with a budget and requires that it is what ended the search, with at most so much memory in use.
#[track_caller]
fn spends(source: &str, options: &str, reason: &str, megabytes: u64) -> Value {
    let (ran, result) = desk(source).result(&format!("Main.java {options}"));
    assert_eq!(ran.code, 3, "{ran:?}");
    let reasons = result["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|given| given.as_str().unwrap().starts_with(reason)), "{reasons:?}");
    let peak = result["stats"]["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < megabytes << 20, "{} MB", peak >> 20);
    result
}

#[test]
fn memory_is_a_budget_of_programs_that_allocate_without_end() {
    for source in [GROWS, APPENDS] {
        spends(source, "--search dfs --jobs 1 --memory 300M --time 60s", "memory:", 450);
    }
    // Searches side by side share the memory.
    spends(GROWS, "--memory 300M --time 60s", "memory:", 450);
}

#[test]
fn a_step_allocates_little_before_the_search_has_its_say() {
    spends(GROWS, "--search dfs --jobs 1 --states 12", "states:", 700);
}

#[test]
fn time_is_a_budget_of_programs_that_allocate_without_end() {
    for options in ["--search dfs --jobs 1 --time 1s", "--time 1s"] {
        let result = spends(GROWS, options, "time:", 8192);
        let seconds = result["stats"]["seconds"].as_f64().unwrap();
        assert!(seconds < 4.0, "{options}: {seconds}");
    }
}
