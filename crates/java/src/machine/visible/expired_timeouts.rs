//! Time-outs that expire in a transition, for traces.

use super::Timeouts;
use super::{LONG_SLEEP, PATIENCE};
use crate::machine::{Machine, Status};
use sojourner_program::{Elapsed, Rule, ThreadId, Timeout};

/// A question for the time after which less passes is not worth a word: the program may simply take the time here and there.
const WORTH_A_WORD: i64 = 1_000_000;

impl Machine {
    /// The wait or sleep of the current thread is about to time out.
    pub(crate) fn note_end_of_wait(&mut self, status: Status, deadline: i64) {
        if !self.scheduling.record.wants_details || self.idles(self.turn.thread) {
            return;
        }
        let left = deadline - self.clock.now;
        match status {
            Status::Sleeping { .. } => self.note_sleep(left),
            Status::Parked { .. } => self.note_expiry(Elapsed::Wait, "LockSupport.park", left >= PATIENCE),
            _ => self.note_expiry(Elapsed::Wait, "Object.wait", left >= PATIENCE),
        }
    }

    /// The current thread has slept for so many nanoseconds.
    pub(crate) fn note_sleep(&mut self, nanoseconds: i64) {
        // A sleep during which nothing can happen makes no difference.
        if nanoseconds > 0 && self.scheduling.record.wants_details && !self.overtaken().is_empty() {
            self.note_expiry(Elapsed::Sleep, "Thread.sleep", nanoseconds >= LONG_SLEEP);
        }
    }

    /// So many nanoseconds have passed because the current thread has asked for the time again.
    pub(crate) fn note_poll(&mut self, nanoseconds: i64) {
        if nanoseconds >= WORTH_A_WORD {
            // Each time twice as much passes, so that about as much has passed before.
            self.note_expiry(Elapsed::Poll, "clock", nanoseconds >= PATIENCE / 2);
        }
    }

    /// Notes that time has passed for the current thread. `long`: a patient thread would have waited.
    fn note_expiry(&mut self, how: Elapsed, otherwise: &str, long: bool) {
        // That a wait has ended says more than what comes behind it.
        let waited =
            self.scheduling.record.timeout.as_ref().is_some_and(|timeout| timeout.how == Elapsed::Wait);
        if !self.scheduling.record.wants_details || waited {
            return;
        }
        let overtakes = self.overtaken();
        let withheld_by = match self.scheduling.settings.timeouts {
            _ if overtakes.is_empty() => None,
            Timeouts::Any if long => Some(Rule::Patient),
            Timeouts::Any | Timeouts::Patient => Some(Rule::Last),
            Timeouts::Last => None,
        };
        let called = match how {
            Elapsed::Poll => None,
            Elapsed::Wait | Elapsed::Sleep => self.called_by_program(self.turn.thread),
        };
        self.scheduling.record.timeout = Some(Timeout {
            how,
            operation: called.unwrap_or_else(|| otherwise.to_string()),
            location: self.location_of(self.turn.thread),
            overtakes,
            withheld_by,
        });
    }

    /// The threads that could go on instead of the current one, without a time-out of their own. Threads that spin do not count.
    fn overtaken(&self) -> Vec<ThreadId> {
        if self.threads.list[self.turn.thread].atomic > 0 {
            return Vec::new();
        }
        let can_run = |&other: &usize| {
            let at = &self.threads.list[other];
            let can_run = at.outcomes > 0 || self.is_enabled(other);
            other != self.turn.thread && can_run && !at.suspended && !at.stays_in_loop && !at.spins
        };
        (0..self.threads.list.len()).filter(can_run).map(|other| self.threads.list[other].id).collect()
    }

    /// The method of a library that the program's own code has called in a thread, as `Object.wait`.
    fn called_by_program(&self, thread: usize) -> Option<String> {
        let frames = &self.threads.list[thread].frames;
        let own = frames.iter().rposition(|frame| self.is_own(frame.method))?;
        let method = self.method(frames.get(own + 1)?.method);
        let class = self.external_name(method.class);
        let class = class.rsplit(['.', '$']).next().unwrap_or_default();
        Some(format!("{class}.{}", self.classes.symbols.text(method.name)))
    }
}
