//! What can be picked in a state, and the picks that led to one.

use crate::ThreadId;
use std::fmt;

/// One thing that can happen next: a thread to run or, where its next operation has several outcomes, the thread
/// and the outcome to take.
///
/// Searches keep millions of these, so it is eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The thread that moves.
    pub thread: ThreadId,
    value: u32,
}

impl Choice {
    const NO_VALUE: u32 = u32::MAX;

    /// `thread` runs; its next operation has one outcome.
    pub const fn run(thread: ThreadId) -> Self {
        Choice { thread, value: Self::NO_VALUE }
    }

    /// `thread` runs and its data choice has the outcome `value`, which must be below `u32::MAX`.
    pub const fn pick(thread: ThreadId, value: u32) -> Self {
        debug_assert!(value != Self::NO_VALUE);
        Choice { thread, value }
    }

    /// The outcome of the data choice, if there is one.
    pub const fn value(self) -> Option<u32> {
        if self.value == Self::NO_VALUE { None } else { Some(self.value) }
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            None => write!(f, "{}", self.thread.0),
            Some(value) => write!(f, "{}:{value}", self.thread.0),
        }
    }
}

/// The choices from the start, in order: enough to replay an execution.
pub type Schedule = Vec<Choice>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_eight_bytes_and_keeps_its_value() {
        assert_eq!(size_of::<Choice>(), 8);
        assert_eq!(Choice::run(ThreadId(3)).value(), None);
        assert_eq!(Choice::pick(ThreadId(3), 0).value(), Some(0));
    }
}
