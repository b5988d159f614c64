//! Traces of schedules that have been followed.

use sojourner_program::{Choice, Finding, Load, Schedule};
use sojourner_search::Replayed;
use sojourner_trace::{Event, Origin, OtherExecution, RunsError, Search, Trace, TraceThreads, Waiting};

/// The trace of a replayed finding. `original` is the schedule before it was made short, `other` an execution that ends otherwise.
pub fn trace<L: Load>(
    load: &L,
    replayed: &Replayed,
    finding: &Finding,
    original: &[Choice],
    other: Option<&(Finding, Schedule)>,
    program: Origin,
    search: Search,
) -> Result<Trace, RunsError> {
    let schedule: Schedule = replayed.events.iter().map(|event| event.choice).collect();
    let name = |id| {
        let known = replayed.threads.iter().find(|(thread, _)| *thread == id);
        known.map_or_else(|| format!("thread {}", load.threads().identity(id)), |(_, name)| name.clone())
    };
    let mut trace_threads = TraceThreads::new(load.threads(), name);
    // Columns stand in the order of the threads, not in that of their first steps.
    for (thread, _) in &replayed.threads {
        trace_threads.index(*thread);
    }
    Ok(Trace {
        program,
        version: env!("CARGO_PKG_VERSION").into(),
        search,
        finding: trace_threads.finding(finding),
        schedule: trace_threads.runs(&schedule)?,
        events: replayed
            .events
            .iter()
            .map(|event| Event {
                thread: trace_threads.index(event.choice.thread),
                words: event.words.clone(),
                location: event.location.clone(),
                timeout: event.timeout.as_ref().map(|timeout| trace_threads.timeout(timeout)),
            })
            .collect(),
        end: replayed.end.clone(),
        waiting: replayed
            .waiting
            .iter()
            .map(|(thread, words)| Waiting { thread: trace_threads.index(*thread), words: words.clone() })
            .collect(),
        other: match other {
            Some((finding, schedule)) => Some(OtherExecution {
                finding: trace_threads.finding(finding),
                schedule: trace_threads.runs(schedule)?,
            }),
            None => None,
        },
        original: if original == schedule { None } else { Some(trace_threads.runs(original)?) },
        threads: trace_threads.into_threads(),
    })
}
