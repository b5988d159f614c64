//! What threads will do next that others can notice, where they do not stand before it yet.
//!
//! A transition ends before the next visible operation, so that a thread mostly stands before one. A thread that has just
//! been started, whose wait is over or may be given up, or that has let others go on, does not: its next operation belongs
//! to the same transition as what comes before it. To find the races of such an operation the thread is led up to it, and
//! back. What lies between is invisible to the others and does not depend on what they do, so that the answer holds as long
//! as the thread has not moved - unless the operation is a static initialiser, which another thread may have run by then.
//! A thread is not led through a static initialiser of the JDK: its effects would stay.

use super::{Pending, What};
use crate::machine::{Frame, Machine, Standing};

/// What is known of the threads that do not stand before a visible operation.
#[derive(Default)]
pub(super) struct Outlook {
    known: Vec<Option<Known>>,
}

struct Known {
    /// How the thread stood, and since which transition.
    version: u64,
    standing: Standing,
    next: Next,
}

/// An operation that a thread comes to next, and its frames there.
pub(super) struct Next {
    pub pending: Pending,
    pub frames: Vec<Frame>,
}

impl Outlook {
    /// Looks ahead for all threads that can go on and do not stand before a visible operation of some object.
    pub fn update(&mut self, machine: &mut Machine) {
        self.known.resize_with(machine.threads.len(), || None);
        for thread in 0..machine.threads.len() {
            let (version, standing) = machine.standing_since(thread);
            // Who computes for long comes to an operation in a transition of its own.
            let passes = matches!(standing.pending.what, What::Nothing | What::Pause);
            let stands_before_it = !passes || standing.pending.times_tired() > 0;
            let goes_on = machine.is_enabled(thread) || machine.may_give_up(thread);
            if stands_before_it || standing.outcomes > 0 || !goes_on {
                self.known[thread] = None;
                continue;
            }
            let known =
                self.known[thread].as_ref().filter(|known| known.next.pending.what != What::Initialise);
            if known.is_none_or(|known| (known.version, known.standing) != (version, standing)) {
                let next = machine.look_ahead(thread);
                self.known[thread] = Some(Known { version, standing, next });
            }
        }
    }

    /// What a thread comes to next, if that had to be found out.
    pub fn of(&self, thread: usize) -> Option<&Next> {
        self.known.get(thread)?.as_ref().map(|known| &known.next)
    }
}

impl Machine {
    /// What a thread comes to next that others can notice. Nothing is changed, and nothing learned.
    fn look_ahead(&mut self, thread: usize) -> Next {
        let marks = self.marks();
        let follows = std::mem::replace(&mut self.watch.follows, true);
        self.watch.leads = true;
        self.lead(thread);
        self.watch.leads = false;
        let pending = self.threads[thread].pending;
        let frames = self.threads[thread].frames.clone();
        self.undo_nothing_more();
        self.rewind_to(marks);
        self.watch.follows = follows;
        Next { pending, frames }
    }
}
