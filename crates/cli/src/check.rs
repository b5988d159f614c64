//! `sojourner check`.

use crate::args::{self, Livelock, SearchName, Shorten};
use crate::exit::Exit;
use crate::growth::Recorder;
use crate::livelocks;
use crate::memory;
use crate::outputs::{Output, writable};
use crate::progress::Progress;
use crate::summary::{self, Subject};
use crate::target::{Candidate, Programs, Request, Visit};
use crate::usage::Usage;
use sojourner_program::{Choice, Encode, Fault, Finding, Random, Schedule, Verdict};
use sojourner_report::Style;
use sojourner_search::{
    Bounds, Budget, Effort, Endless, Growth, Halt, Observe, OrderKind, Outcome, Plan, REDUCED_DEPTH, Reach,
    Reduction, SAMPLE_DEPTH, Settings, SettingsError, Shape, Sight, Strategy, Tick, Unobserved, Wanted,
    auto_plans, explore, explore_fingerprints, shorten, shorten_stateless, swarm, swarm_fingerprints,
};
use sojourner_store::StoreKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What Ctrl-C stops.
pub static HALT: Halt<'static> = Halt::new();

/// Executions of a search that samples, if the user names no budget: it would never end.
const SAMPLES: u64 = 1_000;

/// Checks one of the programs and reports the result.
pub fn check(
    programs: &impl Programs,
    request: Request<'_>,
    options: &args::How,
    style: Style,
) -> Result<Exit, Usage> {
    let how = How::new(options)?;
    if options.json.is_some() && options.json == options.trace {
        return Err(Usage::Settings("--json and --trace name the same file: give each its own".into()));
    }
    if options.growth.is_some() && matches!(how, How::Several(..)) {
        return Err(Usage::Settings("--growth is of one search: add --search bfs, without --swarm".into()));
    }
    if options.growth.is_some() && (options.growth == options.json || options.growth == options.trace) {
        return Err(Usage::Settings("--growth names the file of another output: give each its own".into()));
    }
    let (stem, command) = (programs.stem(request.target), programs.command());
    let verdict = programs.open(request, Job { options, how, request, stem, command, style })??;
    Ok(Exit::Verdict(verdict))
}

/// Where reports go.
struct Outputs {
    json: Option<Output>,
    growth: Option<Output>,
}

impl Outputs {
    /// Shows a part of the text for people.
    fn show(&self, text: &str) {
        match self.json {
            // Standard output is for the machine then.
            Some(Output::Standard) => crate::say(text),
            _ => drop(crate::print(text)),
        }
    }
}

/// The searches that the options ask for.
enum How {
    One(Box<Settings>),
    Several(Vec<Plan>, usize),
}

impl How {
    fn new(options: &args::How) -> Result<How, Usage> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = options.jobs.unwrap_or(cores);
        let shape = match options.search {
            SearchName::Auto => Shape::DepthFirst,
            SearchName::One(shape) => shape,
        };
        let strategy = Strategy {
            shape,
            order: options.order,
            heuristic: options.heuristic,
            backtrack: options.backtrack,
        };
        let mut settings = Settings {
            store: options.store.unwrap_or(StoreKind::Compact),
            bounds: Bounds { preemptions: options.preemptions, depth: options.depth },
            budget: Budget {
                time: options.time,
                memory: options.memory.or_else(memory::default_bound),
                states: options.states,
                executions: options.executions,
            },
            wanted: if options.all { Wanted::All } else { Wanted::First },
            seed: options.seed,
            soft_limit: options.soft_limit,
            ..Settings::new(strategy)
        };
        let auto = options.search == SearchName::Auto;
        if auto && (options.backtrack.is_some() || options.swarm.is_some()) {
            let option = if options.swarm.is_some() { "--swarm" } else { "--backtrack" };
            return Err(Usage::Settings(format!("{option} needs a search to apply to: add --search dfs")));
        }
        if matches!(shape, Shape::Dpor(_)) {
            settings.bounds.depth.get_or_insert(SAMPLE_DEPTH);
        }
        if shape.samples() {
            if options.depth.is_none() {
                settings.reach = Some(Arc::new(Reach::new(SAMPLE_DEPTH)));
            }
            if options.time.is_none() && options.states.is_none() {
                settings.budget.executions.get_or_insert(SAMPLES);
            }
        } else if options.executions.is_some() && !shape.stateless() {
            return Err(Usage::Settings(
                "--executions is for searches that go by executions: walk, pct, pos and dpor".into(),
            ));
        }
        if options.swarm.is_some() && matches!(shape, Shape::Dpor(_)) {
            let why =
                "all searches of the swarm would run the same executions: use --jobs N, or another search";
            return Err(Usage::Settings(why.into()));
        }
        let how = match options.swarm {
            _ if auto && !options.all => How::Several(auto_plans(&settings, jobs), jobs),
            Some(n) => How::Several(copies(&settings, n), jobs),
            None => {
                // Who turns back early goes along one path.
                let alone = options.backtrack.is_some() && options.jobs.is_none();
                settings.workers = if alone { 1 } else { jobs };
                How::One(Box::new(settings))
            }
        };
        how.check().map_err(|error| Usage::Settings(error.to_string()))?;
        Ok(how)
    }

    fn check(&self) -> Result<(), SettingsError> {
        match self {
            How::One(settings) => settings.check(),
            How::Several(plans, _) => plans.iter().try_for_each(|plan| plan.settings.check()),
        }
    }

    /// The settings of the search that has decided, on as many threads as there are.
    fn decisive(&self, outcome: &Outcome) -> Settings {
        match self {
            How::One(settings) => (**settings).clone(),
            How::Several(plans, threads) => {
                let plan = &plans[outcome.winner.unwrap_or(0)];
                Settings { workers: *threads, ..plan.settings.clone() }
            }
        }
    }

    /// The same with a word on executions that go on for ever.
    fn with(mut self, endless: Endless) -> How {
        match &mut self {
            How::One(settings) => settings.endless = endless,
            How::Several(plans, _) => plans.iter_mut().for_each(|plan| plan.settings.endless = endless),
        }
        self
    }

    /// The settings of the search, or of the first one.
    fn settings(&self) -> &Settings {
        match self {
            How::One(settings) => settings,
            How::Several(plans, _) => &plans[0].settings,
        }
    }

    /// The same for a program whose states are told by numbers at some cost: nothing is kept of them. Then of `auto` those that sample
    /// are of use, and the exhaustive search goes by footprints, if it may; another one goes by states all the same, because threads
    /// that take a lock again and again have far fewer states than executions.
    fn without_states(self, auto: bool) -> How {
        let fit = |settings: &mut Settings| {
            settings.store = StoreKind::None;
            if auto && settings.strategy.shape == Shape::DepthFirst {
                settings.strategy = Strategy::plain(Shape::Dpor(Reduction::default()));
                settings.bounds.depth.get_or_insert(REDUCED_DEPTH);
            }
        };
        match self {
            How::One(mut settings) => {
                fit(&mut settings);
                How::One(settings)
            }
            How::Several(mut plans, threads) => {
                if auto {
                    plans.retain(|plan| plan.alone || plan.settings.strategy.shape.samples());
                }
                // Behind a finding others may notice what its step did first, so that steps are as small as can be.
                let by_states = plans.first().filter(|plan| auto && plan.settings.wanted == Wanted::First);
                let by_states = by_states.map(|plan| Settings {
                    strategy: Strategy::plain(Shape::DepthFirst),
                    workers: 1,
                    ..plan.settings.clone()
                });
                plans.iter_mut().for_each(|plan| fit(&mut plan.settings));
                plans.extend(by_states.map(|settings| Plan {
                    settings,
                    restarts: None,
                    alone: false,
                    turn: Plan::TURN / COSTLY,
                }));
                How::Several(plans, threads)
            }
        }
    }
}

/// How many steps along a path cost as much as one to a state that is summed up, and reached by running the program from its start.
const COSTLY: u64 = 16;

/// What depends on whether the states of a program can be told apart.
trait Way<L: Candidate> {
    /// Runs the searches.
    fn run(load: &L, how: &How, observe: &dyn Observe) -> Result<Outcome, SettingsError>;

    /// Makes the schedule of a finding short.
    fn shorten(load: &L, schedule: &[Choice], defect: &Finding, effort: Effort) -> Result<Schedule, Fault>;

    /// Looks for executions that go on for ever, if the search has not.
    fn look_for_livelocks(
        candidate: &L,
        asked: Livelock,
        settings: &Settings,
        outcome: Outcome,
        observe: &dyn Observe,
    ) -> Result<Outcome, SettingsError>;
}

/// For programs whose states can be told apart.
struct WithStates;

impl<L: Candidate<P: Encode>> Way<L> for WithStates {
    fn run(load: &L, how: &How, observe: &dyn Observe) -> Result<Outcome, SettingsError> {
        match how {
            How::One(settings) => explore(load, settings, &HALT, observe),
            How::Several(plans, threads) => swarm(load, plans, *threads, &HALT, observe),
        }
    }

    fn shorten(load: &L, schedule: &[Choice], defect: &Finding, effort: Effort) -> Result<Schedule, Fault> {
        shorten(load, schedule, defect, effort, &HALT)
    }

    fn look_for_livelocks(
        candidate: &L,
        asked: Livelock,
        settings: &Settings,
        outcome: Outcome,
        observe: &dyn Observe,
    ) -> Result<Outcome, SettingsError> {
        livelocks::look(candidate, asked, settings, outcome, observe)
    }
}

/// For programs that are mostly stepped and rewound.
struct WithoutStates;

impl<L: Candidate> Way<L> for WithoutStates {
    fn run(load: &L, how: &How, observe: &dyn Observe) -> Result<Outcome, SettingsError> {
        match how {
            How::One(settings) => explore_fingerprints(load, settings, &HALT, observe),
            How::Several(plans, threads) => swarm_fingerprints(load, plans, *threads, &HALT, observe),
        }
    }

    fn shorten(load: &L, schedule: &[Choice], defect: &Finding, effort: Effort) -> Result<Schedule, Fault> {
        shorten_stateless(load, schedule, defect, effort, &HALT)
    }

    /// Such programs notice it themselves when threads repeat themselves, unless each changes what the others look at.
    fn look_for_livelocks(
        candidate: &L,
        asked: Livelock,
        settings: &Settings,
        outcome: Outcome,
        observe: &dyn Observe,
    ) -> Result<Outcome, SettingsError> {
        let endless = match settings.store {
            StoreKind::None if candidate.goes_round() => Sight::Unknown,
            StoreKind::None => Sight::Clear,
            _ => outcome.endless,
        };
        livelocks::look(candidate, asked, settings, Outcome { endless, ..outcome }, observe)
    }
}

/// The same search with seeds of its own each. Without any randomness all would be the same, so order is shuffled.
fn copies(settings: &Settings, n: usize) -> Vec<Plan> {
    let mut seeds = Random::new(settings.seed);
    let copy = |_| {
        let mut settings = Settings { seed: seeds.bits(), ..settings.clone() };
        if !settings.strategy.shape.stateless() && settings.strategy.order == OrderKind::AsGiven {
            settings.strategy.order = OrderKind::Random;
        }
        Plan { settings, restarts: None, alone: false, turn: Plan::TURN }
    };
    (0..n).map(copy).collect()
}

/// From now on, Ctrl-C stops a search, which then has something to say.
pub fn heed_interrupts() {
    // Before the handler, which is a thread.
    sojourner_store::prepare();
    // A second Ctrl-C ends the process as it would without us. If no handler can be set, the first one does.
    let _ = ctrlc::set_handler(|| {
        if HALT.interrupt() {
            std::process::exit(130);
        }
    });
}

/// A check of a program whose type is not known yet.
struct Job<'a> {
    options: &'a args::How,
    how: How,
    request: Request<'a>,
    stem: String,
    command: &'static str,
    style: Style,
}

impl Visit for Job<'_> {
    type Out = Result<Verdict, Usage>;

    fn visit<C: Candidate<P: Encode>>(mut self, candidate: &C) -> Self::Out {
        self.how = self.how.with(livelocks::mode(self.options.livelock, candidate.endless()));
        self.work::<C, WithStates>(candidate)
    }

    fn visit_stateless<C: Candidate>(mut self, candidate: &C) -> Self::Out {
        match self.options.livelock {
            Livelock::Hangs => {}
            Livelock::Off => candidate.ignore_endless(),
            Livelock::All => {
                let text = "--livelock all is for Java programs and models: of C, C++ and Rust programs, only threads that can \
                            never finish are reported";
                return Err(Usage::Settings(text.into()));
            }
        }
        self.how = self.how.with(livelocks::mode(self.options.livelock, candidate.endless()));
        match (self.options.store, &self.how) {
            (None | Some(StoreKind::None), _) => {
                self.how = self.how.without_states(self.options.search == SearchName::Auto);
            }
            (Some(StoreKind::Compact), How::One(settings))
                if settings.strategy.shape == Shape::DepthFirst && settings.workers == 1 => {}
            _ => {
                let text = "states of this program are told by numbers, which a depth-first search on one thread can keep: \
                            --search dfs --store compact --jobs 1, or leave out --store";
                return Err(Usage::Settings(text.into()));
            }
        }
        self.work::<C, WithoutStates>(candidate)
    }
}

/// Ends the process if a step of the program does not return when the search is over: no thread can be made to leave the step.
struct EndIfStuck<'a, F> {
    next: &'a dyn Observe,
    /// Reports what is known.
    end: F,
}

impl<F: Fn(Outcome) -> Result<Verdict, Usage> + Send + Sync> Observe for EndIfStuck<'_, F> {
    fn tick(&self, tick: &Tick) {
        self.next.tick(tick);
    }

    fn deeper(&self, growth: &Growth) {
        self.next.deeper(growth);
    }

    fn noticed(&self, race: &Finding, goes_on: Duration) {
        self.next.noticed(race, goes_on);
    }

    fn stuck(&self, outcome: Outcome) {
        crate::leave(|| (self.end)(outcome).map(Exit::Verdict))
    }
}

impl Job<'_> {
    /// No file is touched before the program is there: what the user asks for may make no sense.
    fn work<C: Candidate, W: Way<C>>(self, candidate: &C) -> Result<Verdict, Usage> {
        let json = self.options.json.as_deref().map(Output::open).transpose()?;
        if let Some(path) = &self.options.trace {
            writable(path)?;
        }
        heed_interrupts();
        let growth = self.options.growth.as_deref().map(Output::open).transpose()?;
        let outputs = Outputs { json, growth };
        self.run::<C, W>(candidate, &outputs)
    }

    /// Runs the search.
    fn run<C: Candidate, W: Way<C>>(&self, candidate: &C, outputs: &Outputs) -> Result<Verdict, Usage> {
        let growth = outputs.growth.as_ref();
        let progress = (!self.options.quiet).then(Progress::new);
        let observe: &dyn Observe = match &progress {
            Some(progress) => progress,
            None => &Unobserved,
        };
        let observe = &EndIfStuck {
            next: observe,
            end: |outcome| {
                if let Some(progress) = &progress {
                    progress.finish();
                }
                self.conclude::<C, W>(candidate, &outcome, outputs)
            },
        };
        let recorder = Recorder::new(observe);
        let recorded: &dyn Observe = if growth.is_some() { &recorder } else { observe };
        let asked = self.options.livelock;
        let outcome = W::run(candidate, &self.how, recorded).and_then(|outcome| {
            let settings = self.how.decisive(&outcome);
            W::look_for_livelocks(candidate, asked, &settings, outcome, observe)
        });
        if let Some(progress) = &progress {
            progress.finish();
        }
        let outcome = outcome.map_err(|error| Usage::Settings(error.to_string()))?;
        if let Some(growth) = growth {
            growth.write(&recorder.table(&outcome))?;
        }
        self.conclude::<C, W>(candidate, &outcome, outputs)
    }

    /// Reports what came of the search. The verdict is shown as soon as it is known: traces of findings take a while.
    fn conclude<C: Candidate, W: Way<C>>(
        &self,
        candidate: &C,
        outcome: &Outcome,
        outputs: &Outputs,
    ) -> Result<Verdict, Usage> {
        let subject = Subject {
            command: self.command,
            request: self.request,
            search: self.search_name(),
            seed: self.options.seed,
        };
        let mut summary = summary::of(outcome, &subject, candidate);
        let (asked, endless) = (self.options.livelock, self.how.settings().endless);
        let caveat = livelocks::caveat(candidate, asked, endless, outcome);
        summary.caveats.extend(caveat.map(String::from));
        summary.findings = summary::announced(outcome);
        outputs.show(&match self.options.quiet {
            true => format!("{}\n", summary.verdict.name()),
            false => sojourner_report::headline(&summary, self.style),
        });
        if outcome.verdict() == Verdict::Found {
            let Budget { time, memory, .. } = self.how.settings().budget;
            let effort = Shorten::effort(self.options.shorten, outcome.elapsed, time, memory);
            let started = Instant::now();
            let stem = &self.stem;
            let path = |kind, nth| match &self.options.trace {
                Some(path) if nth == 0 => path.clone(),
                Some(path) => path.with_extension(format!("{}.json", nth + 1)),
                None if nth == 0 => format!("{stem}-{kind}.trace.json").into(),
                None => format!("{stem}-{kind}-{}.trace.json", nth + 1).into(),
            };
            let shorten = |schedule: &[Choice], defect: &Finding, left: usize| {
                let effort = effort?;
                let time = effort.time.saturating_sub(started.elapsed()) / left as u32;
                W::shorten(candidate, schedule, defect, Effort { time, ..effort }).ok()
            };
            summary::add_findings(&mut summary, candidate, outcome, &subject, shorten, path);
        }
        if let Some(json) = &outputs.json {
            json.write(&sojourner_report::json(&summary))?;
        }
        if !self.options.quiet {
            outputs.show(&sojourner_report::details(&summary, self.style));
        }
        Ok(summary.verdict)
    }

    fn search_name(&self) -> String {
        match &self.how {
            How::One(settings) => settings.strategy.to_string(),
            How::Several(plans, _) if self.options.search == SearchName::Auto => {
                format!("auto ({} searches)", plans.len())
            }
            How::Several(plans, _) => format!("swarm of {} x {}", plans.len(), plans[0].settings.strategy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        how: args::How,
    }

    #[test]
    fn executions_of_a_program_without_states_are_cut_before_there_is_no_room_for_them() {
        for (line, depth) in [("check", REDUCED_DEPTH), ("check --depth 7", 7)] {
            let line =
                Line::try_parse_from(line.split_whitespace()).map_err(|error| error.to_string()).unwrap();
            let how = How::new(&line.how).map_err(|error| error.to_string()).unwrap().without_states(true);
            assert!(matches!(how.settings().strategy.shape, Shape::Dpor(_)));
            assert_eq!(how.settings().bounds.depth, Some(depth));
        }
    }
}
