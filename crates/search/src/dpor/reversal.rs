//! The execution in which a race comes in the other order.
//!
//! Behind the state before the earlier step come all later steps that did not happen after it, and then the other one.
//! (In the papers, `notdep(e, E).e'`.) It need not be run if something that is asleep or planned in that state
//! could come first in it: then it is, up to the order of independent steps, an execution behind that.

use super::clock;
use super::effect::{Effect, Planned};
use super::history::{History, NONE};
use smallvec::SmallVec;
use sojourner_program::{Access, Choice, Footprint, ThreadId};

/// A way from a state: steps of an execution that do not happen after a certain one, and then one more.
#[derive(Clone, Copy)]
pub(crate) struct Reversal<'a> {
    pub history: &'a History,
    /// The step that is to come later: nothing that happened after it is on the way.
    pub from: usize,
    /// Others that are to come later, too.
    pub also: &'a [usize],
    /// Steps from here on are left out.
    pub until: usize,
    /// Where the step came that is to come instead: what happened before it came before this.
    pub at: usize,
    /// The step that is to come instead.
    pub last: Choice,
    /// If it cannot come first, its outcome is not known: its thread may have others then.
    pub guessed: bool,
    pub effect: &'a Effect,
    /// What happened before it in its own thread.
    pub past: &'a [u32],
}

/// Steps of an execution that are to come behind another state, in order, and behind them the last step of a reversal, as
/// long as it is not left out.
pub(crate) struct Way<'a> {
    reversal: &'a Reversal<'a>,
    places: &'a mut Vec<u32>,
    last: Option<Last<'a>>,
    /// How many of each thread's first steps have been left out.
    left_out: SmallVec<[u32; 16]>,
    /// Whether it is no more than what the last step happens after.
    is_shortest: bool,
    /// If so, and it has gone along steps that are not on it: the last place of the execution that allowed that.
    decided: Option<u32>,
}

/// The last step of a way.
#[derive(Clone, Copy)]
pub(crate) struct Last<'a> {
    pub choice: Choice,
    pub effect: &'a Effect,
    pub guessed: bool,
}

impl Way<'_> {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.last.is_none()
    }

    /// Goes along a step that could begin it: leaves out the first step of its thread, if there is one. False: the way is the
    /// shortest, and the step is not on it and could not begin all that the execution does. What is explored behind the step
    /// does not include that.
    pub fn go_along(&mut self, step: &Planned) -> bool {
        let thread = step.choice.thread;
        let history = self.reversal.history;
        let of_thread = |&place: &u32| history.mark(place as usize).thread == thread.0;
        match self.places.iter().position(of_thread) {
            Some(at) => drop(self.places.remove(at)),
            None if self.last.is_some_and(|last| last.choice.thread == thread) => self.last = None,
            None if self.is_shortest => {
                let Some(place) = step.could_begin(history, self.whole(), self.last) else { return false };
                self.decided = self.decided.max(Some(place));
            }
            None => {}
        }
        let thread = thread.0 as usize;
        if self.left_out.len() <= thread {
            self.left_out.resize(thread + 1, 0);
        }
        self.left_out[thread] += 1;
        true
    }

    /// Of a shortest way that is planned below steps that are not on it: the place that decided this. Executions that differ before
    /// it may need another way.
    pub fn decided(&self) -> Option<u32> {
        self.decided
    }

    /// The places of what the execution did beside, without what was left out.
    fn whole(&self) -> impl Iterator<Item = usize> + use<'_> {
        let mut left_out = self.left_out.clone();
        self.reversal.places().filter(move |&at| {
            match left_out.get_mut(self.reversal.history.mark(at).thread as usize) {
                Some(steps @ 1..) => {
                    *steps -= 1;
                    false
                }
                _ => true,
            }
        })
    }

    /// What the execution did beside, and can be done behind the way.
    pub fn next(&self) -> Vec<Choice> {
        let beside = self.whole().filter(|&at| self.places.binary_search(&(at as u32)).is_err());
        beside.map(|at| self.reversal.history.event(at).choice).collect()
    }

    /// The steps.
    pub fn planned(&self) -> Vec<Planned> {
        let events = self.places.iter().map(|&place| self.reversal.history.event(place as usize));
        let steps = events.map(|event| Planned::new(event.choice, event.effect.clone()));
        let last = self.last.map(|Last { choice, effect, guessed }| Planned {
            choice,
            effect: effect.clone(),
            guessed,
        });
        steps.chain(last).collect()
    }

    /// Whether a step, from the state where the way begins, could come first on it.
    pub fn could_begin_with(&self, step: &Planned) -> bool {
        let places = self.places.iter().map(|&place| place as usize);
        step.could_begin(self.reversal.history, places, self.last).is_some()
    }
}

/// No place in an execution.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl Planned {
    /// Whether this step, from the state where a way begins, could come first on it: it is on it, behind nothing
    /// that it depends on, or depends on nothing there. (In the papers, a weak initial.) If so: its place, or
    /// [`NOWHERE`] if it has none, so that another way could have something there that it depends on.
    #[inline]
    fn could_begin(
        &self,
        history: &History,
        places: impl Iterator<Item = usize>,
        last: Option<Last<'_>>,
    ) -> Option<u32> {
        for place in places {
            let mark = history.mark(place);
            if mark.thread == self.choice.thread.0 {
                let choice = history.event(place).choice;
                return (self.guessed || choice == self.choice).then_some(place as u32);
            }
            if mark.sketch.may_meet(self.effect.sketch) && self.effect.depends(&history.event(place).effect) {
                return None;
            }
        }
        let begins = last.is_none_or(|last| {
            if last.choice.thread == self.choice.thread {
                self.guessed || last.guessed || last.choice == self.choice
            } else {
                !self.effect.depends(last.effect)
            }
        });
        begins.then_some(NOWHERE)
    }
}

impl Reversal<'_> {
    /// The places of the steps on the way, but for the last one.
    #[inline]
    fn places(&self) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        self.history.beside(self.from, self.until).filter(|&at| !self.is_behind_others(at))
    }

    /// Whether a step happened after another one that is to come later than the first.
    #[inline]
    pub fn is_behind_others(&self, at: usize) -> bool {
        self.also.iter().any(|&other| self.history.leads_to(other, at))
    }

    pub fn last(&self) -> Last<'_> {
        let Reversal { last: choice, effect, guessed, .. } = *self;
        Last { choice, effect, guessed }
    }

    /// Whether a step, from the state where the way begins, could come first on it, see [`Planned::could_begin`]; with the
    /// places of its shortest way, on that.
    #[inline]
    pub fn could_begin_with(&self, step: &Planned, shortest: Option<&[u32]>) -> Option<u32> {
        let last = Some(self.last());
        match shortest {
            Some(places) => step.could_begin(self.history, places.iter().map(|&at| at as usize), last),
            None => step.could_begin(self.history, self.places(), last),
        }
    }

    /// The way in full or, with the places of its shortest way, no more than that: what happened before the last step. Whatever
    /// could begin the whole way could begin this. `places` is room to work in.
    pub fn way<'a>(&'a self, shortest: Option<&[u32]>, places: &'a mut Vec<u32>) -> Way<'a> {
        places.clear();
        match shortest {
            Some(shortest) => places.extend_from_slice(shortest),
            None => places.extend(self.places().map(|at| at as u32)),
        }
        Way {
            reversal: self,
            places,
            last: Some(self.last()),
            left_out: SmallVec::new(),
            is_shortest: shortest.is_some(),
            decided: None,
        }
    }

    /// The places of the shortest way. If there are none, the last step could come first. `taken`: whether that is a step of the
    /// execution. `clock` is room to work in.
    pub fn find_shortest(&self, taken: bool, places: &mut Vec<u32>, clock: &mut Vec<u32>) {
        places.clear();
        let plainly_first = self.is_plainly_first(taken);
        if !plainly_first || cfg!(debug_assertions) {
            self.list_shortest(places, clock);
        }
        debug_assert!(!plainly_first || places.is_empty());
    }

    /// Whether it is plain from the accesses to its objects that the last step could come first. Most can, and the steps behind the
    /// earlier one are many.
    fn is_plainly_first(&self, taken: bool) -> bool {
        let Reversal { history, from, at, effect, .. } = *self;
        let before = if taken { history.before(at) } else { history.last_of(self.last.thread) };
        let Some(accesses) = effect.footprint.accesses().filter(|_| !effect.ends) else { return false };
        if before.is_some_and(|before| before > from) || history.anything().last() > Some(&(from as u32)) {
            return false;
        }
        self.wanted(accesses, taken).next().is_none()
    }

    /// The steps on the way whose accesses do not commute with those of the last one, the latest first for each access. `taken`: whether
    /// that is a step of the execution.
    pub fn wanted(&self, accesses: &[Access], taken: bool) -> impl Iterator<Item = usize> {
        let Reversal { history, from, until, at, .. } = *self;
        let end = at.min(until);
        let links = accesses.iter().enumerate().flat_map(move |(nth, access)| {
            let first = if taken { history.previous(at, nth) } else { history.latest(access.object) };
            let some = |link: u32| Some(link).filter(|&link| link != NONE).map(|link| history.link(link));
            let links =
                std::iter::successors(some(first), move |earlier| some(earlier.back_from(access.mode)));
            let links = links.take_while(move |earlier| earlier.event as usize > from);
            links.filter(|earlier| !earlier.mode.commutes(access.mode))
        });
        let steps = links.map(|earlier| earlier.event as usize).filter(move |&step| step < end);
        steps.filter(move |&step| !history.leads_to(from, step) && !self.is_behind_others(step))
    }

    /// Lists the places of the shortest way.
    fn list_shortest(&self, places: &mut Vec<u32>, clock: &mut Vec<u32>) {
        let history = self.history;
        clock.clear();
        clock.extend_from_slice(self.past);
        clock.resize(history.clocks().threads(), 0);
        // Going back, what comes before the last step, and what comes before that.
        for at in (self.from + 1..self.at.min(self.until)).rev() {
            let happened = history.is_in(at, clock);
            let before = happened
                || history.mark(at).sketch.may_meet(self.effect.sketch)
                    && history.event(at).effect.depends(self.effect);
            if before && !history.leads_to(self.from, at) && !self.is_behind_others(at) {
                places.push(at as u32);
                if !happened {
                    clock::join(clock, history.clocks().of(at));
                }
            }
        }
        places.reverse();
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
        let mut first: SmallVec<[(ThreadId, u32); 16]> = SmallVec::new();
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
                first.push((thread, self.history.mark(at).index));
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
        for at in self.places().rev() {
            let event = self.history.event(at);
            let before_last = event.effect.depends(self.effect) || self.history.is_in(at, self.past);
            if before_last || wanted.iter().any(|&later| self.history.leads_to(at, later)) {
                wanted.push(at);
            }
        }
        wanted.iter().rev().map(|&at| self.history.event(at).choice).find(|choice| initials.contains(choice))
    }
}
