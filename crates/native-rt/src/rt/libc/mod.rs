//! Functions of the C library that read or write the program's memory, its files, or what the system keeps for it; and those that are refused.
//!
//! Uses `sync` (locks of streams), `time`, `memory`, `sched` and `base`.

pub mod calendar;
pub mod descriptors;
pub mod dlsym;
pub mod duplicates;
pub mod environment;
pub mod eventfd;
pub mod formats;
pub mod isolation;
pub mod memory_functions;
pub mod out_buffers;
pub mod random;
pub mod refused;
pub mod standard_input;
pub mod streams;
pub mod strings;
