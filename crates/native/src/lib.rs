//! C, C++ and Rust programs with threads, as programs to explore.
//!
//! [`compile`] makes an executable of sources. The compiler's own `-fsanitize=thread` puts a call before every access to memory that
//! other threads could notice, and the runtime of this project is linked in place of the compiler's. A [`NativeProgram`] is
//! such an executable with its arguments. Each [`Execution`] has a process of its own, a worker. The worker runs the program
//! again and again, and records in shared memory what every thread is about to do in every state.
//!
//! ```no_run
//! use sojourner_native::{Exploration, NativeProgram, Toolchain, compile};
//! use sojourner_program::{Load, Program};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let compiled = compile(&["philosophers.c".into()], &[], &Toolchain::default())?;
//! let philosophers = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
//! let mut execution = philosophers.open()?;
//! let mut choices = Vec::new();
//! execution.choices(&mut choices);
//! assert_eq!(choices.len(), 1, "only the main thread runs at the start");
//! # Ok(())
//! # }
//! ```
//!
//! Unsafe code is in the modules `region`, which is memory that another process writes, and `worker`, which starts that process. The file
//! `rust/wrapped.rs` has some, too: it is compiled into Rust programs under test.

mod assembly;
mod bit_fields;
mod compile;
mod compiler_wrapper;
mod dead_registers;
mod exploration;
pub mod front_end;
mod objects;
mod redirected_functions;
mod rust;
mod spin_bounds;
mod struct_copies;
mod toolchain;

macro_rules! on_linux_on_x86_64 {
    ($($item:item)*) => { $(#[cfg(all(target_os = "linux", target_arch = "x86_64"))] $item)* };
}

on_linux_on_x86_64! {
    mod ahead;
    mod cells;
    mod deadlocks;
    mod distance;
    mod draws;
    mod execution;
    mod timeouts;
    mod findings;
    mod footprint;
    mod section_touches;
    mod leaks;
    mod names;
    mod panics;
    mod processes;
    mod races;
    mod own_search;
    mod region;
    mod shared_table;
    mod run;
    mod assumptions;
    mod states;
    mod native_program;
    mod program;
    mod requests;
    mod symbols;
    mod target;
    mod variables;
    mod worker;

    pub use execution::Execution;
    pub use run::run;
    pub use native_program::NativeProgram;
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod unsupported_platform;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use unsupported_platform::{Execution, NativeProgram, run};

pub use compile::{Compiled, compile};
pub use compiler_wrapper::wrap;
pub use exploration::{Ended, Exploration, Leaks, Signal};
pub use sojourner_frontend::shared::{Races, Timeouts};
pub use toolchain::{CompileError, Language, Toolchain};
