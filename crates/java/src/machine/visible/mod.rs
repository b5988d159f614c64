//! Visible operations: what other threads can notice of a thread.
//!
//! The machine stops a thread before each visible operation that is a scheduling point, and records what a transition does. It
//! knows nothing of searches and states. An observer sets up [`Scheduling`], runs a transition and reads its
//! [record](record::Record).

mod assumptions;
mod behaviour;
mod caveats;
mod expired_timeouts;
mod footprint;
mod guards;
mod jdk_preloads;
mod patient_waits;
mod permanent;
mod polling;
mod record;
mod regions;
mod scheduling;
mod scheduling_points;
pub(crate) mod settings;
mod sharing;
mod values;
mod variables;

pub(crate) use crate::machine::clock::ClockPolls;
pub(crate) use crate::machine::operation::{ObjectPart, Operation, OperationKind};
pub(crate) use assumptions::Learned;
pub(crate) use behaviour::Behaviour;
pub(crate) use caveats::PlaceNames;
pub(crate) use guards::Guard;
pub(crate) use patient_waits::{LONG_SLEEP, PATIENCE, POLLS};
pub(crate) use scheduling::Scheduling;
pub(crate) use settings::Settings;
pub use settings::{Draws, Granularity, Juc, Reduce, Symmetry};
pub use sojourner_frontend::shared::Timeouts;
