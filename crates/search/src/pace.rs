//! When a worker looks at the clock and at requests to stop.
//!
//! A step of a model takes a fraction of a microsecond, and one of a virtual machine may take milliseconds. A look costs about as much as
//! a cheap step. So the number of steps between two looks depends on how long steps take.

use std::time::{Duration, Instant};

/// The most steps between two looks: with steps of a microsecond, one look in a thousand steps is not felt.
const MOST: u64 = 1024;

/// The time that is aimed at between two looks, if steps are so slow that it is less than `MOST` of them.
const APART: Duration = Duration::from_millis(20);

/// The steps of a worker until its next look.
pub(crate) struct Pace {
    left: u64,
    /// The steps from the last look to the next one.
    granted: u64,
    every: u64,
    last: Instant,
}

impl Pace {
    pub fn new() -> Self {
        Pace { left: 1, granted: 1, every: 1, last: Instant::now() }
    }

    /// The worker goes on after a pause. The time of the pause is no measure of its steps.
    pub fn resume(&mut self) {
        self.last = Instant::now();
    }

    /// Counts a step. Returns whether it is time to look.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// The worker has looked, and it is `now`. It is to look again after `most` steps, or earlier.
    pub fn looked(&mut self, now: Instant, most: u64) {
        let took = now.saturating_duration_since(self.last).as_nanos().max(1);
        // Steps may become slower at any time, so it speeds up by half at most and slows down at once.
        let fitting = u128::from(self.granted) * APART.as_nanos() / took;
        self.every = (fitting as u64).clamp(1, (2 * self.every).min(MOST));
        self.granted = self.every.min(most).max(1);
        (self.left, self.last) = (self.granted, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps between looks if each step takes that long, after a while.
    fn settled(pace: &mut Pace, step: Duration) -> u64 {
        let mut now = pace.last;
        for _ in 0..20 {
            let steps = pace.left as u32;
            for left in (0..steps).rev() {
                assert_eq!(pace.step(), left == 0);
            }
            now += step * steps;
            pace.looked(now, u64::MAX);
        }
        pace.every
    }

    #[test]
    fn slow_steps_are_paced_by_time_and_fast_steps_by_number() {
        let mut pace = Pace::new();
        assert_eq!(settled(&mut pace, Duration::from_nanos(300)), MOST);
        assert_eq!(settled(&mut pace, Duration::from_millis(1)), 20);
        assert_eq!(settled(&mut pace, Duration::from_secs(1)), 1);
        assert_eq!(settled(&mut pace, Duration::ZERO), MOST);
    }
}
