//! The life of threads and of the program: how they begin and end, what belongs to one thread, handlers and destructors, panics of
//! Rust programs, and the functions of verifiers.
//!
//! Uses all folders but `faults`.

pub mod c11;
pub mod exit;
pub mod initialisers;
pub mod keys;
pub mod lifecycle;
pub mod panics;
pub mod thread_names;
pub mod unwind;
pub mod verifier;
