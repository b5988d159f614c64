//! C, C++ and Rust programs with threads, as programs to explore.
//!
//! [`compile`] makes an executable of sources: the compiler's own `-fsanitize=thread` puts a call before every access to
//! memory that others could notice, and the runtime of this project is linked in place of the compiler's. A [`NativeProgram`] is
//! such an executable with its arguments. Each [`Execution`] of it has a process of its own, a worker, that
//! runs the program again and again, and records in shared memory what every thread is about to do in every state.
//!
//! Only the modules `region` and `worker` contain unsafe code: memory that another process writes, and how that process is
//! started.

mod assembly;
mod bit_fields;
mod compile;
mod dead_registers;
mod exploration;
pub mod front_end;
mod redirected_functions;
mod rust;
mod spin_bounds;
mod struct_copies;

macro_rules! on_linux_on_x86_64 {
    ($($item:item)*) => { $(#[cfg(all(target_os = "linux", target_arch = "x86_64"))] $item)* };
}

on_linux_on_x86_64! {
    mod ahead;
    mod cells;
    mod deadlocks;
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

pub use compile::{CompileError, Compiled, Language, Toolchain, compile, wrap};
pub use exploration::{Ended, Exploration, Leaks, Signal};
pub use sojourner_frontend::shared::{Races, Timeouts};
