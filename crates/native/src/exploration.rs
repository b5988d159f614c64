//! How programs are explored, and how they end when they are only run.

use sojourner_frontend::shared::{Races, Timeouts};
use sojourner_names::names;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use sojourner_native_rt::protocol::{
    SUMS_FOR_MATCHING, Settings, TIMEOUTS_ANY, TIMEOUTS_LAST, TIMEOUTS_PATIENT,
};
use std::time::Duration;

names! {
    /// Which waiter a signal of a condition variable wakes.
    pub enum Signal ("rule for signals") {
        /// any: each is an outcome, as POSIX allows
        Any = "any",
        /// the waiter that has waited longest
        Fifo = "fifo",
    }
}

names! {
    /// What is done about memory that is neither freed nor reachable when the program ends.
    pub enum Leaks ("treatment of leaks") {
        /// a warning
        Warn = "warn",
        /// a finding
        Fail = "fail",
        /// nothing: leaks are not looked for
        Off = "off",
    }
}

/// How a program is explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// Which waiter a signal wakes.
    pub signal: Signal,
    /// When time-outs come.
    pub timeouts: Timeouts,
    /// What is done about data races.
    pub races: Races,
    /// What is done about leaks.
    pub leaks: Leaks,
    /// Whether each execution has a process of its own. If it turns out that the program needs it, it has all the same.
    pub isolate: bool,
    /// Whether an exit status other than 0 is a finding.
    pub exit: bool,
    /// Time without a visible operation after which the program is taken to run for ever.
    pub patience: Duration,
}

impl Default for Exploration {
    fn default() -> Exploration {
        Exploration {
            signal: Signal::Any,
            timeouts: Timeouts::Any,
            races: Races::Warn,
            leaks: Leaks::Warn,
            isolate: false,
            exit: false,
            patience: Duration::from_secs(10),
        }
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Exploration {
    /// The same for the runtime; `follows`: a schedule that is known is followed, and what the program prints is kept.
    pub(crate) fn settings(&self, follows: bool, reduction: Reduction) -> Settings {
        Settings {
            signal_any: u32::from(self.signal == Signal::Any),
            races: match self.races {
                // In states it shows by itself which accesses race.
                _ if reduction.states => 0,
                Races::Off => 0,
                Races::Warn | Races::Last => 1,
                Races::Fail => 2,
            },
            output: u32::from(follows),
            leaks: u32::from(self.leaks != Leaks::Off),
            cuts: u32::from(reduction.cuts),
            returns: reduction.revisits.times(),
            lenient: u32::from(follows || reduction.revisits == RevisitDetection::BySearch),
            sums: match (reduction.states, reduction.revisits) {
                (true, _) => SUMS_FOR_MATCHING,
                (false, revisits) => u32::from(revisits == RevisitDetection::BySearch),
            },
            guards: u32::from(reduction.guards),
            sections: u32::from(reduction.sections),
            timeouts: match self.timeouts {
                Timeouts::Any => TIMEOUTS_ANY,
                Timeouts::Patient => TIMEOUTS_PATIENT,
                Timeouts::Last => TIMEOUTS_LAST,
            },
            threads: 0,
            calls: 0,
        }
    }
}

/// What a reduction need not be told of, and a search without one must be.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    /// Whether threads that repeat themselves are left alone.
    pub cuts: bool,
    /// Whether accesses that a mutex guards are no steps.
    pub guards: bool,
    /// Whether an atomic section is one step.
    pub sections: bool,
    pub revisits: RevisitDetection,
    /// Whether a search goes by states.
    pub states: bool,
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Reduction {
    /// For a search that goes by states.
    pub const BY_STATES: Reduction = Reduction {
        cuts: false,
        guards: true,
        sections: false,
        revisits: RevisitDetection::BySearch,
        states: true,
    };
}

/// How it is found out that a program has come back to a state that it has been in.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RevisitDetection {
    /// The program is known to: the search is told of states, and finds out by itself.
    BySearch,
    /// It is looked when a thread has come back to where it was.
    FirstReturn,
    /// It is looked when it has done so four times. Summing up a state takes time, and a search that begins again when it is
    /// known that states come again loses little by finding out later. Nor may a program that follows a schedule find out earlier than
    /// the search that it comes from.
    FourthReturn,
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl RevisitDetection {
    /// How often the thread must have come back.
    fn times(self) -> u32 {
        match self {
            RevisitDetection::BySearch => u32::MAX,
            RevisitDetection::FirstReturn => 1,
            RevisitDetection::FourthReturn => 4,
        }
    }
}

/// How a program ended that was run once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with that status.
    Exit(i32),
    /// By that signal.
    Died(i32),
}
