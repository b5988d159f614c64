//! What a search must know of how a state was reached.

use sojourner_program::{Choice, ThreadId};

/// How a state was reached, as far as bounds, orders and heuristics depend on it: sixteen bytes beside every open state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    last: u32,
    switches: u16,
    preemptions: u8,
    can_go_on: bool,
    /// The sixteen lower bits count data choices. Above them are the threads of the last steps, four bits each, the newest one lowest.
    recent: u64,
}

impl Past {
    const NOBODY: u32 = u32::MAX;
    const BITS: u32 = 4;
    /// Where the threads begin.
    const THREADS: u32 = 16;
    const DATA: u64 = (1 << Self::THREADS) - 1;

    /// Of the first state.
    pub const START: Past =
        Past { last: Self::NOBODY, switches: 0, preemptions: 0, can_go_on: false, recent: 0 };

    /// Preemptions are counted up to here.
    pub const MAX_PREEMPTIONS: u32 = u8::MAX as u32 - 1;

    /// The threads of so many steps are kept.
    pub const MAX_RECENT: usize = 12;

    /// Notes whether the thread that moved last is among those that can move now.
    #[must_use]
    pub fn facing(self, choices: &[Choice]) -> Past {
        Past { can_go_on: choices.iter().any(|choice| choice.thread.0 == self.last), ..self }
    }

    /// Of the state that `choice` leads to from a state whose choices it has been [facing](Past::facing).
    #[inline]
    #[must_use]
    pub fn after(self, choice: Choice) -> Past {
        let switched = self.last != Self::NOBODY && choice.thread.0 != self.last;
        let (data, threads) = (self.recent & Self::DATA, (self.recent & !Self::DATA) << Self::BITS);
        Past {
            last: choice.thread.0,
            switches: self.switches.saturating_add(switched.into()),
            preemptions: self.preemptions.saturating_add((switched && self.can_go_on).into()),
            can_go_on: false,
            recent: data | threads | Self::mark(choice.thread) << Self::THREADS,
        }
    }

    /// The same, if the step was a data choice of the program.
    #[must_use]
    pub fn having_chosen(self) -> Past {
        let more = u64::from(self.data_choices() < Self::DATA);
        Past { recent: self.recent + more, ..self }
    }

    /// What is kept of a thread among the recent ones: from 1 to 15, since 0 stands for no step.
    fn mark(thread: ThreadId) -> u64 {
        // Most programs have few threads, and a comparison takes less than a division.
        let number = if thread.0 < 15 { thread.0 } else { thread.0 % 15 };
        u64::from(number) + 1
    }

    /// The thread that moved last.
    pub fn last(self) -> Option<ThreadId> {
        (self.last != Self::NOBODY).then_some(ThreadId(self.last))
    }

    /// How often a thread was interrupted that could have gone on.
    pub fn preemptions(self) -> u32 {
        self.preemptions.into()
    }

    /// How often another thread than before moved.
    pub fn switches(self) -> u32 {
        self.switches.into()
    }

    /// Whether the thread that moved last could move again.
    pub fn can_go_on(self) -> bool {
        self.can_go_on
    }

    /// How many data choices the program has made, up to 65,535.
    pub fn data_choices(self) -> u64 {
        self.recent & Self::DATA
    }

    /// Which of the last `steps` steps, from 1 for the newest, were made by the thread that moved last. At most
    /// [`Past::MAX_RECENT`] are known; of threads whose numbers differ by a multiple of 15, one passes for the other.
    pub fn steps_of_last(self, steps: usize) -> impl Iterator<Item = u64> {
        let (last, recent) = (self.last().map_or(0, Self::mark), self.recent >> Self::THREADS);
        (0..steps.min(Self::MAX_RECENT) as u32)
            .filter(move |at| last > 0 && recent >> (at * Self::BITS) & 15 == last)
            .map(|at| u64::from(at) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(threads: &[u32]) -> Past {
        threads.iter().fold(Past::START, |past, &thread| past.after(Choice::run(ThreadId(thread))))
    }

    fn steps(past: Past, steps: usize) -> Vec<u64> {
        past.steps_of_last(steps).collect()
    }

    #[test]
    fn the_last_steps_of_a_thread_are_known() {
        assert_eq!(size_of::<Past>(), 16);
        assert_eq!(steps(Past::START, 12), []);
        assert_eq!(steps(after(&[3, 1, 3, 3, 2, 3]), 12), [1, 3, 4, 6]);
        assert_eq!(steps(after(&[3, 1, 3, 3, 2, 3]), 3), [1, 3]);
        assert_eq!(steps(after(&[0; 40]), 99), (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn data_choices_are_counted_up_to_a_limit() {
        let mut past = after(&[1, 2, 1]);
        assert_eq!(past.data_choices(), 0);
        past = past.having_chosen().after(Choice::pick(ThreadId(1), 4)).having_chosen();
        assert_eq!((past.data_choices(), steps(past, 12)), (2, vec![1, 2, 4]));
        (0..70_000).for_each(|_| past = past.having_chosen());
        assert_eq!((past.data_choices(), steps(past, 12)), (65_535, vec![1, 2, 4]));
    }
}
