//! What threads will do next that others can notice, where they do not stand before it yet.
//!
//! A transition ends before the next visible operation, so that a thread mostly stands before one. A thread that has just
//! been started, whose wait is over or may be given up, or that has let others go on, does not: its next operation belongs
//! to the same transition as what comes before it. To find the races of such an operation the thread is led up to it, and
//! back. The steps between are invisible to the others and do not depend on what they do. So the answer holds as long as the thread has not
//! moved. One operation is an exception: a static initialiser, which another thread may have run by then. A thread is not led through a
//! static initialiser of the JDK: its effects would stay.

use crate::machine::visible::{Operation, OperationKind};
use crate::machine::{Frame, Machine, ThreadState};

/// What is known of the threads that do not stand before a visible operation.
#[derive(Default)]
pub(super) struct NextOperations {
    predictions: Vec<Option<Prediction>>,
}

struct Prediction {
    /// How the thread stood, and since which transition.
    version: u64,
    standing: ThreadState,
    next: Next,
}

/// An operation that a thread comes to next, and its frames there.
pub(super) struct Next {
    pub pending: Operation,
    pub frames: Vec<Frame>,
}

impl NextOperations {
    /// Looks ahead for all threads that can go on and do not stand before a visible operation of some object.
    pub fn update(&mut self, machine: &mut Machine) {
        self.predictions.resize_with(machine.threads.list.len(), || None);
        for thread in 0..machine.threads.list.len() {
            let (version, standing) = machine.state_since(thread);
            // A thread that computes for long comes to an operation in a transition of its own.
            let passes = matches!(standing.pending.kind, OperationKind::Nothing | OperationKind::Pause);
            let stands_before_it = !passes || standing.pending.long_runs() > 0;
            let goes_on = machine.is_enabled(thread) || machine.may_give_up(thread);
            if stands_before_it || standing.outcomes > 0 || !goes_on {
                self.predictions[thread] = None;
                continue;
            }
            let predictions = self.predictions[thread]
                .as_ref()
                .filter(|predictions| predictions.next.pending.kind != OperationKind::Initialise);
            if predictions
                .is_none_or(|predictions| (predictions.version, predictions.standing) != (version, standing))
            {
                let next = machine.look_ahead(thread);
                self.predictions[thread] = Some(Prediction { version, standing, next });
            }
        }
    }

    /// What a thread comes to next, if that had to be found out.
    pub fn of(&self, thread: usize) -> Option<&Next> {
        self.predictions.get(thread)?.as_ref().map(|predictions| &predictions.next)
    }
}

impl Machine {
    /// What a thread comes to next that others can notice. Nothing is changed, and nothing learned.
    fn look_ahead(&mut self, thread: usize) -> Next {
        let marks = self.marks();
        let follows = std::mem::replace(&mut self.scheduling.assumptions.fixed, true);
        self.scheduling.leads = true;
        self.lead(thread);
        self.scheduling.leads = false;
        let pending = self.threads.list[thread].pending;
        let frames = self.threads.list[thread].frames.clone();
        self.undo_nothing_more();
        self.rewind_to(marks);
        self.scheduling.assumptions.fixed = follows;
        Next { pending, frames }
    }
}
