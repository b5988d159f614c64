//! Beginning again: what a search does when an assumption of its program fails.
//!
//! A program may leave out choices on an assumption that it watches, such as that only one thread accesses an object. If the assumption
//! fails, the program gives `Fault::Again`, and programs that are opened later assume less. There are finitely many assumptions, and they
//! are only ever dropped. So there is a last round, in which none fails, and its result counts.

use crate::control::{Halt, Wanted};
use crate::evidence::Evidence;
use crate::guard::{Guard, SearchLimits};
use crate::outcome::{Found, Outcome, Reason};
use crate::replay::reaches;
use crate::settings::SettingsError;
use sojourner_program::{Fault, Kind, Load, forward};
use std::time::Instant;

/// What bounds all rounds of a search together.
pub(crate) struct Rounds<'a, L> {
    pub load: &'a L,
    pub wanted: &'a Wanted,
    pub limits: SearchLimits,
    /// No other round begins when so many states have been visited in all.
    pub states: Option<u64>,
    pub halt: &'a Halt<'a>,
}

impl<L: Load> Rounds<'_, L> {
    /// Runs rounds until one ends in which nothing was learned, or what bounds them says so. The counts are those of
    /// the last round. Findings of all rounds are real, and kept.
    pub fn run(
        &self,
        mut round: impl FnMut(&Guard<'_>) -> Result<Outcome, SettingsError>,
    ) -> Result<Outcome, SettingsError> {
        let mut earlier: Vec<Found> = Vec::new();
        let mut visited = 0;
        let evidence = self.halt.evidence();
        for restarts in 0.. {
            let known = self.load.learned();
            if let Some(evidence) = evidence {
                evidence.begin_round();
            }
            let guard = Guard::new(self.halt, self.limits.deadline, self.limits.memory);
            let mut outcome = guard.watch(self.load, || round(&guard))?;
            // A program that fails does not tell what it has learned in the same step, and there may be no further step.
            let failed = self.wanted == &Wanted::All || !outcome.found.is_empty();
            if failed && outcome.fault.is_none() && self.load.learned() != known {
                let why = "what had been left out turned out to matter".into();
                outcome.fault = Some(Fault::Again { why });
            }
            (outcome.restarts, outcome.elapsed) = (restarts, self.limits.start.elapsed());
            visited += outcome.tally.states;
            // A schedule fits what was known when it was found. So of several schedules for one defect, the last is the best.
            earlier.retain(|old| !outcome.found.iter().any(|new| new.finding.same_defect(&old.finding)));
            let last =
                !matches!(outcome.fault, Some(Fault::Again { .. })) || self.ends(&mut outcome, visited);
            if last && (self.wanted == &Wanted::All || outcome.found.is_empty()) {
                outcome.found.append(&mut earlier);
            }
            if last {
                if outcome.found.is_empty() {
                    outcome.reasons.extend(self.load.leaves_out().map(Reason::LeftOut));
                }
                if let Some(evidence) = evidence {
                    self.weigh(evidence, &mut outcome);
                }
                return Ok(outcome);
            }
            // Whether an execution can end is known only when all states behind it are explored: the next round tells.
            let told_again = |found: &Found| matches!(found.finding.kind, Kind::Livelock | Kind::Hang);
            earlier.extend(outcome.found.into_iter().filter(|found| !told_again(found)));
        }
        unreachable!("a search ends before its rounds can no longer be counted")
    }

    /// Adds what the searches have noted: different exit statuses, and data races, of which one is the finding if there is
    /// nothing worse.
    fn weigh(&self, evidence: &Evidence<'_>, outcome: &mut Outcome) {
        let known = outcome.found.iter().any(|found| found.finding.kind == Kind::Exit);
        if !known && (self.wanted == &Wanted::All || outcome.found.is_empty()) {
            outcome.found.extend(evidence.different_statuses());
        }
        outcome.statuses = evidence.statuses();
        outcome.lesser = evidence.take_races();
        if outcome.found.is_empty() && !outcome.lesser.is_empty() {
            let fitting = outcome.lesser.iter().position(|race| self.fits(race));
            outcome.found.push(outcome.lesser.remove(fitting.unwrap_or(0)));
        }
    }

    /// Whether this round is the last one although the program learned something in it.
    fn ends(&self, outcome: &mut Outcome, visited: u64) -> bool {
        let enough = *self.wanted != Wanted::All && outcome.found.iter().any(|found| self.fits(found));
        let reason = match self.halt.reason() {
            Some(reason) => Some(reason),
            None if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                Some(Reason::Time)
            }
            None => self.states.filter(|&most| visited >= most).map(Reason::States),
        };
        if enough || reason.is_some() {
            outcome.fault = None;
            outcome.reasons.extend(reason.filter(|reason| !outcome.reasons.contains(reason)));
        }
        outcome.fault.is_none()
    }

    /// Whether a program that knows what has been learned by now can follow the schedule to the same defect.
    fn fits(&self, found: &Found) -> bool {
        found.schedule.as_ref().is_none_or(|schedule| reaches(self.load, schedule, &found.finding))
    }
}

/// Programs that go by what has been learned and learn nothing more.
pub(crate) struct WithoutLearning<'a, L>(pub &'a L);

impl<L: Load> Load for WithoutLearning<'_, L> {
    type P = L::P;

    forward!(Load for 0, except open, renew, learned, learn, leaves_out);

    fn open(&self) -> Result<L::P, Fault> {
        self.0.open_to_follow()
    }
}
