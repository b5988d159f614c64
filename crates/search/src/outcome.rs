//! What a search has to say when it ends.

use crate::Memory;
use sojourner_program::{Fault, Finding, Garbage, Schedule, Verdict};
use sojourner_store::Report;
use std::fmt;
use std::time::Duration;

/// Why a search did not explore everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// The number of states was reached.
    States(u64),
    /// The number of executions was reached.
    Executions(u64),
    /// Schedules longer than that were cut.
    Depth(u32),
    /// Schedules with more preemptions were cut.
    Preemptions(u32),
    /// The frontier was full and states were dropped.
    Frontier(usize),
    /// A reduction visits some states only, and the program has something to say of all.
    Reduced,
    /// The program has left that out by itself.
    LeftOut(&'static str),
    /// A search that goes by states does not see that. States that are wrong, and executions that go on for ever, it does.
    Overlooked(&'static str),
    /// The search turned back early, or samples.
    Randomised,
    /// The store may have taken new states for old ones.
    Lossy,
    /// It had gone on long enough behind a data race.
    Race,
    /// A step of the program did not return when the search was over.
    Stuck,
    /// The user interrupted it.
    Interrupted,
    /// Another search of the swarm was first.
    Overtaken,
}

impl Reason {
    /// Whether a bound of the user cut schedules, and all that the bound allows was explored.
    pub fn is_bound(&self) -> bool {
        matches!(self, Reason::Depth(_) | Reason::Preemptions(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => write!(f, "time: the time was up"),
            Reason::Memory => write!(f, "memory: the memory was used up"),
            Reason::States(n) => write!(f, "states: the bound of {n} states was reached"),
            Reason::Executions(n) => write!(f, "executions: {n} executions were run"),
            Reason::Depth(n) => write!(f, "depth: schedules of more than {n} steps were cut"),
            Reason::Preemptions(n) => write!(f, "bounded: schedules with more than {n} preemptions were cut"),
            Reason::Frontier(n) => {
                write!(f, "bounded: the frontier was full at {n} states, others were dropped")
            }
            Reason::Reduced => {
                write!(f, "reduced: properties of states were looked at only in those that were visited")
            }
            Reason::LeftOut(what) | Reason::Overlooked(what) => f.write_str(what),
            Reason::Randomised => write!(f, "randomised: the search does not visit everything"),
            Reason::Lossy => write!(f, "bitstate: the store may have omitted states"),
            Reason::Race => write!(
                f,
                "race: behind a data race, nothing worse was found in as long again as it had taken (--races warn: explore on)"
            ),
            Reason::Stuck => {
                write!(f, "stuck: a step of the program has not returned; maybe it never does")
            }
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Overtaken => write!(f, "stopped: another search was first"),
        }
    }
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// States visited: with a store each once, without one each time.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Executions that came to an end: finished, stuck or failed.
    pub executions: u64,
    /// Executions that a reduction began and then left, because all that could follow was asleep.
    pub blocked_executions: u64,
    /// Executions that ended because a thread was left alone where it repeats itself.
    pub cut_executions: u64,
    /// Executions among the complete ones that were run before, but for the order of independent steps, where a
    /// reduction counts them.
    pub redundant_executions: u64,
    /// Executions that a search that samples, or a reduction, has begun.
    pub runs: u64,
    /// New states, or new orders of conflicting accesses, where a search of several counts them to get its share of turns.
    pub novel: u64,
    /// The longest schedule.
    pub max_depth: u64,
}

impl Tally {
    /// Adds what another worker or search counted.
    pub fn add(&mut self, other: &Tally) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.executions += other.executions;
        self.blocked_executions += other.blocked_executions;
        self.cut_executions += other.cut_executions;
        self.redundant_executions += other.redundant_executions;
        self.runs += other.runs;
        self.novel += other.novel;
        self.max_depth = self.max_depth.max(other.max_depth);
    }
}

/// A finding with the schedule that leads to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The error.
    pub finding: Finding,
    /// How to get there; `None` if the error is that something never happens.
    pub schedule: Option<Schedule>,
    /// Of an exit status that depends on the schedule: how to get to another one.
    pub other: Option<Schedule>,
    /// The bound on preemptions with which it was found, if there was one.
    pub preemptions: Option<u32>,
}

impl Found {
    /// A finding to which that schedule leads.
    pub fn new(finding: Finding, schedule: Schedule) -> Self {
        Found { finding, schedule: Some(schedule), other: None, preemptions: None }
    }
}

/// What a search that has explored everything knows of executions that go on for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// It has not looked for them.
    #[default]
    Unknown,
    /// From every state an execution can end, or what was found says otherwise.
    Clear,
    /// No execution ends at all, and that is no finding.
    NothingEnds,
}

/// What a search has to say when it ends.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The errors, one of each defect.
    pub found: Vec<Found>,
    /// Errors beside those after which the program goes on: data races, one of each defect.
    pub lesser: Vec<Found>,
    /// The statuses with which executions ended, as far as programs tell.
    pub statuses: Vec<i32>,
    /// What the program does that cannot be modelled, if that ended the search.
    pub fault: Option<Fault>,
    /// Why not everything was explored; empty: it was.
    pub reasons: Vec<Reason>,
    /// The counts, of all searches together.
    pub tally: Tally,
    /// How long it took, with the rounds before the last.
    pub elapsed: Duration,
    /// How often it began again, because the program had assumed too little (`Fault::Again`). All else but the findings
    /// is of the last round.
    pub restarts: u64,
    /// What is known of executions that go on for ever, of the search that decided.
    pub endless: Sight,
    /// The visited set, of the search that decided.
    pub store: Option<Report>,
    /// The most that each part of the memory has held, of all searches together.
    pub memory: Memory,
    /// What the garbage collectors of programs have done, if they have any.
    pub garbage: Option<Garbage>,
    /// In a swarm, the number of the search that decided.
    pub winner: Option<usize>,
    /// In a swarm, what each search did.
    pub members: Vec<Member>,
}

/// A search of a swarm.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its strategy.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// What it counted.
    pub tally: Tally,
    /// How it ended, in a few words.
    pub ended: String,
}

impl Outcome {
    /// The conclusion. `Clean` only if everything was explored.
    pub fn verdict(&self) -> Verdict {
        if !self.found.is_empty() {
            Verdict::Found
        } else if matches!(self.fault, Some(Fault::TooLong { .. })) {
            Verdict::Incomplete
        } else if self.fault.is_some() {
            Verdict::Unsupported
        } else if !self.reasons.is_empty() {
            Verdict::Incomplete
        } else {
            Verdict::Clean
        }
    }
}
