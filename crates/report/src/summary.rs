//! What a check came to: all that a report says.

use crate::trace_text::command;
use sojourner_program::{Garbage, Kind, Location, Verdict};
use sojourner_trace::Trace;
use std::path::PathBuf;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The command that has checked it and that replays its traces.
    pub command: String,
    /// The target, as it stood on the command line.
    pub target: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// What can be said of the program.
    pub verdict: Verdict,
    /// Why the verdict is `incomplete` or `unsupported`.
    pub reasons: Vec<String>,
    /// The errors that were reached.
    pub findings: Vec<Found>,
    /// What the user should know and what is not an error of the program.
    pub warnings: Vec<String>,
    /// What the verdict does not cover.
    pub caveats: Vec<String>,
    /// The search.
    pub search: SearchName,
    /// The searches of a swarm; empty if there was one only.
    pub members: Vec<Member>,
    /// The numbers, of all searches together.
    pub stats: Stats,
    /// The store, if the search had one.
    pub store: Option<StoreUse>,
}

impl Summary {
    /// The search of the swarm that decided the verdict, if there is one.
    pub fn winner(&self) -> Option<&Member> {
        self.members.get(self.search.winner?)
    }

    /// The command that runs that search alone.
    pub fn repeat(&self) -> Option<String> {
        if self.search.repeat.is_empty() {
            return None;
        }
        let program = command(&self.target, &self.search.repeat, &self.arguments);
        Some(format!("{} check {program}", self.command))
    }
}

/// An error that was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What sort of error.
    pub kind: Kind,
    /// One sentence, or a few lines, for the user.
    pub message: String,
    /// The exception's class, the signal's name, the property's name.
    pub type_name: Option<String>,
    /// What people call the thread that failed.
    pub thread: Option<String>,
    /// Where it failed.
    pub location: Option<Location>,
    /// The bound on preemptions with which it was found, if there was one.
    pub preemptions: Option<u32>,
    /// The file in which its trace was saved.
    pub trace_file: Option<PathBuf>,
    /// Its trace.
    pub trace: Option<Trace>,
}

impl Found {
    /// What a trace shows, so that a report says the same of the finding wherever it speaks of it.
    pub fn of(trace: Trace) -> Found {
        let finding = trace.finding.clone();
        Found {
            kind: finding.kind,
            message: finding.message,
            type_name: finding.type_name,
            thread: finding.thread.and_then(|thread| trace.name(thread)).map(String::from),
            location: finding.location,
            preemptions: None,
            trace_file: None,
            trace: Some(trace),
        }
    }
}

/// A search by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchName {
    /// Its name, with its options.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// The member of the swarm that decided the verdict, by its index: names may be equal.
    pub winner: Option<usize>,
    /// The options with which that member does the same alone; none if there is no such member.
    pub repeat: Vec<String>,
}

/// One search of a swarm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Its name, with its options.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// The states that it visited.
    pub states: u64,
    /// The transitions that it took.
    pub transitions: u64,
    /// The executions that it completed.
    pub executions: u64,
    /// How it ended, in a few words.
    pub ended: String,
}

/// The numbers of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Different states visited; 0 for a search without a store.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Complete executions, deadlocked and failing ones included.
    pub executions: u64,
    /// Executions cut by sleep sets.
    pub blocked_executions: u64,
    /// Executions cut while a thread waited for a value.
    pub await_blocked_executions: u64,
    /// The longest schedule.
    pub max_depth: u64,
    /// How often the search began again, because a reduction had assumed too little.
    pub restarts: u64,
    /// Elapsed time.
    pub seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: f64,
    /// The most memory in use at a time.
    pub peak_memory_bytes: u64,
    /// The most that each part of the search has held.
    pub memory: SearchMemory,
    /// What the program's garbage collector has done, if it has one.
    pub garbage: Option<Garbage>,
}

/// The memory of a search, in bytes, counted by what its parts hold. Unlike the memory in use, it does not depend on what else the
/// process does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchMemory {
    /// The visited states.
    pub store: u64,
    /// The open states, the path, and what the program keeps to go back along it.
    pub queue: u64,
    /// The components of states that the program can go to.
    pub pools: u64,
}

/// What a store held at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreUse {
    /// Its name.
    pub name: String,
    /// The states that it held.
    pub states: u64,
    /// The memory that it took.
    pub bytes: u64,
    /// What should be known of it: the probability that a state was omitted, for one.
    pub note: String,
    /// Its pools: for each kind of component its name, the number of entries and their bytes.
    pub pools: Vec<(String, u64, u64)>,
}
