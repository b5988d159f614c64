//! Programs with known counts and defects, and what it takes to test a search on them.
//!
//! - [`models`]: small systems by name, each with its exact number of states and, where it has one, its defect.
//! - [`threads`]: programs of threads and locks with known numbers of inequivalent executions, and generated ones.
//! - [`executions`]: all executions of a program, and which of them are equivalent.
//! - [`rounds`]: the same of programs whose threads may go round for ever, and all ends that they come to.
//! - [`graph`]: the graph of states, and what it says of executions that go on for ever.
//! - [`oracle`]: an exploration too plain to be wrong, to compare others with.
//! - [`RandomSystem`]: generated systems, to compare on what nobody thought of.
//! - [`Maze`]: generated graphs of states, in which some executions go on for ever.
//! - [`ReplayOnly`] and [`Undo`]: any program as one that comes back by replaying, or by undoing a journal, so that
//!   searches are tested the way the front-ends use the seam.
//! - [`Recorded`]: any program as one that takes down which states a search visits.
//! - [`Hasty`]: any program as one that asks searches to begin again.
//! - [`faulty`]: models whose own code is broken.
//! - [`fuzz`]: the loop of the mutation fuzzers.
#![forbid(unsafe_code)]

pub mod executions;
pub mod faulty;
pub mod fuzz;
pub mod graph;
pub mod models;
pub mod oracle;
pub mod rounds;
pub mod threads;

mod hasty;
mod maze;
mod random_system;
mod recorded;
mod replay_only;
mod undo;

pub use hasty::{Hasty, Learning};
pub use maze::{Maze, Room};
pub use random_system::{RandomSystem, Shape};
pub use recorded::{Recorded, Recording, Visit};
pub use replay_only::{ReplayOnly, Replayed};
pub use undo::{Root, Undo, Undoing};
