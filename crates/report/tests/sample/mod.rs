//! Results and traces to report on.
#![allow(dead_code, reason = "each test takes what it needs")]

use sojourner_program::{Elapsed, Garbage, Kind, Location, Rule};
use sojourner_report::{Found, Member, SearchMemory, SearchName, Stats, StoreUse, Summary, Verdict};
use sojourner_trace::{Event, Finding, Origin, Search, Thread, Timeout, Trace, Waiting};

/// A trace of `names`, by steps of (thread, what it does).
pub fn trace(kind: Kind, message: &str, names: &[&str], steps: &[(u32, &str)]) -> Trace {
    let schedule: Vec<String> = steps.iter().map(|(thread, _)| thread.to_string()).collect();
    Trace {
        program: Origin { target: "model:phil".into(), arguments: vec!["n=3".into()], ..Origin::default() },
        version: "0.1.0".into(),
        search: Search { name: "dfs".into(), seed: 1 },
        finding: Finding { kind, message: message.into(), type_name: None, thread: None, location: None },
        threads: (0..)
            .zip(names)
            .map(|(i, name)| Thread { identity: sojourner_program::Identity(vec![i]), name: (*name).into() })
            .collect(),
        schedule: schedule.join(" ").parse().unwrap(),
        events: steps
            .iter()
            .map(|&(thread, words)| Event { thread, words: words.into(), location: None, timeout: None })
            .collect(),
        end: String::new(),
        waiting: Vec::new(),
        original: None,
        other: None,
    }
}

/// Three philosophers that have taken a fork each.
pub fn deadlock() -> Trace {
    let mut trace = trace(
        Kind::Deadlock,
        "no thread can move, and 3 have not finished",
        &["phil 0", "phil 1", "phil 2"],
        &[(0, "takes fork 0"), (1, "takes fork 1"), (2, "takes fork 2")],
    );
    trace.end = "forks: 0 by phil 0, 1 by phil 1, 2 by phil 2\neaten: 0 0 0".into();
    trace.waiting = (0..3).map(|i| Waiting { thread: i, words: format!("fork {}", (i + 1) % 3) }).collect();
    trace.original = Some("0*2 1*9 2 0 1 2".parse().unwrap());
    trace
}

/// A trace of Peterson's algorithm with its two lines swapped, with places in the source.
pub fn property() -> Trace {
    let mut trace = trace(
        Kind::Property,
        "mutual exclusion: both threads are in the critical section",
        &["left", "right"],
        &[
            (0, "sets turn to right"),
            (1, "sets turn to left"),
            (1, "raises its flag"),
            (1, "enters: the other flag is down"),
            (0, "raises its flag"),
            (0, "enters: it is its turn"),
        ],
    );
    for (line, event) in [12, 12, 13, 14, 13, 14].into_iter().zip(&mut trace.events) {
        event.location = Some(Location { file: "peterson.rs".into(), line, function: String::new() });
    }
    trace.finding.type_name = Some("mutual exclusion".into());
    trace.finding.thread = Some(0);
    trace.finding.location =
        Some(Location { file: "peterson.rs".into(), line: 14, function: "enter".into() });
    trace
}

/// A lost update in a Java program: an assertion fails in the main thread.
pub fn java() -> Trace {
    let steps: [(u32, &str, u32, &str); 9] = [
        (0, "starts thread \"Thread-0\"", 21, "Bank.main"),
        (0, "starts thread \"Thread-1\"", 22, "Bank.main"),
        (1, "reads Account.balance = 100", 8, "Account.deposit"),
        (2, "reads Account.balance = 100", 8, "Account.deposit"),
        (1, "writes Account.balance = 150", 8, "Account.deposit"),
        (2, "writes Account.balance = 150", 8, "Account.deposit"),
        (0, "joins thread \"Thread-0\"", 23, "Bank.main"),
        (0, "joins thread \"Thread-1\"", 24, "Bank.main"),
        (0, "reads Account.balance = 150", 25, "Bank.main"),
    ];
    let words: Vec<(u32, &str)> = steps.iter().map(|step| (step.0, step.1)).collect();
    let message = "java.lang.AssertionError: 150\n    at Bank.main(Bank.java:25)";
    let mut trace = trace(Kind::Assertion, message, &["main", "Thread-0", "Thread-1"], &words);
    trace.program = Origin {
        target: "Bank.java".into(),
        options: vec!["--races".into(), "off".into()],
        ..Origin::default()
    };
    for ((_, _, line, function), event) in steps.into_iter().zip(&mut trace.events) {
        event.location = Some(Location { file: "Bank.java".into(), line, function: function.into() });
    }
    trace.finding.type_name = Some("java.lang.AssertionError".into());
    trace.finding.thread = Some(0);
    trace.finding.location = trace.events[8].location.clone();
    let output: String = (1..=80).map(|n| format!("  deposit {n}\n")).collect();
    trace.end = format!(
        "output:\n{output}standard error:\n  bad\nthreads:\n  main: failed\n    at Bank.main(Bank.java:25)\n"
    );
    trace
}

/// A thread that gives up waiting although another one could still bring what it waits for.
pub fn late() -> Trace {
    let steps = [
        (0, "takes the monitor of Queue@1"),
        (0, "waits on Queue@1"),
        (0, "has waited long enough"),
        (0, "reads Queue.item = null"),
    ];
    let mut trace =
        trace(Kind::Assertion, "java.lang.AssertionError", &["consumer", "producer", "logger"], &steps);
    trace.events[2].timeout = Some(Timeout {
        how: Elapsed::Wait,
        operation: "Object.wait".into(),
        location: Some(Location { file: "Queue.java".into(), line: 31, function: "take".into() }),
        overtakes: vec![1],
        withheld_by: Some(Rule::Patient),
    });
    trace
}

pub fn found(trace: Trace, file: &str) -> Found {
    Found { trace_file: Some(file.into()), ..Found::of(trace) }
}

pub fn summary(verdict: Verdict) -> Summary {
    Summary {
        command: "sojourner".into(),
        target: "model:phil".into(),
        arguments: vec!["n=3".into()],
        verdict,
        search: SearchName { name: "dfs".into(), seed: 1, ..SearchName::default() },
        stats: Stats {
            states: 1_234_567,
            transitions: 4_000_000,
            executions: 812,
            blocked_executions: 0,
            await_blocked_executions: 0,
            max_depth: 96,
            restarts: 0,
            seconds: 2.5,
            cpu_seconds: 4.75,
            peak_memory_bytes: 123_456_789,
            memory: SearchMemory { store: 1_048_576, queue: 4_096, pools: 512 },
            garbage: Some(Garbage { objects: 2_750, runs: Some(4_286) }),
        },
        store: Some(StoreUse {
            name: "compact".into(),
            states: 1_234_567,
            bytes: 27_160_474,
            note: "a state is missed with a probability below 1e-26".into(),
            pools: Vec::new(),
        }),
        ..Summary::default()
    }
}

/// The members of a swarm, the second of which won.
pub fn swarm(mut summary: Summary) -> Summary {
    let member = |name: &str, seed, states, transitions, executions, ended: &str| Member {
        name: name.into(),
        seed,
        states,
        transitions,
        executions,
        ended: ended.into(),
    };
    summary.search = SearchName { name: "auto".into(), seed: 7, winner: Some(1), ..SearchName::default() };
    summary.members = vec![
        member("dfs", 7, 1_200_000, 3_900_000, 0, "stopped by the finding"),
        member("dfs:order=random", 8, 34_000, 99_000, 0, "finding"),
        member("pct:depth=3", 9, 0, 1_000, 812, "stopped by the finding"),
    ];
    summary
}
