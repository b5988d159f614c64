//! The trait that a model implements.

use crate::{Properties, State, Transitions};
use sojourner_program::{Footprint, ObjectId, Target};
use std::fmt::Debug;

/// A system of processes that take guarded steps.
///
/// Processes are numbered from 0 and all exist from the start. What a process may do next is decided by the state
/// alone; each pair of a process and an action that `transitions` names is one transition, and `fire` takes it. Actions
/// are numbers of the model's own making: constants, or an enum `as u32`.
///
/// All methods must be functions of their arguments: no clock, no randomness, nothing remembered. Code here that
/// panics is a finding of kind `panic`, at the state where it does.
pub trait Model: Sized + Send + Sync + 'static {
    /// Everything that decides the future.
    type State: State + Clone + Debug;

    /// The state at the start. If this panics there is no state to report, and the program cannot be opened.
    fn initial(&self) -> Self::State;

    /// How many processes there are.
    fn processes(&self) -> u32;

    /// Names the transitions that are enabled in the state. If there are none, the system has ended or is in a
    /// deadlock, as [`Model::may_end`] says.
    fn transitions(&self, state: &Self::State, on: &mut Transitions<'_>);

    /// Takes a transition that is enabled.
    fn fire(&self, state: &mut Self::State, process: usize, action: u32);

    /// Whether the system may stop in this state, which has no transitions. Where it may not, that is a deadlock.
    fn may_end(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// What should hold.
    fn properties(&self, expect: &mut Properties<Self>) {
        let _ = expect;
    }

    /// What people call the process.
    fn name(&self, process: usize) -> String {
        format!("process {process}")
    }

    /// What the transition does, in words. The state is the one before it.
    fn words(&self, state: &Self::State, process: usize, action: u32) -> String {
        let _ = (state, process);
        format!("action {action}")
    }

    /// The state in words, for the end of a trace.
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Adds what the enabled transition touches to `out`, which is empty; false if that is not known.
    ///
    /// Reductions leave out interleavings by what is said here, so it must be complete. It names everything that the action changes, and
    /// everything that decides what it changes to. It also names everything that any guard of the process looks at in this state, also the
    /// guards of its other actions. What only this process ever looks at or changes is left out.
    fn footprint(&self, state: &Self::State, process: usize, action: u32, out: &mut Footprint) -> bool {
        let _ = (state, process, action, out);
        false
    }

    /// Adds everything that the guards of a process look at to `out`, where none of them holds; false if that is not
    /// known. A process that is to be taken for finished adds nothing and gives true.
    fn blocked_on(&self, state: &Self::State, process: usize, out: &mut Footprint) -> bool {
        let _ = (state, process, out);
        false
    }

    /// What people call an object of a footprint.
    fn object_name(&self, object: ObjectId) -> String {
        format!("object {}", object.0)
    }

    /// An estimate of the number of transitions from the state to the target, for searches that are guided.
    fn distance(&self, state: &Self::State, target: Target) -> Option<u32> {
        let _ = (state, target);
        None
    }
}
