//! What a program leaves open: which thread runs and for how long, and the values of data choices.
//!
//! Every choice goes through this object, so that a run is a function of the program and of what it answers.

use sojourner_program::Random;

/// Decides what a program leaves open.
pub trait Choices {
    /// Which of these threads has the next turn: a place in `enabled`, which is sorted and not empty. `last` had the
    /// turn before.
    fn thread(&mut self, last: usize, enabled: &[usize]) -> usize;

    /// How long a turn lasts: polls, at least one, that the thread may make before another one has its turn.
    fn turn(&mut self) -> i32;

    /// A number below `count`, which is at least one.
    fn value(&mut self, count: u32) -> u32;
}

/// Polls in a turn.
pub(super) const TURN: i32 = 20_000;

/// Each thread in turn, for equal times, and of each data choice the first value.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundRobin;

impl Choices for RoundRobin {
    fn thread(&mut self, last: usize, enabled: &[usize]) -> usize {
        enabled.iter().position(|&thread| thread > last).unwrap_or(0)
    }

    fn turn(&mut self) -> i32 {
        TURN
    }

    fn value(&mut self, _: u32) -> u32 {
        0
    }
}

/// Everything at random, from a seed: any thread, for turns of very different lengths, and any value.
#[derive(Clone, Debug)]
pub struct Seeded(Random);

impl Seeded {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded(Random::new(seed))
    }
}

impl Choices for Seeded {
    fn thread(&mut self, _: usize, enabled: &[usize]) -> usize {
        self.0.below(enabled.len())
    }

    fn turn(&mut self) -> i32 {
        // Each order of magnitude is equally likely: turns of a few polls meet in places where long ones never do.
        let magnitude = self.0.below(TURN.ilog2() as usize + 1);
        1 + self.0.below(1 << magnitude) as i32
    }

    fn value(&mut self, count: u32) -> u32 {
        self.0.below(count as usize) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_takes_the_next_thread_and_begins_again() {
        for (last, chosen) in [(0, 0), (1, 1), (2, 2), (4, 2), (5, 0)] {
            assert_eq!(RoundRobin.thread(last, &[1, 2, 5]), chosen, "after {last}");
        }
    }

    #[test]
    fn a_seed_gives_one_sequence_of_choices_in_range() {
        let choices = |seed| {
            let mut choices = Seeded::new(seed);
            let all =
                (0..100).map(move |_| (choices.thread(0, &[3, 4, 7]), choices.turn(), choices.value(5)));
            all.collect::<Vec<_>>()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        assert!(
            choices(3)
                .iter()
                .all(|&(thread, turn, value)| { thread < 3 && (1..=TURN).contains(&turn) && value < 5 })
        );
    }
}
