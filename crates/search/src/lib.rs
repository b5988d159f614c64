//! Searches: strategies that decide which choices of a program to take.
//!
//! There is one engine loop. A [`Strategy`] names the parts that it is put together from: a frontier, an order, bounds, a rule for
//! turning back early, and a set of visited states. Dynamic partial order reduction has a loop of its own. A search sees only
//! the traits of `sojourner-program`, and knows nothing of Java, C or models.
//!
//! ```
//! use sojourner_model::Checked;
//! use sojourner_models::Phil;
//! use sojourner_search::{Halt, Settings, Shape, Strategy, Unobserved, explore};
//!
//! let philosophers = Checked::new(Phil { n: 4, fair: false });
//! let settings = Settings::new(Strategy::plain(Shape::BreadthFirst(None)));
//! let outcome = explore(&philosophers, &settings, &Halt::new(), &Unobserved)?;
//!
//! let deadlock = &outcome.found[0];
//! assert_eq!(deadlock.finding.kind, sojourner_program::Kind::Deadlock);
//! assert_eq!(deadlock.schedule.as_ref().map(Vec::len), Some(4), "each of them takes one fork");
//! # Ok::<(), sojourner_search::SettingsError>(())
//! ```
#![forbid(unsafe_code)]

mod ahead;
mod auto;
mod backtrack;
mod control;
mod differences;
mod dpor;
mod endless;
mod engine;
mod evidence;
mod filter;
mod frontier;
mod gate;
mod goals;
mod guard;
mod heuristic;
mod livelock;
mod memory;
mod novelty;
mod order;
mod outcome;
mod pace;
mod past;
mod pool;
mod prss;
mod reach;
mod replay;
mod rounds;
mod search;
mod settings;
mod shares;
mod shorten;
mod strategy;
mod swarm;
mod turns;
mod visited;

pub use auto::{REDUCED_DEPTH, SAMPLE_DEPTH, auto_plans};
pub use backtrack::{
    BACKTRACK, Backtrack, BacktrackError, Backtracking, Jump, Ratio, Threshold, TurnBack, luby,
};
pub use control::{Budget, Growth, Halt, Observe, Tick, Unobserved, Wanted};
pub use differences::{Difference, Differences, Kind as DifferenceKind, compare, differences};
pub use dpor::Reduction;
pub use endless::Endless;
pub use filter::Bounds;
pub use frontier::{Queueing, Ties};
pub use heuristic::{Heuristic, HeuristicError};
pub use livelock::{comes_back, livelock};
pub use memory::{Memory, Sample};
pub use novelty::Novelty;
pub use outcome::{Found, Member, Outcome, Reason, Sight, Tally};
pub use past::Past;
pub use prss::{Prss, Winner};
pub use reach::Reach;
pub use replay::{Event, Replayed, replay};
pub use search::{explore, explore_fingerprints, explore_stateless};
pub use settings::{Settings, SettingsError};
pub use shorten::{Effort, context_switches, shorten, shorten_stateless};
pub use sojourner_store::resident_bytes;
pub use strategy::{OrderKind, Shape, Strategy, StrategyError};
pub use swarm::{Plan, swarm, swarm_fingerprints, swarm_stateless};
