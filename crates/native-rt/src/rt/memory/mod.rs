//! The functions by which programs allocate memory, and the search for leaks. The heap itself belongs to the kernel.
//!
//! Uses `sched` and `base`.

pub mod allocator;
pub mod leaks;
