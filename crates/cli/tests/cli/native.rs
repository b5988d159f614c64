//! C and C++ programs on the command line.

use crate::desk::{Desk, Ran};
use serde_json::{Value, json};

/// Two threads that add to a counter. With -DSOUND they lock.
const COUNTER: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *add(void *unused) {
#ifdef SOUND
    pthread_mutex_lock(&lock);
#endif
    counter = counter + 1;
#ifdef SOUND
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(int count, char **arguments) {
    pthread_t a, b;
    printf("%s\n", count > 1 ? arguments[1] : "begin");
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return count > 2 ? atoi(arguments[2]) : 0;
}
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("main.c", COUNTER);
    desk
}

/// The directories for compiled programs that are there, which must be none when the command has ended.
fn left_behind(desk: &Desk) -> usize {
    let found = std::fs::read_dir(desk.path("scratch")).unwrap();
    found
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("sojourner-"))
        .count()
}

/// Runs the command with a directory of its own for what it compiles.
fn run(desk: &Desk, line: &str) -> Ran {
    std::fs::create_dir_all(desk.path("scratch")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let ran = Ran::of(&desk.command(&words).env("TMPDIR", desk.path("scratch")).output().unwrap());
    assert_eq!(left_behind(desk), 0, "{line}");
    ran
}

#[test]
fn a_lost_update_is_found_and_seen_again() {
    let desk = desk();
    let ran = run(&desk, "check main.c");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("found: assertion in main.c"), "{}", ran.out);
    assert!(ran.out.contains("the assertion counter == 2 fails in main"), "{}", ran.out);
    assert!(ran.out.contains("main.c:26"), "{}", ran.out);
    assert!(ran.out.contains("a data race on counter"), "{}", ran.out);
    let ran = run(&desk, "replay main-assertion.trace.json");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("starts thread 1") && ran.out.contains("writes counter"), "{}", ran.out);
}

#[test]
fn the_repaired_program_is_clean() {
    let desk = desk();
    let ran = run(&desk, "check main.c --json result.json --search dfs --jobs 1 --cflags -DSOUND");
    assert_eq!(ran.code, 0, "{ran:?}");
    let result: Value = desk.read_json("result.json");
    assert_eq!(result["verdict"], json!("clean"));
    assert!(ran.out.contains("weak memory"), "{}", ran.out);
    let ran = run(&desk, "check main.c --search walk --executions 100 --cflags -DSOUND");
    assert_eq!(ran.code, 3, "{ran:?}");
}

#[test]
fn left_out_choices_make_verdict_incomplete() {
    let desk = Desk::new();
    desk.write(
        "open.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() == 7; }\n",
    );
    let ran = run(&desk, "check open.c");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.contains("values of which only some were tried"), "{}", ran.out);
}

#[test]
fn a_trace_has_the_flags_and_the_further_sources_in_it() {
    let desk = Desk::new();
    desk.write("main.c", "void fail(void);\nint main(void) { fail(); return LEFT; }\n");
    desk.write("fail.c", "#include <assert.h>\nvoid fail(void) { assert(LEFT == 1); }\n");
    let ran = run(&desk, "check main.c fail.c --cflags -DLEFT=0");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("fail.c:2"), "{}", ran.out);
    let ran = run(&desk, "replay main-assertion.trace.json");
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = run(&desk, "check main.c fail.c --cflags -DLEFT=1");
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run(&desk, "check main.c fail.c --exit --cflags -DLEFT=1");
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn a_program_runs_once_with_its_own_output_and_status() {
    let desk = desk();
    let ran = run(&desk, "run main.c --cflags -DSOUND -- hello 7");
    assert_eq!((ran.code, ran.out.as_str()), (7, "hello\n"), "{ran:?}");
}

#[test]
fn programs_are_compiled_and_linked_in_steps() {
    let desk = desk();
    for line in ["cc -DSOUND -c main.c", "cc -o program main.o", "check program --search dfs --jobs 1"] {
        let ran = run(&desk, line);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
    }
    let ran = run(&desk, "cc -o other main.c");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(run(&desk, "check other").code, 1);
    desk.write("main.cpp", "#include <thread>\nint main() { std::thread([] {}).join(); }\n");
    let ran = run(&desk, "c++ -std=c++20 -o third main.cpp");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(run(&desk, "check third --search dfs --jobs 1").code, 0);
}

#[test]
fn unsupported_target_is_refused_with_the_reason() {
    let desk = desk();
    desk.write("broken.c", "int main(void) { return nothing; }\n");
    let ran = run(&desk, "check broken.c");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("broken.c:1") && ran.err.contains("does not compile"), "{}", ran.err);
    let ran = run(&desk, "check nowhere.c");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("nowhere.c"), "{}", ran.err);
    desk.write("forks.c", "#include <unistd.h>\nint main(void) {\n    return fork();\n}\n");
    let ran = run(&desk, "check forks.c");
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.out.contains("fork") && ran.out.contains("forks.c:3"), "{}", ran.out);
    for line in [
        "check main.c --symmetry none",
        "check main.c --store exact",
        "check model:phil --signal fifo",
        "check model:phil more.c",
        "diff-states main.c",
    ] {
        let ran = run(&desk, line);
        assert_eq!(ran.code, 2, "{line}: {ran:?}");
    }
    let ran = run(&desk, "check /bin/true");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("not linked with the runtime"), "{}", ran.err);
}

/// One thread writes what another one reads, and nothing else goes wrong.
const RACE: &str = "#include <pthread.h>
int data, copy;
void *writes(void *unused) {
    data = 1;
    return unused;
}
void *reads(void *unused) {
    copy = data;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writes, 0);
    pthread_create(&b, 0, reads, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn a_race_is_a_finding_if_there_is_nothing_worse() {
    let desk = Desk::new();
    desk.write("race.c", RACE);
    let ran = run(&desk, "check race.c --json result.json");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("found: race in race.c\n"), "{}", ran.out);
    assert!(ran.err.contains("race: a data race on data"), "it is shown at once: {}", ran.err);
    assert!(ran.err.contains("the search goes on for something worse"), "{}", ran.err);
    let result: Value = desk.read_json("result.json");
    assert_eq!((&result["verdict"], &result["findings"][0]["kind"]), (&json!("found"), &json!("race")));
    assert_eq!(result["findings"][0]["type"], json!("data and race.c:8"));
    let ran = run(&desk, "replay race-race.trace.json");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("race.c:4 (writes)") && ran.out.contains("race.c:8 (reads)"), "{}", ran.out);
}

#[test]
fn a_race_has_a_schedule_in_every_search() {
    let desk = Desk::new();
    desk.write("race.c", RACE);
    for search in [
        "--search dfs --store compact --jobs 1",
        "--search bfs --store compact --jobs 1",
        "--search dfs --jobs 2",
        "--search dpor --jobs 1",
        "--search dpor:source --jobs 2",
        "--search walk --swarm 2",
        "--search pct --shorten 0",
    ] {
        let ran = run(&desk, &format!("check race.c --trace t.json {search}"));
        assert_eq!(ran.code, 1, "{search}: {ran:?}");
        let ran = run(&desk, "replay t.json");
        assert!(ran.code == 1 && ran.out.starts_with("race: a data race on data"), "{search}: {ran:?}");
    }
}

#[test]
fn races_are_what_the_option_says() {
    let desk = Desk::new();
    desk.write("race.c", RACE);
    let ran = run(&desk, "check race.c --races warn");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("warning   a data race on data"), "{}", ran.out);
    let ran = run(&desk, "check race.c --races off");
    assert!(ran.code == 0 && !ran.out.contains("a data race"), "{ran:?}");
    let ran = run(&desk, "check race.c --races fail --search dfs --jobs 1");
    assert!(ran.code == 1 && ran.err.is_empty(), "{ran:?}");
    desk.write("Main.java", "class Main { public static void main(String[] args) { } }");
    run(&desk, "check --races last Main.java").refused(&["--races last is for C, C++ and Rust programs"]);
    run(&desk, "check --races often race.c").refused(&["there is no treatment of races 'often'"]);
}

#[test]
fn a_race_is_listed_once_whichever_access_comes_first() {
    let desk = Desk::new();
    desk.write("race.c", RACE);
    for races in ["last", "fail"] {
        let line = format!("check race.c --all --search dfs --jobs 1 --races {races} --json result.json");
        assert_eq!(run(&desk, &line).code, 1);
        assert_eq!(desk.read_json("result.json")["findings"].as_array().unwrap().len(), 1, "{races}");
    }
    let ran = run(&desk, "check race.c --search dfs --jobs 1 --races warn");
    assert_eq!(ran.out.matches("a data race on").count(), 1, "{}", ran.out);
}

#[test]
fn the_search_goes_on_behind_a_race_and_finds_something_worse() {
    let desk = desk();
    // Only the last executions lose an addition.
    let ran = run(&desk, "check main.c --search dfs --jobs 1");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("found: assertion in main.c"), "{}", ran.out);
    assert_eq!(ran.out.matches("a data race on counter").count(), 1, "{}", ran.out);
    let ran = run(&desk, "replay main-assertion.trace.json");
    assert!(ran.code == 1 && ran.out.starts_with("assertion: "), "{ran:?}");
}

/// With CASE=1 `main` returns what it has seen of another thread, with 2 another thread calls `exit`, with 3 `_exit`, with 4
/// `quick_exit`; with 5 the status is always 1; with 6 it is a value that was chosen.
const ENDS: &str = "#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
extern _Bool __VERIFIER_nondet_bool(void);
atomic_int flag;
void *work(void *unused) {
#if CASE == 2
    exit(3);
#elif CASE == 3
    _exit(3);
#elif CASE == 4
    quick_exit(3);
#endif
    flag = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#if CASE == 1
    return flag ? 3 : 0;
#elif CASE == 5
    return 1;
#elif CASE == 6
    return __VERIFIER_nondet_bool();
#endif
    return 0;
}
";

#[test]
fn an_exit_status_that_depends_on_the_schedule_is_a_finding() {
    let desk = Desk::new();
    desk.write("ends.c", ENDS);
    for case in 1..=4 {
        for search in [
            "",
            "--search dfs --store compact --jobs 1",
            "--search best-first --store compact --jobs 1",
            "--search dpor:optimal --jobs 2",
            "--search dpor:classic --all",
        ] {
            let what = format!("case {case} {search}");
            let ran = run(
                &desk,
                &format!("check ends.c --json r.json --trace t.json {search} --cflags -DCASE={case}"),
            );
            assert_eq!(ran.code, 1, "{what}: {ran:?}");
            assert!(ran.out.starts_with("found: exit in ends.c\n"), "{what}: {}", ran.out);
            let finding = desk.read_json("r.json")["findings"][0].clone();
            assert_eq!((&finding["kind"], &finding["type"]), (&json!("exit"), &json!("3")), "{what}");
            let ran = run(&desk, "replay t.json");
            assert!(
                ran.code == 1 && ran.out.contains("ends with status 3, and with status 0 under another"),
                "{ran:?}"
            );
            let ran = run(&desk, "replay --other t.json");
            assert!(
                ran.code == 1 && ran.out.starts_with("exit: the program ends with status 0\n"),
                "{what}: {ran:?}"
            );
        }
    }
}

#[test]
fn an_exit_status_that_does_not_depend_on_the_schedule_is_none() {
    let desk = Desk::new();
    desk.write("ends.c", ENDS);
    let ran = run(&desk, "check ends.c --cflags -DCASE=5");
    assert!(ran.code == 0 && ran.out.contains("status 1 under every schedule"), "{ran:?}");
    let ran = run(&desk, "check ends.c --exit --cflags -DCASE=5");
    assert!(ran.code == 1 && ran.out.starts_with("found: exit in ends.c\n"), "{ran:?}");
    run(&desk, "replay --other ends-exit.trace.json").refused(&["the trace has no other execution"]);
    // Which value is chosen is not up to the schedule.
    let ran = run(&desk, "check ends.c --cflags -DCASE=6");
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// Two threads that count under a lock, so that one step holds several operations.
const GUARDED: &str = r#"#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a, b, c;

void *count(void *unused) {
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock);
        a++;
        b++;
        c++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, count, 0);
    pthread_mutex_lock(&lock);
    int seen = a;
    pthread_mutex_unlock(&lock);
    assert(seen != 3);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"#;

#[test]
fn findings_replay_where_searches_come_back_to_states() {
    let desk = Desk::new();
    desk.write("guarded.c", GUARDED);
    for search in ["dfs", "bfs", "best-first"] {
        for store in ["compact", "none"] {
            let options = format!("--search {search} --store {store} --jobs 1 --shorten 0");
            let ran = run(&desk, &format!("check guarded.c {options}"));
            assert!(ran.code == 1 && !ran.out.contains("does not replay"), "{options}: {ran:?}");
            run(&desk, "replay guarded-assertion.trace.json").code(1);
        }
    }
}
