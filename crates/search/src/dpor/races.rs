//! Which steps of an execution could have come in the other order.
//!
//! Two steps race if they depend on each other, nothing of the later one's own thread orders them, and the later one
//! was possible before the earlier one. Looking back from a step, the latest such step comes first; whatever
//! happened before that one is left to the execution in which the two are reversed.
//!
//! A lock that was given back does not race with its being taken: what races is who took it before. So the search looks
//! through a step that made this one possible, to the step since which the lock had been held. In between this
//! step was not possible, and nothing races with it there. What can be acquired several times over, like a semaphore, is
//! the same: what races is the last step before which it could be acquired. Of a lock that several shared, each of them held
//! it: a step that wants it alone races with all who began to share it. If none of them gives it back unless another one
//! has begun, it comes before all of these or before none. A program whose threads wait for other things does not say what
//! made a step possible. There the search looks through everything, and some of what it plans turns out to be impossible.

use super::clock;
use super::effect::Effect;
use super::history::{History, Link, NONE};
use smallvec::SmallVec;
use sojourner_program::{Access, Mode, ThreadId};

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

/// A time in which a step was not possible: someone held a lock.
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
    shared: Vec<Sharing>,
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
    pub fn of(&mut self, history: &History, subject: Subject<'_>, out: &mut Vec<Race>) {
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
            out.push(race);
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
            if access.mode == Mode::Acquire && self.exact {
                self.gather_sharers(Chain { ..chain });
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
            let before = history.anything().iter().rev().map(|&at| at as usize).skip_while(|&at| at >= own);
            self.candidates.extend(before.take(if all { usize::MAX } else { 1 }));
        }
    }

    /// Of accesses to a lock that is to be had alone: who has shared it since somebody last had it so.
    fn gather_sharers(&mut self, mut chain: Chain<'_>) {
        chain.held(Mode::Acquire, &mut self.shared, |_| {});
        let held = |Sharing { since, until, .. }| Held { since: Some(since), until };
        self.held.extend(self.shared.drain(..).map(held));
    }

    /// Of accesses to something that is to be acquired in that mode: since when it was last held, or who looked since.
    fn gather_holders(&mut self, chain: &mut Chain<'_>, mode: Mode, possible: bool) {
        let looked = self.candidates.len();
        self.shared.clear();
        let (since, mut until) = chain.held(mode, &mut self.shared, |event| self.candidates.push(event));
        for Sharing { since, until, .. } in self.shared.drain(..) {
            self.candidates.push(since);
            self.held.push(Held { since: Some(since), until });
        }
        if let Some(since) = since {
            if !possible {
                self.candidates.truncate(looked);
                self.held.push(Held { since: Some(since), until: None });
            }
            self.candidates.push(since);
        } else if let Some(given_back) = until {
            let since;
            (since, until) = chain.held(mode, &mut self.shared, |_| {});
            self.candidates.extend(since);
            self.held.push(Held { since, until: Some(given_back) });
        }
        while self.all && (until.is_some() || chain.link != NONE) {
            let since;
            (since, until) = chain.held(mode, &mut self.shared, |event| self.candidates.push(event));
            self.candidates.extend(since);
            self.candidates.extend(self.shared.drain(..).map(|sharing| sharing.since));
        }
    }
}

/// A time in which a thread shared a lock.
#[derive(Clone, Copy, Debug)]
struct Sharing {
    thread: u32,
    since: usize,
    /// The step that gave it back; none: it is still shared.
    until: Option<usize>,
    /// How often it was given back that the thread has not been found to have begun. Then `since` is not known yet.
    open: u32,
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

    /// Goes back to where it was last given back by somebody who had it alone, or it is known that it could be acquired. Returns the
    /// first step since then that changed it, which is since when it was held, and the step that gave it back; hands
    /// over those that only looked. If it was shared since then, it was not held otherwise.
    fn held(
        &mut self,
        subject: Mode,
        shared: &mut Vec<Sharing>,
        mut looked: impl FnMut(usize),
    ) -> (Option<usize>, Option<usize>) {
        let mut since = None;
        while let Some(Link { mode, event, .. }) = self.next() {
            let event = event as usize;
            let thread = self.history.mark(event).thread;
            match mode {
                _ if mode.commutes(subject) => {}
                Mode::Shut => {}
                Mode::Release => return (since, Some(event)),
                Mode::Read | Mode::Look => looked(event),
                Mode::Acquire | Mode::Open | Mode::Write if !shared.is_empty() => return (None, None),
                Mode::Write => since = Some(event),
                Mode::Acquire | Mode::Open => return (Some(event), None),
                Mode::Enter | Mode::Ajar if subject == Mode::Share => return (Some(event), None),
                Mode::Ajar => {}
                Mode::Unshare => match shared.iter_mut().find(|it| it.thread == thread && it.open > 0) {
                    Some(sharing) => sharing.open += 1,
                    None => shared.push(Sharing { thread, since: event, until: Some(event), open: 1 }),
                },
                Mode::Share | Mode::Enter => {
                    match shared.iter_mut().find(|it| it.thread == thread && it.open > 0) {
                        Some(sharing) => (sharing.since, sharing.open) = (event, sharing.open - 1),
                        None => shared.push(Sharing { thread, since: event, until: None, open: 0 }),
                    }
                }
            }
        }
        (since, None)
    }
}

impl Held {
    /// Whether the lock is held where certain steps, and all that depends on them, have not come.
    fn stays(&self, history: &History, later: &[usize]) -> bool {
        let leads = |to: usize| later.iter().any(|&step| history.leads_to(step, to));
        self.until.is_none_or(leads) && !self.since.is_some_and(leads)
    }
}
