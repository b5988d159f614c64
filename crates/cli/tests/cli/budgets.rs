//! Budgets hold wherever the time goes: between steps, within one, in the analysis of a long execution.

use crate::desk::Desk;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A loop without visible operations.
const SPIN_C: &str = "volatile unsigned long k;
int main(void) { unsigned long i = 0; for (;;) { i += 3; if (i == 2) k = i; } }";

const SPIN_JAVA: &str = "public class Main { static int x;
    static { long sum = 0; for (long i = 0; i < 1L << 44; i++) sum += i * i; x = (int) sum; }
    public static void main(String[] arguments) { System.out.println(x); } }";

/// Executions of some 100,000 steps, with a race for each of them.
const LONG_C: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x[50000];
void *f(void *a) { for (int i = 0; i < 50000; i++) atomic_fetch_add(&x[i], 1); return a; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
    pthread_join(a, 0); pthread_join(b, 0); }";

/// Runs a check that must be incomplete for that reason alone.
fn ends_by(desk: &Desk, line: &str, reason: &str) -> Value {
    let (ran, result) = desk.result(line);
    ran.code(3);
    let reasons = result["reasons"].as_array().expect("it has reasons");
    assert!(reasons.iter().any(|why| why.as_str().is_some_and(|why| why.starts_with(reason))), "{result}");
    result
}

#[test]
fn time_ends_a_loop_without_visible_operations() {
    let desk = Desk::new();
    desk.write("spin.c", SPIN_C);
    desk.write("Main.java", SPIN_JAVA);
    for (target, search) in
        [("spin.c", "auto"), ("spin.c", "dpor"), ("Main.java", "auto"), ("Main.java", "dfs")]
    {
        ends_by(&desk, &format!("{target} --time 1s --search {search}"), "time");
    }
}

#[test]
fn time_and_memory_end_the_analysis_of_a_long_execution() {
    let desk = Desk::new();
    desk.write("long.c", LONG_C);
    ends_by(&desk, "long.c --time 1s --memory 6G", "time");
    ends_by(&desk, "long.c --time 600s --memory 100M", "memory");
    ends_by(&desk, "long.c --time 1s --memory 6G --search dpor:source --depth 1000000", "time");
}

#[test]
fn memory_of_processes_that_run_the_program_counts() {
    let desk = Desk::new();
    desk.write(
        "large.c",
        "#include <stdlib.h>
#include <string.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { for (int i = 0; i < 9; i++) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } return a; }
int main(void) { char *p = malloc(300 << 20); memset(p, 1, 300 << 20); pthread_t a; pthread_create(&a, 0, f, 0); f(0);
    pthread_join(a, 0); free(p); }",
    );
    let ran = desk.run("check large.c --memory 200M");
    assert!(ran.code == 2 || ran.code == 3, "{ran:?}");
    if ran.code == 3 {
        ran.says("memory");
    }
}

#[test]
fn memory_below_what_starting_needs_is_a_usage_error() {
    let desk = Desk::new();
    desk.write("spin.c", SPIN_C);
    desk.write("Main.java", SPIN_JAVA);
    for target in ["spin.c", "Main.java", "model:phil"] {
        desk.run(&format!("check {target} --memory 2M")).refused(&["too small", "give it at least"]);
    }
}

#[test]
fn bound_of_auto_ends_it_and_is_named() {
    let desk = Desk::new();
    desk.write(
        "main.c",
        "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); f(0); pthread_join(a, 0); }",
    );
    desk.write(
        "Main.java",
        "public class Main { static int x; static synchronized void add() { x++; }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(Main::add); t.start(); add(); t.join(); } }",
    );
    for (target, arguments) in [("main.c", ""), ("Main.java", ""), ("model:phil", " -- n=4 fair=true")] {
        for (bound, reason) in [("--preemptions 0", "bounded"), ("--depth 1", "depth")] {
            let result = ends_by(&desk, &format!("{target} {bound}{arguments}"), reason);
            assert_eq!(result["reasons"].as_array().map(Vec::len), Some(1), "{result}");
        }
    }
}

#[test]
fn signal_to_terminate_ends_a_search_within_a_step() {
    let desk = Desk::new();
    desk.write("spin.c", SPIN_C);
    desk.write("Main.java", SPIN_JAVA);
    for target in ["spin.c", "Main.java"] {
        let interrupted = |wait: u64| {
            let mut command = desk.command(&["check", target, "--json", "r.json"]);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it is there");
            std::thread::sleep(Duration::from_secs(wait));
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &id]).status().expect("there is kill").success());
            child.wait_with_output().expect("it was started")
        };
        // While it compiles, the signal ends it as it would any other program.
        let output = [2, 4, 6].into_iter().map(interrupted).find(|output| output.status.code().is_some());
        assert_eq!(output.as_ref().and_then(|output| output.status.code()), Some(3), "{output:?}");
        assert_eq!(desk.read_json("r.json")["reasons"][0], "interrupted");
    }
}

/// A model with a step that never returns: no thread can be made to leave it, so the process ends.
const STUCK: &str = "stuck_step";

#[test]
fn time_ends_a_step_of_a_model_that_never_returns() {
    let desk = Desk::new();
    for search in ["auto", "dfs", "bfs", "dpor", "walk"] {
        let line = format!("--time 1s --search {search} --json r.json");
        let ran = desk.run_example(STUCK, &line).code(3);
        ran.says("incomplete: ").says("because   time").says("stuck: a step of the program has not returned");
        let reasons = &desk.read_json("r.json")["reasons"];
        assert!(reasons[1].as_str().is_some_and(|why| why.starts_with("stuck")), "{search}: {reasons}");
    }
}

#[test]
fn a_finding_beside_a_step_that_never_returns_is_reported() {
    let desk = Desk::new();
    let ran = desk.run_example(STUCK, "--time 60s --search walk --jobs 2 --executions 1000 -- fails").code(1);
    ran.says("found: property").says("process 1 does not fail").says("20 steps");
    assert_eq!(desk.read_json("stuck-step-property.trace.json")["finding"]["kind"], "property");
}
