//! Filters cut choices. What a filter cuts makes a search incomplete, and it says so.
//!
//! With a store, what a filter knows beyond the state must be part of the key under which the state is kept, or
//! the store would forget paths that had more of their allowance left (docs/soundness.md).

use crate::{Past, Reason};
use sojourner_program::Choice;

/// Bounds on the schedules that are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// At most that many preemptions: switches away from a thread that could have gone on (Musuvathi & Qadeer).
    pub preemptions: Option<u32>,
    /// At most that many steps.
    pub depth: Option<u32>,
}

impl Bounds {
    /// The deepest depth bound: least depths are kept in 24 bits.
    pub const MAX_DEPTH: u32 = (1 << 24) - 2;

    /// Removes the choices that a bound forbids in a state reached by `past` in `depth` steps, and names the
    /// bound if it removed any.
    pub fn cut(&self, past: Past, depth: usize, choices: &mut Vec<Choice>) -> Option<Reason> {
        if let Some(bound) = self.depth
            && depth >= bound as usize
            && !choices.is_empty()
        {
            choices.clear();
            return Some(Reason::Depth(bound));
        }
        let (bound, last) = (self.preemptions?, past.last()?);
        if past.preemptions() < bound || !past.can_go_on() {
            return None;
        }
        let before = choices.len();
        choices.retain(|choice| choice.thread == last);
        (choices.len() < before).then_some(Reason::Preemptions(bound))
    }

    /// What the store must tell apart beside the state: the thread that moved last and the preemptions so far, if
    /// they are bounded.
    pub fn key(&self, past: Past) -> Option<u64> {
        self.preemptions?;
        let last = past.last().map_or(0, |thread| u64::from(thread.0) + 1);
        Some(last << 32 | u64::from(past.preemptions()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_program::ThreadId;

    fn run(thread: u32) -> Choice {
        Choice::run(ThreadId(thread))
    }

    #[test]
    fn switch_away_from_enabled_thread_is_a_preemption() {
        let bounds = Bounds { preemptions: Some(0), depth: None };
        let past = Past::START.after(run(1));
        assert_eq!(past.preemptions(), 0);
        let mut choices = vec![run(0), run(1), run(2)];
        assert_eq!(past.facing(&choices).after(run(0)).preemptions(), 1);
        assert_eq!(bounds.cut(past.facing(&choices), 1, &mut choices), Some(Reason::Preemptions(0)));
        assert_eq!(choices, [run(1)]);
        let mut blocked = vec![run(0), run(2)];
        assert_eq!(past.facing(&blocked).after(run(0)).preemptions(), 0);
        assert_eq!(bounds.cut(past.facing(&blocked), 1, &mut blocked), None);
        assert_eq!(blocked.len(), 2);
    }

    #[test]
    fn a_depth_bound_cuts_all_choices_but_an_end_is_not_cut() {
        let bounds = Bounds { preemptions: None, depth: Some(3) };
        assert_eq!(bounds.cut(Past::START, 3, &mut vec![]), None);
        assert_eq!(bounds.cut(Past::START, 2, &mut vec![run(0)]), None);
        assert_eq!(bounds.cut(Past::START, 3, &mut vec![run(0)]), Some(Reason::Depth(3)));
    }
}
