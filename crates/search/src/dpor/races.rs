//! Which steps of an execution could have come in the other order.
//!
//! Two steps race if they depend on each other, no step of the later one's own thread orders them, and the later one was possible
//! before the earlier one. From a step, the search looks back to the latest such step. Whatever happened before that step is left to
//! the execution in which the two are reversed.
//!
//! **Locks.** A lock that was given back does not race with being taken: the step races with the earlier acquire. So the search looks
//! through the step that released the lock, back to the step since which the lock had been held. In between, the later step was
//! not possible, and nothing races with it there.
//!
//! **Semaphores.** An object that can be acquired several times over races at the last step before which it could be acquired.
//!
//! **Shared locks.** If several threads share a lock, each of them holds it. A step that wants it alone races with all steps that began to
//! share it. If no thread releases it unless another one has begun to share it, the step comes before all of these or before none.
//!
//! **Several locks.** A step that takes several locks at once races with the owner of each. It comes before every other step that
//! would then hold one of them.
//!
//! **Other waits.** A program whose threads wait for other things does not say what made a step possible. There the search looks through
//! everything, and some of what it plans turns out to be impossible.

use super::clock;
use super::effect::Effect;
use super::history::{History, Link, NONE};
use super::lock_holds::{AccessChain, Held, SharedHold};
use smallvec::SmallVec;
use sojourner_program::{Access, Mode, ObjectId, ThreadId};

/// Steps that could have come behind a later one which depends on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    /// The first of them.
    pub from: usize,
    /// The others, mostly none.
    pub also: SmallVec<[usize; 2]>,
}

impl Race {
    /// Of these steps.
    fn of(mut steps: SmallVec<[usize; 2]>) -> Race {
        steps.sort_unstable();
        Race { from: steps.remove(0), also: steps }
    }
}

/// A step whose races are asked for.
#[derive(Clone, Copy)]
pub(crate) struct ExaminedStep<'a> {
    pub thread: ThreadId,
    pub effect: &'a Effect,
    /// Its place, if it was taken. One that is still to be taken, by a thread that may be blocked, comes at the end.
    pub at: Option<usize>,
    /// Whether it is possible there.
    pub possible: bool,
    /// If it is not, and that is known: what it cannot have.
    pub lacks: &'a [ObjectId],
}

/// How a step that is to acquire an object finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Availability {
    /// It can be had.
    Free,
    /// It cannot.
    Held,
    /// The step waits, but maybe for something else.
    Unknown,
}

impl ExaminedStep<'_> {
    /// How it finds an object that it is to acquire.
    fn finds(&self, object: ObjectId) -> Availability {
        match (self.possible, self.lacks) {
            (true, _) => Availability::Free,
            (false, []) => Availability::Unknown,
            (false, lacks) if lacks.contains(&object) => Availability::Held,
            (false, _) => Availability::Free,
        }
    }

    /// What happened before it in its own thread.
    pub fn past<'h>(&self, history: &'h History) -> &'h [u32] {
        let before = self.at.map_or_else(|| history.last_of(self.thread), |at| history.before(at));
        before.map_or(&[], |before| history.clocks().of(before))
    }
}

/// Finds races. Keeps its memory from one time to the next.
#[derive(Debug)]
pub(crate) struct Races {
    /// Whether everything that a step depends on counts, not only what nothing in between orders.
    all: bool,
    /// Whether footprints say what is possible.
    exact: bool,
    /// Whether what makes a step possible counts, too. A thread that comes before that has to wait, and leaving a thread that waits is no
    /// preemption.
    bounded: bool,
    candidates: Vec<usize>,
    held: Vec<Held>,
    shared: Vec<SharedHold>,
    clock: Vec<u32>,
}

impl Races {
    pub fn new(all: bool, exact: bool, bounded: bool) -> Self {
        // Without knowing what makes a step possible, nothing that it depends on may be passed over. With a bound on
        // preemptions, the execution that would lead to an earlier race may be beyond it.
        let all = all || !exact || bounded;
        Races {
            all,
            exact,
            bounded,
            candidates: Vec::new(),
            held: Vec::new(),
            shared: Vec::new(),
            clock: Vec::new(),
        }
    }

    /// The races of the subject, the latest first.
    pub fn of(&mut self, history: &History, subject: ExaminedStep<'_>, out: &mut Vec<Race>) {
        out.clear();
        self.candidates.clear();
        self.held.clear();
        let past = subject.past(history);
        let end = subject.at.unwrap_or(history.len());
        let touches_all = subject.effect.ends || subject.effect.footprint.accesses().is_none();
        match subject.effect.footprint.accesses() {
            Some(accesses) if !touches_all => self.gather(history, subject, accesses, past),
            _ => self.candidates.extend(0..end),
        }
        // The last step of all depends on everything: it is there only if the subject was not taken.
        if subject.at.is_none() && end > 0 && history.event(end - 1).effect.ends {
            self.candidates.push(end - 1);
        }
        if self.candidates.is_empty() {
            return;
        }
        self.candidates.sort_unstable_by(|a, b| b.cmp(a));
        self.candidates.dedup();
        self.clock.clear();
        self.clock.extend_from_slice(past);
        self.clock.resize(history.clocks().threads(), 0);
        let passes_over = !self.all && !touches_all;
        for &candidate in &self.candidates {
            if history.is_in(candidate, &self.clock) {
                continue;
            }
            if touches_all && !history.event(candidate).effect.depends(subject.effect) {
                continue;
            }
            if self.bounded {
                out.push(Race { from: candidate, also: SmallVec::new() });
                out.extend(
                    self.kept_out(history, candidate, past).filter(|later| later.len() > 1).map(Race::of),
                );
                continue;
            }
            let Some(race) = self.race(history, candidate, past) else { continue };
            if !out.contains(&race) {
                out.push(race);
            }
            if passes_over {
                clock::join(&mut self.clock, history.clocks().of(candidate));
            }
        }
    }

    /// The race with a step, if the subject is possible when that step and what depends on it have not come. If a lock is held then
    /// that was taken before, it is only possible before that, too, and this is another race; but if neither can come without the
    /// other, the two are one.
    fn race(&self, history: &History, step: usize, past: &[u32]) -> Option<Race> {
        if !self.held.iter().any(|held| held.stays(history, &[step])) {
            return Some(Race { from: step, also: SmallVec::new() });
        }
        let later = self.kept_out(history, step, past)?;
        let stays = |other: usize| {
            self.kept_out(history, other, past)
                .is_none_or(|later| !later.iter().any(|&at| history.leads_to(at, step)))
        };
        if later[1..].iter().any(|&other| stays(other)) {
            return None;
        }
        Some(Race::of(later))
    }

    /// The steps that must not have come, beside all that depends on them, for the subject to be possible without a certain one,
    /// which is the first of them. `None`: it never is.
    fn kept_out(&self, history: &History, step: usize, past: &[u32]) -> Option<SmallVec<[usize; 2]>> {
        let mut later = SmallVec::from_slice(&[step]);
        while let Some(held) = self.held.iter().find(|held| held.stays(history, &later)) {
            later.push(held.since.filter(|&since| !history.is_in(since, past))?);
        }
        Some(later)
    }

    /// Gathers the steps that these accesses depend on, as far back as it reaches.
    fn gather(&mut self, history: &History, subject: ExaminedStep<'_>, accesses: &[Access], past: &[u32]) {
        let own = subject.at.unwrap_or(usize::MAX);
        let all = self.all;
        // A thread that waits for one thing races with its last holder. If it waits for several, one that is to be had without that holder
        // may be held by a thread that gave it back only later, so that its holder before matters.
        let several = self.exact && accesses.iter().filter(|access| access.mode.waits()).count() > 1;
        for (nth, access) in accesses.iter().enumerate() {
            let latest = match subject.at {
                Some(at) => history.previous(at, nth),
                None => history.latest(access.object),
            };
            let mut chain = AccessChain { history, link: latest, own, mode: access.mode };
            let ends = subject.finds(access.object);
            if access.mode.waits() && self.exact && !self.bounded {
                self.gather_holders(&mut chain, access.mode, ends, several.then_some(past));
                continue;
            }
            if several && access.mode.waits() {
                let gathered = self.candidates.len();
                self.gather_holders(&mut AccessChain { ..chain }, access.mode, ends, Some(past));
                self.candidates.truncate(gathered);
            } else if access.mode == Mode::Acquire && self.exact {
                self.gather_sharers(AccessChain { ..chain });
            }
            while let Some(Link { mode, event, .. }) = chain.next() {
                let races = !access.mode.commutes(mode) && (self.bounded || !mode.enables(access.mode));
                if races && !history.is_in(event as usize, past) {
                    self.candidates.push(event as usize);
                }
                if !mode.is_one_of_several() && !all {
                    break;
                }
            }
        }
        if !accesses.is_empty() {
            let before = history.anything().partition_point(|&at| (at as usize) < own);
            let before = history.anything()[..before].iter().rev().map(|&at| at as usize);
            self.candidates.extend(before.take(if all { usize::MAX } else { 1 }));
        }
    }

    /// Of accesses to a lock that is to be had alone: the threads that have shared it since a thread last had it so.
    fn gather_sharers(&mut self, mut chain: AccessChain<'_>) {
        chain.held(Mode::Acquire, &mut self.shared, |_| {});
        self.held.extend(self.shared.drain(..).map(Held::from));
    }

    /// The holders of an object that is to be acquired in that mode, and is found like that: since when it was last held, or the threads
    /// that looked since. With what happened before the subject: all the times in which it was held since then.
    fn gather_holders(
        &mut self,
        chain: &mut AccessChain<'_>,
        mode: Mode,
        ends: Availability,
        since_past: Option<&[u32]>,
    ) {
        let history = chain.history;
        // The end of the time in which it was held, where the search stands in one.
        let mut until = (ends != Availability::Free).then_some(None);
        let mut nearest = true;
        loop {
            let (races, holds) = (nearest || self.all, nearest || since_past.is_some());
            let free = until.is_none();
            self.shared.clear();
            let looked = |event| {
                if races && free {
                    self.candidates.push(event);
                }
            };
            let (since, given_back) = chain.held(mode, &mut self.shared, looked);
            let still_shared = self.shared.iter().any(|sharing| sharing.until.is_none());
            for sharing in self.shared.drain(..) {
                self.candidates.extend(sharing.since().filter(|_| races));
                self.held.extend(holds.then_some(Held::from(sharing)));
            }
            match until {
                // Its holder is known, or it has none and the step waits for something else.
                Some(None) if since.is_none() && (still_shared || ends == Availability::Unknown) => {}
                // If no step is seen to take it, it was taken before the first step that is known.
                Some(until) if holds => self.held.push(Held { since, until }),
                _ => {}
            }
            if races {
                self.candidates.extend(since);
            }
            nearest &= since.is_none() && given_back.is_some();
            until = given_back.map(Some);
            // All accesses before one that had it alone happened before that one.
            let is_past = |past: &[u32]| since.or(given_back).is_some_and(|at| history.is_in(at, past));
            let further = nearest || self.all || since_past.is_some_and(|past| !is_past(past));
            if !further || until.is_none() && chain.link == NONE {
                break;
            }
        }
    }
}
