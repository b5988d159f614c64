//! Where threads stop, and what the present transition may do.

use super::assumptions::Assumptions;
use super::caveats::Caveats;
use super::permanent::PermanentObjects;
use super::record::Record;
use super::{Behaviour, Settings};
use crate::machine::Thread;
use sojourner_program::{Cancel, ThreadId, Threads};
use std::sync::Arc;

/// Where threads stop, and what the present transition may do.
#[derive(Default)]
pub struct Scheduling {
    /// Whether an observer decides which thread runs. If not, nothing else here matters.
    pub(crate) controlled: bool,
    /// Whether accesses to shared objects matter now: other threads may see them, or may have been about to when they ended.
    pub(crate) accesses_matter: bool,
    /// Whether visible operations are scheduling points now: other threads can run.
    pub(crate) has_points: bool,
    /// Whether anything is assumed of how fields are accessed, so that a quick look pays.
    pub(crate) assumes: bool,
    /// Whether the present transition has not done its visible operation yet, and may.
    pub(crate) may_perform: bool,
    /// Whether it has jumped backwards.
    pub(crate) jumped_back: bool,
    /// The outcome of the data choice that it takes.
    pub(crate) value: Option<u32>,
    /// The line of the program's code that it began on, if a line is one transition.
    pub(crate) line: Option<(usize, u32, i32)>,
    /// What it does, for the observer.
    pub(crate) record: Record,
    /// Which operations are scheduling points.
    pub(crate) settings: Settings,
    /// What is assumed of variables and of the program.
    pub(crate) assumptions: Assumptions,
    /// Objects and effects that are there for ever.
    pub(crate) permanent: PermanentObjects,
    /// What the verdict has to mention.
    pub(crate) caveats: Caveats,
    /// Whether threads that go round a loop in vain stay there, as a reduction needs it.
    pub(crate) skips_vain_rounds: bool,
    /// Whether a thread only runs up to its next visible operation, and must stop before it initialises a class of the JDK.
    pub(crate) leads: bool,
    /// The search wants to end.
    pub(crate) cancel: Cancel,
    /// Identities of threads.
    pub(crate) identities: Option<Arc<Threads>>,
    /// Offsets of references in threads that only the thread itself follows.
    pub(crate) thread_local_fields: Vec<u32>,
}

impl Scheduling {
    /// Whether the program is known to do that.
    #[inline(always)]
    pub(crate) fn expects(&self, behaviour: Behaviour) -> bool {
        self.assumptions.behaviours[behaviour as usize]
    }

    /// Whether the program interrupts or halts threads or asks for their state. Then the moment matters in which a thread begins
    /// to wait.
    pub(crate) fn is_inspected(&self) -> bool {
        [Behaviour::AsksThreadState, Behaviour::Interrupts, Behaviour::HaltsThreads]
            .iter()
            .any(|&behaviour| self.expects(behaviour))
    }

    /// Whether a thread can be suspended or stopped anywhere, under a lock, too.
    pub(crate) fn halts_threads(&self) -> bool {
        self.expects(Behaviour::HaltsThreads)
    }

    /// Whether every visible operation is a transition of its own.
    pub(crate) fn steps_singly(&self) -> bool {
        self.expects(Behaviour::SingleOperations)
    }

    /// Whether operations that only enable other threads are fused with what comes before them.
    pub(crate) fn has_movers(&self) -> bool {
        self.settings.reduce.movers && !self.steps_singly()
    }

    /// Whether what is done now is done once and for all, as if it had been done at the start.
    pub(crate) fn is_in_scope(&self) -> bool {
        !self.permanent.scopes.is_empty()
    }

    /// Whether a thread that only runs up to its next visible operation is about to initialise a class of the JDK.
    pub(crate) fn is_led(&self) -> bool {
        self.leads && !self.is_in_scope()
    }

    /// A thread's identity, in words.
    pub(crate) fn identity(&self, thread: ThreadId) -> String {
        match &self.identities {
            Some(identities) => identities.identity(thread).to_string(),
            None => thread.0.to_string(),
        }
    }

    /// The identity of a thread that `parent` starts now, and 64 bits that stand for it.
    pub(crate) fn identify(&mut self, threads: &[Thread], parent: usize) -> (ThreadId, u64) {
        let (Some(identities), Some(parent)) = (&self.identities, threads.get(parent)) else {
            return (ThreadId(threads.len() as u32), threads.len() as u64);
        };
        let id = identities.child(Some(parent.id), parent.children);
        let print =
            parent.print.wrapping_add(u64::from(parent.children) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (id, print)
    }
}
