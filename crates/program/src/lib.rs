//! The seam between a program under test and the searches that explore it.
//!
//! A [`Program`] offers choices; a search decides which to take. Front-ends and searches depend on this crate and never on
//! each other. A [`Load`] makes programs, one for each worker. Further traits say what else a program can do:
//!
//! - [`Program`] is all that replay, sampling and a search without a store need.
//! - [`Reducible`] adds what dynamic partial order reduction asks.
//! - [`Stateful`] adds hashes of states, [`Encode`] encodings of states, and [`Decode`] the way back from an encoding.
//!
//! Each program has its own way to rewind. A model copies a value back, a virtual machine undoes its journal, and a native
//! program starts again and replays.
//!
//! A search knows a step by its [`Footprint`]: the objects that the step touches. Steps that are not [`dependent`] commute.
//!
//! ```
//! use sojourner_program::{Footprint, Mode, ObjectId, dependent};
//!
//! let (counter, lock) = (ObjectId(1), ObjectId(2));
//! let touch = |object, mode| {
//!     let mut footprint = Footprint::nothing();
//!     footprint.touch(object, mode);
//!     footprint
//! };
//! assert!(dependent(&touch(counter, Mode::Read), &touch(counter, Mode::Write)));
//! assert!(!dependent(&touch(counter, Mode::Read), &touch(counter, Mode::Read)));
//! assert!(!dependent(&touch(counter, Mode::Write), &touch(lock, Mode::Acquire)));
//! ```
//!
//! `examples/toy` in the repository is a complete front-end. The crate holds no threads, no input or output, and no unsafe code.
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
mod usage;
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
pub use usage::{Garbage, Usage};
pub use verdict::Verdict;
