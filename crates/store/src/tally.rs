//! Counting without a shared cache line.

use crate::seat::{Seat, Seats};
use crate::sync::Padded;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count for each worker.
pub(crate) struct Tally {
    seats: Arc<Seats>,
    counts: Box<[Padded<AtomicU64>]>,
}

impl Tally {
    pub(crate) fn new(seats: &Arc<Seats>) -> Self {
        let counts = (0..seats.workers()).map(|_| Padded::default()).collect();
        Tally { seats: seats.clone(), counts }
    }

    /// Adds one to the worker's count.
    #[inline]
    pub(crate) fn add(&self, seat: &mut Seat) {
        // No other thread has the seat, so it need not be one indivisible step.
        let count = &self.counts[self.seats.number(seat)].0;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }
}
