//! What a step does to others.

use sojourner_program::{Choice, Footprint, dependent};

/// What a step does to others: what it touches, and whether it was the last step of all.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub footprint: Footprint,
    /// It failed, and the program cannot go on behind it: no step of any thread commutes with that.
    pub ends: bool,
}

impl Effect {
    pub fn of(footprint: Footprint) -> Self {
        Effect { footprint, ends: false }
    }

    /// Whether the order of two steps of different threads can matter.
    pub fn depends(&self, other: &Effect) -> bool {
        self.ends || other.ends || dependent(&self.footprint, &other.footprint)
    }
}

/// A step that was taken from a state, or is to be.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub choice: Choice,
    pub effect: Effect,
    /// The outcome is a guess: it may turn out to be another one of the same thread, and all that there are will be taken.
    pub guessed: bool,
}

impl Planned {
    /// A step with the outcome that it has.
    pub fn new(choice: Choice, effect: Effect) -> Self {
        Planned { choice, effect, guessed: false }
    }

    /// Whether this one, taken in a state, stays what it is when another thread takes a step there.
    pub fn outlasts(&self, choice: Choice, effect: &Effect) -> bool {
        self.choice.thread != choice.thread && !self.effect.depends(effect)
    }
}
