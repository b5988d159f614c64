//! Many at once, or one alone.
//!
//! Workers use a table side by side; growing it takes one of them alone. This is a reader-writer lock that costs a
//! reader nothing but a cache line of its own: each worker has a desk, and the one who wants to be alone closes all
//! of them in turn. A desk is held by its worker or closed, never both, so no fence has to order one desk against
//! another. A worker's compare-and-swap on its own line takes some six nanoseconds, far below the cache miss that
//! follows.
#![allow(unsafe_code)]

use crate::sync::{AtomicU8, Mutex, Ordering, Padded, Patience, UnsafeCell};
use crate::table::Attempt;

/// Nobody is at the desk.
const FREE: u8 = 0;
/// Its worker is inside.
const TAKEN: u8 = 1;
/// Somebody is alone inside, or on the way.
const CLOSED: u8 = 2;

/// A panic alone inside leaves the desks closed; the poisoned mutex then passes it on to everybody who comes.
const GROWN: &str = "growing a table does not panic";

/// A value that the workers read together and change one at a time.
pub(crate) struct Gate<T> {
    desks: Box<[Padded<AtomicU8>]>,
    /// Held by the one who closes desks. Workers that find their desk closed wait for it.
    alone: Mutex<()>,
    value: UnsafeCell<T>,
}

// SAFETY: the gate hands out `&T` to several threads at once, which needs `T: Sync`, and `&mut T` to one thread at a
// time, which may move out of it what another thread put there, which needs `T: Send`.
unsafe impl<T: Send + Sync> Sync for Gate<T> {}

// SAFETY: the gate owns its value; desks and mutex may be moved.
unsafe impl<T: Send> Send for Gate<T> {}

impl<T> Gate<T> {
    pub(crate) fn new(value: T, workers: usize) -> Self {
        let desks = (0..workers).map(|_| Padded(AtomicU8::new(FREE))).collect();
        Gate { desks, alone: Mutex::new(()), value: UnsafeCell::new(value) }
    }

    /// Runs `read` beside other workers that do the same. `read` must not come back to this gate.
    ///
    /// Panics if another thread is inside under the same number.
    #[inline]
    pub(crate) fn enter<R>(&self, worker: usize, read: impl FnOnce(&T) -> R) -> R {
        let desk = &self.desks[worker].0;
        // Acquire: what was done alone before the desk was opened again is visible from here on.
        while let Err(found) = desk.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed) {
            self.queue(worker, found);
        }
        let leave = Leave(desk);
        // SAFETY: `alone` makes a `&mut T` only after it has changed every desk from FREE to CLOSED, and holds them
        // until it is done. This desk is TAKEN, by this call and no other, so no `&mut T` exists until it is free.
        let result = self.value.with(|value| read(unsafe { &*value }));
        drop(leave);
        result
    }

    #[cold]
    fn queue(&self, worker: usize, found: u8) {
        assert_ne!(found, TAKEN, "two threads use the store as worker {worker}");
        drop(self.alone.lock().expect(GROWN));
    }

    /// Runs `write` when no worker is inside, and lets none in until it is done. The caller must not be inside.
    #[cold]
    pub(crate) fn alone<R>(&self, write: impl FnOnce(&mut T) -> R) -> R {
        let _alone = self.alone.lock().expect(GROWN);
        for desk in &self.desks {
            let mut patience = Patience::default();
            // Acquire: what the worker did inside is visible to `write`.
            while desk.0.compare_exchange(FREE, CLOSED, Ordering::Acquire, Ordering::Relaxed).is_err() {
                patience.wait();
            }
        }
        // SAFETY: the mutex keeps out others that want to be alone, and every desk has been changed from FREE to
        // CLOSED here, so no worker holds a `&T` and none can get one before the desks are opened below.
        let result = self.value.with_mut(|value| write(unsafe { &mut *value }));
        for desk in &self.desks {
            desk.0.store(FREE, Ordering::Release);
        }
        result
    }

    /// Repeats `attempt` beside the others, and `relieve` alone, until it is clear what became of a key;
    /// nothing if there is no room for it.
    #[inline]
    pub(crate) fn insert<R>(
        &self,
        worker: usize,
        mut attempt: impl FnMut(&T) -> Attempt<R>,
        relieve: impl Fn(&mut T),
    ) -> Option<R> {
        loop {
            match self.enter(worker, &mut attempt) {
                Attempt::Done(result) => return Some(result),
                Attempt::Crowded(result) => {
                    self.alone(&relieve);
                    return Some(result);
                }
                Attempt::NoRoom => self.alone(&relieve),
                Attempt::Full => return None,
            }
        }
    }
}

/// Leaves the desk, also when a panic passes through.
struct Leave<'a>(&'a AtomicU8);

impl Drop for Leave<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(FREE, Ordering::Release);
    }
}
