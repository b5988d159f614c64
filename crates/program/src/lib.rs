//! The seam between a program under test and the searches that explore it.
//!
//! A [`Program`] offers choices; a search decides which to take. The two sides depend on this crate and never
//! on each other. [`Program`] is all that replay, sampling and a search without a store may assume. [`Reducible`] adds what
//! dynamic partial order reduction asks, [`Stateful`] hashes of states, [`Encode`] canonical encodings of states, and
//! [`Decode`] the way back from an encoding. A [`Load`] makes the programs. How a program rewinds is its own affair: a
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
mod forward;
mod load;
mod operation;
mod own_search;
mod program;
mod random;
mod reducible;
mod stateful;
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
pub use load::{Load, ProcessMemory};
pub use operation::{Access, Footprint, Mode, ObjectId, dependent, reversible};
pub use own_search::{Limits, OpenPath, OpenState, Searched, SharedSet, Unsettled};
pub use program::{Program, Target};
pub use random::Random;
pub use reducible::{Promises, Reducible};
pub use stateful::{Decode, Encode, Partition, Stateful};
pub use step::{Detail, Step};
pub use thread::{Identity, Status, Thread, ThreadId, Threads};
pub use timeout::{Elapsed, Rule, Timeout};
pub use verdict::Verdict;
