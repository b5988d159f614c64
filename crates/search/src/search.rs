//! One search: put together from its settings, run by its workers, and its outcome.

use crate::Outcome;
use crate::TurnBack;
use crate::ahead::{Ahead, LookAhead, Yield};
use crate::control::{Control, Halt, Observe};
use crate::dpor;
use crate::endless::{Endless, Residue, Rest, Tracker};
use crate::engine::{AnyWorker, Engine, Flow, Parts, Run};
use crate::evidence::Evidence;
use crate::filter::Bounds;
use crate::frontier::{Heap, Job, Level, Levels, Picker, Queue, Queueing, Stack, Walk};
use crate::guard::{Guard, SearchLimits};
use crate::heuristic::Ranking;
use crate::livelock::go_round;
use crate::order::{AsGiven, ByRank, Interference, Interleave, Order, Pct, Pos, Shuffled, Surw};
use crate::outcome::{Found, Reason, Sight, Tally};
use crate::pool::Pool;
use crate::rounds::Rounds;
use crate::settings::{Settings, SettingsError};
use crate::strategy::{OrderKind, Shape, Strategy};
use crate::visited::{Cost, Encoding, NoStates, StoredStates, Visited};
use foldhash::HashSet;
use sojourner_program::{
    Encode, Fault, Finding, Kind, Load, Program, Random, Reducible, Schedule, SharedSet, Stateful,
};
use sojourner_store::{Opened, Options, Store, StoreKind, Wants};
use std::sync::Arc;
use std::time::Instant;

/// Explores a program whose states have encodings. It can use every store.
pub fn explore<L>(
    load: &L,
    settings: &Settings,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Encode + Reducible,
{
    rounds(load, settings, halt, observe, WithStates(Some(Encoding::new())))
}

/// Explores a program whose states have fingerprints only. The store must be `compact`, `bitstate` or `none`.
pub fn explore_fingerprints<L>(
    load: &L,
    settings: &Settings,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Stateful + Reducible,
{
    rounds(load, settings, halt, observe, WithStates(None))
}

/// Explores a program that can only be stepped and rewound. The store must be `none`.
pub fn explore_stateless<L>(
    load: &L,
    settings: &Settings,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Reducible,
{
    rounds(load, settings, halt, observe, WithoutStates)
}

/// Runs a search, from the beginning again as often as its program has to learn something.
pub(crate) fn rounds<L, M>(
    load: &L,
    settings: &Settings,
    halt: &Halt<'_>,
    observe: &dyn Observe,
    access: M,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Reducible,
    M: StateAccess<L::P>,
{
    let limits = SearchLimits::of(&settings.budget);
    let states = settings.budget.states;
    let evidence = Evidence::new(limits.start, observe);
    let halt = &Halt::noting(halt, &evidence);
    let rounds = Rounds { load, wanted: &settings.wanted, limits, states, halt };
    settings.check()?;
    // The program of one round goes on in the next: it is where its first worker is.
    let mut last = None;
    rounds.run(|guard| {
        let busy = guard.enter();
        let opened = last.take().map_or_else(|| load.open(), |program| load.renew(program));
        drop(busy);
        let (traits, program) = match opened {
            Ok(program) => (Ok(ProgramTraits::of(&program, access)), Some(program)),
            Err(fault) => (Err(fault), None),
        };
        guard.check_start(load)?;
        let search = Search::new(load, &traits, settings, guard.deadline, guard, observe, access)?;
        let (outcome, program) = search.run_to_the_end(program);
        last = program;
        Ok(outcome)
    })
}

/// What a search must know of a program before it can be put together. Opening a program may take a while, so all searches of a swarm share
/// this.
pub(crate) struct ProgramTraits {
    goals: Vec<String>,
    support: StateSupport,
}

/// What a program can say about its states.
pub(crate) enum StateSupport {
    /// Nothing.
    Nothing,
    /// Fingerprints.
    Fingerprints,
    /// Encodings too, with components of these kinds.
    Encodings(Vec<String>),
}

impl StateSupport {
    /// The names of the kinds of components, for a store of that kind.
    fn kinds(&self, store: StoreKind) -> Result<Vec<String>, SettingsError> {
        match self {
            StateSupport::Nothing => Err(SettingsError::Stateless),
            StateSupport::Fingerprints if matches!(store, StoreKind::Exact | StoreKind::Collapse) => {
                Err(SettingsError::Unencoded(store))
            }
            StateSupport::Fingerprints => Ok(Vec::new()),
            StateSupport::Encodings(kinds) => Ok(kinds.clone()),
        }
    }
}

impl ProgramTraits {
    pub fn of<P: Reducible>(program: &P, access: impl StateAccess<P>) -> ProgramTraits {
        ProgramTraits { goals: program.goals(), support: access.support(program) }
    }
}

/// What a search does with the states of a program. It decides how visited sets are made, and all else that depends on what the program can
/// tell of its states.
pub(crate) trait StateAccess<P: Reducible>: Copy + Send + Sync {
    /// The visited set.
    type V: Visited<P>;

    /// The visited set of one of the workers that share `store`. With `only`, no other states are visited.
    fn visited(
        self,
        store: Option<&Arc<Opened>>,
        settings: &Settings,
        only: Option<HashSet<u128>>,
    ) -> Self::V;

    /// Goes on from a state from which no execution ends: what is found there, and the schedule that shows it.
    fn go_round(self, program: P, way: Schedule) -> Result<Found, Fault>;

    /// What the program can say about its states.
    fn support(self, program: &P) -> StateSupport;

    /// What looks ahead for a worker, where that may pay.
    fn ahead(self, store: &Arc<Opened>, settings: &Settings, program: &P) -> Option<Box<dyn LookAhead<P>>>;
}

/// For programs whose states can be told apart.
pub(crate) struct WithStates<P>(pub Option<Encoding<P>>);

impl<P> Clone for WithStates<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for WithStates<P> {}

impl<P: Stateful + Reducible> StateAccess<P> for WithStates<P> {
    type V = Option<StoredStates<P>>;

    fn visited(
        self,
        store: Option<&Arc<Opened>>,
        settings: &Settings,
        only: Option<HashSet<u128>>,
    ) -> Option<StoredStates<P>> {
        let kept =
            StoredStates::new(self.0, store?.clone(), settings.bounds, settings.cost(), settings.tracks());
        Some(match only {
            Some(states) => kept.only(states),
            None => kept,
        })
    }

    fn go_round(self, program: P, way: Schedule) -> Result<Found, Fault> {
        go_round(program, way)
    }

    fn support(self, program: &P) -> StateSupport {
        self.0
            .map_or(StateSupport::Fingerprints, |encoding| StateSupport::Encodings((encoding.kinds)(program)))
    }

    fn ahead(self, store: &Arc<Opened>, settings: &Settings, program: &P) -> Option<Box<dyn LookAhead<P>>> {
        // With bounds the key of a state has more to it than the fingerprint.
        let by_print = store.wants() == Wants::Fingerprint && settings.bounds == Bounds::default();
        (by_print && program.has_cheap_steps()).then(|| Box::new(Ahead::new(store.clone())) as _)
    }
}

/// For programs that can only be stepped and rewound.
#[derive(Clone, Copy)]
pub(crate) struct WithoutStates;

impl<P: Reducible> StateAccess<P> for WithoutStates {
    type V = NoStates;

    fn visited(self, _: Option<&Arc<Opened>>, _: &Settings, _: Option<HashSet<u128>>) -> NoStates {
        NoStates
    }

    fn go_round(self, _: P, _: Schedule) -> Result<Found, Fault> {
        unreachable!("only searches with a store look for executions that go on for ever")
    }

    fn support(self, _: &P) -> StateSupport {
        StateSupport::Nothing
    }

    fn ahead(self, _: &Arc<Opened>, _: &Settings, _: &P) -> Option<Box<dyn LookAhead<P>>> {
        None
    }
}

/// The set of a program that can go on with this search by itself. Then the search only looks at states, and leaves those that it
/// has seen.
fn shared_set<L: Load>(load: &L, traits: &ProgramTraits, settings: &Settings) -> Option<Arc<dyn SharedSet>> {
    let Settings { strategy, bounds, workers, store, reach, .. } = settings;
    let is_plain = *strategy == Strategy::plain(Shape::DepthFirst) && *bounds == Bounds::default();
    let fits = is_plain && *workers == 1 && *store == StoreKind::Compact && reach.is_none();
    let looks_at_states = traits.goals.is_empty() && !matches!(traits.support, StateSupport::Nothing);
    if fits && looks_at_states { load.shared_set() } else { None }
}

/// Ends the search when a worker panics, because the other workers would wait for ever.
struct StopOnPanic<'a>(&'a Control<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(Reason::Interrupted);
        }
    }
}

/// Goals are bits of a word.
const MOST_GOALS: usize = 64;

/// A search and what its workers share.
pub(crate) struct Search<'a, L: Load, M> {
    load: &'a L,
    settings: Settings,
    access: M,
    guard: &'a Guard<'a>,
    control: Arc<Control<'a>>,
    store: Option<Arc<Opened>>,
    pool: Option<Arc<Pool<Job>>>,
    levels: Arc<Levels<<L::P as Program>::Place>>,
    queue: Arc<Queue<<L::P as Program>::Place>>,
    reduced: Arc<dpor::Shared>,
    goals: Vec<String>,
    /// What several workers that look for executions without an end have left open.
    residue: Option<Arc<Residue<Job>>>,
}

impl<'a, L: Load<P: Reducible>, M: StateAccess<L::P> + 'a> Search<'a, L, M> {
    pub fn new(
        load: &'a L,
        traits: &Result<ProgramTraits, Fault>,
        settings: &Settings,
        deadline: Option<Instant>,
        guard: &'a Guard<'a>,
        observe: &'a dyn Observe,
        access: M,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        let Settings { budget, workers, .. } = *settings;
        let control = Control::new(budget, deadline, settings.wanted.clone(), &guard.halt, observe);
        let control = Arc::new(control.with(settings.endless));
        let (mut goals, mut store) = (Vec::new(), None);
        match traits {
            Err(fault) => control.fail(fault.clone()),
            Ok(traits) if traits.goals.len() > MOST_GOALS => {
                return Err(SettingsError::Goals(traits.goals.len()));
            }
            Ok(traits) => {
                goals.clone_from(&traits.goals);
                if let Some(set) = shared_set(load, traits, settings) {
                    let opened = Arc::new(Opened::shared(set));
                    control.keeps_in(&opened);
                    store = Some(opened);
                } else if settings.keeps() {
                    let options = Options {
                        kind: settings.store,
                        workers,
                        depths: settings.cost() != Cost::Free,
                        limit: None,
                        meter: Some(Arc::clone(&guard.meter)),
                        component_kinds: traits.support.kinds(settings.store)?,
                    };
                    let opened =
                        sojourner_store::open(&options).map_err(|e| SettingsError::Store(e.to_string()))?;
                    let opened = Arc::new(opened);
                    control.keeps_in(&opened);
                    store = Some(opened);
                }
            }
        }
        let (bound, by_levels) = match settings.strategy.shape {
            Shape::BreadthFirst(bound) => (bound, false),
            Shape::BestFirst(Queueing { bound, by_levels, .. }) => (bound, by_levels),
            _ => (None, false),
        };
        Ok(Search {
            load,
            settings: settings.clone(),
            access,
            guard,
            control,
            store,
            pool: (workers > 1).then(|| Arc::new(Pool::new(workers))),
            levels: Arc::new(Levels::new(workers, bound)),
            queue: Arc::new(Queue::new(workers, bound, by_levels)),
            reduced: Arc::new(dpor::Shared::new(workers, settings.soft_limit)),
            goals,
            residue: (workers > 1 && settings.tracks()).then(|| Residue::new(workers)),
        })
    }

    /// Runs all workers until nothing is left to do, the first of them on a program that is at its start, if there is one.
    /// Beside the outcome it gives back that worker's program.
    pub fn run_to_the_end(&self, program: Option<L::P>) -> (Outcome, Option<L::P>) {
        let program = std::thread::scope(|scope| {
            for worker in 1..self.settings.workers {
                scope.spawn(move || drop(self.work(worker, None)));
            }
            self.work(0, program)
        });
        let knows = !self.control.stopped() && !self.control.lost_sight();
        let rest = self.residue.as_ref().filter(|_| knows).and_then(|residue| residue.rest());
        let program = match rest {
            Some(rest) => self.explore_rest(rest, program),
            None => program,
        };
        (self.outcome(), program)
    }

    /// Looks once more, on one thread, at the states of which several workers could not tell whether executions can end from
    /// there.
    fn explore_rest(&self, rest: Rest<Job>, program: Option<L::P>) -> Option<L::P> {
        let mut program = program?;
        let _busy = self.guard.enter();
        if let Err(fault) = program.rewind(0) {
            self.control.fail(fault);
            return Some(program);
        }
        let pool = Arc::new(Pool::new(1));
        let leads = rest.ways.iter().any(Option::is_none);
        rest.ways.into_iter().flatten().for_each(|job| pool.give(job));
        let frontier = Stack::new(None, Some(pool), Some(Tracker::alone(Endless::Found)));
        let visited = self.access.visited(self.store.as_ref(), &self.settings, Some(rest.states));
        // These states have been counted, and what is wrong with them was found.
        let again = Arc::new(self.control.again());
        let picker = self.picker(&program, Random::stream(self.settings.seed, 0), again.clone());
        let (reach, novelty) = (None, None);
        let parts = Parts { program, visited, picker, reach, novelty, samples: false, tracks: true, leads };
        let mut engine = Box::new(Engine::new(frontier, parts));
        while engine.run(u64::MAX) == Flow::Paused {}
        let (ended, _) = again.take_ended();
        ended.reasons.into_iter().for_each(|reason| self.control.cut(reason));
        ended.fault.into_iter().for_each(|fault| self.control.fail(fault));
        ended.trap.into_iter().for_each(|way| self.control.trapped(|| way));
        Some(engine.into_program())
    }

    /// Runs one worker until nothing is left to do. Gives back its program.
    fn work(&self, worker: usize, program: Option<L::P>) -> Option<L::P> {
        let _guard = StopOnPanic(&self.control);
        let busy = self.guard.enter();
        let mut engine = self.worker(worker, program)?;
        while engine.run(u64::MAX) == Flow::Paused {}
        // What follows frees memory, which may take long, and comes to an end.
        drop(busy);
        Some(engine.into_program())
    }

    /// Puts a worker together on a program that is at its start, or on one that is opened for it. `None`: it could not be
    /// opened, or the time was up before, which ends the search.
    pub fn worker(&self, worker: usize, program: Option<L::P>) -> Option<AnyWorker<'a, L::P>> {
        if program.is_none() {
            // To open a program takes a while.
            self.control.look();
            if self.control.stopped() {
                return None;
            }
        }
        let _busy = self.guard.enter();
        let opened = program.map_or_else(|| self.load.open(), Ok);
        let program = opened.map_err(|fault| self.control.fail(fault)).ok()?;
        let settings = &self.settings;
        let shape = settings.strategy.shape;
        if let Shape::Dpor(mode) = shape {
            let (control, shared) = (self.control.clone(), self.reduced.clone());
            let bounds = settings.bounds;
            let worker = dpor::Worker::new(program, control, shared, mode, bounds, worker == 0);
            return Some(Box::new(worker.telling(settings.reach.clone())));
        }
        // One stream of random numbers for each part that draws any.
        let random = |part: u64| Random::stream(settings.seed, worker as u64 * 4 + part);
        let picker = self.picker(&program, random(0), self.control.clone());
        let visited = self.access.visited(self.store.as_ref(), settings, None);
        let tracks = settings.tracks();
        let (samples, reach) = (shape.samples(), settings.reach.clone());
        let leads = worker == 0 || samples;
        let novelty = settings.novelty.clone();
        let parts = Parts { program, visited, picker, reach, novelty, samples, tracks, leads };
        Some(match shape {
            Shape::DepthFirst => {
                let turn = settings.strategy.backtrack.map(|how| TurnBack::new(how, random(1)));
                let tracker = tracks.then(|| match &self.residue {
                    Some(residue) => Tracker::beside_others(settings.endless, residue, worker),
                    None => Tracker::alone(settings.endless),
                });
                let frontier = Stack::new(turn, self.pool.clone(), tracker);
                Box::new(Engine::new(frontier, parts))
            }
            Shape::BreadthFirst(_) => {
                let frontier = Level::new(self.levels.clone(), worker == 0);
                Box::new(Engine::new(frontier, parts))
            }
            Shape::BestFirst(how) => {
                let ranking = Ranking::new(settings.strategy.heuristic.clone(), random(2));
                let frontier = Heap::new(self.queue.clone(), ranking, how, random(1), worker == 0);
                Box::new(Engine::new(frontier, parts))
            }
            Shape::Dpor(_) => unreachable!("it has a loop of its own"),
            Shape::Walk | Shape::Pct(_) | Shape::Pos | Shape::Surw { .. } => {
                self.control.cut(Reason::Randomised);
                let frontier = Walk::default();
                Box::new(Engine::new(frontier, parts))
            }
        })
    }

    fn picker(&self, program: &L::P, random: Random, control: Arc<Control<'a>>) -> Picker<'a, L::P> {
        let settings = &self.settings;
        let cuts = settings.strategy.shape.samples() && settings.bounds.depth.is_none();
        Picker {
            bounds: settings.bounds,
            reach: settings.reach.clone().filter(|_| cuts),
            counts_preemptions: settings.bounds.preemptions.is_some()
                || settings.strategy.heuristic.counts_preemptions(),
            order: self.order(random),
            ahead: self.store.as_ref().and_then(|store| self.access.ahead(store, settings, program)),
            successors: Yield::new(),
            control,
        }
    }

    fn order(&self, random: Random) -> Box<dyn Order<L::P>> {
        match (self.settings.strategy.shape, self.settings.strategy.order) {
            (Shape::Walk, _) => Box::new(Shuffled(random)),
            (Shape::Pct(depth), _) => Box::new(Pct::new(depth, random, self.settings.reach.clone())),
            (Shape::Pos, _) => Box::new(Pos::new(random)),
            (Shape::Surw { all }, _) => Box::new(Surw::new(all, random)),
            (_, OrderKind::AsGiven) => Box::new(AsGiven),
            (_, OrderKind::Random) => Box::new(Shuffled(random)),
            (_, OrderKind::Interleave) => Box::new(Interleave),
            (_, OrderKind::Interference) => Box::new(Interference::default()),
            (_, OrderKind::Heuristic) => {
                let heuristic = self.settings.strategy.heuristic.clone();
                Box::new(ByRank(Ranking::new(heuristic, random)))
            }
        }
    }

    /// What the search has to say, when its workers have ended.
    pub fn outcome(&self) -> Outcome {
        let (ended, reached) = self.control.take_ended();
        let (mut found, mut reasons, mut fault) = (ended.found, ended.reasons, ended.fault);
        let tally = self.control.tally();
        let ends = self.settings.endless == Endless::Found || tally.executions > 0;
        let trapped = ended.trap.is_some();
        if let Some(way) = ended.trap.filter(|_| ends && fault.is_none()) {
            let shown = self.load.open().and_then(|program| self.access.go_round(program, way));
            match shown {
                Ok(endless) => found.push(endless),
                Err(error) => fault = Some(error),
            }
        }
        if matches!(self.settings.store, StoreKind::Bitstate { .. }) && self.store.is_some() {
            reasons.push(Reason::Lossy);
        }
        if reasons.is_empty() && fault.is_none() && found.is_empty() {
            found.extend(self.unreached(reached));
        }
        Outcome {
            found,
            lesser: Vec::new(),
            statuses: Vec::new(),
            fault,
            reasons,
            tally,
            endless: match (trapped || self.control.lost_sight()) && !ends {
                true => Sight::NothingEnds,
                false => self.sight(&tally),
            },
            elapsed: self.control.elapsed(),
            restarts: 0,
            store: self.store.as_ref().map(|store| store.report()),
            memory: self.control.most_memory(),
            garbage: self.control.garbage(),
            winner: None,
            members: Vec::new(),
        }
    }

    /// What it has counted so far.
    pub fn tally(&self) -> Tally {
        self.control.tally()
    }

    /// There is no memory for another program.
    pub fn refuse(&self) {
        self.control.stop(Reason::Memory);
    }

    /// What it knows of executions that go on for ever if it has explored everything.
    fn sight(&self, tally: &Tally) -> Sight {
        let shape = self.settings.strategy.shape;
        let whole = match shape {
            // Every execution was run to its end, unless a thread was left where it repeats itself.
            Shape::Dpor(_) => tally.cut_executions == 0,
            // Without a store it would not have come to an end.
            Shape::DepthFirst if self.settings.keeps() => {
                self.settings.tracks() && !self.control.lost_sight()
            }
            Shape::DepthFirst => true,
            _ => false,
        };
        if whole { Sight::Clear } else { Sight::Unknown }
    }

    /// What the search reports in the middle of its work. Nothing unfinished may count as complete.
    pub fn overtaken(&self) -> Outcome {
        self.control.cut(Reason::Overtaken);
        self.outcome()
    }

    /// The goals that nothing reached although everything was explored.
    fn unreached(&self, reached: u64) -> impl Iterator<Item = Found> {
        self.goals.iter().enumerate().filter(move |(goal, _)| reached >> goal & 1 == 0).map(|(_, name)| {
            let message = format!("the goal \"{name}\" is never reached");
            let finding = Finding { type_name: Some(name.clone()), ..Finding::new(Kind::Property, message) };
            Found { finding, schedule: None, other: None, preemptions: None }
        })
    }
}
