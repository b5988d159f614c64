//! Looking ahead: the fingerprints of all successors of a state are computed before the first of them is looked up.
//!
//! Most successors were seen before, and each look-up in a large table is a cache miss. A search that steps, looks up and waits has one miss
//! for each transition. A search that knows the fingerprints of all successors can fetch their slots at the same time. The price is
//! that a step into a new state is taken twice. So looking ahead pays where steps are cheap and few successors are new.

use sojourner_program::{Choice, Detail, Fault, Stateful, Step};
use sojourner_store::{Opened, Store};
use std::sync::Arc;

/// Finds the fingerprints of successors, and lets the store fetch what it needs for them.
pub(crate) trait LookAhead<P> {
    /// Appends for each choice the fingerprint of the state behind it, or [`UNKNOWN`] where the step fails. The program
    /// is back where it was.
    fn look(&mut self, program: &mut P, choices: &[Choice], prints: &mut Vec<u128>) -> Result<(), Fault>;
}

/// No fingerprint. A state that has it is treated as if nothing were known of it.
pub(crate) const UNKNOWN: u128 = 0;

/// Looks ahead for a search with a store of fingerprints.
pub(crate) struct Ahead {
    store: Arc<Opened>,
    step: Step,
}

impl Ahead {
    pub fn new(store: Arc<Opened>) -> Self {
        Ahead { store, step: Step::new(Detail::Outcome) }
    }
}

impl<P: Stateful> LookAhead<P> for Ahead {
    fn look(&mut self, program: &mut P, choices: &[Choice], prints: &mut Vec<u128>) -> Result<(), Fault> {
        let depth = program.depth();
        for &choice in choices {
            program.step(choice, &mut self.step)?;
            let print = if self.step.finding.is_none() { program.fingerprint() } else { UNKNOWN };
            self.store.prefetch(print);
            prints.push(print);
            program.rewind(depth)?;
        }
        Ok(())
    }
}

/// How many successors turn out to be new, of late.
pub(crate) struct Yield {
    new: u32,
    again: u32,
}

impl Yield {
    /// As if most had been seen before.
    pub fn new() -> Self {
        Yield { new: 0, again: 1 }
    }

    #[inline]
    pub fn count(&mut self, new: bool) {
        if new {
            self.new += 1;
        } else {
            self.again += 1;
        }
        if self.new + self.again >= 1 << 16 {
            self.new /= 2;
            self.again /= 2;
        }
    }

    /// Whether few enough are new for looking ahead to pay. Measured on the models: it does up to a third.
    pub fn is_low(&self) -> bool {
        self.again >= 2 * self.new
    }
}
