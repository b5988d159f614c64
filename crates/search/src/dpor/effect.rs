//! The effect of a step: what it touches, and a signature of that for quick comparisons.

use sojourner_program::{Choice, Footprint, dependent};

/// What a step does to others: what it touches, and whether it was the last step of all.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub footprint: Footprint,
    /// It failed, and the program cannot go on behind it: no step of any thread commutes with that.
    pub ends: bool,
    pub signature: FootprintSignature,
}

impl Effect {
    pub fn of(footprint: Footprint) -> Self {
        Effect { signature: FootprintSignature::of(&footprint), footprint, ends: false }
    }

    /// That of a step which failed.
    pub fn of_end(footprint: Footprint) -> Self {
        Effect { footprint, ends: true, signature: FootprintSignature::EVERYTHING }
    }

    /// Whether the order of two steps of different threads can matter.
    #[inline]
    pub fn depends(&self, other: &Effect) -> bool {
        self.ends
            || other.ends
            || self.signature.may_meet(other.signature) && dependent(&self.footprint, &other.footprint)
    }
}

/// A footprint in a few bits: nearly all steps that do not depend on each other are told by it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootprintSignature {
    /// A bit for each object that is touched, and for each that is changed. Several objects may have the same one.
    touched: u64,
    changed: u64,
}

impl FootprintSignature {
    const EVERYTHING: FootprintSignature = FootprintSignature { touched: u64::MAX, changed: u64::MAX };

    fn of(footprint: &Footprint) -> FootprintSignature {
        let Some(accesses) = footprint.accesses() else { return FootprintSignature::EVERYTHING };
        accesses.iter().fold(
            FootprintSignature { touched: 0, changed: 0 },
            |FootprintSignature { touched, changed }, access| {
                let bit = 1 << (access.object.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58);
                FootprintSignature {
                    touched: touched | bit,
                    changed: if access.mode.only_looks() { changed } else { changed | bit },
                }
            },
        )
    }

    /// Whether one may change what the other touches.
    #[inline]
    pub fn may_meet(self, other: FootprintSignature) -> bool {
        self.changed & other.touched | self.touched & other.changed != 0
    }
}

/// A step that was taken from a state, or is to be.
#[derive(Clone, Debug)]
pub(crate) struct PlannedStep {
    pub choice: Choice,
    pub effect: Effect,
    /// The outcome is a guess: it may turn out to be another one of the same thread, and all that there are will be taken.
    pub guessed: bool,
}

impl PlannedStep {
    /// A step with the outcome that it has.
    pub fn new(choice: Choice, effect: Effect) -> Self {
        PlannedStep { choice, effect, guessed: false }
    }

    /// Whether this one, taken in a state, stays what it is when another thread takes a step there.
    pub fn outlasts(&self, choice: Choice, effect: &Effect) -> bool {
        self.choice.thread != choice.thread && !self.effect.depends(effect)
    }
}
