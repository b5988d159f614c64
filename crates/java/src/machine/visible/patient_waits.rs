//! Which waits end only when nothing else can happen.

use super::scheduling::Scheduling;
use super::{Juc, Timeouts};
use crate::machine::Machine;

/// Waits of so many nanoseconds or more last until no other thread gets on ([`Timeouts::Patient`]).
pub(crate) const PATIENCE: i64 = 1_000_000_000;
/// A sleep of so many nanoseconds is not meant to let others finish: it lasts until an interrupt or the end of all.
pub(crate) const LONG_SLEEP: i64 = 10 * PATIENCE;

/// Jumps backwards after which a thread that was told the same time as before, and has not asked since, no longer polls the clock.
pub(crate) const POLLS: u8 = 2;

impl Scheduling {
    /// Whether a sleep of this length waits for the time, instead of letting other threads go first.
    pub(crate) fn waits_for_time(&self, nanoseconds: i64) -> bool {
        match self.settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last => true,
            Timeouts::Patient => nanoseconds >= LONG_SLEEP,
        }
    }

    /// Whether patient threads may give up while a thread sleeps for so long.
    pub(crate) fn notices_sleep(&self, nanoseconds: i64) -> bool {
        self.settings.timeouts == Timeouts::Patient && nanoseconds >= PATIENCE
    }
}

impl Machine {
    /// Whether a thread that waits with a time-out gives up only if nothing else can happen. When an idle thread of a
    /// fork-join pool ends is specified no closer than that, and it would find new deadlines again and again.
    pub(crate) fn gives_up_last(&self, thread: usize) -> bool {
        let settings = &self.scheduling.settings;
        let patient = match settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last | Timeouts::Patient => self.is_patient(thread),
        };
        patient || settings.juc == Juc::Primitive && self.idles(thread)
    }

    /// Whether a thread of a fork-join pool waits for work.
    pub(crate) fn idles(&self, thread: usize) -> bool {
        let mut frames = self.threads.list[thread].frames.iter().rev().take(4);
        frames.any(|frame| self.method(frame.method).marks.idles)
    }

    /// Whether a thread that waits with a time-out may give up although others can go on.
    pub(crate) fn may_give_up(&self, thread: usize) -> bool {
        let at = &self.threads.list[thread];
        at.status.deadline().is_some() && !at.suspended && !self.gives_up_last(thread)
    }

    /// Whether a thread waits with a time-out that is far away, by the rule for time-outs. If the program looks at the clock,
    /// time that has passed although others got on counts, too: many short waits make a long one.
    pub(crate) fn is_patient(&self, thread: usize) -> bool {
        let Some(deadline) = self.threads.list[thread].status.deadline() else { return false };
        let left = deadline - self.clock.now;
        let hurried = if self.clock.was_read { self.clock.polls.hurried } else { 0 };
        match self.scheduling.settings.timeouts {
            Timeouts::Any => false,
            Timeouts::Last => left > 0,
            Timeouts::Patient => left + hurried >= PATIENCE,
        }
    }
}
