//! Which thread held an object that could not be acquired, since which step and until which step.
//!
//! The accesses to an object are searched from the latest to the earliest. The [`Mode`] of an access says whether the object could be
//! acquired before it.

use super::history::{History, Link, NONE};
use sojourner_program::Mode;

/// A time in which a step was not possible: a thread held a lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// The step since which, if that is known.
    pub since: Option<usize>,
    /// The step that gave it back; none: it is still held.
    pub until: Option<usize>,
}

/// A time in which a thread shared a lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedHold {
    thread: u32,
    /// The step since which, or as long as that has not been found one that gave it back.
    first: usize,
    /// The step that gave it back; none: it is still shared.
    pub until: Option<usize>,
    /// How often it was given back that the thread has not been found to have begun.
    open: u32,
}

impl SharedHold {
    /// The step since which. If none is found, that was before the first step that is known.
    pub fn since(&self) -> Option<usize> {
        (self.open == 0).then_some(self.first)
    }
}

/// The accesses to an object, going back.
pub(crate) struct AccessChain<'h> {
    pub history: &'h History,
    pub link: u32,
    /// The step whose own accesses are passed over.
    pub own: usize,
    /// How the object is to be accessed. Of accesses in a row that commute with that, some are passed over.
    pub mode: Mode,
}

impl AccessChain<'_> {
    pub fn next(&mut self) -> Option<Link> {
        while self.link != NONE {
            let link = self.history.link(self.link);
            self.link = link.back_from(self.mode);
            if link.event as usize != self.own {
                return Some(link);
            }
        }
        None
    }

    /// Goes back to where it was last given back by a thread that had it alone, or to where it is known that it could be acquired. Returns
    /// the first step since then that changed it, which is since when it was held, and the step that gave it back; hands
    /// over those that only looked. If it was shared since then, it was not held otherwise.
    pub fn held(
        &mut self,
        subject: Mode,
        shared: &mut Vec<SharedHold>,
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
                    None => shared.push(SharedHold { thread, first: event, until: Some(event), open: 1 }),
                },
                Mode::Share | Mode::Enter => {
                    match shared.iter_mut().find(|it| it.thread == thread && it.open > 0) {
                        Some(sharing) => (sharing.first, sharing.open) = (event, sharing.open - 1),
                        None => shared.push(SharedHold { thread, first: event, until: None, open: 0 }),
                    }
                }
            }
        }
        (since, None)
    }
}

impl From<SharedHold> for Held {
    fn from(sharing: SharedHold) -> Held {
        Held { since: sharing.since(), until: sharing.until }
    }
}

impl Held {
    /// Whether the lock is held where certain steps, and all that depends on them, have not come.
    pub fn stays(&self, history: &History, later: &[usize]) -> bool {
        let leads = |to: usize| later.iter().any(|&step| history.leads_to(step, to));
        self.until.is_none_or(leads) && !self.since.is_some_and(leads)
    }
}
