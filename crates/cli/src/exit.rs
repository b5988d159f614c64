//! Exit codes: part of the interface, so they stand in one place.

use sojourner_report::Verdict;
use std::process::ExitCode;

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// A check or replay has come to a verdict.
    Verdict(Verdict),
    /// A program ran to its end, with this status.
    Program(i32),
    /// A deadlock ended a program.
    Deadlock,
    /// Something other than a check was asked for and done.
    Done,
    /// A bad option, or a target that is not there or not readable.
    Usage,
    /// A defect of this tool.
    Defect,
}

impl Exit {
    /// The number that the system is told.
    pub fn code(self) -> u8 {
        match self {
            Exit::Verdict(verdict) => verdict.exit_code(),
            // The system keeps the low byte.
            Exit::Program(status) => status as u8,
            Exit::Deadlock => 1,
            Exit::Done => 0,
            Exit::Usage => 2,
            Exit::Defect => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
