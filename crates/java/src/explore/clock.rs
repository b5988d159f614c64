//! Time for those who ask for it again and again.
//!
//! While a program is explored, time passes when time-outs expire. A thread that asks for the time until some of it has
//! passed would ask for ever, and what it does then would never be seen. So if the same code of the same thread asks
//! again and nothing has happened to the clock since, time has passed, and each time twice as much: after a few dozen
//! questions all deadlines that a program could have in mind are over. Then the clock stands still again, so that
//! whoever never stops asking has finitely many states.

use super::print;
use crate::class::Loader;
use crate::machine::Machine;

/// What passes first, in nanoseconds, and how often that is doubled: up to half a year.
const FIRST: i64 = 1_000;
const DOUBLINGS: u32 = 44;

/// The last time that the program has asked for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        if !self.watch.on || !self.watch.scopes.is_empty() {
            return;
        }
        let Some(who) = self.asks_for_time() else { return };
        let again = (self.look.who, self.look.at) == (who, self.now);
        let times = if again { self.look.times } else { 0 };
        if again && times <= DOUBLINGS {
            self.now += FIRST << times;
        }
        let times = if again { times + 1 } else { 0 };
        self.look = Look { who, at: self.now, times: times.min(DOUBLINGS + 1) };
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
