//! From options to searches.

use crate::error::CheckError;
use crate::memory;
use crate::options::{Options, Search};
use sojourner_program::Random;
use sojourner_search::{
    Backtracking, Bounds, Budget, Endless, OrderKind, Outcome, Plan, Prss, Queueing, REDUCED_DEPTH, Reach,
    Reduction, SAMPLE_DEPTH, Settings, SettingsError, Shape, Strategy, Ties, Wanted, Winner, auto_plans,
};
use sojourner_store::StoreKind;
use std::sync::Arc;

/// Executions of a search that samples, if the user names no budget: it would never end.
pub const SAMPLES: u64 = 1_000;

/// How many steps of a search by hashed states cost as much as a step of an execution that is sampled. The process of the program goes
/// on with such a search by itself, but a sampling search asks it for each step.
const CHEAP: u64 = 8;

/// The searches that the options ask for.
#[derive(Clone)]
pub enum Searches {
    One(Box<Settings>),
    /// Those of `auto`, on so many threads.
    Several(Vec<Plan>, usize),
    /// Some that know nothing of each other.
    Swarm(Prss),
}

impl Searches {
    /// Fails if the options do not go together.
    pub fn new(options: &Options) -> Result<Searches, CheckError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = options.jobs.unwrap_or(cores);
        let auto = options.search == Search::Auto;
        let shape = match options.search {
            Search::Auto => Shape::DepthFirst,
            Search::One(shape) => shape,
        };
        if auto && options.swarm.is_some() {
            return Err(CheckError::NeedsSearch("--swarm"));
        }
        if auto && options.backtrack.is_some() {
            return Err(CheckError::NeedsSearch("--backtrack"));
        }
        if options.executions.is_some() && !shape.stateless() {
            return Err(CheckError::Executions);
        }
        if options.swarm.is_some() && matches!(shape, Shape::Dpor(_)) {
            return Err(CheckError::SwarmOfReduction);
        }
        if !options.destinations.is_empty() && (!options.is_guided() || options.heuristic.measure().is_none())
        {
            return Err(CheckError::TargetWithoutGuide);
        }
        let is_swarm = options.swarm.is_some() || options.backtrack == Some(Backtracking::Portfolio);
        if options.winner != Winner::Time && !is_swarm {
            return Err(CheckError::WinnerOfOne);
        }
        let mut settings = settings(options, shape);
        let searches = if auto && !options.all {
            Searches::Several(auto_plans(&settings, jobs), jobs)
        } else if is_swarm {
            let searches = copies(options, &settings);
            Searches::Swarm(Prss { searches, winner: options.winner, threads: jobs })
        } else {
            // A search that turns back early goes along one path.
            let alone = options.backtrack.is_some() && options.jobs.is_none();
            settings.workers = if alone { 1 } else { jobs };
            Searches::One(Box::new(settings))
        };
        searches.check()?;
        Ok(searches)
    }

    fn check(&self) -> Result<(), SettingsError> {
        match self {
            Searches::One(settings) => settings.check(),
            Searches::Several(plans, _) => plans.iter().try_for_each(|plan| plan.settings.check()),
            Searches::Swarm(swarm) => swarm.searches.iter().try_for_each(Settings::check),
        }
    }

    /// What reports call them.
    pub fn name(&self) -> String {
        match self {
            Searches::One(settings) => settings.strategy.to_string(),
            Searches::Several(plans, _) => format!("auto ({} searches)", plans.len()),
            Searches::Swarm(Prss { searches, .. }) => {
                let first = &searches[0].strategy;
                if searches.iter().all(|settings| settings.strategy == *first) {
                    format!("swarm of {} x {first}", searches.len())
                } else {
                    let plain = Strategy { backtrack: None, ..first.clone() };
                    format!(
                        "swarm of {} x {plain} with backtracking {}",
                        searches.len(),
                        Backtracking::Portfolio
                    )
                }
            }
        }
    }

    /// The settings of the search, or of the first one.
    pub fn settings(&self) -> &Settings {
        match self {
            Searches::One(settings) => settings,
            Searches::Several(plans, _) => &plans[0].settings,
            Searches::Swarm(swarm) => &swarm.searches[0],
        }
    }

    /// The same settings in all searches, changed.
    pub fn each(&mut self, change: impl Fn(&mut Settings)) {
        match self {
            Searches::One(settings) => change(settings),
            Searches::Several(plans, _) => plans.iter_mut().for_each(|plan| change(&mut plan.settings)),
            Searches::Swarm(swarm) => swarm.searches.iter_mut().for_each(change),
        }
    }

    /// The settings of the search that has decided, on as many threads as there are.
    pub fn decisive(&self, outcome: &Outcome) -> Settings {
        match self {
            Searches::One(settings) => (**settings).clone(),
            Searches::Several(plans, threads) => {
                let plan = &plans[outcome.winner.unwrap_or(0)];
                Settings { workers: *threads, ..plan.settings.clone() }
            }
            Searches::Swarm(swarm) => {
                let settings = swarm.searches[outcome.winner.unwrap_or(0)].clone();
                Settings { workers: swarm.threads, ..settings }
            }
        }
    }

    /// The same with a word on executions that never end.
    pub fn with(mut self, endless: Endless) -> Searches {
        self.each(|settings| settings.endless = endless);
        self
    }

    /// The same for a program whose states are hashes, and costly. Fails if the store that the user asks for cannot keep those.
    pub fn for_hashed_states(self, options: &Options) -> Result<Searches, CheckError> {
        match (options.store, self) {
            (None | Some(StoreKind::None), searches) => {
                Ok(searches.without_states(options.search == Search::Auto))
            }
            (Some(StoreKind::Compact), Searches::One(settings))
                if !settings.strategy.shape.stateless() && settings.workers == 1 =>
            {
                Ok(Searches::One(settings))
            }
            (Some(StoreKind::Compact), Searches::Swarm(swarm))
                if swarm.searches.iter().all(|settings| !settings.strategy.shape.stateless()) =>
            {
                Ok(Searches::Swarm(swarm))
            }
            _ => Err(CheckError::StoreOfHashes),
        }
    }

    /// The same without a store. Of `auto` those that sample are of use, and the exhaustive search becomes a reduction. Another one
    /// goes by states all the same, because threads that take a lock again and again have far fewer states than executions.
    fn without_states(self, auto: bool) -> Searches {
        let fit = |settings: &mut Settings| {
            settings.store = StoreKind::None;
            if auto && settings.strategy.shape == Shape::DepthFirst {
                settings.strategy = Strategy::plain(Shape::Dpor(Reduction::default()));
                settings.bounds.depth.get_or_insert(REDUCED_DEPTH);
            }
        };
        match self {
            Searches::One(mut settings) => {
                fit(&mut settings);
                Searches::One(settings)
            }
            Searches::Swarm(mut swarm) => {
                swarm.searches.iter_mut().for_each(fit);
                Searches::Swarm(swarm)
            }
            Searches::Several(mut plans, threads) => {
                if auto {
                    plans.retain(|plan| plan.alone || plan.settings.strategy.shape.samples());
                }
                // Behind a finding others may notice what its step did first, so that steps are as small as can be.
                let by_states = plans.first().filter(|plan| auto && plan.settings.wanted == Wanted::First);
                let novelty = plans.iter().find_map(|plan| plan.settings.novelty.clone());
                let by_states = by_states.map(|plan| Settings {
                    strategy: Strategy::plain(Shape::DepthFirst),
                    workers: 1,
                    novelty,
                    ..plan.settings.clone()
                });
                plans.iter_mut().for_each(|plan| fit(&mut plan.settings));
                plans.extend(
                    by_states.map(|settings| Plan { turn: Plan::TURN * CHEAP, ..Plan::once(settings) }),
                );
                Searches::Several(plans, threads)
            }
        }
    }
}

/// The settings of one search.
fn settings(options: &Options, shape: Shape) -> Settings {
    let strategy = Strategy {
        shape,
        order: options.order,
        heuristic: options.heuristic.clone(),
        backtrack: options.backtrack.and_then(|backtracking| backtracking.all().first().copied()),
    };
    let mut settings = Settings {
        store: options.store.unwrap_or(StoreKind::Compact),
        bounds: Bounds {
            preemptions: options.preemptions.map(|bounds| bounds.last.unwrap_or(bounds.first)),
            depth: options.depth,
        },
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
    }
    settings
}

/// The searches of a swarm: copies of one with seeds of their own, each with every way to turn back. Where nothing else is random, all
/// would be the same, so their order is.
fn copies(options: &Options, settings: &Settings) -> Vec<Settings> {
    let number = options.swarm.unwrap_or(1);
    let turning: Vec<_> = match options.backtrack {
        Some(backtracking) => backtracking.all().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let all = (0..number).flat_map(|_| &turning);
    let alone = number * turning.len() == 1;
    let mut seeds = Random::new(settings.seed);
    let copy = |backtrack: &Option<_>| {
        // A swarm of one has nothing to draw: so every search of a swarm can be had as a swarm of its own.
        let seed = if alone { settings.seed } else { seeds.bits() };
        let mut settings = Settings { seed, ..settings.clone() };
        settings.strategy.backtrack = *backtrack;
        let strategy = &mut settings.strategy;
        let has_ties = matches!(strategy.shape, Shape::BestFirst(Queueing { ties, .. }) if ties != Ties::Age);
        let draws = backtrack.is_some() || has_ties || strategy.shape.stateless();
        if strategy.order == OrderKind::AsGiven && !draws {
            strategy.order = OrderKind::Random;
        }
        settings
    };
    all.map(copy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_of_hashed_states_has_a_depth_bound() {
        for (options, depth) in [(Options::default(), REDUCED_DEPTH), (Options::default().depth(7), 7)] {
            let searches = Searches::new(&options).unwrap().for_hashed_states(&options).unwrap();
            assert!(matches!(searches.settings().strategy.shape, Shape::Dpor(_)));
            assert_eq!(searches.settings().bounds.depth, Some(depth));
        }
    }

    #[test]
    fn hashes_are_kept_by_searches_through_states_on_one_thread() {
        let by = |search: &str, jobs| Options::default().search(search.parse().unwrap()).jobs(jobs);
        let fits = |options: Options| {
            let options = options.store(StoreKind::Compact);
            Searches::new(&options).unwrap().for_hashed_states(&options).is_ok()
        };
        assert!(["dfs", "bfs", "best-first"].iter().all(|search| fits(by(search, 1))));
        assert!(!fits(by("dfs", 2)) && !fits(by("bfs", 2)) && !fits(by("auto", 1)) && !fits(by("dpor", 1)));
    }
}
