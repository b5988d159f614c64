//! The right to insert: one seat for each worker.
//!
//! The hot path keeps a few words for each worker that only one thread at a time may write. A seat is the proof: a
//! store hands each number out once, a seat cannot be copied, and inserting borrows it mutably.

use crate::sync::Mutex;
use std::fmt;
use std::sync::Arc;

/// A worker's place at one store, which is needed to insert. It may move from thread to thread; its number is free
/// again when it is dropped.
pub struct Seat {
    number: usize,
    of: Arc<Seats>,
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Seat").field(&self.number).finish()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A poisoned list belongs to a store that must not be used any more.
        if let Ok(mut taken) = self.of.taken.lock() {
            taken[self.number] = false;
        }
    }
}

/// The seats of a store. Their address is the store's identity: every seat keeps it from being used again.
pub(crate) struct Seats {
    taken: Mutex<Box<[bool]>>,
    workers: usize,
}

impl Seats {
    pub(crate) fn new(workers: usize) -> Arc<Self> {
        Arc::new(Seats { taken: Mutex::new(vec![false; workers].into()), workers })
    }

    /// How many there are. The numbers of seats are below it.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Hands out a free seat.
    ///
    /// Panics if there is none.
    pub(crate) fn take(self: &Arc<Self>) -> Seat {
        let free = {
            let mut taken = self.taken.lock().expect("nothing panics while it holds the list of seats");
            let free = taken.iter().position(|&taken| !taken);
            free.inspect(|&number| taken[number] = true)
        };
        let workers = self.workers;
        let number = free.unwrap_or_else(|| {
            panic!("the store was opened for {workers} workers, and more seats were asked for than that")
        });
        Seat { number, of: self.clone() }
    }

    /// The seat's number, which no other thread uses as long as the seat is borrowed.
    ///
    /// Panics if it is a seat of another store.
    #[inline(always)]
    pub(crate) fn number(self: &Arc<Self>, seat: &mut Seat) -> usize {
        if !Arc::ptr_eq(self, &seat.of) {
            foreign();
        }
        seat.number
    }
}

#[cold]
#[inline(never)]
fn foreign() -> ! {
    panic!("the seat belongs to another store");
}
