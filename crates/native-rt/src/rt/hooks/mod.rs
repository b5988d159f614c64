//! What compilers call: the hooks before accesses to memory and around functions, atomic operations, and calls that the driver puts
//! into assembly.
//!
//! Uses `libc` and `time` (instructions that read a clock or a random number), `sync`, `sched` and `base`.

pub mod accesses;
pub mod assembly;
pub mod atomics;
pub mod large_atomics;
