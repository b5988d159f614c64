//! Counting without a shared cache line.

use crate::sync::Padded;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count for each worker.
pub(crate) struct Tally(Box<[Padded<AtomicU64>]>);

impl Tally {
    pub(crate) fn new(workers: usize) -> Self {
        Tally((0..workers).map(|_| Padded::default()).collect())
    }

    /// Adds one to the worker's count.
    #[inline]
    pub(crate) fn add(&self, worker: usize) {
        // No other thread writes this count, so it need not be one indivisible step.
        let count = &self.0[worker].0;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }
}
