//! Following a saved schedule.

use crate::traces::trace;
use sojourner_frontend::Target;
use sojourner_program::{Choice, Fault, Finding, Kind, Load, Schedule, Verdict};
use sojourner_search::{Replayed as Followed, comes_back, replay as follow};
use sojourner_trace::{Flaw, Origin, RunsError, Search, Token, Trace};

/// Where a schedule comes from.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A trace file.
    Trace(Box<Trace>),
    /// A replay token.
    Token(Token),
}

/// A saved schedule that is to be followed again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The schedule.
    pub saved: Saved,
    /// The program, as the new trace is to describe it.
    pub origin: Origin,
    /// Follow the schedule as it was found, before it was made short.
    pub original: bool,
    /// Of an exit status that depends on the schedule: follow the schedule that leads to the other status.
    pub other: bool,
}

/// What came of a replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What was noticed before the schedule was followed.
    pub notes: Vec<Note>,
    /// How it ended.
    pub end: End,
}

impl Replayed {
    /// `Found`: the finding is there again. `Unsupported`: the program cannot be run. `Incomplete`: all else.
    pub fn verdict(&self) -> Verdict {
        match self.end {
            End::Found { same: true, .. } => Verdict::Found,
            End::Fault(_) => Verdict::Unsupported,
            End::Diverged { .. } | End::Nothing { .. } | End::Found { same: false, .. } => {
                Verdict::Incomplete
            }
        }
    }
}

/// What was noticed before a schedule was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The content of the program is another than when the trace was saved.
    ProgramChanged,
    /// There is no schedule as it was found: the saved one was not made short.
    NoOriginal,
}

/// How a replay ended.
#[derive(Clone, Debug)]
pub enum End {
    /// A step cannot be taken.
    Diverged {
        /// Its number, from 1.
        step: usize,
        /// How many steps the schedule has.
        of: usize,
        /// Why it cannot.
        why: String,
    },
    /// The program cannot be run to the end of the schedule.
    Fault(Fault),
    /// The schedule ends without an error.
    Nothing {
        /// The steps that were taken.
        steps: usize,
    },
    /// An error was found.
    Found {
        /// The trace of the replay.
        trace: Box<Trace>,
        /// The steps up to the error.
        steps: usize,
        /// The steps of the saved schedule.
        of: usize,
        /// Whether it is the finding that was saved; always so if only a token was.
        same: bool,
    },
}

/// Why a saved schedule cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The trace has one execution only.
    #[error("the trace has no other execution: --other is for exit statuses that depend on the schedule")]
    NoOther,
    /// The schedule does not fit the program's threads.
    #[error("the schedule cannot be followed: {0}")]
    Flaw(#[from] Flaw),
    /// The schedule is too long for a trace.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl Replay {
    /// Follows the schedule on a program.
    pub fn run<T: Target>(&self, target: &T) -> Result<Replayed, ReplayError> {
        target.learn(&self.origin.learned);
        let mut notes = Vec::new();
        let (schedule, expected, search) = match &self.saved {
            Saved::Token(token) => (token.choices(target.threads())?, None, Search::default()),
            Saved::Trace(trace) => {
                if trace.program.hash.is_some() && trace.program.hash != target.content_hash() {
                    notes.push(Note::ProgramChanged);
                }
                if self.other && trace.other.is_none() {
                    return Err(ReplayError::NoOther);
                }
                if self.original && trace.original.is_none() {
                    notes.push(Note::NoOriginal);
                }
                let other = trace.other.as_ref().filter(|_| self.other);
                let expected = other.map_or(&trace.finding, |other| &other.finding);
                (self.schedule(trace, target)?, Some(expected), trace.search.clone())
            }
        };
        let end = match follow(target, &schedule) {
            // Steps are counted from 1 wherever people read them.
            Err(Fault::Diverged { step, why, .. }) => {
                End::Diverged { step: step + 1, of: schedule.len(), why }
            }
            Err(fault) => End::Fault(fault),
            Ok(followed) => self.end(target, &schedule, &followed, expected, search)?,
        };
        Ok(Replayed { notes, end })
    }

    fn end<T: Target>(
        &self,
        target: &T,
        schedule: &[Choice],
        followed: &Followed,
        expected: Option<&sojourner_trace::Finding>,
        search: Search,
    ) -> Result<End, ReplayError> {
        let taken: Schedule = followed.events.iter().map(|event| event.choice).collect();
        let finding = shown(target, schedule, followed, expected);
        let Some(finding) = finding else { return Ok(End::Nothing { steps: taken.len() }) };
        let mut trace = trace(target, followed, &finding, &taken, None, self.origin.clone(), search)?;
        if let Saved::Trace(saved) = &self.saved
            && !self.other
        {
            trace.other.clone_from(&saved.other);
        }
        let same = expected.is_none_or(|expected| {
            (expected.kind, &expected.type_name) == (finding.kind, &finding.type_name)
        });
        Ok(End::Found { trace: Box::new(trace), steps: taken.len(), of: schedule.len(), same })
    }

    fn schedule<L: Load>(&self, trace: &Trace, load: &L) -> Result<Schedule, Flaw> {
        let other = trace.other.as_ref().filter(|_| self.other).map(|other| &other.schedule);
        let original = trace.original.as_ref().filter(|_| self.original);
        let Some(schedule) = other.or(original) else { return trace.choices(load.threads()) };
        let identities: Vec<_> = trace.threads.iter().map(|thread| thread.identity.clone()).collect();
        Token { threads: identities, schedule: schedule.clone() }.choices(load.threads())
    }
}

/// The finding at the end of a schedule that was followed, `expected` if it shows.
fn shown<T: Target>(
    target: &T,
    schedule: &[Choice],
    followed: &Followed,
    expected: Option<&sojourner_trace::Finding>,
) -> Option<Finding> {
    let finding = match expected {
        // The thread does not tell defects apart.
        Some(saved) => followed.shows(&Finding {
            kind: saved.kind,
            message: String::new(),
            type_name: saved.type_name.clone(),
            thread: None,
            location: saved.location.clone(),
        }),
        None => {
            let status = followed.status.filter(|status| *status != 0);
            followed.lesser.last().cloned().or(status.map(Finding::exit))
        }
    };
    // That a status depends on the schedule takes two executions to see.
    let finding = finding.map(|finding| match expected {
        Some(saved) if finding.kind == Kind::Exit => Finding { message: saved.message.clone(), ..finding },
        _ => finding,
    });
    let livelock = expected.filter(|expected| matches!(expected.kind, Kind::Livelock | Kind::Hang));
    let livelock = livelock
        .filter(|_| followed.finding.is_none() && matches!(comes_back(target, schedule), Ok(Some(_))));
    let finding = finding.or_else(|| followed.finding.clone());
    finding.or(livelock.map(|saved| Finding::new(saved.kind, &saved.message)))
}
