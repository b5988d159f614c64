//! Time for threads that poll the clock, and for threads that sleep in between.
//!
//! While a program is explored, time passes when time-outs expire. A thread that asks for the time until some of it has
//! passed would ask for ever, and what it does then would never be seen. So time passes if the same code of the same thread asks again
//! while nothing else has moved the clock. Each time it is twice as much: after a few dozen questions all deadlines that a program could
//! have in mind are over. Then the clock stands still again, so that a thread that never stops asking has finitely many states.
//!
//! With `--timeouts last` and `patient` time must not pass so while another thread gets on: a thread that asks again is told
//! the same time. Time passes once all others wait or spin, and no further than to the next deadline of a thread that waits.
//! `patient` lets less than a second pass earlier, in all, between two moments at which no other thread gets on.
//!
//! The same holds for loops that sleep, or wait with a time-out, in programs that look at the clock: the time is a part of their
//! states. A sleep may take longer than it was meant to, so where it is short beside the time that has passed already, it ends
//! at one of few times: four while that doubles. After half a year the clock stands still.

use super::{ClockPolls, Timeouts};
use super::{PATIENCE, POLLS};
use crate::machine::Machine;
use crate::machine::class::Loader;
use crate::machine::clock::PLACES;
use crate::machine::name_hash;

/// What passes first, in nanoseconds, and how often that is doubled: up to half a year.
const FIRST: i64 = 1_000;
const DOUBLINGS: u32 = 44;

/// How many times there are, for short sleeps, while what has passed doubles: a power of two.
const TIMES_LOG: u32 = 2;
/// When the clock stands still: half a year of nanoseconds.
const LAST: i64 = 182 * 86_400_000_000_000;

impl Machine {
    /// Code of the program asks for the time.
    pub(crate) fn ask_for_time(&mut self) {
        if !self.scheduling.controlled || self.scheduling.is_in_scope() {
            return;
        }
        let Some((thread, place)) = self.asks_for_time() else { return };
        let (last, holds_back) = (self.clock.polls, self.scheduling.settings.timeouts != Timeouts::Any);
        let unchanged = last.at == self.clock.now;
        let in_a_row = unchanged && last.thread == thread;
        let again = in_a_row && last.places.contains(&place);
        if holds_back {
            // Whether time passes depends on what all others are doing.
            self.note_unpredictable();
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
        self.clock.polls =
            ClockPolls { thread, places, at: self.clock.now, times, hurried: self.clock.polls.hurried };
    }

    /// Time passes for a thread that polls the clock, if it may. Says whether it has.
    fn pass_for_poll(&mut self, nanoseconds: i64) -> bool {
        let until = self.clock.now + nanoseconds;
        if self.scheduling.settings.timeouts == Timeouts::Any {
            self.pass_until(until);
            return true;
        }
        if !self.others_get_on() {
            let current = self.turn.thread;
            let others =
                self.threads.list.iter().enumerate().filter(|&(other, at)| other != current && !at.suspended);
            let next =
                others.filter_map(|(_, thread)| thread.status.deadline()).filter(|&at| at > self.clock.now);
            let until = next.min().map_or(until, |deadline| until.min(deadline));
            self.pass_until(until);
            self.clock.polls.hurried = 0;
            return true;
        }
        if self.may_hurry(nanoseconds) {
            self.clock.polls.hurried += nanoseconds;
            self.pass_until(until);
            return true;
        }
        self.state_mut(self.turn.thread).polls = POLLS;
        false
    }

    /// Whether so much time may pass under `--timeouts patient` although another thread gets on.
    fn may_hurry(&self, nanoseconds: i64) -> bool {
        self.scheduling.settings.timeouts == Timeouts::Patient
            && nanoseconds + self.clock.polls.hurried < PATIENCE
    }

    /// Whether a sleep of the current thread lasts until no other thread gets on: the program looks at the clock, and sleeps
    /// have held up another thread for long enough.
    pub(crate) fn has_hurried_enough(&self, nanoseconds: i64) -> bool {
        self.clock.was_read
            && self.scheduling.controlled
            && self.scheduling.settings.timeouts == Timeouts::Patient
            && !self.may_hurry(nanoseconds)
    }

    /// Time passes up to the deadline of a wait or a sleep of the current thread. In programs that look at the clock it
    /// counts whether another thread was held up.
    pub(crate) fn wait_until(&mut self, deadline: i64) {
        if self.clock.was_read
            && self.scheduling.controlled
            && self.scheduling.settings.timeouts == Timeouts::Patient
        {
            let passes = (deadline - self.clock.now).max(0);
            let hurries = passes > 0 && self.others_get_on();
            self.clock.polls.hurried = match hurries {
                true => (self.clock.polls.hurried + passes).min(PATIENCE - 1),
                false if passes > 0 => 0,
                false => self.clock.polls.hurried,
            };
        }
        self.pass_until(deadline);
    }

    /// Whether another thread than the current one can do something else than spin.
    fn others_get_on(&self) -> bool {
        let others = self.threads.list.iter().enumerate().filter(|&(other, _)| other != self.turn.thread);
        self.threads.list[self.turn.thread].atomic == 0
            && others.into_iter().any(|(other, at)| {
                let can_run = at.outcomes > 0 || self.is_enabled(other) || self.may_give_up(other);
                at.stays_in_loop || can_run && !at.suspended && !at.spins
            })
    }

    /// Whether a thread polls the clock, and time can still pass for it.
    pub(crate) fn polls_clock(&self, thread: usize) -> bool {
        let is_over = self.clock.polls.at == self.clock.now && self.clock.polls.times > DOUBLINGS;
        self.threads.list[thread].polls > 0 && !is_over
    }

    /// Time passes up to a deadline, if that is not over.
    pub(crate) fn pass_until(&mut self, deadline: i64) {
        self.clock.now = match self.is_coarse() {
            true if self.clock.now >= LAST => self.clock.now,
            true => coarse(self.clock.now, deadline),
            false => self.clock.now.max(deadline),
        };
    }

    /// Whether time passes in few steps: it belongs to the state, and no rule depends on how long something lasts.
    fn is_coarse(&self) -> bool {
        self.clock.was_read
            && self.scheduling.controlled
            && self.scheduling.settings.timeouts == Timeouts::Any
    }

    /// The current thread, and the place in the program's own code that it asks from; nothing if `java.util.concurrent` asks,
    /// which waits until a deadline and does not ask in vain.
    fn asks_for_time(&self) -> Option<(u64, u64)> {
        let thread = &self.threads.list[self.turn.thread];
        for (depth, frame) in thread.frames.iter().enumerate().rev() {
            let method = self.method(frame.method);
            let class = self.class(method.class);
            if class.concurrent {
                return None;
            }
            if class.loader != Loader::BOOT && !method.marks.hidden {
                let place = self.bci(frame.method, frame.pc);
                let place = format!("{} {place} {depth}", self.describe_method(frame.method));
                return Some((thread.print | 1, name_hash(&place, 8) | 1));
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
