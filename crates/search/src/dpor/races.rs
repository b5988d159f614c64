//! Which steps of an execution could have come in the other order.
//!
//! Two steps race if they depend on each other, nothing of the later one's own thread orders them, and the later one
//! was possible before the earlier one. Looking back from a step, the latest such step comes first; whatever
//! happened before that one is left to the execution in which the two are reversed.
//!
//! A lock that was given back does not race with its being taken: what races is who took it before. So the search looks
//! through a step that made this one possible, to the step since which the lock had been held. In between this
//! step was not possible, and nothing races with it there. What can be acquired several times over, like a semaphore, is
//! the same: what races is the last step before which it could be acquired. A program whose threads wait for other
//! things does not say what made a step possible. There the search looks through everything, and some of what it plans
//! turns out to be impossible.

use super::clock;
use super::effect::Effect;
use super::history::{History, Link, NONE};
use sojourner_program::{Access, Mode, ThreadId};

/// A step whose races are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub thread: ThreadId,
    pub effect: &'a Effect,
    /// Its place, if it was taken. One that is still to be taken, by a thread that may be blocked, comes at the end.
    pub at: Option<usize>,
    /// Whether it is possible there.
    pub possible: bool,
}

impl Subject<'_> {
    /// What happened before it in its own thread.
    pub fn past<'h>(&self, history: &'h History) -> &'h [u32] {
        let before = self.at.map_or_else(|| history.last_of(self.thread), |at| history.before(at));
        before.map_or(&[], |before| history.clocks().of(before))
    }
}

/// A time in which a step was not possible: someone else held a lock.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The step since which, if that is known.
    since: Option<usize>,
    /// The step that gave it back; none: it is still held.
    until: Option<usize>,
}

/// Finds races. Keeps its memory from one time to the next.
#[derive(Debug)]
pub(crate) struct Races {
    /// Whether everything that a step depends on counts, not only what nothing in between orders.
    all: bool,
    /// Whether footprints say what is possible.
    exact: bool,
    /// Whether what makes a step possible counts, too. Whoever comes before that has to wait, and leaving a thread that waits is no
    /// preemption.
    bounded: bool,
    candidates: Vec<usize>,
    held: Vec<Held>,
    clock: Vec<u32>,
}

impl Races {
    pub fn new(all: bool, exact: bool, bounded: bool) -> Self {
        // Without knowing what makes a step possible, nothing that it depends on may be passed over. With a bound on
        // preemptions, the execution that would lead to an earlier race may be beyond it.
        let all = all || !exact || bounded;
        Races { all, exact, bounded, candidates: Vec::new(), held: Vec::new(), clock: Vec::new() }
    }

    /// The steps that race with the subject, the latest first.
    pub fn of(&mut self, history: &History, subject: Subject<'_>, out: &mut Vec<usize>) {
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
            if self.held.iter().any(|held| held.covers(history, candidate)) {
                continue;
            }
            out.push(candidate);
            if passes_over {
                clock::join(&mut self.clock, history.clocks().of(candidate));
            }
        }
    }

    /// Gathers the steps that these accesses depend on, as far back as it reaches.
    fn gather(&mut self, history: &History, subject: Subject<'_>, accesses: &[Access], past: &[u32]) {
        let own = subject.at.unwrap_or(usize::MAX);
        let all = self.all;
        for (nth, access) in accesses.iter().enumerate() {
            let latest = match subject.at {
                Some(at) => history.previous(at, nth),
                None => history.latest(access.object),
            };
            let mut chain = Chain { history, link: latest, own };
            if access.mode.waits() && self.exact && !self.bounded {
                self.gather_holders(&mut chain, access.mode, subject.possible);
                continue;
            }
            while let Some(Link { mode, event, .. }) = chain.next() {
                let races = !access.mode.commutes(mode) && (self.bounded || !mode.enables(access.mode));
                if races && !history.is_in(event as usize, past) {
                    self.candidates.push(event as usize);
                }
                if !mode.only_looks() && !all {
                    break;
                }
            }
        }
        if !accesses.is_empty() {
            let before = history.anything().iter().rev().map(|&at| at as usize).skip_while(|&at| at >= own);
            self.candidates.extend(before.take(if all { usize::MAX } else { 1 }));
        }
    }

    /// Of accesses to something that is to be acquired in that mode: since when it was last held, or who looked since.
    fn gather_holders(&mut self, chain: &mut Chain<'_>, mode: Mode, possible: bool) {
        let looked = self.candidates.len();
        let (since, mut until) = chain.held(mode, |event| self.candidates.push(event));
        if let Some(since) = since {
            if !possible {
                self.candidates.truncate(looked);
                self.held.push(Held { since: Some(since), until: None });
            }
            self.candidates.push(since);
        } else if let Some(given_back) = until {
            let since;
            (since, until) = chain.held(mode, |_| {});
            self.candidates.extend(since);
            self.held.push(Held { since, until: Some(given_back) });
        }
        while self.all && (until.is_some() || chain.link != NONE) {
            let since;
            (since, until) = chain.held(mode, |event| self.candidates.push(event));
            self.candidates.extend(since);
        }
    }
}

/// The accesses to an object, going back.
struct Chain<'h> {
    history: &'h History,
    link: u32,
    /// The step whose own accesses are passed over.
    own: usize,
}

impl Chain<'_> {
    fn next(&mut self) -> Option<Link> {
        while self.link != NONE {
            let link = self.history.link(self.link);
            self.link = link.previous;
            if link.event as usize != self.own {
                return Some(link);
            }
        }
        None
    }

    /// Goes back to where it was last given back, or it is known that it could be acquired. Returns the first step since then
    /// that changed it, which is since when it was held, and the step that gave it back; hands over those that only looked.
    fn held(&mut self, subject: Mode, mut looked: impl FnMut(usize)) -> (Option<usize>, Option<usize>) {
        let mut since = None;
        while let Some(Link { mode, event, .. }) = self.next() {
            match mode {
                _ if mode.commutes(subject) => {}
                Mode::Shut => {}
                Mode::Release => return (since, Some(event as usize)),
                Mode::Read | Mode::Look => looked(event as usize),
                Mode::Write => since = Some(event as usize),
                Mode::Acquire | Mode::Open => return (Some(event as usize), None),
            }
        }
        (since, None)
    }
}

impl Held {
    /// Whether what comes before that step, with all that does not depend on it, leaves the lock held.
    fn covers(&self, history: &History, step: usize) -> bool {
        let taken_later = self.since.is_some_and(|since| history.leads_to(step, since));
        let given_back_later = self.until.is_none_or(|until| history.leads_to(step, until));
        given_back_later && !taken_later
    }
}
