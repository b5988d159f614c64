//! Time for those who ask for it again and again, and for those who sleep in between.
//!
//! While a program is explored, time passes when time-outs expire. A thread that asks for the time until some of it has
//! passed would ask for ever, and what it does then would never be seen. So if the same code of the same thread asks
//! again and nothing has happened to the clock since, time has passed, and each time twice as much: after a few dozen
//! questions all deadlines that a program could have in mind are over. Then the clock stands still again, so that
//! whoever never stops asking has finitely many states.
//!
//! With `--timeouts last` and `patient` time must not pass so while another thread gets on: a thread that asks again is told
//! the same time. Time passes once all others wait or spin, and no further than to the next deadline of a thread that waits.
//! `patient` lets less than a second pass earlier, in all, between two moments at which no other thread gets on.
//!
//! The same holds for loops that sleep, or wait with a time-out, in programs that look at the clock: the time is a part of their
//! states. A sleep may take longer than it was meant to, so where it is short beside the time that has passed already, it ends
//! at one of few times: four while that doubles. After half a year the clock stands still.

use super::transition::{PATIENCE, POLLS};
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

/// How many places of a thread are remembered at which it has asked: a loop may ask at several.
const PLACES: usize = 4;

/// The last time that the program has asked for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// Which thread asked.
    pub who: u64,
    /// Where it has asked since another thread did, the latest place first.
    pub places: [u64; PLACES],
    /// What it was told.
    pub at: i64,
    /// How often it had asked in a row.
    pub times: u32,
    /// How much time has passed under `--timeouts patient` although another thread got on, since none did.
    pub hurried: i64,
}

impl Machine {
    /// Code of the program asks for the time.
    pub(crate) fn ask_for_time(&mut self) {
        if !self.watch.on || self.watch.is_in_scope() {
            return;
        }
        let Some((who, place)) = self.asks_for_time() else { return };
        let (last, holds_back) = (self.look, self.watch.settings.timeouts != Timeouts::Any);
        let unchanged = last.at == self.now;
        let in_a_row = unchanged && last.who == who;
        let again = in_a_row && last.places.contains(&place);
        if holds_back {
            // Whether time passes depends on what all others are doing.
            self.note_exotic();
        }
        let mut times = if again || holds_back && unchanged { last.times } else { 0 };
        if again && (times > DOUBLINGS || self.pass_for_poll(FIRST << times)) {
            self.note_poll(if times > DOUBLINGS { 0 } else { FIRST << times });
            times = (times + 1).min(DOUBLINGS + 1);
        }
        let mut places = if in_a_row { last.places } else { [0; PLACES] };
        if !places.contains(&place) {
            places.rotate_right(1);
            places[0] = place;
        }
        self.look = Look { who, places, at: self.now, times, hurried: self.look.hurried };
    }

    /// Time passes for a thread that polls the clock, if it may. Says whether it has.
    fn pass_for_poll(&mut self, nanoseconds: i64) -> bool {
        let until = self.now + nanoseconds;
        if self.watch.settings.timeouts == Timeouts::Any {
            self.pass_until(until);
            return true;
        }
        if !self.others_get_on() {
            let current = self.current;
            let others =
                self.threads.iter().enumerate().filter(|&(other, at)| other != current && !at.suspended);
            let next = others.filter_map(|(_, thread)| thread.status.deadline()).filter(|&at| at > self.now);
            let until = next.min().map_or(until, |deadline| until.min(deadline));
            self.pass_until(until);
            self.look.hurried = 0;
            return true;
        }
        if self.may_hurry(nanoseconds) {
            self.look.hurried += nanoseconds;
            self.pass_until(until);
            return true;
        }
        self.standing(self.current).polls = POLLS;
        false
    }

    /// Whether so much time may pass under `--timeouts patient` although another thread gets on.
    fn may_hurry(&self, nanoseconds: i64) -> bool {
        self.watch.settings.timeouts == Timeouts::Patient && nanoseconds + self.look.hurried < PATIENCE
    }

    /// Whether a sleep of the current thread lasts until no other thread gets on: the program looks at the clock, and sleeps
    /// have held up another thread for long enough.
    pub(crate) fn has_hurried_enough(&self, nanoseconds: i64) -> bool {
        self.clock_was_read
            && self.watch.on
            && self.watch.settings.timeouts == Timeouts::Patient
            && !self.may_hurry(nanoseconds)
    }

    /// Time passes up to the deadline of a wait or a sleep of the current thread. In programs that look at the clock it
    /// counts whether another thread was held up.
    pub(crate) fn wait_until(&mut self, deadline: i64) {
        if self.clock_was_read && self.watch.on && self.watch.settings.timeouts == Timeouts::Patient {
            let passes = (deadline - self.now).max(0);
            let hurries = passes > 0 && self.others_get_on();
            self.look.hurried = match hurries {
                true => (self.look.hurried + passes).min(PATIENCE - 1),
                false if passes > 0 => 0,
                false => self.look.hurried,
            };
        }
        self.pass_until(deadline);
    }

    /// Whether another thread than the current one can do something else than spin.
    fn others_get_on(&self) -> bool {
        let others = self.threads.iter().enumerate().filter(|&(other, _)| other != self.current);
        self.threads[self.current].atomic == 0
            && others.into_iter().any(|(other, at)| {
                let can_run = at.outcomes > 0 || self.is_enabled(other) || self.may_give_up(other);
                at.rests || can_run && !at.suspended && !at.spins
            })
    }

    /// Whether a thread polls the clock, and time can still pass for it.
    pub(super) fn polls_clock(&self, thread: usize) -> bool {
        let is_over = self.look.at == self.now && self.look.times > DOUBLINGS;
        self.threads[thread].polls > 0 && !is_over
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

    /// The current thread, and the place in the program's own code that it asks from; nothing if `java.util.concurrent` asks,
    /// which waits until a deadline and does not ask in vain.
    fn asks_for_time(&self) -> Option<(u64, u64)> {
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
                return Some((thread.print | 1, print(&place, 8) | 1));
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
