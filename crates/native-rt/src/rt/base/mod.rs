//! What every part of the runtime stands on: system calls, the map of addresses, cells for the state, and the list of our symbols.
//!
//! Uses nothing else of the runtime.

pub mod cell;
pub mod errno;
pub mod layout;
pub mod symbols;
pub mod syscalls;
