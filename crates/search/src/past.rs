//! What a search must know of how a state was reached.

use sojourner_program::{Choice, ThreadId};

/// How a state was reached, as far as bounds and orders depend on it: eight bytes beside every open state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    last: u32,
    switches: u16,
    preemptions: u8,
    can_go_on: bool,
}

impl Past {
    const NOBODY: u32 = u32::MAX;

    /// Of the first state.
    pub const START: Past = Past { last: Self::NOBODY, switches: 0, preemptions: 0, can_go_on: false };

    /// Preemptions are counted up to here.
    pub const MAX_PREEMPTIONS: u32 = u8::MAX as u32 - 1;

    /// Notes whether the thread that moved last is among those that can move now.
    #[must_use]
    pub fn facing(self, choices: &[Choice]) -> Past {
        Past { can_go_on: choices.iter().any(|choice| choice.thread.0 == self.last), ..self }
    }

    /// Of the state that `choice` leads to from a state whose choices it has been [facing](Past::facing).
    #[must_use]
    pub fn after(self, choice: Choice) -> Past {
        let switched = self.last != Self::NOBODY && choice.thread.0 != self.last;
        Past {
            last: choice.thread.0,
            switches: self.switches.saturating_add(switched.into()),
            preemptions: self.preemptions.saturating_add((switched && self.can_go_on).into()),
            can_go_on: false,
        }
    }

    /// The thread that moved last.
    pub fn last(self) -> Option<ThreadId> {
        (self.last != Self::NOBODY).then_some(ThreadId(self.last))
    }

    /// How often a thread was interrupted that could have gone on.
    pub fn preemptions(self) -> u32 {
        self.preemptions.into()
    }

    /// How often another thread than before moved.
    pub fn switches(self) -> u32 {
        self.switches.into()
    }

    /// Whether the thread that moved last could move again.
    pub fn can_go_on(self) -> bool {
        self.can_go_on
    }
}
