//! The seam between a program under test and the searches that explore it.
//!
//! A [`Program`] offers choices; a search decides which to take. The two sides depend on this crate and never
//! on each other. [`Program`] is all that a stateless search may assume (replay, sampling, dynamic partial order
//! reduction); [`Stateful`] adds what a search with a store needs. How a program rewinds is its own affair: a
//! model pops a value, a virtual machine undoes its journal, a native program starts again and replays.
//!
//! The crate holds no threads, no input or output, and no unsafe code.
#![forbid(unsafe_code)]

mod cancel;
mod choice;
mod component;
mod encoded;
mod fault;
mod finding;
mod operation;
mod program;
mod random;
mod step;
mod thread;
mod timeout;
mod verdict;

pub use cancel::Cancel;
pub use choice::{Choice, Schedule};
pub use component::Component;
pub use encoded::Encoded;
pub use fault::Fault;
pub use finding::{Finding, Kind, Lesser, Location};
pub use operation::{Access, Footprint, Mode, ObjectId, dependent, reversible};
pub use program::{Elsewhere, Load, Partition, Program, Stateful, Target};
pub use random::Random;
pub use step::{Detail, Step};
pub use thread::{Identity, Status, Thread, ThreadId, Threads};
pub use timeout::{Elapsed, Rule, Timeout};
pub use verdict::Verdict;
