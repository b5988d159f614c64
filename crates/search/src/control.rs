//! What the workers of a search share: budgets, counters, findings, and requests to stop.

use crate::endless::Endless;
use crate::evidence::Evidence;
use crate::gate::Pass;
use crate::memory::{Memory, Sample, WorkerShare};
use crate::outcome::{Found, Outcome, Reason, Tally};
use sojourner_program::{Fault, Finding, Garbage, Kind, Lesser, Schedule, Usage};
use sojourner_store::{Opened, Store, resident_bytes};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The limits of a search. `None`: no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory of this process and of those that run the program, in bytes.
    pub memory: Option<u64>,
    /// States visited.
    pub states: Option<u64>,
    /// Executions. Only searches that sample executions or reduce them count these.
    pub executions: Option<u64>,
}

/// What the search does with findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The first one ends the search.
    #[default]
    First,
    /// All are collected, one of each defect.
    All,
    /// Only the same defect as this counts, and ends the search.
    Same(Finding),
}

/// How a search stands, for observers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tick {
    /// The counts so far.
    pub tally: Tally,
    /// The depth at which a worker is now.
    pub depth: u64,
    /// Open states.
    pub frontier: u64,
    /// Resident memory of the process.
    pub memory: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The size of a search when a worker first reaches a depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// The depth.
    pub depth: u64,
    /// The states visited so far.
    pub states: u64,
    /// The memory that the store holds, in bytes.
    pub bytes: u64,
}

/// Watches a search. A worker calls it some ten times a second: it should return soon.
pub trait Observe: Send + Sync {
    /// How the search stands.
    fn tick(&self, tick: &Tick);

    /// The search has come deeper than ever before. Called by a worker for every depth, so it must return at once. A search
    /// that begins again begins with the first depth.
    fn deeper(&self, growth: &Growth) {
        let _ = growth;
    }

    /// After how many transitions of a worker it wants a sample; none, if it wants none.
    fn sample_every(&self) -> Option<u64> {
        None
    }

    /// How the search stands after so many transitions. Called by a worker, so it must return at once. A search that begins again
    /// begins with few transitions. Searches of a swarm take no samples.
    fn sample(&self, sample: &Sample) {
        let _ = sample;
    }

    /// A data race was found, and the search goes on for that long, at most, to find something worse. Called once for each race.
    fn noticed(&self, race: &Finding, goes_on: Duration) {
        let _ = (race, goes_on);
    }

    /// The search is over, but a step of the program has not returned. A model is code in this process, so the search cannot stop the step,
    /// and waits for it. `outcome` is what is known; its counts are of the last reports. An observer that cannot wait ends the process. A
    /// thread of its own calls this, at most once in a round.
    fn stuck(&self, outcome: Outcome) {
        let _ = outcome;
    }
}

/// Watches nothing.
#[derive(Debug)]
pub struct Unobserved;

impl Observe for Unobserved {
    fn tick(&self, _: &Tick) {}
}

/// Stops searches from outside: for the user, a shared budget, another search of the swarm that was first, or their common notes.
#[derive(Debug, Default)]
pub struct Halt<'a> {
    interrupted: AtomicBool,
    ended: OnceLock<Reason>,
    /// When searches end that only look for findings.
    until: OnceLock<Instant>,
    parent: Option<&'a Halt<'a>>,
    evidence: Option<&'a Evidence<'a>>,
    pass: Option<&'a Pass<'a>>,
}

impl<'a> Halt<'a> {
    /// A halt that stops nothing yet.
    pub const fn new() -> Self {
        Halt {
            interrupted: AtomicBool::new(false),
            ended: OnceLock::new(),
            until: OnceLock::new(),
            parent: None,
            evidence: None,
            pass: None,
        }
    }

    /// For searches that `parent` stops, too.
    pub(crate) fn within(parent: &'a Halt<'a>) -> Self {
        Halt { parent: Some(parent), ..Halt::default() }
    }

    /// For searches that `parent` stops, too, and that share their notes.
    pub(crate) fn noting(parent: &'a Halt<'a>, evidence: &'a Evidence<'a>) -> Self {
        Halt { evidence: Some(evidence), ..Halt::within(parent) }
    }

    /// For a search within what `parent` stops, which waits for others at a gate.
    pub(crate) fn passing(parent: &'a Halt<'a>, pass: &'a Pass<'a>) -> Self {
        Halt { pass: Some(pass), ..Halt::within(parent) }
    }

    /// Where the search waits for others, if it does.
    pub(crate) fn pass(&self) -> Option<&'a Pass<'a>> {
        self.pass.or_else(|| self.parent.and_then(Halt::pass))
    }

    /// What the searches have noted.
    pub(crate) fn evidence(&self) -> Option<&'a Evidence<'a>> {
        self.evidence.or_else(|| self.parent.and_then(Halt::evidence))
    }

    /// The user interrupts the searches. Returns whether that had happened before.
    pub fn interrupt(&self) -> bool {
        self.interrupted.swap(true, Relaxed)
    }

    /// Ends all searches for that reason. The first reason counts.
    pub(crate) fn end(&self, reason: Reason) {
        let _ = self.ended.set(reason);
    }

    /// Ends all searches at that time, unless another reason ends them before.
    pub(crate) fn end_at(&self, until: Instant) {
        let _ = self.until.set(until);
    }

    pub(crate) fn reason(&self) -> Option<Reason> {
        if self.interrupted.load(Relaxed) {
            Some(Reason::Interrupted)
        } else if let Some(reason) = self.ended.get() {
            Some(*reason)
        } else if self.until.get().is_some_and(|until| Instant::now() >= *until) {
            Some(Reason::Overtaken)
        } else {
            let noted = self.evidence.and_then(Evidence::reason);
            noted.or_else(|| self.parent.and_then(Halt::reason))
        }
    }
}

/// The shared side of one search.
pub(crate) struct Control<'a> {
    budget: Budget,
    deadline: Option<Instant>,
    wanted: Wanted,
    endless: Endless,
    halt: &'a Halt<'a>,
    observe: &'a dyn Observe,
    start: Instant,
    /// The states at which the search ends, or waits for others.
    next_stop: AtomicU64,
    stopped: AtomicBool,
    lost_sight: AtomicBool,
    next_tick_ms: AtomicU64,
    next_look_ms: AtomicU64,
    counts: [AtomicU64; 9],
    frontier: AtomicUsize,
    goals: AtomicU64,
    deepest: AtomicU64,
    store: OnceLock<Arc<Opened>>,
    /// What the workers hold of queue and pools, and the most that they have held, with the store.
    holds: [AtomicU64; 2],
    held: [AtomicU64; 3],
    garbage: Mutex<Option<Garbage>>,
    ended: Mutex<Ended>,
}

/// What the workers report at the end.
#[derive(Default)]
pub(crate) struct Ended {
    pub found: Vec<Found>,
    pub fault: Option<Fault>,
    pub reasons: Vec<Reason>,
    /// The way to a state from which no execution ends.
    pub trap: Option<Schedule>,
}

/// Findings kept of one search, however many defects a program has.
const MOST_FINDINGS: usize = 1000;
const TICK_MS: u64 = 100;
/// The time between two looks at the memory: meanwhile a Java program takes some ten megabytes at most.
const LOOK_MS: u64 = 10;

impl<'a> Control<'a> {
    /// `deadline` is when the time of `budget` is up, which may have begun before.
    pub fn new(
        budget: Budget,
        deadline: Option<Instant>,
        wanted: Wanted,
        halt: &'a Halt<'a>,
        observe: &'a dyn Observe,
    ) -> Self {
        let level = halt.pass().map_or(u64::MAX, Pass::level);
        Control {
            next_stop: AtomicU64::new(budget.states.unwrap_or(u64::MAX).min(level)),
            budget,
            deadline,
            wanted,
            endless: Endless::Ignored,
            halt,
            observe,
            start: Instant::now(),
            stopped: AtomicBool::new(false),
            lost_sight: AtomicBool::new(false),
            next_tick_ms: AtomicU64::new(TICK_MS),
            next_look_ms: AtomicU64::new(0),
            counts: Default::default(),
            frontier: AtomicUsize::new(0),
            goals: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            store: OnceLock::new(),
            holds: Default::default(),
            held: Default::default(),
            garbage: Mutex::default(),
            ended: Mutex::default(),
        }
    }

    /// The same, for a search of which executions that go on for ever may be findings.
    #[must_use]
    pub fn with(self, endless: Endless) -> Self {
        Control { endless, ..self }
    }

    /// For a second pass of the same search, with counts of its own.
    pub fn again(&self) -> Control<'a> {
        let Control { budget, deadline, ref wanted, endless, halt, observe, .. } = *self;
        Control::new(budget, deadline, wanted.clone(), halt, observe).with(endless)
    }

    /// Whether the search is to end. Cheap enough to ask before every step.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Ends the search, which is then not complete.
    pub fn stop(&self, reason: Reason) {
        self.cut(reason);
        self.stopped.store(true, Relaxed);
    }

    /// The search goes on, but is not complete.
    pub fn cut(&self, reason: Reason) {
        let mut ended = self.ended.lock().expect("no holder panics");
        // A cut that grows with executions is reported with its last length.
        let is_depth = |reason: &Reason| matches!(reason, Reason::Depth(_));
        let known =
            ended.reasons.iter().position(|known| *known == reason || is_depth(known) && is_depth(&reason));
        match known {
            Some(at) => ended.reasons[at] = ended.reasons[at].max(reason),
            None => ended.reasons.push(reason),
        }
    }

    /// Ends the search because the program could not go on.
    pub fn fail(&self, fault: Fault) {
        if matches!(fault, Fault::Cancelled) {
            // The part that cancelled it has said why.
            self.stop(self.halt.reason().unwrap_or(Reason::Interrupted));
            return;
        }
        let mut ended = self.ended.lock().expect("no holder panics");
        // Workers that know different things may disagree: if one asks to begin again, the reports of the others do not count.
        if ended.fault.is_none() || matches!(fault, Fault::Again { .. }) {
            ended.fault = Some(fault);
        }
        self.stopped.store(true, Relaxed);
    }

    /// Whether the search may go on after a finding.
    pub fn goes_on_after_findings(&self) -> bool {
        self.wanted != Wanted::First
    }

    /// Takes a finding. `schedule` is asked for only if it is a new one.
    pub fn found(&self, finding: Finding, schedule: impl FnOnce() -> Schedule) {
        if matches!(&self.wanted, Wanted::Same(defect) if !defect.same_defect(&finding)) {
            return;
        }
        let mut ended = self.ended.lock().expect("no holder panics");
        let known = ended.found.iter().any(|found| found.finding.same_defect(&finding));
        if !known && ended.found.len() < MOST_FINDINGS {
            self.keep(Found::new(finding, schedule()), &mut ended);
        }
        drop(ended);
        self.decided();
    }

    /// Takes the way to a state from which no execution ends, if it is the first one.
    pub fn trapped(&self, way: impl FnOnce() -> Schedule) {
        self.ended.lock().expect("no holder panics").trap.get_or_insert_with(way);
        // While it is open whether that is a finding, the search goes on.
        if self.endless == Endless::Found {
            self.decided();
        }
    }

    /// From now on nothing is known of executions that never end.
    #[cold]
    pub fn lose_sight(&self) {
        self.lost_sight.store(true, Relaxed);
    }

    /// Whether nothing is known of executions that never end.
    #[inline]
    pub fn lost_sight(&self) -> bool {
        self.lost_sight.load(Relaxed)
    }

    /// Keeps a new finding.
    fn keep(&self, found: Found, ended: &mut Ended) {
        if let Some(evidence) = self.halt.evidence() {
            evidence.found(&found);
        }
        ended.found.push(found);
    }

    /// Ends the search because something was found.
    fn decided(&self) {
        if self.wanted != Wanted::All {
            self.stopped.store(true, Relaxed);
            if let Some(evidence) = self.halt.evidence() {
                evidence.decide();
            }
        }
    }

    /// Takes errors that do not end the execution. `path` leads to where they were reported.
    #[cold]
    pub fn noted(&self, lesser: &mut Vec<Lesser>, path: impl Fn() -> Schedule) {
        for Lesser { finding, behind } in lesser.drain(..) {
            let schedule = || [path(), behind].concat();
            match (&self.wanted, self.halt.evidence()) {
                (Wanted::First, Some(evidence)) => {
                    evidence.race(finding, schedule);
                    // How long it would go on depends on the clock.
                    if self.halt.pass().is_some_and(Pass::goes_by_states) {
                        self.stop(Reason::Race);
                    }
                }
                (Wanted::First, None) => {}
                (Wanted::All | Wanted::Same(_), _) => self.found(finding, schedule),
            }
        }
    }

    /// An execution has ended with that status, and nothing else was wrong with it.
    pub fn ended_with(&self, status: i32, schedule: impl FnOnce() -> Schedule) {
        if let Wanted::Same(defect) = &self.wanted {
            if defect.kind == Kind::Exit {
                self.found(Finding::exit(status), schedule);
            }
            return;
        }
        let found = self.halt.evidence().and_then(|evidence| evidence.status(status, schedule));
        // Which statuses there are is known when all have been collected.
        if let Some(found) = found
            && self.wanted == Wanted::First
        {
            self.keep(found, &mut self.ended.lock().expect("no holder panics"));
            self.decided();
        }
    }

    /// Remembers that goals, by bit, were reached, and returns all that were.
    pub fn reached(&self, goals: u64) -> u64 {
        self.goals.fetch_or(goals, Relaxed) | goals
    }

    /// Takes what a worker holds now.
    pub fn holds(&self, share: &mut WorkerShare, queue: u64, usage: &Usage) {
        for (all, (old, new)) in
            self.holds.iter().zip([(&mut share.queue, queue), (&mut share.pools, usage.pools)])
        {
            // The sum of all workers; it wraps around on the way if one of them holds less than before.
            all.fetch_add(new.wrapping_sub(*old), Relaxed);
            *old = new;
        }
        let Memory { store, queue, pools } = self.memory();
        for (most, now) in self.held.iter().zip([store, queue, pools]) {
            most.fetch_max(now, Relaxed);
        }
        if let Some(garbage) = usage.garbage {
            let new = garbage.since(&share.garbage.unwrap_or_default());
            self.garbage.lock().expect("no holder panics").get_or_insert_default().add(&new);
            share.garbage = usage.garbage;
        }
    }

    /// What the search holds now.
    pub fn memory(&self) -> Memory {
        let [queue, pools] = self.holds.each_ref().map(|bytes| bytes.load(Relaxed));
        Memory { store: self.store.get().map_or(0, |store| store.bytes()), queue, pools }
    }

    /// The most that each part of it has held, as far as workers have told.
    pub fn most_memory(&self) -> Memory {
        let [store, queue, pools] = self.held.each_ref().map(|bytes| bytes.load(Relaxed));
        Memory { store, queue, pools }
    }

    /// What garbage collectors have done.
    pub fn garbage(&self) -> Option<Garbage> {
        *self.garbage.lock().expect("no holder panics")
    }

    /// After how many transitions of a worker a sample is wanted.
    pub fn sample_every(&self) -> Option<u64> {
        self.observe.sample_every()
    }

    /// Takes a sample, at the depth of a worker.
    pub fn sample(&self, depth: usize) {
        let Tally { states, transitions, .. } = self.tally();
        let (elapsed, memory) = (self.elapsed(), self.memory());
        self.observe.sample(&Sample { transitions, states, elapsed, depth: depth as u64, memory });
    }

    /// Takes a worker's counts since the last time, checks budgets, and lets the observer look. Returns what time it is.
    pub fn report(&self, new: &Tally, depth: usize, frontier: usize) -> Instant {
        self.counts[0].fetch_add(new.states, Relaxed);
        self.counts[1].fetch_add(new.transitions, Relaxed);
        self.counts[2].fetch_add(new.executions, Relaxed);
        self.counts[3].fetch_add(new.runs, Relaxed);
        self.counts[4].fetch_max(new.max_depth, Relaxed);
        self.counts[5].fetch_add(new.blocked_executions, Relaxed);
        self.counts[6].fetch_add(new.redundant_executions, Relaxed);
        self.counts[7].fetch_add(new.cut_executions, Relaxed);
        self.counts[8].fetch_add(new.novel, Relaxed);
        self.frontier.store(frontier, Relaxed);
        if let Some(evidence) = self.halt.evidence() {
            evidence.counted(new);
        }
        let now = self.look();
        let elapsed = now - self.start;
        let ms = elapsed.as_millis() as u64;
        if let Some(most) = self.budget.memory
            && self.is_due(&self.next_look_ms, ms, LOOK_MS)
            && resident_bytes() >= most
        {
            self.stop(Reason::Memory);
        }
        if self.is_due(&self.next_tick_ms, ms, TICK_MS) {
            let memory = resident_bytes();
            let (tally, depth, frontier) = (self.tally(), depth as u64, frontier as u64);
            self.observe.tick(&Tick { tally, depth, frontier, memory, elapsed });
        }
        now
    }

    /// Ends the search if it was halted, or if its time is up. Returns what time it is.
    pub fn look(&self) -> Instant {
        if let Some(reason) = self.halt.reason() {
            self.stop(reason);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop(Reason::Time);
        }
        now
    }

    /// Whether something that one of the workers does now and then is due after so many milliseconds, and this one is to do it.
    fn is_due(&self, next: &AtomicU64, ms: u64, apart: u64) -> bool {
        let due = next.load(Relaxed);
        ms >= due && next.compare_exchange(due, ms + apart, Relaxed, Relaxed).is_ok()
    }

    /// States are kept in this store.
    pub fn keeps_in(&self, store: &Arc<Opened>) {
        let _ = self.store.set(Arc::clone(store));
    }

    /// A worker has come to a depth that is new to it, and has counted this since its last report.
    pub fn deeper(&self, depth: u64, mine: &Tally) {
        if self.deepest.fetch_max(depth, Relaxed) < depth {
            let states = self.counts[0].load(Relaxed) + mine.states;
            let bytes = self.store.get().map_or(0, |store| store.bytes());
            self.observe.deeper(&Growth { depth, states, bytes });
        }
    }

    /// How many states the search may still visit, with those that a worker has counted since its last report.
    pub fn states_left(&self, mine: &Tally) -> u64 {
        let visited = self.counts[0].load(Relaxed) + mine.states;
        match self.next_stop.load(Relaxed) {
            u64::MAX => u64::MAX,
            most => most.saturating_sub(visited),
        }
    }

    /// Whether the states are spent, with those that a worker has counted since its last report. It waits if others are to come
    /// as far first.
    #[inline]
    pub fn states_spent(&self, mine: &Tally) -> bool {
        let stop = self.next_stop.load(Relaxed);
        stop != u64::MAX && self.counts[0].load(Relaxed) + mine.states >= stop && self.ends_at_stop(mine)
    }

    #[cold]
    fn ends_at_stop(&self, mine: &Tally) -> bool {
        let visited = self.counts[0].load(Relaxed) + mine.states;
        if let Some(budget) = self.budget.states.filter(|&budget| visited >= budget) {
            self.stop(Reason::States(budget));
        } else if let Some(pass) = self.halt.pass() {
            let level = pass.reach_level(visited, self);
            self.next_stop.store(self.budget.states.unwrap_or(u64::MAX).min(level), Relaxed);
        }
        self.stopped()
    }

    /// Lets another search run that waits for a thread. Returns whether this one has waited.
    pub fn take_turns(&self) -> bool {
        self.halt.pass().is_some_and(|pass| pass.take_turns(self))
    }

    /// Whether the executions are spent, with those that a worker has counted since its last report.
    pub fn executions_spent(&self, mine: &Tally) -> bool {
        let Some(budget) = self.budget.executions else { return false };
        let spent = self.counts[3].load(Relaxed) + mine.runs >= budget;
        if spent {
            self.stop(Reason::Executions(budget));
        }
        spent
    }

    pub fn tally(&self) -> Tally {
        let [
            states,
            transitions,
            executions,
            runs,
            max_depth,
            blocked_executions,
            redundant_executions,
            cut_executions,
            novel,
        ] = std::array::from_fn(|i| self.counts[i].load(Relaxed));
        Tally {
            states,
            transitions,
            executions,
            blocked_executions,
            cut_executions,
            redundant_executions,
            runs,
            novel,
            max_depth,
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What the workers had to say, and the goals, by bit, that were reached.
    pub fn take_ended(&self) -> (Ended, u64) {
        (std::mem::take(&mut self.ended.lock().expect("no holder panics")), self.goals.load(Relaxed))
    }
}
