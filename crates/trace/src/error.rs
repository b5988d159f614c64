//! What can be wrong with a trace, in words that say what to do about it.

use crate::SCHEMA;
use std::path::PathBuf;

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file could not be opened or read.
    #[error("{}: cannot be read; check the path and its permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file could not be written.
    #[error("{}: cannot be written; check that the folder exists, may be written to and has room", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Reading or writing failed where no path is known.
    #[error("the trace could not be transferred")]
    Transfer(#[from] std::io::Error),
    /// The contents are something else.
    #[error("not a trace: {why}; give a file that `sojourner check` has saved")]
    Foreign {
        /// How that was noticed.
        why: String,
    },
    /// A trace of another version of the format.
    #[error(
        "the trace has the schema `{found}` and this version reads `{SCHEMA}`; use the version of Sojourner that wrote it, or check the program again"
    )]
    Version {
        /// The schema that it names.
        found: String,
    },
    /// It starts like a trace, and is damaged.
    #[error(
        "the trace is damaged at line {line}, column {column}: {why}; restore the file or check the program again"
    )]
    Corrupt {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// It is well formed, and its parts do not fit together.
    #[error("the trace contradicts itself: {0}; restore the file or check the program again")]
    Flawed(#[from] Flaw),
    /// It is larger than any trace should be.
    #[error("the trace is larger than {limit} bytes; shorten its schedule or leave out its events")]
    TooLarge {
        /// The most that is read or written.
        limit: u64,
    },
}

/// How the parts of a trace contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A schedule names a thread that is not listed.
    #[error("step {step} of `{place}` is of thread {thread}, and `threads` lists {threads}")]
    Step {
        /// The field of the schedule.
        place: &'static str,
        /// The step, from 0.
        step: u64,
        /// The index that is out of range.
        thread: u32,
        /// How many threads are listed.
        threads: usize,
    },
    /// Another part names a thread that is not listed.
    #[error("`{place}` names thread {thread}, and `threads` lists {threads}")]
    Thread {
        /// The field.
        place: &'static str,
        /// The index that is out of range.
        thread: u32,
        /// How many threads are listed.
        threads: usize,
    },
    /// A thread has an empty identity.
    #[error("thread {index} has no identity")]
    NoIdentity {
        /// The thread's index.
        index: usize,
    },
    /// There are more events than steps.
    #[error("it has {events} events for {steps} steps")]
    Events {
        /// The number of events.
        events: usize,
        /// The number of steps.
        steps: u64,
    },
    /// An event is not of the thread that the schedule names.
    #[error("event {index} is of thread {event}, and that step of the schedule of thread {step}")]
    Event {
        /// The step, from 0.
        index: usize,
        /// The event's thread.
        event: u32,
        /// The schedule's thread.
        step: u32,
    },
}
