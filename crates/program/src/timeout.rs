//! Time that passed in a step.

use crate::{Location, ThreadId};

/// That a time-out expired in a step, or that time passed in it in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeout {
    /// How time passed.
    pub how: Elapsed,
    /// What took the time, in a few words: `Object.wait`, `wait on ready`.
    pub operation: String,
    /// Where the thread stood then.
    pub location: Option<Location>,
    /// The threads that could have gone on instead, without a time-out of their own.
    pub overtakes: Vec<ThreadId>,
    /// The weakest rule under which time does not pass here while another thread gets on; `None` if the rule in force
    /// is already as strict.
    pub withheld_by: Option<Rule>,
}

/// How time passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elapsed {
    /// A thread gave up waiting: for a notification, a lock, the end of a thread.
    Wait,
    /// A thread had slept for long enough.
    Sleep,
    /// A thread asked for the time again and again.
    Poll,
}

impl Elapsed {
    /// Every way.
    pub const ALL: [Elapsed; 3] = [Elapsed::Wait, Elapsed::Sleep, Elapsed::Poll];

    /// The name that results and traces use.
    pub const fn name(self) -> &'static str {
        match self {
            Elapsed::Wait => "wait",
            Elapsed::Sleep => "sleep",
            Elapsed::Poll => "poll",
        }
    }
}

/// A rule that holds time-outs back, as the option `--timeouts` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Long waits time out only when no other thread gets on.
    Patient,
    /// Time passes only when nothing else can happen.
    Last,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 2] = [Rule::Patient, Rule::Last];

    /// The name that the option, results and traces use.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Patient => "patient",
            Rule::Last => "last",
        }
    }
}
