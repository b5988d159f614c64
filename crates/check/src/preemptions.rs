//! A bound on preemptions, or rounds with one bound after the other (Musuvathi & Qadeer 2007).
//!
//! Many defects show with two preemptions or fewer, and few schedules have so few. A round that has cut nothing has explored
//! everything, so its verdict needs no bound.

use crate::searches::Searches;
use sojourner_search::{Outcome, Past, Reason, SettingsError, Wanted};
use std::fmt;
use std::str::FromStr;

/// Bounds on preemptions, tried in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preemptions {
    /// The bound of the first round.
    pub first: u32,
    /// The bound of the last round. `None`: rounds go on until one cuts nothing.
    pub last: Option<u32>,
}

impl Preemptions {
    /// One round with that bound.
    pub fn at_most(bound: u32) -> Preemptions {
        Preemptions { first: bound, last: Some(bound) }
    }

    /// Whether there can be more than one round.
    pub fn iterates(self) -> bool {
        self.last != Some(self.first)
    }

    /// Runs `round` with one bound after the other, until one decides or nothing more can come of it. Gives what came of all,
    /// with the last bound.
    pub(crate) fn rounds(
        self,
        searches: &Searches,
        mut round: impl FnMut(&Searches) -> Result<Outcome, SettingsError>,
    ) -> Result<(Outcome, u32), SettingsError> {
        let mut all = Outcome::default();
        let whole = searches.settings();
        let goes_on_after_findings = whole.wanted == Wanted::All;
        let mut bound = self.first;
        loop {
            let mut searches = searches.clone();
            searches.each(|settings| {
                settings.bounds.preemptions = Some(bound);
                let budget = &mut settings.budget;
                budget.time = budget.time.map(|time| time.saturating_sub(all.elapsed));
                budget.states = budget.states.map(|states| states.saturating_sub(all.tally.states));
                budget.executions = budget.executions.map(|runs| runs.saturating_sub(all.tally.runs));
            });
            add(&mut all, round(&searches)?, bound);
            // The budgets are those of all rounds together.
            let budget = whole.budget;
            for reason in &mut all.reasons {
                match reason {
                    Reason::States(most) => *most = budget.states.unwrap_or(*most),
                    Reason::Executions(most) => *most = budget.executions.unwrap_or(*most),
                    _ => {}
                }
            }
            let cut = all.reasons.iter().any(|reason| matches!(reason, Reason::Preemptions(_)));
            let decided = all.fault.is_some() || !all.found.is_empty() && !goes_on_after_findings;
            let next = bound < self.last.unwrap_or(Past::MAX_PREEMPTIONS);
            if decided || !cut || !next || all.reasons.iter().any(is_end) {
                return Ok((all, bound));
            }
            bound += 1;
        }
    }
}

/// Whether a reason ends all rounds.
fn is_end(reason: &Reason) -> bool {
    use Reason::{Executions, Interrupted, Memory, Race, States, Stuck, Time};
    matches!(reason, Time | Memory | States(_) | Executions(_) | Interrupted | Stuck | Race)
}

/// Adds what came of a round. Findings and counts are of all rounds, the others of the last one.
fn add(all: &mut Outcome, round: Outcome, bound: u32) {
    let mut found = std::mem::take(&mut all.found);
    let is_new = |new: &sojourner_search::Found, known: &[sojourner_search::Found]| {
        !known.iter().any(|old| old.finding.same_defect(&new.finding))
    };
    for mut new in round.found {
        if is_new(&new, &found) {
            new.preemptions = Some(bound);
            found.push(new);
        }
    }
    let (mut tally, mut members) = (all.tally, std::mem::take(&mut all.members));
    tally.add(&round.tally);
    if members.len() == round.members.len() {
        for (member, new) in members.iter_mut().zip(&round.members) {
            member.tally.add(&new.tally);
            member.ended.clone_from(&new.ended);
        }
    } else {
        members = round.members;
    }
    let (elapsed, restarts) = (all.elapsed + round.elapsed, all.restarts + round.restarts);
    *all = Outcome {
        found,
        tally,
        members,
        elapsed,
        restarts,
        ..Outcome { members: Vec::new(), found: Vec::new(), ..round }
    };
}

impl fmt::Display for Preemptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) if last == self.first => write!(f, "{last}"),
            Some(last) => write!(f, "{}..{last}", self.first),
            None => write!(f, "{}..", self.first),
        }
    }
}

impl FromStr for Preemptions {
    type Err = String;

    /// `K`, `A..B` or `A..`.
    fn from_str(text: &str) -> Result<Preemptions, String> {
        let number = |text: &str| text.parse::<u32>().ok();
        let read = match text.split_once("..") {
            None => number(text).map(Preemptions::at_most),
            Some((first, "")) => number(first).map(|first| Preemptions { first, last: None }),
            Some((first, last)) => number(first)
                .zip(number(last))
                .filter(|(first, last)| first <= last)
                .map(|(first, last)| Preemptions { first, last: Some(last) }),
        };
        read.ok_or_else(|| {
            format!("'{text}' is not a number of preemptions: write 2; or 0..2 for rounds with 0, 1 and 2; or 0.. for rounds until \
                     nothing is cut")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_and_print() {
        for text in ["2", "0..3", "1.."] {
            assert_eq!(text.parse::<Preemptions>().unwrap().to_string(), text);
        }
        assert_eq!("2..2".parse(), Ok(Preemptions::at_most(2)));
        assert!(!Preemptions::at_most(2).iterates() && "0..".parse::<Preemptions>().unwrap().iterates());
        for text in ["", "..", "..3", "3..1", "a", "1...2", "-1"] {
            assert!(text.parse::<Preemptions>().is_err(), "{text}");
        }
    }
}
