//! The memory of a whole check. Everything that grows asks for its share.
//!
//! Only the system knows how much memory a process uses: no code of ours counts heaps, stacks and pools of components. So the
//! meter asks the system, and a table that is about to grow asks the meter first. A table that grows has its old and its new
//! slots for a while, and would exceed the bound.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory that may be used, and what is.
#[derive(Debug)]
pub struct Meter {
    limit: Option<u64>,
    elsewhere: AtomicU64,
    /// What was granted at once and is not in use yet.
    granted: AtomicU64,
}

/// A table that grows by fewer bytes does not ask first: the periodic look at the memory notices it early enough.
const LITTLE: u64 = 1 << 20;

impl Meter {
    /// Nothing is to use more than `limit`.
    pub fn new(limit: Option<u64>) -> Arc<Meter> {
        Arc::new(Meter { limit, elsewhere: AtomicU64::new(0), granted: AtomicU64::new(0) })
    }

    /// The bytes that may be used.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Other processes use that much.
    pub fn set_elsewhere(&self, bytes: u64) {
        self.elsewhere.store(bytes, Relaxed);
    }

    /// The bytes that are in use: the resident memory of this process and of others.
    pub fn in_use(&self) -> u64 {
        resident_bytes() + self.elsewhere.load(Relaxed)
    }

    /// Whether all that may be used is in use. What was granted counts when it is.
    pub fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| self.in_use() >= limit)
    }

    /// The bytes that may still be taken. Costs a call of the system.
    pub fn left(&self) -> u64 {
        let taken = || self.in_use() + self.granted.load(Relaxed);
        self.limit.map_or(u64::MAX, |limit| limit.saturating_sub(taken()))
    }

    /// Asks for that many bytes at once; nothing if there is no room for them. They count from now on: as granted until that is
    /// dropped, and by then they are in use.
    pub(crate) fn take(self: &Arc<Self>, bytes: u64) -> Option<Granted> {
        if bytes <= LITTLE || self.limit.is_none() {
            return Some(Granted(None));
        }
        // Counted first: of two that ask at the same time one may be refused in vain, but not both be granted.
        let granted = Granted(Some((Arc::clone(self), bytes)));
        self.granted.fetch_add(bytes, Relaxed);
        let fits = self.limit.is_none_or(|limit| self.in_use() + self.granted.load(Relaxed) <= limit);
        fits.then_some(granted)
    }
}

/// Bytes that were asked for and are being taken into use.
#[derive(Default)]
pub(crate) struct Granted(Option<(Arc<Meter>, u64)>);

impl Drop for Granted {
    fn drop(&mut self) {
        if let Some((meter, bytes)) = &self.0 {
            meter.granted.fetch_sub(*bytes, Relaxed);
        }
    }
}

/// The resident memory of this process; 0 where the system does not tell.
pub fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn memory_of_other_processes_counts() {
        let limit = resident_bytes() + (1 << 30);
        let meter = Meter::new(Some(limit));
        assert!(meter.take(512 << 20).is_some());
        meter.set_elsewhere(768 << 20);
        assert!(meter.in_use() >= 768 << 20);
        assert!(meter.take(512 << 20).is_none());
        assert!(meter.take(LITTLE).is_some());
        meter.set_elsewhere(2 << 30);
        assert_eq!(meter.left(), 0);
    }

    #[test]
    fn memory_that_was_granted_counts_until_it_is_in_use() {
        let meter = Meter::new(Some(resident_bytes() + (1 << 30)));
        let first = meter.take(700 << 20);
        assert!(first.is_some());
        assert!(meter.take(700 << 20).is_none());
        assert!(!meter.is_full());
        drop(first);
        assert!(meter.take(700 << 20).is_some());
    }

    #[test]
    fn without_limit_there_is_always_room() {
        let meter = Meter::new(None);
        meter.set_elsewhere(u64::MAX / 2);
        assert!(meter.take(u64::MAX).is_some());
    }
}
