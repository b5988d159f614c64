//! Searches: strategies that decide which choices of a program to take.
//!
//! There is one engine loop. A strategy is what it is put together from: a frontier, an order, a filter,
//! a rule for turning back, a visited set. A search knows nothing of Java, C or models; it sees only the seam.
#![forbid(unsafe_code)]

mod again;
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
mod goals;
mod guard;
mod heuristic;
mod livelock;
mod order;
mod outcome;
mod pace;
mod past;
mod pool;
mod reach;
mod replay;
mod search;
mod settings;
mod shorten;
mod strategy;
mod swarm;
mod visited;

pub use auto::{REDUCED_DEPTH, SAMPLE_DEPTH, auto_plans};
pub use backtrack::{BACKTRACK, Backtrack, BacktrackError, Jump, Ratio, TurnBack, luby};
pub use control::{Budget, Growth, Halt, Observe, Tick, Unobserved, Wanted};
pub use differences::{Difference, Differences, Kind as DifferenceKind, compare, differences};
pub use dpor::Reduction;
pub use endless::Endless;
pub use filter::Bounds;
pub use frontier::Ties;
pub use heuristic::{Heuristic, HeuristicError};
pub use livelock::{comes_back, livelock};
pub use outcome::{Found, Member, Outcome, Reason, Sight, Tally};
pub use past::Past;
pub use reach::Reach;
pub use replay::{Event, Replayed, replay};
pub use search::{explore, explore_fingerprints, explore_stateless};
pub use settings::{Settings, SettingsError};
pub use shorten::{Effort, context_switches, shorten, shorten_stateless};
pub use sojourner_store::resident_bytes;
pub use strategy::{OrderKind, Queueing, Shape, Strategy, StrategyError};
pub use swarm::{Plan, swarm, swarm_fingerprints, swarm_stateless};
