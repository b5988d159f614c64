//! The places of checkpoints, in the order of the path, and when executions run all the way.

use crate::rt::base::syscalls;
use core::cell::Cell;

/// The most checkpoints on the way of an execution.
pub const MOST: usize = 512;

/// The numbers of places. Those in use come first, with the earliest checkpoint of the path in front.
#[repr(C)]
pub struct Places {
    /// Each number is kept as its difference from where it is, so that zeros are an order.
    order: [Cell<u16>; MOST],
    count: Cell<usize>,
}

impl Places {
    fn at(&self, nth: usize) -> usize {
        usize::from(self.order[nth].get()) ^ nth
    }

    fn swap(&self, one: usize, other: usize) {
        let (first, second) = (self.at(one), self.at(other));
        self.order[one].set((second ^ one) as u16);
        self.order[other].set((first ^ other) as u16);
    }

    /// How many are in use.
    pub fn count(&self) -> usize {
        self.count.get()
    }

    /// The place of the last checkpoint.
    pub fn last(&self) -> Option<usize> {
        self.count.get().checked_sub(1).map(|last| self.at(last))
    }

    /// Gives back the last one.
    pub fn pop(&self) {
        self.count.update(|count| count.saturating_sub(1));
    }

    /// Gives back all.
    pub fn clear(&self) {
        self.count.set(0);
    }

    /// A place for the next checkpoint. It counts only after `push`. If so many are in use, every second one is given back: what
    /// lies far back is rarely gone back to, and on the way there from an earlier one new checkpoints are made.
    pub fn next(&self, most: usize) -> usize {
        if self.count.get() >= most.min(MOST) {
            let kept = self.count.get() / 2;
            (0..kept).for_each(|nth| self.swap(nth, 2 * nth + 1));
            self.count.set(kept);
        }
        self.at(self.count.get())
    }

    /// The place that `next` gave is in use.
    pub fn push(&self) {
        self.count.update(|count| count + 1);
    }
}

/// When executions run all the way although there is a checkpoint.
#[repr(C)]
pub struct WholeRuns {
    /// What the last one took up to its last step that was known, and when it came there, in ticks of the processor.
    cost: Cell<u64>,
    ended: Cell<u64>,
    began: Cell<u64>,
}

/// An execution runs all the way again when so many times has passed what the last one took.
const SHARE: u64 = 16;

impl WholeRuns {
    /// Whether the next execution is to run all the way.
    pub fn is_due(&self) -> bool {
        syscalls::ticks().wrapping_sub(self.ended.get()) >= self.cost.get().saturating_mul(SHARE)
    }

    /// An execution begins that runs all the way.
    pub fn begin(&self) {
        self.began.set(syscalls::ticks());
    }

    /// It has come to where it takes another choice than the one before it.
    pub fn end(&self) {
        let now = syscalls::ticks();
        self.cost.set(now.wrapping_sub(self.began.get()));
        self.ended.set(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::state::new_state;

    #[test]
    fn every_second_place_is_given_back_when_all_are_in_use() {
        let places = &new_state().checkpoints.places;
        for nth in 0..8 {
            assert_eq!(places.next(8), nth);
            places.push();
        }
        let next = places.next(8);
        assert_eq!((places.count(), next), (4, 0));
        places.push();
        assert_eq!(places.last(), Some(0));
        let order =
            || -> Vec<usize> { std::iter::from_fn(|| places.last().inspect(|_| places.pop())).collect() };
        assert_eq!(order(), [0, 7, 5, 3, 1]);
        assert_eq!(places.last(), None);
    }

    #[test]
    fn no_place_is_given_twice() {
        let places = &new_state().checkpoints.places;
        for round in 0..3 * MOST {
            places.next(MOST);
            places.push();
            if round % 7 == 0 {
                places.pop();
            }
        }
        let mut all: Vec<usize> = (0..MOST).map(|nth| places.at(nth)).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..MOST));
    }
}
