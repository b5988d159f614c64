//! Which states are on the path of a search that the runtime goes on with.

use crate::rt::sched::state::{row, runtime};
use core::cell::Cell;

/// What is kept from one call to the next, and what takes room.
#[repr(C)]
pub struct StoredPathSums {
    /// The table that is mapped: its number, where it is, its slots as a power of two.
    pub table: Cell<(u32, usize, u32)>,
    sums: [Cell<u16>; SUMS],
}

/// Counters for the states of the path, by the high bits of their numbers.
const SUMS: usize = 1 << 16;

/// The states of the path.
pub struct PathSums(&'static [Cell<u16>; SUMS]);

impl PathSums {
    /// Of the path of that depth.
    pub fn of(depth: u32) -> PathSums {
        let path = PathSums(&runtime().search.sums);
        path.0.iter().for_each(|count| count.set(0));
        (0..=depth).for_each(|depth| path.add(row(depth).get().sum));
        path
    }

    #[inline]
    fn count(&self, sum: u64) -> &Cell<u16> {
        &self.0[(sum >> 48) as usize]
    }

    pub fn add(&self, sum: u64) {
        self.count(sum).update(|count| count + 1);
    }

    pub fn remove(&self, sum: u64) {
        self.count(sum).update(|count| count - 1);
    }

    /// Whether one of the states before that depth has the number.
    #[inline]
    pub fn holds(&self, sum: u64, depth: u32) -> bool {
        self.count(sum).get() != 0 && (0..depth).any(|before| row(before).get().sum == sum)
    }
}
