//! C and C++ programs with threads, as programs to explore.
//!
//! [`compile`] makes an executable of sources: the compiler's own `-fsanitize=thread` puts a call before every access to
//! memory that others could notice, and the runtime of this project is linked in place of the compiler's. A [`Subject`] is
//! such an executable with its arguments. Each [`Execution`] of it has a process of its own, a [`worker`], that
//! runs the program again and again, and records in shared memory what every thread is about to do in every state.
//!
//! Only what is marked as unsafe in [`region`] and [`worker`] is: memory that another process writes, and how
//! that process is started.

mod cells;
mod compile;
mod execution;
mod findings;
mod region;
mod run;
mod stacks;
mod subject;
mod symbols;
mod worker;

pub use compile::{CompileError, Compiled, Language, Toolchain, compile, link_arguments, wrap};
pub use execution::Execution;
pub use run::{Ended, run};
pub use subject::{Exploration, Races, Signal, Subject};
