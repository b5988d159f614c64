//! What it takes to test a search or a front-end.
//!
//! - [`threads`]: programs of threads and locks with known numbers of inequivalent executions, and generated ones.
//! - [`executions`]: all executions of a program, and which of them are equivalent.
//! - [`rounds`]: the same for programs whose threads may repeat a loop for ever, and all end states that they reach.
//! - [`graph`]: the graph of states, and what it says of executions that never end.
//! - [`oracle`]: a plain breadth-first exploration, to compare searches with.
//! - [`RandomSystem`]: generated systems, for comparisons on cases that no test author thought of.
//! - [`Maze`]: generated graphs of states, in which some executions never end.
//! - [`ReplayOnly`] and [`Undo`]: any program as one that rewinds by replaying, or by undoing a journal. So searches are
//!   tested the way the front-ends use the seam.
//! - [`Recorded`]: any program as one that records which states a search visits.
//! - [`Restarting`]: any program as one that asks searches to begin again.
//! - [`fuzz`]: the loop of the mutation fuzzers.
//!
//! Models with known counts are in the crate `sojourner-models`.
//!
//! ```
//! use sojourner_model::Checked;
//! use sojourner_testkit::{RandomSystem, Undo, oracle};
//!
//! let expected = oracle::explore(&Checked::new(RandomSystem::any(5)))?;
//! let undone = oracle::explore(&Undo::new(Checked::new(RandomSystem::any(5))))?;
//! assert_eq!(undone.states, expected.states);
//! # Ok::<(), sojourner_program::Fault>(())
//! ```
#![forbid(unsafe_code)]

pub mod executions;
pub mod fuzz;
pub mod graph;
pub mod oracle;
pub mod rounds;
pub mod threads;

mod maze;
mod random_system;
mod recorded;
mod replay_only;
mod restarting;
mod undo;

pub use maze::{Maze, Room};
pub use random_system::{RandomSystem, Shape};
pub use recorded::{Recorded, Recording, Visit};
pub use replay_only::{ReplayOnly, Replayed};
pub use restarting::{Learning, Restarting};
pub use undo::{Root, Undo, Undoing};
