//! Which executions are the same but for the order of independent steps.
//!
//! Executions are equivalent exactly if their Foata normal forms are equal: the same steps, each behind a chain of
//! dependent steps of the same length.

use super::history::History;
use foldhash::fast::FixedState;
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::Mutex;

/// 128 bits that stand for the normal form of an execution.
pub(crate) fn normal_form(history: &History) -> u128 {
    let hashers = [FixedState::with_seed(1), FixedState::with_seed(2)];
    // The steps of a level are a set, and the levels are part of the steps, so that a sum will do.
    let sums = hashers.map(|hasher| {
        let steps = history.events().iter().enumerate();
        let steps =
            steps.map(|(at, event)| hasher.hash_one((event.choice, history.mark(at).index, event.level)));
        steps.fold(0, u64::wrapping_add)
    });
    u128::from(sums[0]) << 64 | u128::from(sums[1])
}

/// The executions that were run, by normal form.
#[derive(Debug, Default)]
pub(crate) struct SeenExecutions(Mutex<HashSet<u128>>);

impl SeenExecutions {
    /// Takes note of an execution. Returns whether it is a new one.
    pub fn insert(&self, history: &History) -> bool {
        self.0.lock().expect("no holder panics").insert(normal_form(history))
    }
}
