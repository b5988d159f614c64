//! The execution in which a race comes in the other order.
//!
//! Behind the state before the earlier step come all later steps that did not happen after it, and then the later step of the race. In
//! the papers this wake-up sequence is `notdep(e, E).e'`. It need not be run if one of its initials is asleep or planned in that state:
//! an equivalent execution is then explored behind that step.

use super::clock;
use super::effect::{Effect, PlannedStep};
use super::history::{History, NONE};
use smallvec::SmallVec;
use sojourner_program::{Access, Choice, Footprint, ThreadId};

/// A sequence from a state: steps of an execution that do not happen after a certain one, and then one more.
#[derive(Clone, Copy)]
pub(crate) struct Reversal<'a> {
    pub history: &'a History,
    /// The step that is to come later: nothing that happened after it is in the sequence.
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
pub(crate) struct WakeupSequence<'a> {
    reversal: &'a Reversal<'a>,
    places: &'a mut Vec<u32>,
    last: Option<LastStep<'a>>,
    /// How many of each thread's first steps have been left out.
    left_out: SmallVec<[u32; 16]>,
    /// Whether it is no more than what the last step happens after.
    is_shortest: bool,
    /// If so, and it has gone along steps that are not in it: the last place of the execution that allowed that.
    decided: Option<u32>,
}

/// The last step of a sequence.
#[derive(Clone, Copy)]
pub(crate) struct LastStep<'a> {
    pub choice: Choice,
    pub effect: &'a Effect,
    pub guessed: bool,
}

impl WakeupSequence<'_> {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.last.is_none()
    }

    /// Goes along a step that could begin it: leaves out the first step of its thread, if there is one. False: the sequence is the
    /// shortest, and the step is not in it and could not begin all that the execution does. What is explored behind the step
    /// does not include that.
    pub fn go_along(&mut self, step: &PlannedStep) -> bool {
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

    /// Of a shortest sequence that is planned below steps that are not in it: the place that decided this. Executions that differ before
    /// it may need another sequence.
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

    /// What the execution did beside, and can be done behind the sequence.
    pub fn next(&self) -> Vec<Choice> {
        let beside = self.whole().filter(|&at| self.places.binary_search(&(at as u32)).is_err());
        beside.map(|at| self.reversal.history.event(at).choice).collect()
    }

    /// The steps.
    pub fn planned(&self) -> Vec<PlannedStep> {
        let events = self.places.iter().map(|&place| self.reversal.history.event(place as usize));
        let steps = events.map(|event| PlannedStep::new(event.choice, event.effect.clone()));
        let last = self.last.map(|LastStep { choice, effect, guessed }| PlannedStep {
            choice,
            effect: effect.clone(),
            guessed,
        });
        steps.chain(last).collect()
    }

    /// Whether a step, from the state where the sequence begins, could come first in it.
    pub fn could_begin_with(&self, step: &PlannedStep) -> bool {
        let places = self.places.iter().map(|&place| place as usize);
        step.could_begin(self.reversal.history, places, self.last).is_some()
    }
}

/// No place in an execution.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl PlannedStep {
    /// Whether this step, from the state where a sequence begins, could come first in it: it is in it, behind nothing
    /// that it depends on, or depends on nothing there. (In the papers, a weak initial.) If so: its place, or
    /// [`NOWHERE`] if it has none, so that another sequence could have something there that it depends on.
    #[inline]
    fn could_begin(
        &self,
        history: &History,
        places: impl Iterator<Item = usize>,
        last: Option<LastStep<'_>>,
    ) -> Option<u32> {
        for place in places {
            let mark = history.mark(place);
            if mark.thread == self.choice.thread.0 {
                let choice = history.event(place).choice;
                return (self.guessed || choice == self.choice).then_some(place as u32);
            }
            if mark.signature.may_meet(self.effect.signature)
                && self.effect.depends(&history.event(place).effect)
            {
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
    /// The places of the steps in the sequence, but for the last one.
    #[inline]
    fn places(&self) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        self.history.beside(self.from, self.until).filter(|&at| !self.is_behind_others(at))
    }

    /// Whether a step happened after another one that is to come later than the first.
    #[inline]
    pub fn is_behind_others(&self, at: usize) -> bool {
        self.also.iter().any(|&other| self.history.leads_to(other, at))
    }

    pub fn last(&self) -> LastStep<'_> {
        let Reversal { last: choice, effect, guessed, .. } = *self;
        LastStep { choice, effect, guessed }
    }

    /// Whether a step, from the state where the sequence begins, could come first in it, see [`PlannedStep::could_begin`]; with the
    /// places of its shortest sequence, in that.
    #[inline]
    pub fn could_begin_with(&self, step: &PlannedStep, shortest: Option<&[u32]>) -> Option<u32> {
        let last = Some(self.last());
        match shortest {
            Some(places) => step.could_begin(self.history, places.iter().map(|&at| at as usize), last),
            None => step.could_begin(self.history, self.places(), last),
        }
    }

    /// The sequence in full or, with the places of its shortest sequence, no more than that: what happened before the last step. Whatever
    /// could begin the whole sequence could begin this. `places` is room to work in.
    pub fn sequence<'a>(&'a self, shortest: Option<&[u32]>, places: &'a mut Vec<u32>) -> WakeupSequence<'a> {
        places.clear();
        match shortest {
            Some(shortest) => places.extend_from_slice(shortest),
            None => places.extend(self.places().map(|at| at as u32)),
        }
        WakeupSequence {
            reversal: self,
            places,
            last: Some(self.last()),
            left_out: SmallVec::new(),
            is_shortest: shortest.is_some(),
            decided: None,
        }
    }

    /// The places of the shortest sequence. If there are none, the last step could come first. `taken`: whether that is a step of the
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

    /// The steps of the sequence whose accesses do not commute with those of the last one, the latest first for each access. `taken`: whether
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

    /// Lists the places of the shortest sequence.
    fn list_shortest(&self, places: &mut Vec<u32>, clock: &mut Vec<u32>) {
        let history = self.history;
        clock.clear();
        clock.extend_from_slice(self.past);
        clock.resize(history.clocks().threads(), 0);
        // Going back, what comes before the last step, and what comes before that.
        for at in (self.from + 1..self.at.min(self.until)).rev() {
            let happened = history.is_in(at, clock);
            let before = happened
                || history.mark(at).signature.may_meet(self.effect.signature)
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

    /// The steps in the sequence that nothing before them in the sequence happened before. (In the papers, the initials.)
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

    /// The first step in the sequence that nothing in it happened before and that itself, directly or not, comes before the
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
