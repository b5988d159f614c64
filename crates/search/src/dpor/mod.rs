//! Dynamic partial order reduction: of all schedules that differ only in the order of independent steps, one is run.
//!
//! A worker runs an execution to its end, finds the races in it, and plans for each an execution in which the two steps
//! come in the other order (Flanagan & Godefroid 2005; Yang, Chen, Gopalakrishnan & Kirby 2007). What is planned in a
//! state, and what may be left out there because it is asleep, is what the four modes differ in ([`Reduction`]). The
//! programs only step and rewind: there are no fingerprints, and nothing is remembered of states.
//!
//! - `clock`, `history`: the steps of an execution and their happens-before relation.
//! - `races`: which steps of an execution could have come in the other order. `lock_holds`: when a step was not possible.
//! - `repeated_states`: which threads need not go on, because the program has been there before. `single_thread_loops`: whether that is for ever.
//! - `reversal`: the steps that have to come first for that, and what is asleep or planned already.
//! - `thread_ranges`, `deferred_sequences`: the same in long executions, without listing the steps before they are taken.
//! - `path`, `node`: the states of the path, and what is planned in each.
//! - `plan`: from races to what is planned.
//! - `worker`: the loop. `share`: what one worker hands to another.
//! - `normal_form`: whether an execution is one that was run before.

mod clock;
mod deferred_sequences;
mod effect;
mod history;
mod lock_holds;
mod node;
mod normal_form;
mod path;
mod plan;
mod races;
mod repeated_states;
mod reversal;
mod share;
mod single_thread_loops;
mod thread_ranges;
mod worker;

pub(crate) use share::Shared;
pub(crate) use worker::Worker;

use sojourner_names::names;

names! {
    /// How much a dynamic partial order reduction leaves out. All modes run every inequivalent execution.
    ///
    /// - `optimal`, wake-up sequences, and `source`, source sets: Abdulla, Aronis, Jonsson & Sagonas 2014. With source sets nothing is
    ///   planned where something that is planned already can begin the reversed execution. With wake-up sequences, what is planned
    ///   is the whole sequence of the reversed race.
    /// - `eager`: Figure 9 of Yang et al. 2007. `classic`: Figure 2 there, where a race is reversed by a thread that can begin the
    ///   reversed execution. Read literally, that figure also takes threads that cannot, and misses executions.
    pub enum Reduction ("mode of dpor") {
        /// wake-up sequences: no execution is begun in vain
        Optimal = "optimal",
        /// source sets: no execution is completed twice, but some are begun in vain
        Source = "source",
        /// every earlier step that a step depends on is reversed at once
        Eager = "eager",
        /// the latest race of each step is reversed
        Classic = "classic",
    }
}

#[allow(clippy::derivable_impls, reason = "`names!` takes no attributes of values")]
impl Default for Reduction {
    fn default() -> Reduction {
        Reduction::Optimal
    }
}

impl Reduction {
    /// Whether workers plan in the same states together. If not, each has a copy, and they may run the same executions.
    pub(crate) const fn plans_together(self) -> bool {
        matches!(self, Reduction::Source | Reduction::Optimal)
    }
}
