//! Where keys will be looked for, for workers that are not inside the gate.

use super::{Slot, Table, home};
use crate::memory::prefetch;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The place of a table's slots. It may lag behind the table, so it is good for nothing but to prefetch.
pub(crate) struct PrefetchAddress<S> {
    start: AtomicPtr<S>,
    capacity: AtomicUsize,
}

impl<S> Default for PrefetchAddress<S> {
    fn default() -> Self {
        PrefetchAddress { start: AtomicPtr::new(ptr::null_mut()), capacity: AtomicUsize::new(0) }
    }
}

impl<S: Slot> PrefetchAddress<S> {
    /// Becomes the place of the table.
    pub(crate) fn follow(&self, table: &Table<S>) {
        self.start.store(table.slots.as_ptr().cast_mut(), Ordering::Relaxed);
        self.capacity.store(table.capacity, Ordering::Relaxed);
    }

    /// Fetches the home of `word` into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, word: u64) {
        let home = home::<S>(word, self.capacity.load(Ordering::Relaxed));
        prefetch(self.start.load(Ordering::Relaxed).wrapping_add(home));
    }
}
