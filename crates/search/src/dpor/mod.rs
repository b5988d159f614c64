//! Dynamic partial order reduction: of all schedules that differ only in the order of independent steps, one is run.
//!
//! A worker runs an execution to its end, finds the races in it, and plans for each an execution in which the two steps
//! come in the other order (Flanagan & Godefroid 2005; Yang, Chen, Gopalakrishnan & Kirby 2007). What is planned in a
//! state, and what may be left out there because it is asleep, is what the four modes differ in ([`Reduction`]). The
//! programs only step and rewind: there are no fingerprints, and nothing is remembered of states.
//!
//! - `clock`, `history`: the steps of an execution and their happens-before relation.
//! - `races`: which steps of an execution could have come in the other order. `holds`: when a step was not possible.
//! - `rounds`: which threads need not go on, because the program has been there before. `alone`: whether that is for ever.
//! - `reversal`: the steps that have to come first for that, and what is asleep or planned already.
//! - `lanes`, `tail`: the same in long executions, without listing the steps before they are taken.
//! - `path`, `node`: the states of the path, and what is planned in each.
//! - `plan`: from races to what is planned.
//! - `worker`: the loop. `share`: what one worker hands to another.
//! - `normal_form`: whether an execution is one that was run before.

mod alone;
mod clock;
mod effect;
mod history;
mod holds;
mod lanes;
mod node;
mod normal_form;
mod path;
mod plan;
mod races;
mod reversal;
mod rounds;
mod share;
mod tail;
mod worker;

pub(crate) use share::Shared;
pub(crate) use worker::Worker;

use std::fmt;
use std::str::FromStr;

/// How much a dynamic partial order reduction leaves out. All modes run every inequivalent execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The latest race of each step is reversed (Figure 2 of Yang et al. 2007), by a thread that can begin the reversed
    /// execution. Read literally, the figure also takes threads that cannot, and misses executions.
    Classic,
    /// Every earlier step that a step depends on is reversed at once (Figure 9 of Yang et al. 2007).
    Eager,
    /// Source sets (Abdulla, Aronis, Jonsson & Sagonas 2014): nothing is planned where something that is planned
    /// already can begin the reversed execution. No execution is completed twice; some are begun in vain.
    Source,
    /// Wake-up sequences (same paper): what is planned is the whole way to the reversed race, so that none is begun in
    /// vain either.
    #[default]
    Optimal,
}

impl Reduction {
    /// Every mode.
    pub const ALL: [Reduction; 4] =
        [Reduction::Classic, Reduction::Eager, Reduction::Source, Reduction::Optimal];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Reduction::Classic => "classic",
            Reduction::Eager => "eager",
            Reduction::Source => "source",
            Reduction::Optimal => "optimal",
        }
    }

    /// Whether workers plan in the same states together. If not, each has a copy, and they may run the same executions.
    pub(crate) const fn plans_together(self) -> bool {
        matches!(self, Reduction::Source | Reduction::Optimal)
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reduction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Reduction::ALL.into_iter().find(|mode| mode.name() == text).ok_or(())
    }
}
