//! Several searches side by side, each with its own strategy, seed and store (Dwyer et al. 2007, Figure 4).
//!
//! The first finding ends all, and so does a search that has explored everything. One that only ran out of its
//! budget does not, though the paper's figure, read literally, lets it.

use crate::control::{Budget, Halt, Observe, Tick};
use crate::evidence::Evidence;
use crate::guard::{Guard, SearchLimits};
use crate::memory::Memory;
use crate::outcome::{Member, Outcome, Reason, Tally};
use crate::rounds::Rounds;
use crate::search::{ProgramTraits, Search, StateAccess, WithStates, WithoutStates};
use crate::settings::{Settings, SettingsError};
use crate::strategy::OrderKind;
use crate::turns::SwarmThread;
use crate::visited::Encoding;
use sojourner_program::{Encode, Fault, Garbage, Load, Random, Reducible, Stateful, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A search of a swarm.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it does.
    pub settings: Settings,
    /// Whether it starts again with another seed when it has ended without a word, until it has visited as many states or
    /// run as many executions as that says.
    pub restarts: Option<Budget>,
    /// The most rounds, if it starts again.
    pub rounds: u64,
    /// Whether it has threads of its own, as many as it has workers, where there are enough. The others take turns.
    pub alone: bool,
    /// The steps of its longest turns. They are worth as much as [`Plan::TURN`] steps of others.
    pub turn: u64,
    /// Whether each round allows one preemption more than the one before, from none to [`Plan::MOST_PREEMPTIONS`], and begins at
    /// none again.
    pub widens: bool,
}

impl Plan {
    /// The steps of the longest turns, if they are worth about as much as those of others.
    pub const TURN: u64 = 4096;

    /// Preemptions in the last of a series of rounds that allow more and more. Few defects need more (Musuvathi & Qadeer 2007).
    pub const MOST_PREEMPTIONS: u32 = 3;

    /// A search that runs once, beside others.
    pub fn once(settings: Settings) -> Plan {
        Plan { settings, restarts: None, rounds: u64::MAX, alone: false, turn: Plan::TURN, widens: false }
    }

    /// Whether what ended a round of it is a bound of its own, which the user has not set.
    fn is_own_bound(&self, reason: Reason) -> bool {
        let Some(whole) = self.restarts else { return false };
        match reason {
            Reason::Preemptions(_) => self.widens,
            Reason::States(most) => self.settings.budget.states == Some(most) && whole.states != Some(most),
            _ => false,
        }
    }

    /// What reports call it.
    pub fn name(&self) -> String {
        let strategy = &self.settings.strategy;
        if self.widens {
            format!("{strategy} with 0 to {} preemptions", Plan::MOST_PREEMPTIONS)
        } else {
            strategy.to_string()
        }
    }

    /// The settings of a round, of which the first is 1: the later ones have other seeds.
    pub(crate) fn of_round(&self, round: u64) -> Settings {
        let mut settings = self.settings.clone();
        if round > 1 {
            settings.seed = Random::stream(self.settings.seed, round).bits();
        }
        if self.widens {
            let series = u64::from(Plan::MOST_PREEMPTIONS) + 1;
            settings.bounds.preemptions = Some(((round - 1) % series) as u32);
            if round > series {
                settings.strategy.order = OrderKind::Random;
            }
        }
        settings
    }

    /// Whether the search may come to an end that proves something. One that starts again for ever looks for findings only.
    pub(crate) fn proves(&self) -> bool {
        self.restarts.is_none()
    }
}

/// How long searches that only look for findings go on when those that prove have ended at a bound: as long as that took, but
/// at least, and at most, so long.
const LEAST_AFTER_BOUND: Duration = Duration::from_secs(1);
const MOST_AFTER_BOUND: Duration = Duration::from_secs(10);

/// Runs the searches on that many threads until one of them decides or all have ended.
pub fn swarm<L>(
    load: &L,
    plans: &[Plan],
    threads: usize,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Encode + Reducible,
{
    run(load, plans, threads, halt, observe, WithStates(Some(Encoding::new())))
}

/// The same for a program whose states have fingerprints only.
pub fn swarm_fingerprints<L>(
    load: &L,
    plans: &[Plan],
    threads: usize,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Stateful + Reducible,
{
    run(load, plans, threads, halt, observe, WithStates(None))
}

/// The same for a program that can only be stepped and rewound.
pub fn swarm_stateless<L>(
    load: &L,
    plans: &[Plan],
    threads: usize,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Reducible,
{
    run(load, plans, threads, halt, observe, WithoutStates)
}

fn run<L: Load<P: Reducible>, M: StateAccess<L::P>>(
    load: &L,
    plans: &[Plan],
    threads: usize,
    user: &Halt<'_>,
    observe: &dyn Observe,
    access: M,
) -> Result<Outcome, SettingsError> {
    let start = Instant::now();
    // The swarm is out of time when the last of its searches is.
    let deadlines: Option<Vec<Instant>> =
        plans.iter().map(|plan| Some(start + plan.settings.budget.time?)).collect();
    let deadline = deadlines.and_then(|all| all.into_iter().max());
    let Some(first) = plans.first() else { return Ok(Outcome::default()) };
    let budgets = plans.iter().map(|plan| plan.restarts.unwrap_or(plan.settings.budget));
    let states =
        budgets.map(|budget| budget.states).try_fold(0, |all: u64, most| Some(all.saturating_add(most?)));
    let evidence = Evidence::new(start, observe);
    let halt = &Halt::noting(user, &evidence);
    // They all live in one process, and share its memory.
    let most = plans.iter().map(|plan| plan.settings.budget.memory).collect::<Option<Vec<u64>>>();
    let limits = SearchLimits { start, deadline, memory: most.and_then(|all| all.into_iter().max()) };
    let rounds = Rounds { load, wanted: &first.settings.wanted, limits, states, halt };
    rounds.run(|guard| round(load, plans, threads, start, guard, observe, access))
}

fn round<L: Load<P: Reducible>, M: StateAccess<L::P>>(
    load: &L,
    plans: &[Plan],
    threads: usize,
    start: Instant,
    guard: &Guard<'_>,
    observe: &dyn Observe,
    access: M,
) -> Result<Outcome, SettingsError> {
    let provers = plans.iter().filter(|plan| plan.proves()).count();
    let decided = Decision { guard, start, first: Mutex::new(None), provers: AtomicUsize::new(provers) };
    let sum = SwarmProgress::new(observe, plans.len(), start);
    let views: Vec<MemberObserver<'_>> =
        (0..plans.len()).map(|index| MemberObserver { sum: &sum, index }).collect();
    let busy = guard.enter();
    let opened = load.open();
    drop(busy);
    guard.check_start(load)?;
    let traits = opened.map(|program| ProgramTraits::of(&program, access));
    let mut members = Vec::new();
    for (plan, view) in plans.iter().zip(&views) {
        let deadline = plan.settings.budget.time.map(|time| start + time);
        let search = Search::new(load, &traits, &plan.of_round(1), deadline, guard, view, access)?;
        members.push(Mutex::new(Progress {
            search,
            tally: Tally::default(),
            memory: Memory::default(),
            garbage: None,
            rounds: 1,
            ended: None,
        }));
    }
    // Those that run alone come first; if too few threads would be left, they take turns like the others.
    let alone_threads: usize = plans.iter().filter(|plan| plan.alone).map(|plan| plan.settings.workers).sum();
    let has_turns = plans.iter().any(|plan| !plan.alone);
    let alone = threads > alone_threads || threads == alone_threads && !has_turns;
    std::thread::scope(|scope| {
        for (index, _) in plans.iter().enumerate().filter(|(_, plan)| alone && plan.alone) {
            let (members, decided) = (&members, &decided);
            scope.spawn(move || {
                let _guard = HaltOnPanic(guard);
                let (outcome, _) =
                    members[index].lock().expect("one thread each").search.run_to_the_end(None);
                let plan = &plans[index];
                members[index].lock().expect("one thread each").finish(outcome, index, plan, decided);
            });
        }
        let turns: Vec<usize> = (0..plans.len()).filter(|&index| !(alone && plans[index].alone)).collect();
        let lanes = if alone { threads - alone_threads } else { threads };
        for lane in 0..lanes.min(turns.len()) {
            let mine: Vec<usize> = turns.iter().copied().skip(lane).step_by(lanes).collect();
            let (members, decided, views, traits) = (&members, &decided, &views, &traits);
            scope.spawn(move || {
                let mut thread =
                    SwarmThread { load, traits, plans, members, decided, guard, views, access, start };
                thread.take_turns(&mine);
            });
        }
    });
    let first = decided.first.into_inner().expect("no holder panics");
    Ok(conclude(
        plans,
        members.into_iter().map(|m| m.into_inner().expect("one thread each")).collect(),
        first,
        start,
    ))
}

/// A search of the swarm as it stands.
pub(crate) struct Progress<'a, L: Load, M> {
    pub search: Search<'a, L, M>,
    /// What the rounds that have ended counted.
    pub tally: Tally,
    memory: Memory,
    garbage: Option<Garbage>,
    pub rounds: u64,
    /// How the last round ended, if no other has begun.
    pub ended: Option<Outcome>,
}

impl<L: Load<P: Reducible>, M: StateAccess<L::P>> Progress<'_, L, M> {
    /// Takes note of how it ended. True: it has decided for all.
    pub fn finish(&mut self, outcome: Outcome, index: usize, plan: &Plan, decided: &Decision<'_>) -> bool {
        let decides = outcome.verdict() != Verdict::Incomplete;
        if decides {
            decided.by(index);
        } else if plan.proves() {
            decided.gives_up(&outcome);
        }
        self.count(&outcome);
        self.ended = Some(outcome);
        decides
    }

    /// Adds what a round counted.
    fn count(&mut self, outcome: &Outcome) {
        self.tally.add(&outcome.tally);
        self.memory = self.memory.max(outcome.memory);
        if let Some(garbage) = &outcome.garbage {
            self.garbage.get_or_insert_default().add(garbage);
        }
    }

    /// How it stands in the end: as its last round ended or, in the middle of one, overtaken.
    fn conclude(&mut self) -> Outcome {
        self.ended.take().unwrap_or_else(|| {
            let outcome = self.search.overtaken();
            self.count(&outcome);
            outcome
        })
    }
}

/// The first search that found something, or has explored everything.
pub(crate) struct Decision<'a> {
    guard: &'a Guard<'a>,
    start: Instant,
    first: Mutex<Option<usize>>,
    /// The searches that could explore everything and have not ended.
    provers: AtomicUsize,
}

impl Decision<'_> {
    /// Whether a search has decided.
    pub fn is_over(&self) -> bool {
        self.first.lock().expect("no holder panics").is_some()
    }

    fn by(&self, index: usize) {
        self.first.lock().expect("no holder panics").get_or_insert(index);
        self.guard.overtake();
    }

    /// A search that could have explored everything has ended, and has not: some bound kept it from that. When it was the last
    /// one, those that start again for ever go on for as long again.
    fn gives_up(&self, outcome: &Outcome) {
        // By these budgets they end themselves.
        let counted = |reason: &Reason| matches!(reason, Reason::States(_) | Reason::Executions(_));
        if self.provers.fetch_sub(1, Relaxed) == 1 && !outcome.reasons.iter().any(counted) {
            let time = self.start.elapsed().clamp(LEAST_AFTER_BOUND, MOST_AFTER_BOUND);
            self.guard.halt.end_at(Instant::now() + time);
        }
    }
}

/// A panic of one thread must not leave the others running.
pub(crate) struct HaltOnPanic<'a>(pub &'a Guard<'a>);

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.overtake();
        }
    }
}

/// Adds up how the searches stand, for the observer of the swarm.
pub(crate) struct SwarmProgress<'a> {
    observe: &'a dyn Observe,
    ticks: Mutex<Vec<Tick>>,
    start: Instant,
}

impl<'a> SwarmProgress<'a> {
    /// Of so many searches, which began at `start`.
    pub fn new(observe: &'a dyn Observe, searches: usize, start: Instant) -> Self {
        SwarmProgress { observe, ticks: Mutex::new(vec![Tick::default(); searches]), start }
    }
}

/// What one search of the swarm reports to.
pub(crate) struct MemberObserver<'a> {
    pub sum: &'a SwarmProgress<'a>,
    pub index: usize,
}

impl Observe for MemberObserver<'_> {
    fn tick(&self, tick: &Tick) {
        let mut ticks = self.sum.ticks.lock().expect("no holder panics");
        ticks[self.index] = *tick;
        let mut sum = Tick { memory: tick.memory, elapsed: self.sum.start.elapsed(), ..Tick::default() };
        for tick in ticks.iter() {
            sum.tally.add(&tick.tally);
            sum.frontier += tick.frontier;
            sum.depth = sum.depth.max(tick.depth);
        }
        drop(ticks);
        self.sum.observe.tick(&sum);
    }
}

fn conclude<L: Load<P: Reducible>, M: StateAccess<L::P>>(
    plans: &[Plan],
    members: Vec<Progress<'_, L, M>>,
    first: Option<usize>,
    start: Instant,
) -> Outcome {
    let mut members = members;
    let outcomes: Vec<Outcome> = members.iter_mut().map(Progress::conclude).collect();
    // A search that has found something is right, also if another one was quicker to find nothing.
    let finder = outcomes.iter().position(|outcome| !outcome.found.is_empty());
    let first = match first {
        Some(first) if outcomes[first].found.is_empty() => finder.or(Some(first)),
        first => first,
    };
    let ended_itself = |outcome: &Outcome| {
        let stops =
            |reason: &Reason| matches!(reason, Reason::Overtaken | Reason::Time | Reason::Interrupted);
        !outcome.reasons.iter().any(stops)
    };
    let mut provers = plans.iter().zip(&outcomes).filter(|(plan, _)| plan.proves()).peekable();
    let bounded = provers.peek().is_some() && provers.all(|(_, outcome)| ended_itself(outcome));
    let mut swarm = Outcome { winner: first, elapsed: start.elapsed(), ..Outcome::default() };
    let mut again = None;
    for (index, ((plan, member), outcome)) in plans.iter().zip(members).zip(outcomes).enumerate() {
        let tally = member.tally;
        swarm.tally.add(&tally);
        swarm.memory.add(&member.memory);
        if let Some(garbage) = &member.garbage {
            swarm.garbage.get_or_insert_default().add(garbage);
        }
        let ended = how_it_ended(&outcome, first == Some(index), member.rounds);
        let (name, seed) = (plan.name(), plan.settings.seed);
        swarm.members.push(Member { name, seed, tally, ended });
        if matches!(outcome.fault, Some(Fault::Again { .. })) {
            again = outcome.fault;
        } else if first.is_none_or(|first| first == index) {
            swarm.fault = swarm.fault.or(outcome.fault);
        }
        // What those that only look for findings have left out says nothing, if others have ended at their bounds.
        let tells = !bounded || plan.proves();
        if first == Some(index) {
            (swarm.found, swarm.reasons) = (outcome.found, outcome.reasons);
            // Another search may have found something at the same time.
            if !swarm.found.is_empty() {
                swarm.reasons.retain(|&reason| reason != Reason::Overtaken);
            }
            swarm.store = outcome.store;
            swarm.endless = outcome.endless;
        } else if first.is_none() && tells {
            for reason in outcome.reasons {
                if !swarm.reasons.contains(&reason) && !plan.is_own_bound(reason) {
                    swarm.reasons.push(reason);
                }
            }
            swarm.store = swarm.store.or(outcome.store);
        }
    }
    // If one of the searches is to begin again, so are all, whichever was first: they share what was learned.
    swarm.fault = again.or(swarm.fault);
    swarm
}

/// How a search of several ended, in a few words.
pub(crate) fn how_it_ended(outcome: &Outcome, first: bool, rounds: u64) -> String {
    let how = match outcome.verdict() {
        Verdict::Found if first => "found".to_string(),
        Verdict::Clean if first => "explored everything".to_string(),
        Verdict::Found => "found too".to_string(),
        Verdict::Clean => "explored everything too".to_string(),
        Verdict::Unsupported => "unsupported".to_string(),
        Verdict::Incomplete => {
            let has = |reason: Reason| outcome.reasons.contains(&reason);
            match () {
                () if has(Reason::Overtaken) || has(Reason::Race) => "stopped",
                () if has(Reason::Interrupted) => "interrupted",
                () if has(Reason::Time) => "out of time",
                () if has(Reason::Memory) => "out of memory",
                () if outcome.reasons.iter().all(Reason::is_bound) => "explored everything within its bounds",
                () if outcome.reasons == [Reason::Randomised] => "stopped",
                () => "out of its budget",
            }
            .to_string()
        }
    };
    if rounds > 1 { format!("{how} in round {rounds}") } else { how }
}
