//! What a report says of time-outs in the schedule of a finding.

use crate::desk::{Desk, Ran};
use serde_json::{Value, json};

/// The main thread waits two seconds for a worker, which never comes with an argument. With two it does not wait at all.
const JAVA: &str = "public class Main {
    static boolean done;
    static final Object lock = new Object();
    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            synchronized (lock) {
                if (args.length == 0) { done = true; lock.notify(); }
            }
        }, \"worker\");
        worker.start();
        synchronized (lock) {
            if (!done && args.length < 2) lock.wait(2000);
            assert done;
        }
    }
}";

/// The same in C, with -DNEVER and -DAT_ONCE.
const C: &str = "#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int done;
void *work(void *unused) {
    pthread_mutex_lock(&lock);
#ifndef NEVER
    done = 1;
    pthread_cond_signal(&ready);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
#ifndef AT_ONCE
    if (!done) pthread_cond_timedwait(&ready, &lock, &until);
#endif
    assert(done);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
";

fn desk(file: &str, source: &str) -> Desk {
    let desk = Desk::new();
    desk.write(file, source);
    desk
}

/// The check of a program that has one finding, and the time-outs in its schedule.
fn check(desk: &Desk, line: &str) -> (Ran, Value) {
    let (options, arguments) = line.split_once(" -- ").unwrap_or((line, ""));
    let ran = desk.run(&format!("check {options} --json result.json -- {arguments}")).code(1);
    (ran, desk.read_json("result.json")["findings"][0]["timeouts"].take())
}

const ADVICE: &str = "a time-out is part of this schedule; with --timeouts patient";

#[test]
fn java_timeout_is_named_with_its_rule() {
    let desk = desk("Main.java", JAVA);
    let (ran, timeouts) = check(&desk, "Main.java");
    let says = "Object.wait of main timed out while worker could run, at Main.java:12";
    assert!(ran.out.contains(says) && ran.out.contains(ADVICE), "{}", ran.out);
    let timeout = &timeouts[0];
    assert_eq!(timeouts.as_array().map(Vec::len), Some(1), "{timeouts:#}");
    assert_eq!((&timeout["thread"], &timeout["how"]), (&json!("main"), &json!("wait")));
    assert_eq!((&timeout["overtakes"], &timeout["withheld_by"]), (&json!(["worker"]), &json!("patient")));
    assert_eq!(timeout["location"]["line"], 12);
    let trace = desk.read_json("Main-assertion.trace.json");
    let step = timeout["step"].as_u64().unwrap() as usize;
    assert_eq!(trace["events"][step - 1]["timeout"]["operation"], "Object.wait");
    desk.run("replay Main-assertion.trace.json").code(1).says(says).says(ADVICE);
    desk.run("check Main.java --timeouts patient").code(0);
}

#[test]
fn java_schedule_without_time_out_says_nothing() {
    let desk = desk("Main.java", JAVA);
    let (ran, timeouts) = check(&desk, "Main.java -- at once");
    assert!(!ran.out.contains("time-out") && !ran.out.contains("--timeouts"), "{}", ran.out);
    assert_eq!(timeouts, json!([]));
}

#[test]
fn rule_in_force_is_not_advised_for_java() {
    let desk = desk("Main.java", JAVA);
    for rule in ["patient", "last"] {
        let (ran, timeouts) = check(&desk, &format!("Main.java --timeouts {rule} -- never"));
        assert!(ran.out.contains("timed out when no other thread could get on"), "{}", ran.out);
        assert!(!ran.out.contains("with --timeouts"), "{}", ran.out);
        assert_eq!((&timeouts[0]["overtakes"], &timeouts[0]["withheld_by"]), (&json!([]), &json!(null)));
    }
}

#[test]
fn short_sleeps_are_held_back_by_last() {
    let source = "public class Main {
        static volatile boolean done;
        public static void main(String[] args) throws Exception {
            new Thread(() -> done = true, \"worker\").start();
            Thread.sleep(100);
            assert done;
        }
    }";
    let desk = desk("Main.java", source);
    for rule in ["any", "patient"] {
        let (ran, timeouts) = check(&desk, &format!("Main.java --timeouts {rule}"));
        assert!(ran.out.contains("Thread.sleep of main ended while worker could run"), "{}", ran.out);
        assert!(ran.out.contains("with --timeouts last, time passes there"), "{}", ran.out);
        assert_eq!(timeouts[0]["withheld_by"], "last");
    }
    desk.run("check Main.java --timeouts last").code(0);
}

#[test]
fn polls_of_the_clock_are_named() {
    let source = "public class Main {
        static volatile boolean done;
        public static void main(String[] args) throws Exception {
            new Thread(() -> done = true, \"worker\").start();
            long end = System.nanoTime() + 5_000_000_000L;
            while (!done) {
                if (System.nanoTime() > end) throw new AssertionError();
            }
        }
    }";
    let desk = desk("Main.java", source);
    let (ran, _) = check(&desk, "Main.java");
    assert!(ran.out.contains("time passed for main, which asks for it again and again"), "{}", ran.out);
    assert!(ran.out.contains("--timeouts patient"), "{}", ran.out);
    desk.run("check Main.java --timeouts patient").code(0);
}

#[test]
fn c_timeout_is_named_with_its_rule() {
    let desk = desk("main.c", C);
    let (ran, timeouts) = check(&desk, "main.c");
    let says = "wait on ready of main timed out while thread 1 could run, at main.c:24";
    assert!(ran.out.contains(says) && ran.out.contains(ADVICE), "{}", ran.out);
    assert_eq!(timeouts.as_array().map(Vec::len), Some(1), "{timeouts:#}");
    assert_eq!((&timeouts[0]["how"], &timeouts[0]["withheld_by"]), (&json!("wait"), &json!("patient")));
    desk.run("replay main-assertion.trace.json").code(1).says(says).says(ADVICE);
    desk.run("check main.c --timeouts patient").code(0);
}

#[test]
fn c_schedule_without_time_out_says_nothing() {
    let desk = desk("main.c", C);
    let (ran, timeouts) = check(&desk, "main.c --cflags=-DAT_ONCE");
    assert!(!ran.out.contains("time-out") && !ran.out.contains("--timeouts"), "{}", ran.out);
    assert_eq!(timeouts, json!([]));
}

#[test]
fn rule_in_force_is_not_advised_for_c() {
    let desk = desk("main.c", C);
    for rule in ["patient", "last"] {
        let (ran, timeouts) = check(&desk, &format!("main.c --timeouts {rule} --cflags=-DNEVER"));
        assert!(ran.out.contains("timed out when no other thread could get on"), "{}", ran.out);
        assert!(!ran.out.contains("with --timeouts"), "{}", ran.out);
        assert_eq!(timeouts[0]["withheld_by"], json!(null));
    }
}

/// Locks, read-write locks, semaphores and joins with a time-out that another thread keeps from ending, a sleep, and a poll.
#[test]
fn time_outs_of_c_programs_are_told_from_attempts() {
    let source = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t pages = PTHREAD_RWLOCK_INITIALIZER;
sem_t items;
atomic_int done;
void *work(void *unused) {
    pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);
    pthread_rwlock_wrlock(&pages); done = 1; pthread_rwlock_unlock(&pages);
    sem_post(&items);
    return unused;
}
static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}
int main(void) {
    pthread_t thread;
    struct timespec until = { 4000000000, 0 };
    sem_init(&items, 0, 0);
    pthread_create(&thread, 0, work, 0);
    int failed = ATTEMPT;
    assert(!failed);
    return 0;
}
";
    let late = |attempt: &str| {
        let desk = desk("main.c", &source.replace("ATTEMPT", attempt));
        let (ran, timeouts) = check(&desk, "main.c --races off");
        (ran.out, timeouts)
    };
    for (attempt, says) in [
        ("pthread_mutex_timedlock(&lock, &until)", "lock of lock of main timed out"),
        ("pthread_rwlock_timedrdlock(&pages, &until)", "lock for reading of pages of main timed out"),
        ("sem_timedwait(&items, &until)", "wait for items of main timed out"),
        ("pthread_timedjoin_np(thread, 0, &until)", "join of thread 1 of main timed out"),
        ("usleep(1000) || !done", "sleep of main ended"),
        ("({ long start = now(); while (!done && now() - start < 500) {} !done; })", "time passed for main"),
    ] {
        let (out, timeouts) = late(attempt);
        assert!(out.contains(says) && out.contains("could run"), "{attempt}: {out}");
        assert_ne!(timeouts, json!([]), "{attempt}");
    }
    for attempt in
        ["pthread_mutex_trylock(&lock)", "pthread_rwlock_tryrdlock(&pages)", "pthread_tryjoin_np(thread, 0)"]
    {
        let (out, timeouts) = late(attempt);
        assert!(!out.contains("time-out"), "{attempt}: {out}");
        assert_eq!(timeouts, json!([]), "{attempt}");
    }
}
