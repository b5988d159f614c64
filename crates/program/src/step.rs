//! What a transition did.

use crate::{Finding, Footprint, Lesser, Location, ThreadId, Timeout};

/// How much a program should record of a transition. Each level includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Only whether it failed: what a search with a store needs.
    #[default]
    Outcome,
    /// The footprint, the threads it created, and what it changed: what reduction and race detection need.
    Footprint,
    /// Where it happened and what it did, in words: what a trace needs.
    Words,
}

/// What a transition did. The search owns one and passes it to every `Program::step`, so that nothing is
/// allocated on the way.
#[derive(Debug)]
pub struct Step {
    /// How much the program should record.
    pub detail: Detail,
    /// The transition itself failed: an exception, a failed assertion, a crash. The program cannot go on from here, unless
    /// it says so.
    pub finding: Option<Finding>,
    /// Whether the program can go on although the transition has failed: of several threads one is over.
    pub goes_on: bool,
    /// Errors that do not end the execution. A program that was opened for a search may report each of them once.
    pub lesser: Vec<Lesser>,
    /// The status with which it ended the program. `None`: the program goes on, has no status, did not end by itself, or
    /// values were chosen for it, so that the status need not depend on the schedule.
    pub exit_status: Option<i32>,
    /// The program itself chose a value in it. Values that schedules decide do not count: which thread is woken, or whether a
    /// time-out expires.
    pub has_chosen: bool,
    /// The program ends with it, and it came because no other thread could move: there is no other place for it.
    pub leaves: bool,
    /// Why a search that goes by states cannot prove anything of the program, if that has shown.
    pub leaves_out: Option<&'static str>,
    /// What such a search does not see of the program, if that has shown: it goes on, and may find something, but proves nothing.
    pub overlooks: Option<&'static str>,
    /// What it touched.
    pub footprint: Footprint,
    /// The threads that it created.
    pub created: Vec<ThreadId>,
    /// What it changed, in a number, if the program tells. The numbers of the steps of an execution add up, wrapping around, to
    /// one that stands for the state that they lead to; a step's number is the same wherever it comes among steps that do not
    /// depend on it.
    pub change: Option<u64>,
    /// What it did, in words.
    pub words: String,
    /// Where it happened.
    pub location: Option<Location>,
    /// The time-out that expired in it, if one did. Recorded with the words.
    pub timeout: Option<Timeout>,
}

impl Step {
    /// An empty record that asks for `detail`.
    pub fn new(detail: Detail) -> Self {
        Step {
            detail,
            finding: None,
            goes_on: false,
            lesser: Vec::new(),
            exit_status: None,
            has_chosen: false,
            leaves: false,
            leaves_out: None,
            overlooks: None,
            footprint: Footprint::Unknown,
            created: Vec::new(),
            change: None,
            words: String::new(),
            location: None,
            timeout: None,
        }
    }

    /// Forgets the last transition. Programs call it first in `step`.
    #[inline]
    pub fn clear(&mut self) {
        if self.finding.is_some() || !self.lesser.is_empty() {
            self.clear_findings();
        }
        (self.goes_on, self.has_chosen, self.leaves) = (false, false, false);
        (self.exit_status, self.leaves_out, self.overlooks) = (None, None, None);
        if self.detail >= Detail::Footprint {
            (self.footprint, self.change) = (Footprint::Unknown, None);
            self.created.clear();
        }
        if self.detail >= Detail::Words {
            self.words.clear();
            (self.location, self.timeout) = (None, None);
        }
    }

    /// Few steps have findings. Apart from the others, so that `clear` is short enough to be inlined.
    #[cold]
    fn clear_findings(&mut self) {
        self.finding = None;
        self.lesser.clear();
    }
}
