//! What the driver and the runtime share: one region of memory, mapped into both processes.
//!
//! The driver names a schedule; the runtime starts the program anew, follows the schedule, and goes on by itself as far as
//! it may. Each state on the way is a [`Row`]: of every thread what it is about to do, and which choices it has. What is the
//! same as in the state before is not written again: a row has the numbers of *entries*. Rows of a prefix that is run
//! again stay as they are, and what the program does is compared with them.
//!
//! Everything is plain data at fixed offsets. Neither side trusts the other to be alive: the program may overwrite its own
//! memory, so the driver checks every number that it takes from here.

mod assumptions;
mod command;
mod findings;
mod header;
mod operation;
mod own_search;
mod region;
mod row;

pub use assumptions::*;
pub use command::*;
pub use findings::*;
pub use header::*;
pub use operation::*;
pub use own_search::*;
pub use region::*;
pub use row::*;

/// Both sides must be built from the same text.
pub const VERSION: u32 = 12;

/// The environment variable that holds the number of the descriptor of the region.
pub const VARIABLE: &str = "SOJOURNER_REGION";
