//! Loops that compute for long and do nothing that another thread could notice. If the search runs out of its budget, the
//! report names them.

use crate::machine::Machine;

/// A thread that ends so many transitions in a row because it computes for long is noted: some millions of rounds of a loop.
const LONG: u32 = 8;

impl Machine {
    /// The current thread has ended so many transitions in a row without a visible operation.
    pub(super) fn note_long_run(&self, times: u32) {
        if times != LONG {
            return;
        }
        let frames = &self.threads[self.current].frames;
        let own = frames.iter().rev().find(|frame| self.is_own(frame.method));
        let Some(frame) = own.or(frames.last()) else { return };
        let place = self.location(frame.method, self.bci(frame.method, frame.pc));
        self.watch.long_runs.add(place.to_string());
    }
}
