//! What the library of C++ does in code that is not instrumented: nodes of containers, futures, exceptions.
//!
//! Uses `hooks` (atomic operations), `sched` and `base`.

pub mod exceptions;
pub mod futures;
pub mod list_links;
pub mod trees;
