//! Java programs as programs under test: every schedule of their threads can be taken, and taken back.

mod canonical;
mod deadlocks;
mod describe;
mod differences;
mod end_states;
mod execution;
mod findings;
mod frames;
mod garbage_count;
mod incremental;
mod java_program;
mod kept_states;
mod layouts;
mod next_operations;
mod numbering;
mod object_hashes;
mod operation_text;
mod paths;
mod places;
mod properties;
mod settings;
mod sinks;
mod spin_loops;
mod spurious_wakeups;
mod statics;
mod transition;
mod walker;

pub use crate::machine::visible::{Draws, Granularity, Juc, Reduce, Symmetry, Timeouts};
pub use execution::Execution;
pub use java_program::JavaProgram;
pub use places::Place;
pub use settings::{Exploration, Gc, Races, Rewind};
