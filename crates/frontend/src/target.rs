//! A program that has been opened for a check.

use crate::Destination;
use sojourner_distance::{Measure, Unit};
use sojourner_program::{Encode, Finding, Load, Reducible, Stateful, Verdict};

/// A program that is ready to be checked: it can be run, and it answers what a check asks beside that.
pub trait Target: Load<P: Stateful + Reducible> {
    /// Hands itself to `visit`, as a program whose states have an encoding or as one whose states are hashes.
    fn by_states<V: VisitStates>(&self, visit: V) -> V::Out;

    /// What its states are good for.
    fn states(&self) -> States {
        self.by_states(StatesOf)
    }

    /// A hash of its content, by which a replay notices that the program has changed. `None` if the content cannot be read.
    fn content_hash(&self) -> Option<String>;

    /// The same program as if it had just been opened, except that it knows what `learned` says (`Load::learned`), if that is given. A
    /// check of it depends on nothing that other checks have done. It does not depend on the clock either, unless its options do.
    fn afresh(&self, learned: Option<&[String]>) -> Self
    where
        Self: Sized;

    /// What that verdict assumes and does not cover, a clause each.
    fn caveats(&self, verdict: Verdict) -> Vec<String> {
        let _ = verdict;
        Vec::new()
    }

    /// What was noticed during the exploration and is no finding.
    fn warnings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// From now on, programs tell by `Program::distance` how far they are from the nearest of these places; with none, from any
    /// failure that the program names. An error says what cannot be found.
    fn guide(&self, destinations: &[Destination], measure: Measure, unit: Unit) -> Result<(), String> {
        let _ = (destinations, measure, unit);
        Err("distances through the code are known for Java, C, C++ and Rust programs only: use another --heuristic".into())
    }

    /// What an execution that never ends is, if the user says nothing.
    fn endless(&self) -> Endless {
        Endless::Ignored
    }

    /// From now on, executions that never end are no findings. Programs that notice them by themselves heed this; for the others
    /// the search does.
    fn ignore_endless(&self) {}

    /// Whether threads can keep each other running, so that executions need not end. This is for programs that notice by themselves
    /// when a single thread repeats itself.
    fn goes_round(&self) -> bool {
        false
    }

    /// The caveat for a check that did not finish looking for executions that never end.
    fn endless_unknown(&self) -> &'static str {
        "not all executions were examined for running for ever (--search dfs: examine them)"
    }
}

/// What is done with a program, depending on what its states are good for.
pub trait VisitStates {
    /// What comes of it.
    type Out;

    /// Does it with a program whose states are [`States::Exact`].
    fn encoded<T: Target<P: Encode>>(self, target: &T) -> Self::Out;

    /// Does it with a program whose states are [`States::Hashed`].
    fn hashed<T: Target>(self, target: &T) -> Self::Out;
}

/// Asks which it is.
struct StatesOf;

impl VisitStates for StatesOf {
    type Out = States;

    fn encoded<T: Target<P: Encode>>(self, _: &T) -> States {
        States::Exact
    }

    fn hashed<T: Target>(self, _: &T) -> States {
        States::Hashed
    }
}

/// What the states of a program are good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// They can be compared and encoded, at about the cost of a step: every search and every store can use them.
    Exact,
    /// They are hashes of the program's memory, and each costs as much as many steps. Only a depth-first search on one thread keeps
    /// them, as fingerprints.
    Hashed,
}

/// What an execution that never ends is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// Nothing to report.
    Ignored,
    /// A defect.
    Defect,
    /// A defect if another execution ends. If none does, the program is meant to run for ever.
    DefectIfOthersEnd,
}
