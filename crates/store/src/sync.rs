//! The primitives of the lock-free code, from `std` or from Loom's model checker.
//!
//! What the protocols depend on comes from here. What is only a hint (how full a table is) or a statistic uses
//! `std` directly, so that Loom does not explore orders that no answer depends on.

#[cfg(loom)]
pub(crate) use loom::{
    cell::UnsafeCell,
    sync::Mutex,
    sync::atomic::{AtomicU8, AtomicU64, Ordering, fence},
};

#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex,
    atomic::{AtomicU8, AtomicU64, Ordering, fence},
};

pub(crate) use std::sync::atomic::compiler_fence;

/// `std`'s cell with the interface of Loom's, which notices accesses that are not ordered.
#[cfg(not(loom))]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(crate) fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    #[inline(always)]
    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

/// Waits a moment for another thread: first on this core, then by giving the core away, since the other thread may
/// need it.
#[derive(Default)]
pub(crate) struct Backoff(u32);

impl Backoff {
    #[cold]
    pub(crate) fn wait(&mut self) {
        self.0 += 1;
        #[cfg(loom)]
        loom::thread::yield_now();
        #[cfg(not(loom))]
        if self.0 < 64 {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// A value with cache lines of its own, so that writing it does not slow down readers of its neighbours. Two
/// lines of 64 bytes: processors fetch them in pairs.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);
