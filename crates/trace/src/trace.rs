//! The trace: a schedule with what happened at each step.

use crate::{Flaw, Runs, Token, serial};
use serde::{Deserialize, Serialize};
use sojourner_program::{Elapsed, Identity, Kind, Location, Rule, Schedule, Threads};

/// A finding as it is saved: how it was reached, and what happened on the way.
///
/// Threads are named by their index in `threads`, everywhere. A trace that was read has only indexes in range;
/// one put together by hand is checked by [`Trace::check`], which writing calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The program that was checked.
    pub program: Origin,
    /// The version of Sojourner that wrote the trace.
    pub version: String,
    /// The search that found it.
    pub search: Search,
    /// What was found.
    pub finding: Finding,
    /// The threads that the trace speaks of.
    pub threads: Vec<Thread>,
    /// The choices from the start.
    pub schedule: Runs,
    /// What happened at each step: the nth belongs to the nth choice. Very long schedules may have fewer events
    /// than choices, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// The last state, in words; empty if the program has none for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// Of a deadlock: what each thread waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// The schedule as it was found, if `schedule` was made shorter since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Runs>,
    /// Of an exit status that depends on the schedule: an execution with another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherExecution>,
}

/// An execution that ends otherwise than the one of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherExecution {
    /// How it ends.
    pub finding: Finding,
    /// The choices from the start.
    pub schedule: Runs,
}

/// The program that a trace belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The target, as it stood on the command line.
    pub target: String,
    /// The program's arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The options that make it the program that it is, as they could be typed: where its classes are, how much one of its
    /// steps does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What had been learned of it when it was explored (`Load::learned`), without which the schedule does not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
    /// A hash of the program's content in hexadecimal digits, by which a replay notices that it has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// The search that found something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// Its name, with its options.
    pub name: String,
    /// Its seed.
    pub seed: u64,
}

/// What was found: a `sojourner_program::Finding` with an index for its thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What sort of error.
    #[serde(with = "serial::kind")]
    pub kind: Kind,
    /// One sentence, or a few lines, for the user.
    pub message: String,
    /// The exception's class, the signal's name, the property's name.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// The thread that failed, if it is the fault of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Where it failed.
    #[serde(default, with = "serial::location", skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// A thread of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its identity, in every run of the program.
    #[serde(with = "serial::identity")]
    pub identity: Identity,
    /// What people call it.
    pub name: String,
}

/// What happened at a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The thread that moved: the same as in the schedule.
    pub thread: u32,
    /// What it did.
    pub words: String,
    /// Where it did it.
    #[serde(default, with = "serial::location", skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The time-out that expired in it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
}

/// A time-out that expired: a `sojourner_program::Timeout` with indexes for threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeout {
    /// How time passed.
    #[serde(with = "serial::elapsed")]
    pub how: Elapsed,
    /// What took the time, in a few words.
    pub operation: String,
    /// Where the thread stood then.
    #[serde(default, with = "serial::location", skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The threads that could have gone on instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overtakes: Vec<u32>,
    /// The weakest rule that would have held it back, if one would.
    #[serde(default, with = "serial::rule", skip_serializing_if = "Option::is_none")]
    pub withheld_by: Option<Rule>,
}

/// A thread that cannot move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The thread.
    pub thread: u32,
    /// What it waits for.
    pub words: String,
}

impl Trace {
    /// Whether the parts fit together: every thread is one of `threads` and has an identity, and the events are
    /// those of the schedule. Linear in the size of the trace.
    pub fn check(&self) -> Result<(), Flaw> {
        let threads = self.threads.len();
        for (index, thread) in self.threads.iter().enumerate() {
            if thread.identity.0.is_empty() {
                return Err(Flaw::NoIdentity { index });
            }
        }
        self.schedule.check("schedule", threads)?;
        if let Some(original) = &self.original {
            original.check("original", threads)?;
        }
        if let Some(other) = &self.other {
            other.schedule.check("other", threads)?;
        }
        let known = |place, thread: u32| {
            if (thread as usize) < threads { Ok(()) } else { Err(Flaw::Thread { place, thread, threads }) }
        };
        let others = self.other.as_ref().and_then(|other| other.finding.thread);
        [self.finding.thread, others]
            .into_iter()
            .flatten()
            .try_for_each(|thread| known("finding", thread))?;
        self.waiting.iter().try_for_each(|waiting| known("waiting", waiting.thread))?;
        if self.events.len() as u64 > self.schedule.len() {
            return Err(Flaw::Events { events: self.events.len(), steps: self.schedule.len() });
        }
        for (index, (event, step)) in self.events.iter().zip(self.schedule.iter()).enumerate() {
            if event.thread != step.thread {
                return Err(Flaw::Event { index, event: event.thread, step: step.thread });
            }
            let overtakes = event.timeout.iter().flat_map(|timeout| &timeout.overtakes);
            overtakes.into_iter().try_for_each(|&thread| known("timeout", thread))?;
        }
        Ok(())
    }

    /// The schedule in the numbers of `threads`, ready to be replayed. Takes eight bytes for each step.
    pub fn choices(&self, threads: &Threads) -> Result<Schedule, Flaw> {
        self.schedule.choices(self.threads.iter().map(|thread| &thread.identity), threads)
    }

    /// The schedule in one line.
    pub fn token(&self) -> Token {
        Token {
            threads: self.threads.iter().map(|thread| thread.identity.clone()).collect(),
            schedule: self.schedule.clone(),
        }
    }

    /// What people call the thread of that index, if there is one.
    pub fn name(&self, thread: u32) -> Option<&str> {
        self.threads.get(thread as usize).map(|thread| thread.name.as_str())
    }
}
