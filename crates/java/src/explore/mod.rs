//! Java programs as programs under test: every schedule of their threads can be taken, and taken back.

mod settings;

pub use settings::{Exploration, Gc, Granularity, Juc, Races, Reduce, Symmetry, Timeouts};
