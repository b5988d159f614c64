//! How long a sampled execution may become, where the user gives no bound.
//!
//! An execution that never ends must be cut, and the length of the others is not known beforehand. So the cut follows the executions of all
//! searches that run side by side: it is at least twice the longest execution that came to an end. While none has, it doubles after a few
//! cuts in a row, up to a length at which the program is taken to run for ever.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Where sampled executions are cut. Searches that run side by side share it.
#[derive(Debug)]
pub struct Reach {
    least: u32,
    cut: AtomicU32,
    /// The executions that were cut since the last one that came to an end.
    in_vain: AtomicU32,
    /// The program is taken to run for ever.
    endless: AtomicBool,
}

/// The number of cuts at one length before the length grows.
const PATIENCE: u32 = 4;

impl Reach {
    /// The most steps of an execution that any program can take.
    pub const MOST: u32 = 1 << 19;
    /// The most steps to which the cut grows as long as no execution has come to an end.
    const MOST_IN_VAIN: u32 = 200_000;

    /// Cuts executions at `least` steps until more is known.
    pub fn new(least: u32) -> Reach {
        let (cut, in_vain) = (AtomicU32::new(least), AtomicU32::new(0));
        Reach { least, cut, in_vain, endless: AtomicBool::new(false) }
    }

    /// Where an execution is cut now.
    pub fn steps(&self) -> u32 {
        self.cut.load(Relaxed)
    }

    /// An execution came to its end after that many steps.
    #[inline]
    pub fn ended(&self, steps: usize) {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        if steps > self.steps() / 2 {
            self.cut.fetch_max(steps.saturating_mul(2).min(Reach::MOST), Relaxed);
        }
        if self.in_vain.load(Relaxed) != 0 {
            self.in_vain.store(0, Relaxed);
        }
    }

    /// An execution was cut.
    pub fn was_cut(&self) {
        let in_vain = self.in_vain.fetch_add(1, Relaxed) + 1;
        if !in_vain.is_multiple_of(PATIENCE) || self.endless.load(Relaxed) {
            return;
        }
        let cut = self.steps();
        let next = if cut < Reach::MOST_IN_VAIN {
            (2 * cut).min(Reach::MOST_IN_VAIN)
        } else {
            // The program is taken to run for ever, so short executions are as good as long ones.
            self.endless.store(true, Relaxed);
            self.least
        };
        let _ = self.cut.compare_exchange(cut, next, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_is_twice_the_longest_execution_that_ended() {
        let reach = Reach::new(10_000);
        reach.ended(300);
        assert_eq!(reach.steps(), 10_000);
        reach.ended(20_000);
        assert_eq!(reach.steps(), 40_000);
        reach.ended(100);
        assert_eq!(reach.steps(), 40_000);
        reach.ended(usize::MAX);
        assert_eq!(reach.steps(), Reach::MOST);
    }

    #[test]
    fn cut_grows_while_no_execution_ends_and_gives_up() {
        let reach = Reach::new(10_000);
        let mut longest = 0;
        let mut steps = 0_u64;
        for _ in 0..1000 {
            longest = longest.max(reach.steps());
            steps += u64::from(reach.steps());
            reach.was_cut();
        }
        assert_eq!(longest, Reach::MOST_IN_VAIN);
        assert_eq!(reach.steps(), 10_000);
        // Little more than without it.
        assert!(steps < 2 * 1000 * 10_000, "{steps}");
    }
}
