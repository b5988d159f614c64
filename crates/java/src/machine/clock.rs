//! The clock: what programs see of virtual time.

use super::Machine;
use super::operation::ObjectPart;
use crate::memory::Ref;
use sojourner_program::Mode;

/// The calendar of the machine starts at this time, so that every run sees the same: 2024-01-01T00:00:00Z.
pub(crate) const EPOCH_MILLIS: i64 = crate::files::START_OF_CALENDAR;
/// What `System.nanoTime` starts from: some days, as on a computer that was switched on then. Durations are shorter, so that
/// the two can be told apart.
const EPOCH_NANOS: i64 = 20 * DAY + 7;
/// A year of virtual time is more than executions last.
const LONGEST: i64 = 365 * DAY;
const LONGEST_MILLIS: i64 = LONGEST / 1_000_000;
const DAY: i64 = 86_400_000_000_000;

/// A wait of this length has no end: `Long.MAX_VALUE`, and `Integer.MAX_VALUE` milliseconds, are meant so.
const FOR_EVER: i64 = 21 * DAY;
/// The deadline of waits without end.
pub(crate) const NEVER: i64 = i64::MAX;

/// How many places of a thread are remembered at which it has asked: a loop may ask at several.
pub(crate) const PLACES: usize = 4;

/// The last time that the program has asked for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClockPolls {
    /// The thread that asked.
    pub thread: u64,
    /// Where it has asked since another thread did, the latest place first.
    pub places: [u64; PLACES],
    /// What it was told.
    pub at: i64,
    /// How often it had asked in a row.
    pub times: u32,
    /// How much time has passed under `--timeouts patient` although another thread got on, since none did.
    pub hurried: i64,
}

/// Virtual time.
#[derive(Default)]
pub(crate) struct Clock {
    /// Nanoseconds since the start.
    pub now: i64,
    /// Whether the program has looked at the clock, so that time is a part of its state.
    pub was_read: bool,
    /// The last questions for the time, while an observer controls the program.
    pub polls: ClockPolls,
}

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
            ..FOR_EVER => self.clock.now + nanoseconds.max(0),
            _ => NEVER,
        }
    }

    /// How many nanoseconds a time of one of the clocks lies ahead, if a number is one. How long ago it was does not count:
    /// a thread that waited until then may be late by any time.
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
        Some(at.saturating_sub(self.clock.now).max(0) as u64)
    }

    /// Each question for the time advances the clock, unless an observer controls the program. Then time passes when time-outs
    /// expire, and for threads that poll the clock. From the first question on, the time belongs to the state, because the
    /// program may have kept the answer. Code that is run once and for all sees the time of the start.
    fn look_at_clock(&mut self) -> i64 {
        if self.scheduling.is_in_scope() {
            return 0;
        }
        self.note(Ref::NULL, ObjectPart::Clock, Mode::Write);
        self.has_unpredictable_steps();
        if !self.scheduling.controlled {
            self.clock.now += 100;
        } else if !self.clock.was_read {
            let frames = self.threads.list[self.turn.thread].frames.iter().rev();
            let mut classes = frames.map(|frame| self.class(self.method(frame.method).class));
            let asks = classes.find(|class| self.classes.symbols.text(class.name) != "java/lang/System");
            self.clock.was_read = !asks.is_some_and(|class| class.keeps_times);
        }
        self.clock.now
    }
}
