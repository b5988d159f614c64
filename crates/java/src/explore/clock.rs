//! Time for those who ask for it again and again, and for those who sleep in between.
//!
//! While a program is explored, time passes when time-outs expire. A thread that asks for the time until some of it has
//! passed would ask for ever, and what it does then would never be seen. So if the same code of the same thread asks
//! again and nothing has happened to the clock since, time has passed, and each time twice as much: after a few dozen
//! questions all deadlines that a program could have in mind are over. Then the clock stands still again, so that
//! whoever never stops asking has finitely many states.
//!
//! The same holds for loops that sleep, or wait with a time-out, in programs that look at the clock: the time is a part of their
//! states. A sleep may take longer than it was meant to, so where it is short beside the time that has passed already, it ends
//! at one of few times: four while that doubles. After half a year the clock stands still.

use super::{Timeouts, print};
use crate::class::Loader;
use crate::machine::Machine;

/// What passes first, in nanoseconds, and how often that is doubled: up to half a year.
const FIRST: i64 = 1_000;
const DOUBLINGS: u32 = 44;

/// How many times there are, for short sleeps, while what has passed doubles: a power of two.
const TIMES_LOG: u32 = 2;
/// When the clock stands still: half a year of nanoseconds.
const LAST: i64 = 182 * 86_400_000_000_000;

/// The last time that the program has asked for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// Which thread asked, and where.
    pub who: u64,
    /// What it was told.
    pub at: i64,
    /// How often it had asked in a row.
    pub times: u32,
}

impl Machine {
    /// Code of the program asks for the time.
    pub(crate) fn ask_for_time(&mut self) {
        if !self.watch.on || self.watch.is_in_scope() {
            return;
        }
        let Some(who) = self.asks_for_time() else { return };
        let again = (self.look.who, self.look.at) == (who, self.now);
        let times = if again { self.look.times } else { 0 };
        if again && times <= DOUBLINGS {
            self.pass_until(self.now + (FIRST << times));
        }
        let times = if again { times + 1 } else { 0 };
        self.look = Look { who, at: self.now, times: times.min(DOUBLINGS + 1) };
    }

    /// Time passes up to a deadline, if that is not over.
    pub(crate) fn pass_until(&mut self, deadline: i64) {
        self.now = match self.is_coarse() {
            true if self.now >= LAST => self.now,
            true => coarse(self.now, deadline),
            false => self.now.max(deadline),
        };
    }

    /// Whether time passes in few steps: it belongs to the state, and nobody relies on what lasts how long.
    fn is_coarse(&self) -> bool {
        self.clock_was_read && self.watch.on && self.watch.settings.timeouts == Timeouts::Any
    }

    /// The current thread and the place in the program's own code that it asks from; nothing if `java.util.concurrent` asks,
    /// which waits until a deadline and does not ask in vain.
    fn asks_for_time(&self) -> Option<u64> {
        let thread = &self.threads[self.current];
        for (depth, frame) in thread.frames.iter().enumerate().rev() {
            let method = self.method(frame.method);
            let class = self.class(method.class);
            if class.concurrent {
                return None;
            }
            if class.loader != Loader::BOOT && !method.marks.hidden {
                let place = self.bci(frame.method, frame.pc);
                let place = format!("{} {place} {depth}", self.describe_method(frame.method));
                return Some(print(&place, 8) ^ thread.print);
            }
        }
        None
    }
}

/// The time that it is when a sleep is over that should have ended at `until`.
fn coarse(now: i64, until: i64) -> i64 {
    if until <= now {
        return now;
    }
    let step = 1 << now.max(1).ilog2().saturating_sub(TIMES_LOG);
    if until - now >= step { until } else { until.div_euclid(step) * step + step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sleeps_end_at_few_times() {
        let mut now = 1_000_000;
        let mut times = 0;
        while now < LAST {
            let next = coarse(now, now + 1_000_000);
            assert!(next >= now + 1_000_000 && next <= now + now / 2 + 1_000_000, "{now} {next}");
            (now, times) = (next, times + 1);
        }
        assert!(times < 5 * 35, "{times}");
    }

    #[test]
    fn long_sleeps_end_when_they_should() {
        assert_eq!(coarse(1_000_000_000, 2_000_000_000), 2_000_000_000);
        assert_eq!(coarse(0, 1), 1);
        assert_eq!(coarse(5, 3), 5);
    }
}
