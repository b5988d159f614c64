//! What a transition does, for the observer.

use super::Operation;
use crate::memory::Ref;
use sojourner_program::{Footprint, Location, Timeout};

/// What the present transition has done. The observer says before the transition which details it wants.
#[derive(Default)]
pub(crate) struct Record {
    /// The visible operation.
    pub performed: Operation,
    /// Whether it has done more than one visible operation.
    pub fused: bool,
    /// Whether the observer wants the location, the time-out, the file operation and the notifications.
    pub wants_details: bool,
    /// Where in the program the visible operation was.
    pub location: Option<Location>,
    /// The time-out that expired.
    pub timeout: Option<Timeout>,
    /// What it did to a file, in words.
    pub file_operation: String,
    /// Its notifications: the object, and the threads that were woken.
    pub notified: Vec<(Ref, Vec<usize>)>,
    /// Whether the observer wants the footprint.
    pub wants_footprint: bool,
    /// What it has touched so far.
    pub footprint: Footprint,
}

impl Record {
    /// A new transition begins, of which these details are wanted.
    pub fn begin(&mut self, wants_details: bool, wants_footprint: bool) {
        (self.wants_details, self.wants_footprint) = (wants_details, wants_footprint);
        (self.location, self.timeout) = (None, None);
        self.notified.clear();
        self.footprint = Footprint::nothing();
    }

    /// Notes what was done to a file.
    pub fn note_file_operation(&mut self, words: impl FnOnce() -> String) {
        if self.wants_details {
            self.file_operation = words();
        }
    }

    /// Notes that threads that wait on an object were notified, and which of them were woken.
    pub fn note_notified(&mut self, object: Ref, woken: Vec<usize>) {
        self.notified.push((object, woken));
    }
}
