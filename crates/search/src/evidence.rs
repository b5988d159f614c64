//! Data races and exit statuses that a search has seen: it notes them and goes on, because they are not findings yet.
//!
//! A worse defect may follow a data race. So the search goes on, but not for ever: as long again as it took to find the first race. If it
//! finds nothing worse, the race is the finding. An exit status is a finding only together with a different one. All searches of a swarm,
//! and all rounds of a search, share these notes.
//!
//! The module also keeps the findings and counts so far, for the case that a step of the program never returns.

use crate::control::Observe;
use crate::outcome::{Found, Reason, Tally};
use sojourner_program::{Finding, Schedule};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The least time for which a search goes on after a data race.
const LEAST: Duration = Duration::from_secs(2);
/// Races kept of one search, however many a program has.
const MOST_RACES: usize = 1000;
/// Exit statuses kept of one search: two are a finding.
const MOST_STATUSES: usize = 16;

/// What the searches of a check have noted.
pub(crate) struct Evidence<'a> {
    start: Instant,
    observe: &'a dyn Observe,
    /// When the search for something worse than a race ends, in milliseconds from the start; 0: it has not begun.
    ends_ms: AtomicU64,
    /// Whether a finding has ended a search of this round.
    decided: AtomicBool,
    noted: Mutex<Noted>,
}

impl fmt::Debug for Evidence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evidence").field("noted", &self.noted).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Noted {
    round: u64,
    races: Vec<Note<Finding>>,
    statuses: Vec<Note<i32>>,
    /// The findings of this round, and what its workers have counted.
    found: Vec<Found>,
    tally: Tally,
}

/// An observation with the schedule that leads to it.
#[derive(Debug)]
struct Note<T> {
    what: T,
    schedule: Schedule,
    /// The round in which it was noted. A schedule fits what was known of the program in that round.
    round: u64,
}

/// The earlier note of the same observation, which now belongs to this round. `None`: it is new.
fn renewed<T>(
    notes: &mut [Note<T>],
    round: u64,
    is_same: impl Fn(&T) -> bool,
    schedule: impl FnOnce() -> Schedule,
) -> Option<()> {
    let note = notes.iter_mut().find(|note| is_same(&note.what))?;
    if note.round < round {
        (note.schedule, note.round) = (schedule(), round);
    }
    Some(())
}

impl<'a> Evidence<'a> {
    /// Nothing is noted. The search began at `start`.
    pub fn new(start: Instant, observe: &'a dyn Observe) -> Self {
        let decided = AtomicBool::new(false);
        Evidence { start, observe, ends_ms: AtomicU64::new(0), decided, noted: Mutex::default() }
    }

    /// The search begins again.
    pub fn begin_round(&self) {
        let mut noted = self.noted.lock().expect("no holder panics");
        noted.round += 1;
        noted.found.clear();
        noted.tally = Tally::default();
        self.decided.store(false, Relaxed);
    }

    /// Keeps a finding.
    pub fn found(&self, found: &Found) {
        self.noted.lock().expect("no holder panics").found.push(found.clone());
    }

    /// Keeps what a worker has counted since it last said.
    pub fn counted(&self, new: &Tally) {
        self.noted.lock().expect("no holder panics").tally.add(new);
    }

    /// A finding has ended a search.
    pub fn decide(&self) {
        self.decided.store(true, Relaxed);
    }

    /// Whether a finding has ended a search of this round.
    pub fn is_decided(&self) -> bool {
        self.decided.load(Relaxed)
    }

    /// The findings and the counts of this round until now.
    pub fn so_far(&self) -> (Vec<Found>, Tally) {
        let noted = self.noted.lock().expect("no holder panics");
        (noted.found.clone(), noted.tally)
    }

    /// The observer of the searches.
    pub fn observe(&self) -> &'a dyn Observe {
        self.observe
    }

    /// Notes a data race. The observer is told of a new one, with the time for which the search goes on.
    pub fn race(&self, finding: Finding, schedule: impl FnOnce() -> Schedule) {
        let mut noted = self.noted.lock().expect("no holder panics");
        let Noted { round, races, .. } = &mut *noted;
        let round = *round;
        if races.len() >= MOST_RACES {
            return;
        }
        let mut schedule = Some(schedule);
        let mut path = || schedule.take().map_or_else(Schedule::new, |path| path());
        if renewed(races, round, |known| known.same_defect(&finding), &mut path).is_some() {
            return;
        }
        let elapsed = self.start.elapsed();
        let ends = (elapsed + elapsed.max(LEAST)).as_millis() as u64;
        let _ = self.ends_ms.compare_exchange(0, ends.max(1), Relaxed, Relaxed);
        let left = Duration::from_millis(self.ends_ms.load(Relaxed)).saturating_sub(elapsed);
        races.push(Note { what: finding.clone(), schedule: path(), round });
        drop(noted);
        self.observe.noticed(&finding, left);
    }

    /// Notes that an execution ended with that status. If executions of this round have ended with different ones, that is a
    /// finding.
    pub fn status(&self, status: i32, schedule: impl FnOnce() -> Schedule) -> Option<Found> {
        let mut noted = self.noted.lock().expect("no holder panics");
        let Noted { round, statuses, .. } = &mut *noted;
        let round = *round;
        let mut schedule = Some(schedule);
        let mut path = || schedule.take().map_or_else(Schedule::new, |path| path());
        let known = renewed(statuses, round, |known| *known == status, &mut path).is_some();
        if !known && statuses.len() < MOST_STATUSES {
            statuses.push(Note { what: status, schedule: path(), round });
        }
        difference(statuses, |note| note.round == round)
    }

    /// The finding that executions have ended with different statuses, if they have, in whatever round.
    pub fn different_statuses(&self) -> Option<Found> {
        difference(&self.noted.lock().expect("no holder panics").statuses, |_| true)
    }

    /// The statuses that executions have ended with.
    pub fn statuses(&self) -> Vec<i32> {
        self.noted.lock().expect("no holder panics").statuses.iter().map(|note| note.what).collect()
    }

    /// The races, those of the last round first.
    pub fn take_races(&self) -> Vec<Found> {
        let mut races = std::mem::take(&mut self.noted.lock().expect("no holder panics").races);
        races.sort_by_key(|note| std::cmp::Reverse(note.round));
        races.into_iter().map(|note| Found::new(note.what, note.schedule)).collect()
    }

    /// Why the search ends, if the time after a data race is up.
    pub fn reason(&self) -> Option<Reason> {
        let ends = self.ends_ms.load(Relaxed);
        (ends > 0 && self.start.elapsed().as_millis() as u64 >= ends).then_some(Reason::Race)
    }
}

/// A finding for two different statuses, the one that fails first.
fn difference(statuses: &[Note<i32>], counts: impl Fn(&Note<i32>) -> bool) -> Option<Found> {
    let mut counting: Vec<&Note<i32>> = statuses.iter().filter(|note| counts(note)).collect();
    counting.sort_by_key(|note| note.what);
    let (other, failing) = (counting.first()?, counting.iter().rev().find(|note| note.what != 0)?);
    if other.what == failing.what {
        return None;
    }
    let mut finding = Finding::exit(failing.what);
    finding.message = format!("{}, and with status {} under another schedule", finding.message, other.what);
    Some(Found { other: Some(other.schedule.clone()), ..Found::new(finding, failing.schedule.clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Unobserved;
    use sojourner_program::Kind;

    fn evidence() -> Evidence<'static> {
        Evidence::new(Instant::now(), &Unobserved)
    }

    #[test]
    fn equal_statuses_are_no_finding() {
        let evidence = evidence();
        assert!(evidence.status(1, Schedule::new).is_none() && evidence.status(1, Schedule::new).is_none());
        assert_eq!(evidence.statuses(), [1]);
    }

    #[test]
    fn different_statuses_are_a_finding_with_the_failing_one_first() {
        for order in [[0, 3], [3, 0]] {
            let evidence = evidence();
            assert!(evidence.status(order[0], Schedule::new).is_none());
            let found = evidence.status(order[1], Schedule::new).unwrap();
            assert_eq!(
                found.finding.message,
                "the program ends with status 3, and with status 0 under another schedule"
            );
            assert!(found.other.is_some());
        }
    }

    #[test]
    fn statuses_of_different_rounds_count_only_in_the_end() {
        let evidence = evidence();
        assert!(evidence.status(0, Schedule::new).is_none());
        evidence.begin_round();
        assert!(evidence.status(1, Schedule::new).is_none());
        assert!(evidence.different_statuses().is_some());
        assert!(evidence.status(0, Schedule::new).is_some());
    }

    #[test]
    fn a_race_lets_the_search_go_on_for_a_while() {
        let evidence = evidence();
        let race = Finding::new(Kind::Race, "a data race");
        assert_eq!(evidence.reason(), None);
        evidence.race(race.clone(), Schedule::new);
        evidence.race(race, Schedule::new);
        assert_eq!(evidence.reason(), None);
        assert_eq!(evidence.take_races().len(), 1);
    }

    #[test]
    fn the_search_behind_a_race_ends() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        let evidence = Evidence::new(long_ago, &Unobserved);
        evidence.race(Finding::new(Kind::Race, "a data race"), Schedule::new);
        assert_eq!(evidence.reason(), None);
        // The race counts as noted at the start.
        evidence.ends_ms.store(1, Relaxed);
        assert_eq!(evidence.reason(), Some(Reason::Race));
    }
}
