//! Why a program could not go on. A defect of the program under test is never one of these: it is a finding.

use crate::{Choice, Location};

/// Why a program could not do what the search asked of it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fault {
    /// A choice that had been offered before was not offered when its schedule was replayed.
    #[error("step {step} of the schedule cannot be taken: {why}")]
    Diverged {
        /// The step, from 0.
        step: usize,
        /// The choice that was asked for.
        choice: Choice,
        /// What was found instead.
        why: String,
    },
    /// The program does something that cannot be modelled.
    #[error("not supported: {what}")]
    Unsupported {
        /// What it does.
        what: String,
        /// Where it does it.
        location: Option<Location>,
    },
    /// A step takes so long that the program was stopped in it. Whether the step ever ends is not known.
    #[error("time: {what}")]
    TooLong {
        /// What takes so long.
        what: String,
        /// Where that is.
        location: Option<Location>,
    },
    /// The machinery around the program broke: a worker process that went away, a file that vanished.
    #[error("the program could not be run: {why}")]
    Crashed {
        /// What happened.
        why: String,
    },
    /// The search wants to end, and the program has given up in the middle of a step ([`Cancel`](crate::Cancel)). It is of no use
    /// any more.
    #[error("the search was stopped")]
    Cancelled,
    /// The program had left out choices on an assumption that turned out to be wrong. What was learned is kept in its
    /// `Load`, and programs that are opened from now on go by it: the search begins again, and ends this one without a
    /// word on what was left out.
    #[error("the search must begin again: {why}")]
    Again {
        /// What had been assumed.
        why: String,
    },
}
