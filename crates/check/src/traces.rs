//! Traces of schedules that have been followed.

use sojourner_program::{Choice, Finding, Load, Schedule};
use sojourner_search::Replayed;
use sojourner_trace::{Cast, Event, Origin, Other, RunsError, Search, Trace, Waiting};

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
    let mut cast = Cast::new(load.threads(), name);
    // Columns stand in the order of the threads, not in that of their first steps.
    for (thread, _) in &replayed.threads {
        cast.index(*thread);
    }
    Ok(Trace {
        program,
        version: env!("CARGO_PKG_VERSION").into(),
        search,
        finding: cast.finding(finding),
        schedule: cast.runs(&schedule)?,
        events: replayed
            .events
            .iter()
            .map(|event| Event {
                thread: cast.index(event.choice.thread),
                words: event.words.clone(),
                location: event.location.clone(),
                timeout: event.timeout.as_ref().map(|timeout| cast.timeout(timeout)),
            })
            .collect(),
        end: replayed.end.clone(),
        waiting: replayed
            .waiting
            .iter()
            .map(|(thread, words)| Waiting { thread: cast.index(*thread), words: words.clone() })
            .collect(),
        other: match other {
            Some((finding, schedule)) => {
                Some(Other { finding: cast.finding(finding), schedule: cast.runs(schedule)? })
            }
            None => None,
        },
        original: if original == schedule { None } else { Some(cast.runs(original)?) },
        threads: cast.into_threads(),
    })
}
