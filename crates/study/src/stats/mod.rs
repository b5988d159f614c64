//! Statistics: each rule in a file of its own, without any knowledge of searches.

pub mod bootstrap;
pub mod compare;
pub mod diminishing;
pub mod normalise;
pub mod proportion;
pub mod sample;
pub mod side_by_side;
mod student;

pub use sample::Sample;
