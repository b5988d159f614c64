//! What an exploration has learned of fields: which of them need no scheduling point.
//!
//! At first every field is taken to be written only while one thread can reach its object. A write that comes later shows
//! that this is not so; then it is taken to be accessed under one lock only. An access without the lock shows that this
//! is not so either, and every access becomes a scheduling point. Each such lesson makes the search begin again (Stoller
//! & Cohen: optimistic synchronisation-based state-space reduction). What is learned is kept by names, so that all
//! programs of a `Load` share it.

use std::collections::HashMap;
use std::sync::Mutex;

/// How a field is accessed by threads that share its object, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discipline {
    /// Nobody cares: a cache of the JDK, or a field that only its own thread uses.
    Exempt,
    /// It is only read.
    Immutable,
    /// It is accessed under the lock that guards its object.
    Guarded,
    /// Anything goes.
    Visible,
}

/// What is known of all fields, by name.
#[derive(Debug, Default)]
pub struct Learned(Mutex<HashMap<String, Discipline>>);

impl Learned {
    /// What is known of a field.
    pub fn of(&self, name: &str) -> Option<Discipline> {
        self.0.lock().expect("no holder panics").get(name).copied()
    }

    /// A field is not as disciplined as it was taken to be.
    pub fn learn(&self, name: &str, discipline: Discipline) {
        let mut known = self.0.lock().expect("no holder panics");
        let entry = known.entry(name.to_string()).or_insert(discipline);
        *entry = (*entry).max(discipline);
    }
}
