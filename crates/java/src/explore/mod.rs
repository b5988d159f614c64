//! Java programs as programs under test: every schedule of their threads can be taken, and taken back.

mod briefs;
mod canon;
mod charts;
mod clock;
mod describe;
mod differences;
mod ends;
mod execution;
mod findings;
mod frames;
mod layouts;
mod learned;
mod numbers;
mod outlook;
mod pending;
mod preludes;
mod properties;
mod scope;
mod settings;
mod sinks;
mod statics;
mod subject;
mod trail;
mod transition;
mod visible;
mod walker;
mod watch;
mod words;

pub(crate) use clock::Look;
pub use execution::Execution;
pub use pending::{Pending, What};
pub(crate) use scope::print;
pub use settings::{Exploration, Gc, Granularity, Juc, Races, Reduce, Symmetry, Timeouts};
pub use subject::Subject;
pub use trail::Place;
pub(crate) use watch::{Habit, Watch};
