//! Steps that lead back to a state that the execution has visited before.
//!
//! The steps that happened before a step form, with the step itself, an execution that leads to a state. If the same was true of an earlier
//! step and the two states are equal, nothing new can follow: the shorter execution has the same continuations. The thread takes no
//! more steps. In unfoldings of Petri nets, where the idea is from, such a step is a cut-off (McMillan 1992; with a reduction that runs
//! each execution once, Rodríguez, Sousa, Sharma & Kroening 2015).
//!
//! The decision uses only what happened before the step, not what other threads did. So equivalent executions agree about it, and
//! a reduction treats such a thread like one that has ended. The state is computed without running the shorter execution: the
//! changes of steps add up ([`Step::change`](sojourner_program::Step::change)).

use smallvec::SmallVec;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What the steps of an execution have changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepeatedStates {
    /// By thread: after each of its steps, what it has changed so far, if it tells.
    changed: Vec<Vec<Option<u64>>>,
    /// By step: the state that it leads to with what happened before it. Empty as long as no step tells.
    states: Vec<Option<u64>>,
    /// The steps that lead to each of these states, in order.
    by_state: HashMap<u64, SmallVec<[u32; 1]>, foldhash::fast::FixedState>,
    /// The steps that led back to where the program had been.
    back: Vec<u32>,
}

impl RepeatedStates {
    /// Appends the step at `at`, number `index` of its thread, with its clock. `is_before` says whether an earlier step happened
    /// before it.
    pub fn push(
        &mut self,
        at: usize,
        (thread, index): (u32, u32),
        change: Option<u64>,
        clock: &[u32],
        is_before: impl Fn(usize) -> bool,
    ) {
        if change.is_none() && self.states.is_empty() {
            return;
        }
        if self.changed.len() < clock.len() {
            self.changed.resize(clock.len(), Vec::new());
        }
        let own = &mut self.changed[thread as usize];
        own.resize(index as usize - 1, None);
        let before = own.last().copied().unwrap_or(Some(0));
        own.push(before.zip(change).map(|(before, change)| before.wrapping_add(change)));
        let state = clock.iter().zip(&self.changed).try_fold(0_u64, |state, (&steps, changed)| {
            let changed =
                (steps as usize).checked_sub(1).map_or(Some(0), |last| changed.get(last).copied()?)?;
            Some(state.wrapping_add(changed))
        });
        self.states.resize(at, None);
        self.states.push(state);
        if let Some(state) = state {
            let steps = self.by_state.entry(state).or_default();
            if steps.iter().rev().any(|&earlier| is_before(earlier as usize)) {
                self.back.push(at as u32);
            }
            steps.push(at as u32);
        }
    }

    /// Whether no step led back.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.back.is_empty()
    }

    /// Whether the step at that place led back to where the program had been.
    pub fn leads_back(&self, at: usize) -> bool {
        self.back.binary_search(&(at as u32)).is_ok()
    }

    /// Takes away the last step, at that place, number `index` of its thread.
    pub fn pop(&mut self, at: usize, (thread, index): (u32, u32)) {
        for state in self.states.drain(at.min(self.states.len())..).flatten() {
            if let Entry::Occupied(mut steps) = self.by_state.entry(state) {
                steps.get_mut().pop();
                if steps.get().is_empty() {
                    steps.remove();
                }
            }
        }
        if let Some(changed) = self.changed.get_mut(thread as usize) {
            changed.truncate(index as usize - 1);
        }
        if self.back.last() == Some(&(at as u32)) {
            self.back.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_closes_cycle_when_prefix_state_repeats() {
        let mut rounds = RepeatedStates::default();
        // The first thread goes back and forth; the second one changes something in between, which no thread has noticed.
        rounds.push(0, (0, 1), Some(3), &[1, 0], |_| false);
        rounds.push(1, (1, 1), Some(100), &[0, 1], |_| false);
        rounds.push(2, (0, 2), Some(5), &[2, 0], |step| step == 0);
        rounds.push(3, (0, 3), Some(5_u64.wrapping_neg()), &[3, 0], |step| step != 1);
        assert_eq!([0, 1, 2, 3].map(|at| rounds.leads_back(at)), [false, false, false, true]);
        // Once it has noticed that, the state is another one.
        rounds.pop(3, (0, 3));
        rounds.push(3, (0, 3), Some(5_u64.wrapping_neg()), &[3, 1], |_| true);
        assert!(!rounds.leads_back(3));
    }

    #[test]
    fn steps_without_change_never_repeat_a_state() {
        let mut rounds = RepeatedStates::default();
        rounds.push(0, (0, 1), None, &[1], |_| true);
        rounds.push(1, (0, 2), Some(0), &[2], |_| true);
        rounds.push(2, (0, 3), Some(0), &[3], |_| true);
        assert!(!rounds.leads_back(2));
    }
}
