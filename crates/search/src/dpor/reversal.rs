//! The execution in which a race comes in the other order.
//!
//! Behind the state before the earlier step come all later steps that did not happen after it, and then the other one.
//! (In the papers, `notdep(e, E).e'`.) It need not be run if something that is asleep or planned in that state
//! could come first in it: then it is, up to the order of independent steps, an execution behind that.

use super::effect::{Effect, Planned};
use super::history::History;
use sojourner_program::{Choice, Footprint, ThreadId};

/// A way from a state: steps of an execution that do not happen after a certain one, and then one more.
#[derive(Clone, Copy)]
pub(crate) struct Reversal<'a> {
    pub history: &'a History,
    /// The step that is to come later: nothing that happened after it is on the way.
    pub from: usize,
    /// Steps from here on are left out.
    pub until: usize,
    /// The step that is to come instead. If it cannot come first, its outcome is not known: its thread may have others
    /// then.
    pub last: Choice,
    pub effect: &'a Effect,
    /// What happened before it in its own thread.
    pub past: &'a [u32],
}

/// Steps on a way, in order.
pub(crate) trait Way {
    /// Hands over each step, until one ends it.
    fn steps<T>(&self, each: impl FnMut(Choice, &Effect) -> Option<T>) -> Option<T>;
}

impl Way for Reversal<'_> {
    fn steps<T>(&self, mut each: impl FnMut(Choice, &Effect) -> Option<T>) -> Option<T> {
        let ended = self.places().find_map(|at| {
            let event = self.history.event(at);
            each(event.choice, &event.effect)
        });
        ended.or_else(|| each(self.last, self.effect))
    }
}

impl Way for &[Planned] {
    fn steps<T>(&self, mut each: impl FnMut(Choice, &Effect) -> Option<T>) -> Option<T> {
        self.iter().find_map(|step| each(step.choice, &step.effect))
    }
}

impl Planned {
    /// Whether this step, from the state where the way begins, could come first on it: it is on it, behind nothing
    /// that it depends on, or depends on nothing there. (In the papers, a weak initial.)
    pub fn could_begin(&self, way: &impl Way) -> bool {
        let found = way.steps(|choice, effect| {
            if choice.thread == self.choice.thread {
                Some(choice == self.choice)
            } else {
                self.effect.depends(effect).then_some(false)
            }
        });
        found.unwrap_or(true)
    }
}

impl Reversal<'_> {
    /// The places of the steps on the way, but for the last one.
    fn places(&self) -> impl Iterator<Item = usize> + use<'_> {
        (self.from + 1..self.until).filter(|&at| !self.history.leads_to(self.from, at))
    }

    /// The way in full.
    pub fn planned(&self) -> Vec<Planned> {
        let mut way = Vec::new();
        self.steps(|choice, effect| -> Option<()> {
            way.push(Planned { choice, effect: effect.clone() });
            None
        });
        way
    }

    /// Whether the last step could come first.
    pub fn last_begins(&self) -> bool {
        self.places().all(|at| {
            let event = self.history.event(at);
            let happened = self.past.get(event.choice.thread.0 as usize).is_some_and(|&n| n >= event.index);
            !happened && !event.effect.depends(self.effect)
        })
    }

    /// What a step that can come first touches then. Of the last one that is not known: it was taken elsewhere.
    pub fn effect_of(&self, initial: Choice) -> Effect {
        let mut events = self.places().map(|at| self.history.event(at));
        let known = events.find(|event| event.choice == initial).map(|event| event.effect.clone());
        known.filter(|_| initial != self.last).unwrap_or(Effect::of(Footprint::Unknown))
    }

    /// The steps on the way that nothing before them on the way happened before. (In the papers, the initials.)
    pub fn initials(&self, out: &mut Vec<Choice>) {
        out.clear();
        let mut first: smallvec::SmallVec<[(ThreadId, u32); 16]> = smallvec::SmallVec::new();
        let behind = |clock: &[u32], first: &[(ThreadId, u32)]| {
            first.iter().any(|&(thread, index)| clock.get(thread.0 as usize).is_some_and(|&n| n >= index))
        };
        let mut last_waits = false;
        for at in self.places() {
            let event = self.history.event(at);
            let thread = event.choice.thread;
            if !behind(self.history.clocks().of(at), &first) {
                out.push(event.choice);
            }
            if !first.iter().any(|&(other, _)| other == thread) {
                first.push((thread, event.index));
            }
            last_waits |= event.effect.depends(self.effect);
        }
        if !last_waits && !behind(self.past, &first) {
            out.push(self.last);
        }
    }

    /// The first step on the way that nothing on it happened before and that itself, directly or not, comes before the
    /// last one; the last one itself, if nothing does.
    pub fn towards_last(&self, initials: &[Choice]) -> Option<Choice> {
        if initials.contains(&self.last) {
            return Some(self.last);
        }
        // Going back, what the last step waits for, and what that waits for.
        let mut wanted: Vec<usize> = Vec::new();
        let places: Vec<usize> = self.places().collect();
        for &at in places.iter().rev() {
            let event = self.history.event(at);
            let thread = event.choice.thread.0 as usize;
            let before_last =
                event.effect.depends(self.effect) || self.past.get(thread).is_some_and(|&n| n >= event.index);
            if before_last || wanted.iter().any(|&later| self.history.leads_to(at, later)) {
                wanted.push(at);
            }
        }
        wanted.iter().rev().map(|&at| self.history.event(at).choice).find(|choice| initials.contains(choice))
    }
}
