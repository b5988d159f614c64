//! Parallel randomised state-space search (Dwyer et al. 2007, Figure 4): several searches side by side that know nothing of each
//! other.
//!
//! Each of them has its own seed, its own store, and its own knowledge of the program ([`Load::twin`]). So each does what it would do
//! alone, and a finding can be had again by the search that won. The first finding ends all, and so does a search that has explored
//! everything. One that only ran out of its budget does not, though the paper's figure, read literally, lets it.
//!
//! By states, the clock has no say: the search wins that visits the fewest states until its finding, and of equal ones the first in
//! the list. Then a data race counts as a finding at once.

use crate::control::{Growth, Halt, Observe, Tick};
use crate::gate::{Gate, Pass};
use crate::outcome::{Found, Member, Outcome, Reason};
use crate::search::{StateAccess, WithStates, rounds};
use crate::settings::{Settings, SettingsError};
use crate::swarm::{MemberObserver, SwarmProgress, how_it_ended};
use crate::visited::Encoding;
use sojourner_names::names;
use sojourner_program::{Encode, Finding, Load, Reducible, Schedule, Stateful, Threads, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

names! {
    /// Which of several searches side by side is the one that counts.
    pub enum Winner ("rule for the winner") {
        /// the search that is first to find something
        Time = "time",
        /// the search that visits the fewest states until its finding; the same on any machine, with any number of threads
        States = "states",
    }
}

/// Searches to run side by side, each on one thread.
#[derive(Clone, Debug)]
pub struct Prss {
    /// The searches.
    pub searches: Vec<Settings>,
    /// Which of them counts.
    pub winner: Winner,
    /// How many run at a time. The others wait for their turns.
    pub threads: usize,
}

impl Prss {
    /// Runs the searches until one of them decides or all have ended.
    pub fn run<L>(&self, load: &L, halt: &Halt<'_>, observe: &dyn Observe) -> Result<Outcome, SettingsError>
    where
        L: Load,
        L::P: Encode + Reducible,
    {
        self.contest(load, halt, observe, WithStates(Some(Encoding::new())))
    }

    /// The same for a program whose states have fingerprints only.
    pub fn run_fingerprints<L>(
        &self,
        load: &L,
        halt: &Halt<'_>,
        observe: &dyn Observe,
    ) -> Result<Outcome, SettingsError>
    where
        L: Load,
        L::P: Stateful + Reducible,
    {
        self.contest(load, halt, observe, WithStates(None))
    }

    fn contest<L: Load<P: Reducible>, M: StateAccess<L::P>>(
        &self,
        load: &L,
        halt: &Halt<'_>,
        observe: &dyn Observe,
        access: M,
    ) -> Result<Outcome, SettingsError> {
        self.searches.iter().try_for_each(Settings::check)?;
        let start = Instant::now();
        // What a program learns when it is opened for the first time, all of them know.
        if let Err(fault) = load.open().map(drop) {
            return Ok(Outcome { fault: Some(fault), elapsed: start.elapsed(), ..Outcome::default() });
        }
        let searches = self.searches.len();
        let contest = Contest {
            prss: self,
            load,
            twins: self.searches.iter().map(|_| load.twin()).collect(),
            start,
            gate: Gate::new(searches, self.threads, self.winner == Winner::States),
            halt: Halt::within(halt),
            observe,
            has_told_of_race: AtomicBool::new(false),
            progress: SwarmProgress::new(observe, searches, start),
            ended: (0..searches).map(|_| Mutex::default()).collect(),
            first: Mutex::new(None),
        };
        contest.run(access)
    }
}

/// Searches that run side by side.
struct Contest<'a, L> {
    prss: &'a Prss,
    load: &'a L,
    /// What each search opens its programs by; nothing if they can share one.
    twins: Vec<Option<L>>,
    start: Instant,
    gate: Gate,
    halt: Halt<'a>,
    observe: &'a dyn Observe,
    has_told_of_race: AtomicBool,
    progress: SwarmProgress<'a>,
    /// How each search has ended.
    ended: Vec<Mutex<Option<Result<Outcome, SettingsError>>>>,
    /// The first that decided.
    first: Mutex<Option<usize>>,
}

impl<L: Load<P: Reducible>> Contest<'_, L> {
    fn run<M: StateAccess<L::P>>(&self, access: M) -> Result<Outcome, SettingsError> {
        std::thread::scope(|scope| {
            for index in 0..self.prss.searches.len() {
                scope.spawn(move || {
                    let _guard = BreakOffOnPanic(&self.gate, &self.halt);
                    let outcome = self.search(index, access);
                    *self.ended[index].lock().expect("no holder panics") = Some(outcome);
                    let decides = self.decides(index);
                    if decides {
                        self.first.lock().expect("no holder panics").get_or_insert(index);
                        if self.prss.winner == Winner::Time {
                            self.halt.end(Reason::Overtaken);
                        }
                    }
                    self.gate.end(decides);
                });
            }
        });
        for twin in self.twins.iter().flatten() {
            self.load.take_notes_of(twin);
        }
        self.conclude()
    }

    /// Runs a search as if it were alone, but for the time.
    fn search<M: StateAccess<L::P>>(&self, index: usize, access: M) -> Result<Outcome, SettingsError> {
        let pass = Pass::new(&self.gate, index);
        let overtaken = Outcome { reasons: vec![Reason::Overtaken], ..Outcome::default() };
        if !pass.enter(|| self.halt.reason().is_some()) {
            return Ok(overtaken);
        }
        let mut settings = self.prss.searches[index].clone();
        settings.budget.time = settings.budget.time.map(|time| time.saturating_sub(self.start.elapsed()));
        let halt = Halt::passing(&self.halt, &pass);
        let observer = Observer { contest: self, progress: MemberObserver { sum: &self.progress, index } };
        let load = self.twins[index].as_ref().unwrap_or(self.load);
        rounds(load, &settings, &halt, &observer, access)
    }

    /// Whether a search has ended with something that counts.
    fn decides(&self, index: usize) -> bool {
        let ended = self.ended[index].lock().expect("no holder panics");
        matches!(&*ended, Some(Ok(outcome)) if outcome.verdict() != Verdict::Incomplete)
    }

    /// The search that counts, if one has decided: one that has found something is right, also if another one was quicker to
    /// find nothing.
    fn winner(&self, outcomes: &[Outcome]) -> Option<usize> {
        let with = |verdict: Verdict| {
            let of_verdict =
                outcomes.iter().enumerate().filter(move |(_, outcome)| outcome.verdict() == verdict);
            of_verdict.min_by_key(|(index, outcome)| (outcome.tally.states, *index)).map(|(index, _)| index)
        };
        let first = *self.first.lock().expect("no holder panics");
        let first = first.filter(|_| self.prss.winner == Winner::Time);
        let finder = first.filter(|&first| !outcomes[first].found.is_empty());
        let finder = finder.or_else(|| with(Verdict::Found));
        finder.or(first).or_else(|| with(Verdict::Clean)).or_else(|| with(Verdict::Unsupported))
    }

    /// What came of all of them.
    fn conclude(&self) -> Result<Outcome, SettingsError> {
        let mut outcomes = Vec::new();
        for ended in &self.ended {
            let ended = ended.lock().expect("no holder panics").take();
            outcomes.push(match ended {
                // There was no memory left for its program.
                Some(Err(SettingsError::Memory { .. })) if !outcomes.is_empty() => {
                    Outcome { reasons: vec![Reason::Memory], ..Outcome::default() }
                }
                Some(outcome) => outcome?,
                None => Outcome { reasons: vec![Reason::Stuck], ..Outcome::default() },
            });
        }
        let winner = self.winner(&outcomes);
        let mut all = Outcome { winner, ..Outcome::default() };
        let mut reasons = Vec::new();
        for (index, (settings, outcome)) in self.prss.searches.iter().zip(&outcomes).enumerate() {
            let (name, seed, tally) = (settings.strategy.to_string(), settings.seed, outcome.tally);
            let ended = how_it_ended(outcome, winner == Some(index), 1);
            all.members.push(Member { name, seed, tally, ended });
            all.tally.add(&tally);
            all.memory.add(&outcome.memory);
            if let Some(garbage) = &outcome.garbage {
                all.garbage.get_or_insert_default().add(garbage);
            }
            reasons.extend(outcome.reasons.iter().copied());
        }
        match winner {
            Some(winner) => {
                let won = std::mem::take(&mut outcomes[winner]);
                let (found, lesser) = (won.found, won.lesser);
                let numbers =
                    Numbers { of: self.twins[winner].as_ref().map(Load::threads), to: self.load.threads() };
                all.found = found.into_iter().map(|found| numbers.translate(found)).collect();
                all.lesser = lesser.into_iter().map(|found| numbers.translate(found)).collect();
                (all.reasons, all.fault, all.statuses) = (won.reasons, won.fault, won.statuses);
                (all.endless, all.store, all.restarts) = (won.endless, won.store, won.restarts);
                // What it knew, those must know that follow its schedule.
                if let Some(twin) = &self.twins[winner] {
                    self.load.learn(&twin.learned());
                }
            }
            None => {
                reasons.sort();
                reasons.dedup();
                all.reasons = reasons;
                all.store = outcomes.into_iter().find_map(|outcome| outcome.store);
            }
        }
        all.elapsed = self.start.elapsed();
        Ok(all)
    }
}

/// From the numbers of threads of one load to those of another.
struct Numbers<'a> {
    of: Option<&'a Threads>,
    to: &'a Threads,
}

impl Numbers<'_> {
    fn translate(&self, mut found: Found) -> Found {
        let Some(of) = self.of else { return found };
        let number = |thread| self.to.number(&of.identity(thread)).unwrap_or(thread);
        found.finding.thread = found.finding.thread.map(number);
        let schedule = |schedule: &mut Schedule| {
            schedule.iter_mut().for_each(|choice| choice.thread = number(choice.thread));
        };
        found.schedule.iter_mut().for_each(schedule);
        found.other.iter_mut().for_each(schedule);
        found
    }
}

/// What one search reports to.
struct Observer<'a, L> {
    contest: &'a Contest<'a, L>,
    progress: MemberObserver<'a>,
}

impl<L: Load<P: Reducible>> Observe for Observer<'_, L> {
    fn tick(&self, tick: &Tick) {
        self.progress.tick(tick);
    }

    fn deeper(&self, _: &Growth) {}

    fn noticed(&self, race: &Finding, goes_on: Duration) {
        // By states the search ends now.
        let goes_on = if self.contest.prss.winner == Winner::States { Duration::ZERO } else { goes_on };
        if goes_on > Duration::ZERO && !self.contest.has_told_of_race.swap(true, Relaxed) {
            self.contest.observe.noticed(race, goes_on);
        }
    }

    /// Another search may have found something.
    fn stuck(&self, outcome: Outcome) {
        let known = self.contest.conclude().ok().filter(|known| known.winner.is_some());
        self.contest.observe.stuck(known.unwrap_or(outcome));
    }
}

/// A panic of one thread must not leave the others waiting.
struct BreakOffOnPanic<'a>(&'a Gate, &'a Halt<'a>);

impl Drop for BreakOffOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.1.end(Reason::Overtaken);
            self.0.break_off();
        }
    }
}
