//! Clocks that programs read, sleeping, alarms, and the signals that threads send each other.
//!
//! Uses `sched` and `base`.

pub mod alarm;
pub mod clocks;
pub mod signals;
