//! The clock: what programs see of virtual time.

use super::Machine;
use crate::class::Loader;
use crate::explore::Part;
use crate::memory::Ref;
use sojourner_program::Mode;

/// The calendar of the machine starts at this time, so that every run sees the same: 2024-01-01T00:00:00Z.
pub(crate) const EPOCH_MILLIS: i64 = 1_704_067_200_000;
/// What `System.nanoTime` starts from: some days, as on a computer that was switched on then. Durations are shorter, so that
/// the two can be told apart.
const EPOCH_NANOS: i64 = 20 * DAY + 7;
/// A year of virtual time is more than executions last.
const LONGEST: i64 = 365 * DAY;
const LONGEST_MILLIS: i64 = LONGEST / 1_000_000;
const DAY: i64 = 86_400_000_000_000;

/// Who waits for so long waits for ever: `Long.MAX_VALUE`, and `Integer.MAX_VALUE` milliseconds, are meant so.
const FOR_EVER: i64 = 21 * DAY;
/// The deadline of those who wait for ever.
pub(crate) const NEVER: i64 = i64::MAX;

impl Machine {
    /// What `System.nanoTime` gives.
    pub(crate) fn nanos(&mut self) -> i64 {
        EPOCH_NANOS + self.look_at_clock()
    }

    /// What `System.currentTimeMillis` gives.
    pub(crate) fn millis(&mut self) -> i64 {
        EPOCH_MILLIS + self.look_at_clock() / 1_000_000
    }

    /// Seconds and nanoseconds of the virtual calendar.
    pub(crate) fn wall_clock(&mut self) -> (i64, i64) {
        let nanoseconds = EPOCH_MILLIS * 1_000_000 + self.look_at_clock();
        (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
    }

    /// How long the machine has run, in nanoseconds.
    pub(crate) fn uptime(&mut self) -> i64 {
        self.look_at_clock()
    }

    /// The deadline that lies so many nanoseconds ahead.
    pub(crate) fn after(&self, nanoseconds: i64) -> i64 {
        match nanoseconds {
            ..FOR_EVER => self.now + nanoseconds.max(0),
            _ => NEVER,
        }
    }

    /// How many nanoseconds a time of one of the clocks lies ahead, if a number is one. How long ago it was does not count:
    /// whoever waited until then may be late by any time.
    #[inline]
    pub(crate) fn ahead(&self, time: u64) -> Option<u64> {
        let time = time as i64;
        let nanos = time.wrapping_sub(EPOCH_NANOS);
        let millis = time.wrapping_sub(EPOCH_MILLIS);
        let at = match (nanos, millis) {
            (0..=LONGEST, _) => nanos,
            (_, 0..=LONGEST_MILLIS) => millis * 1_000_000,
            _ => return None,
        };
        Some(at.saturating_sub(self.now).max(0) as u64)
    }

    /// Time passes by being asked for, unless the program is explored: then it passes when time-outs expire, and for those
    /// who ask again and again. What the time is belongs to the state from when the program has asked for it: what it has
    /// made of the answer nobody knows. To what is done once and for all it is the time of the start.
    fn look_at_clock(&mut self) -> i64 {
        if self.watch.is_in_scope() {
            return 0;
        }
        self.note(Ref::NULL, Part::Clock, Mode::Write);
        self.goes_by_what_it_finds();
        if !self.watch.on {
            self.now += 100;
        } else if !self.clock_was_read {
            let frames = self.threads[self.current].frames.iter().rev();
            let mut classes = frames.map(|frame| self.class(self.method(frame.method).class));
            let asks = classes.find(|class| self.symbols.text(class.name) != "java/lang/System");
            self.clock_was_read = !asks.is_some_and(|class| class.keeps_times);
        }
        self.now
    }
}

/// Whether a class of the JDK looks at the clock in order to wait: all that it does with times is to compare them with each
/// other and with the clock, so that it does the same whatever the time is.
pub(crate) fn keeps_times(loader: Loader, class: &str) -> bool {
    let others = ["java/lang/Thread", "java/util/Timer", "java/util/TimerTask", "java/util/TimerThread"];
    loader == Loader::BOOT && (class.starts_with("java/util/concurrent/") || others.contains(&class))
}
