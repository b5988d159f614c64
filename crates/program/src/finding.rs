//! Errors of the program under test.

use crate::{Schedule, ThreadId};
use std::fmt;

/// What sort of error a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Threads remain and none of them can move.
    Deadlock,
    /// An assertion of the program failed.
    Assertion,
    /// An exception left a thread.
    Exception,
    /// A panic ended a thread of a Rust program.
    Panic,
    /// Two conflicting accesses are unordered.
    Race,
    /// A use after free, an access out of bounds, a leak.
    Memory,
    /// An interface was used against its rules.
    Misuse,
    /// The program died: a signal, an abort.
    Crash,
    /// A thread can never finish, whatever the other threads do.
    Hang,
    /// Threads move for ever without progress.
    Livelock,
    /// The exit status depends on the schedule, or is not the one that was asked for.
    Exit,
    /// A property that the user stated does not hold.
    Property,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 12] = [
        Kind::Deadlock,
        Kind::Assertion,
        Kind::Exception,
        Kind::Panic,
        Kind::Race,
        Kind::Memory,
        Kind::Misuse,
        Kind::Crash,
        Kind::Hang,
        Kind::Livelock,
        Kind::Exit,
        Kind::Property,
    ];

    /// The name that results and traces use.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Exception => "exception",
            Kind::Panic => "panic",
            Kind::Race => "race",
            Kind::Memory => "memory",
            Kind::Misuse => "misuse",
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::Livelock => "livelock",
            Kind::Exit => "exit",
            Kind::Property => "property",
        }
    }

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A place in the source of the program under test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The source file, or the class or model where there is none.
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The function or method; empty if it is not known.
    pub function: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if !self.function.is_empty() {
            write!(f, " ({})", self.function)?;
        }
        Ok(())
    }
}

/// An error after which the program goes on as if nothing had happened, so that something worse may follow: a data race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesser {
    /// The error.
    pub finding: Finding,
    /// The choices that lead to it from the state behind the step that reports it; mostly none.
    pub behind: Schedule,
}

/// An error that was reached. The schedule that leads to it is kept beside it by the search.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// What sort of error.
    pub kind: Kind,
    /// One sentence, or a few lines, for the user.
    pub message: String,
    /// The exception's class, the signal's name, the property's name: what tells two of a kind apart.
    pub type_name: Option<String>,
    /// The thread that failed, if it is the fault of one.
    pub thread: Option<ThreadId>,
    /// Where it failed.
    pub location: Option<Location>,
}

impl Finding {
    /// A finding with nothing but its kind and message.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Finding { kind, message: message.into(), type_name: None, thread: None, location: None }
    }

    /// That the program ends with that status.
    pub fn exit(status: i32) -> Self {
        let message = format!("the program ends with status {status}");
        Finding { type_name: Some(status.to_string()), ..Finding::new(Kind::Exit, message) }
    }

    /// Whether two findings are the same error seen twice: of one kind and type, at one place. Shortening keeps
    /// this, and several findings of one program are told apart by it.
    pub fn same_defect(&self, other: &Finding) -> bool {
        (self.kind, &self.type_name, &self.location) == (other.kind, &other.type_name, &other.location)
    }
}
