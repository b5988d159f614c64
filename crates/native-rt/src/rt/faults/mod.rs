//! Signals that the processor raises, and threads that run for ever without a visible operation.
//!
//! Uses `time` (alarms and handlers rule out a proof), `sched` and `base`. Nothing but the root of the runtime uses this folder.

pub mod processor_signals;
pub mod silent_loops;
