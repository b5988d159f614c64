//! The result for machines.
//!
//! Fields are never left out: what is unknown is `null`, what is empty is an empty list. Within one version of the
//! schema fields may be added and none is removed or changes its meaning.

use crate::{Found, Member, SearchMemory, Stats, StoreUse, Summary, timeouts};
use serde::Serialize;
use sojourner_program::{Garbage, Location, Rule};
use sojourner_trace::{Event, Timeout, Trace};

/// The schema of the results that [`json`] writes.
pub const SCHEMA: &str = "sojourner/result/1";

/// The result as JSON, with a newline at the end.
pub fn json(summary: &Summary) -> String {
    let result = Result {
        schema: SCHEMA,
        target: &summary.target,
        arguments: &summary.arguments,
        verdict: summary.verdict.name(),
        reasons: &summary.reasons,
        findings: summary.findings.iter().map(Finding::of).collect(),
        warnings: &summary.warnings,
        caveats: &summary.caveats,
        search: Search {
            name: &summary.search.name,
            seed: summary.search.seed,
            winner: summary.winner().map(|member| member.name.as_str()),
            winner_index: summary.search.winner,
            repeat: summary.repeat(),
        },
        members: summary.members.iter().map(MemberOf::of).collect(),
        stats: Numbers::of(&summary.stats),
        store: summary.store.as_ref().map(Store::of),
    };
    let mut text =
        serde_json::to_string_pretty(&result).expect("strings, numbers and lists always become JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Result<'a> {
    schema: &'static str,
    target: &'a str,
    arguments: &'a [String],
    verdict: &'static str,
    reasons: &'a [String],
    findings: Vec<Finding<'a>>,
    warnings: &'a [String],
    caveats: &'a [String],
    search: Search<'a>,
    members: Vec<MemberOf<'a>>,
    stats: Numbers,
    store: Option<Store<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    kind: &'static str,
    message: &'a str,
    r#type: Option<&'a str>,
    thread: Option<&'a str>,
    location: Option<SourceLocation<'a>>,
    preemptions: Option<u32>,
    trace: Option<String>,
    timeouts: Vec<TimeoutOf<'a>>,
}

impl<'a> Finding<'a> {
    fn of(found: &'a Found) -> Self {
        Finding {
            kind: found.kind.name(),
            message: &found.message,
            r#type: found.type_name.as_deref(),
            thread: found.thread.as_deref(),
            location: found.location.as_ref().map(SourceLocation::of),
            preemptions: found.preemptions,
            // JSON has no words for a path that is not Unicode.
            trace: found.trace_file.as_ref().map(|path| path.to_string_lossy().into_owned()),
            timeouts: found.trace.iter().flat_map(TimeoutOf::all).collect(),
        }
    }
}

/// A step of the schedule in which a time-out expired.
#[derive(Serialize)]
struct TimeoutOf<'a> {
    /// From 1.
    step: u64,
    thread: Option<&'a str>,
    location: Option<SourceLocation<'a>>,
    how: &'static str,
    operation: &'a str,
    /// The names of threads that could have gone on instead.
    overtakes: Vec<&'a str>,
    withheld_by: Option<&'static str>,
}

impl<'a> TimeoutOf<'a> {
    fn all(trace: &'a Trace) -> impl Iterator<Item = Self> {
        timeouts::all(trace).map(|(step, event, timeout)| TimeoutOf::of(trace, step, event, timeout))
    }

    fn of(trace: &'a Trace, step: u64, event: &'a Event, timeout: &'a Timeout) -> Self {
        TimeoutOf {
            step,
            thread: trace.name(event.thread),
            location: timeout.location.as_ref().map(SourceLocation::of),
            how: timeout.how.name(),
            operation: &timeout.operation,
            overtakes: timeout.overtakes.iter().filter_map(|&thread| trace.name(thread)).collect(),
            withheld_by: timeout.withheld_by.map(Rule::name),
        }
    }
}

#[derive(Serialize)]
struct SourceLocation<'a> {
    file: &'a str,
    line: u32,
    function: &'a str,
}

impl<'a> SourceLocation<'a> {
    fn of(location: &'a Location) -> Self {
        SourceLocation { file: &location.file, line: location.line, function: &location.function }
    }
}

#[derive(Serialize)]
struct Search<'a> {
    name: &'a str,
    seed: u64,
    winner: Option<&'a str>,
    winner_index: Option<usize>,
    repeat: Option<String>,
}

#[derive(Serialize)]
struct MemberOf<'a> {
    name: &'a str,
    seed: u64,
    states: u64,
    transitions: u64,
    executions: u64,
    ended: &'a str,
}

impl<'a> MemberOf<'a> {
    fn of(member: &'a Member) -> Self {
        let Member { name, seed, states, transitions, executions, ended } = member;
        MemberOf {
            name,
            seed: *seed,
            states: *states,
            transitions: *transitions,
            executions: *executions,
            ended,
        }
    }
}

#[derive(Serialize)]
struct Numbers {
    states: u64,
    transitions: u64,
    executions: u64,
    blocked_executions: u64,
    await_blocked_executions: u64,
    max_depth: u64,
    restarts: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_memory_bytes: u64,
    memory: MemoryOf,
    garbage: Option<GarbageOf>,
}

/// The most bytes that each part of the search has held.
#[derive(Serialize)]
struct MemoryOf {
    store: u64,
    queue: u64,
    pools: u64,
}

#[derive(Serialize)]
struct GarbageOf {
    objects: u64,
    /// Nothing for a collector that does not mark.
    runs: Option<u64>,
}

impl Numbers {
    fn of(stats: &Stats) -> Self {
        let SearchMemory { store, queue, pools } = stats.memory;
        Numbers {
            states: stats.states,
            transitions: stats.transitions,
            executions: stats.executions,
            blocked_executions: stats.blocked_executions,
            await_blocked_executions: stats.await_blocked_executions,
            max_depth: stats.max_depth,
            restarts: stats.restarts,
            seconds: stats.seconds,
            cpu_seconds: stats.cpu_seconds,
            peak_memory_bytes: stats.peak_memory_bytes,
            memory: MemoryOf { store, queue, pools },
            garbage: stats.garbage.map(|Garbage { objects, runs }| GarbageOf { objects, runs }),
        }
    }
}

#[derive(Serialize)]
struct Store<'a> {
    name: &'a str,
    states: u64,
    bytes: u64,
    note: &'a str,
    pools: Vec<Pool<'a>>,
}

impl<'a> Store<'a> {
    fn of(store: &'a StoreUse) -> Self {
        let pools =
            store.pools.iter().map(|(name, entries, bytes)| Pool { name, entries: *entries, bytes: *bytes });
        Store {
            name: &store.name,
            states: store.states,
            bytes: store.bytes,
            note: &store.note,
            pools: pools.collect(),
        }
    }
}

#[derive(Serialize)]
struct Pool<'a> {
    name: &'a str,
    entries: u64,
    bytes: u64,
}
