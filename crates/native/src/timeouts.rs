//! Time-outs that expire in a step, for traces.

use crate::execution::Execution;
use sojourner_frontend::shared::Timeouts;
use sojourner_native_rt::protocol::{EXPIRES, EXPIRES_LATE, LASTLY, Op, Pending};
use sojourner_program::{Elapsed, Location, Rule, Timeout};

/// Whether the step of a thread that can move is a time-out.
fn expires(pending: &Pending) -> bool {
    pending.offer != 0 && [EXPIRES, EXPIRES_LATE, LASTLY].contains(&pending.holder)
}

impl Execution {
    /// The time-out that expired in the step of the thread of that number from a state.
    pub(crate) fn timeout(&self, state: usize, number: usize, location: Option<Location>) -> Option<Timeout> {
        let here = self.worker.region.state(state);
        let pending = here.pending(number)?;
        let last = pending.holder == LASTLY;
        let how = match Op::from_number(pending.op)? {
            Op::Pause | Op::Sleep if expires(&pending) => Elapsed::Sleep,
            _ if expires(&pending) && self.waits_in_vain(&pending).is_some() => Elapsed::Wait,
            _ if expires(&pending) || self.has_polled(state) => Elapsed::Poll,
            _ => return None,
        };
        let others = here.ready().filter(|&other| other != number && !last);
        let others = others.filter(|&other| here.pending(other).is_some_and(|pending| !expires(&pending)));
        let overtakes: Vec<_> = others.filter_map(|other| self.thread_id(other as u32)).collect();
        // A sleep during which nothing can happen makes no difference.
        if overtakes.is_empty() && (how == Elapsed::Sleep || how == Elapsed::Poll && !last) {
            return None;
        }
        let short = pending.holder == EXPIRES;
        let withheld_by = match self.shared.exploration.timeouts {
            _ if overtakes.is_empty() => None,
            Timeouts::Any if !short => Some(Rule::Patient),
            Timeouts::Any | Timeouts::Patient => Some(Rule::Last),
            Timeouts::Last => None,
        };
        let operation = match how {
            Elapsed::Wait => self.waits_in_vain(&pending)?,
            Elapsed::Sleep => "sleep".to_string(),
            Elapsed::Poll => "clock".to_string(),
        };
        Some(Timeout { how, operation, location, overtakes, withheld_by })
    }

    /// What a thread that gives up has waited for, in words.
    fn waits_in_vain(&self, pending: &Pending) -> Option<String> {
        let what = match Op::from_number(pending.op)? {
            Op::GivesUp => "wait on",
            Op::FutexGivesUp => "wait on the futex",
            Op::TimedLock => "lock of",
            Op::SemTimed => "wait for",
            Op::TryReadLock => "lock for reading of",
            Op::TryWriteLock => "lock for writing of",
            Op::TryJoin => "join of",
            _ => return None,
        };
        Some(format!("{what} {}", self.name_of(pending)))
    }
}
