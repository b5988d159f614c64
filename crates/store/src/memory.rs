//! Memory that starts as zeroes and is paid for from a budget.
//!
//! A visited set is read at random places, so with pages of 4 KiB nearly every access misses the translation cache as
//! well. Large arrays are therefore mapped on their own and the kernel is asked for huge pages: ten million lookups in a
//! compact store of as many states then take 0.85 seconds of processor time instead of 1.4. Under Loom arrays are plain
//! vectors.
#![allow(unsafe_code)]

use crate::meter::{Granted, Meter};
use crate::sync::{AtomicU64, Ordering};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicU64 as Count;

/// The memory that a store may take and has taken.
pub(crate) struct Budget {
    limit: u64,
    used: Count,
    /// What others share with the store.
    meter: Option<Arc<Meter>>,
}

impl Budget {
    pub(crate) fn new(limit: Option<u64>) -> Arc<Self> {
        Budget::within(limit, None)
    }

    /// A budget within what a meter allows for everything together.
    pub(crate) fn within(limit: Option<u64>, meter: Option<Arc<Meter>>) -> Arc<Self> {
        Arc::new(Budget { limit: limit.unwrap_or(u64::MAX), used: Count::new(0), meter })
    }

    /// The bytes in use.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        let own = self.limit.saturating_sub(self.used());
        self.meter.as_ref().map_or(own, |meter| own.min(meter.left()))
    }

    /// Asks for memory. What is granted with it may be dropped as soon as the memory is in use.
    fn take(&self, bytes: u64) -> Option<Granted> {
        let granted = match &self.meter {
            Some(meter) => meter.take(bytes)?,
            None => Granted::default(),
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| sum <= self.limit)
        });
        taken.is_ok().then_some(granted)
    }

    /// Counts bytes that have been taken without asking.
    pub(crate) fn charge(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A type for which bytes of zero are a value, namely the default one.
///
/// # Safety
///
/// That must be so, and the type must not need dropping.
pub(crate) unsafe trait Zero: Default {}

// SAFETY: an atomic has the representation of its integer, and 0 is its default. Under Loom nothing relies on it.
unsafe impl Zero for AtomicU64 {}

/// An array of zeroes that never moves.
pub(crate) struct Zeroed<T: Zero> {
    block: Block<T>,
    budget: Arc<Budget>,
}

impl<T: Zero> Zeroed<T> {
    /// An array of `len` zeroes, or nothing if the budget or the system refuses.
    pub(crate) fn new(len: usize, budget: &Arc<Budget>) -> Option<Self> {
        Self::granted(len, budget).map(|(array, _)| array)
    }

    /// The same, to be written to at once. Until what comes with it is dropped, the same memory is not granted again.
    pub(crate) fn granted(len: usize, budget: &Arc<Budget>) -> Option<(Self, Granted)> {
        let bytes = len.checked_mul(size_of::<T>())? as u64;
        let granted = budget.take(bytes)?;
        match Block::new(len) {
            Some(block) => Some((Zeroed { block, budget: budget.clone() }, granted)),
            None => {
                budget.give_back(bytes);
                None
            }
        }
    }

    /// An array of a few zeroes, which is had even if the budget has nothing left.
    pub(crate) fn few(len: usize, budget: &Arc<Budget>) -> Self {
        let block = Block::new(len).expect("the system has a few bytes left");
        let few = Zeroed { block, budget: budget.clone() };
        budget.charge(few.bytes());
        few
    }

    pub(crate) fn bytes(&self) -> u64 {
        size_of_val::<[T]>(self) as u64
    }

    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.block.slice()
    }
}

impl<T: Zero> Drop for Zeroed<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes());
    }
}

/// Asks the processor to fetch what is at an address into its cache. Any address will do: one where nothing is, is
/// ignored.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    // SAFETY: a prefetch is a hint. It reads nothing into the program and does not fault. SSE, which it needs, is part
    // of x86-64.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(not(loom))]
use block::Block;

#[cfg(not(loom))]
mod block {
    use super::Zero;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// Zeroes from the system.
    pub(super) struct Block<T> {
        start: NonNull<T>,
        len: usize,
        origin: Origin,
    }

    enum Origin {
        /// Nothing was allocated.
        Empty,
        /// The global allocator.
        Heap(Layout),
        /// A mapping, which may begin before the first element.
        #[cfg(target_os = "linux")]
        Mapping { base: NonNull<libc::c_void>, length: usize },
    }

    // SAFETY: a block owns its elements, as a `Box<[T]>` does.
    unsafe impl<T: Send> Send for Block<T> {}
    // SAFETY: a shared block gives out `&[T]` and nothing else.
    unsafe impl<T: Sync> Sync for Block<T> {}

    impl<T: Zero> Block<T> {
        pub(super) fn new(len: usize) -> Option<Self> {
            let layout = Layout::array::<T>(len).ok()?;
            if layout.size() == 0 {
                return Some(Block { start: NonNull::dangling(), len, origin: Origin::Empty });
            }
            #[cfg(target_os = "linux")]
            if layout.size() > huge::THRESHOLD {
                let (start, base, length) = huge::map(layout.size())?;
                return Some(Block { start: start.cast(), len, origin: Origin::Mapping { base, length } });
            }
            // SAFETY: the layout is not of size zero.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Block { start: start.cast(), len, origin: Origin::Heap(layout) })
        }
    }

    impl<T> Block<T> {
        #[inline(always)]
        pub(super) fn slice(&self) -> &[T] {
            // SAFETY: `start` is aligned for `T` (by the layout, or to a huge page, or dangling with nothing behind it)
            // and `len` elements from it belong to this block. They are zeroes or what was written since through
            // shared references, and zeroes are a `T` because a block is only made for `T: Zero`.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }
    }

    impl<T> Drop for Block<T> {
        fn drop(&mut self) {
            match self.origin {
                Origin::Empty => {}
                // SAFETY: allocated with this layout, and not freed since: only `drop` frees.
                Origin::Heap(layout) => unsafe { dealloc(self.start.as_ptr().cast(), layout) },
                #[cfg(target_os = "linux")]
                // SAFETY: mapped at this base with this length, and nothing else refers to it any more.
                Origin::Mapping { base, length } => unsafe {
                    libc::munmap(base.as_ptr(), length);
                },
            }
        }
    }

    #[cfg(target_os = "linux")]
    mod huge {
        use std::ptr::{self, NonNull};

        /// Below this, what huge pages save is not worth a mapping of its own.
        pub(super) const THRESHOLD: usize = 4 << 20;
        const PAGE: usize = 2 << 20;

        /// Maps `size` bytes from the start of a huge page: where they start, and the whole mapping.
        pub(super) fn map(size: usize) -> Option<(NonNull<u8>, NonNull<libc::c_void>, usize)> {
            // A huge page more than asked for, since the kernel need not align the mapping. What is not touched costs
            // nothing.
            let length = size.checked_add(PAGE)?;
            // SAFETY: a new anonymous mapping at an address of the kernel's choice touches no other memory.
            let base = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    length,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if base == libc::MAP_FAILED {
                return None;
            }
            // SAFETY: the range was just mapped. This is advice: if it is refused, small pages do the same.
            unsafe { libc::madvise(base, length, libc::MADV_HUGEPAGE) };
            let base = NonNull::new(base)?;
            let start = base.cast::<u8>();
            let padding = start.align_offset(PAGE);
            // SAFETY: the padding is less than a huge page, and the mapping is a huge page longer than `size`.
            Some((unsafe { start.add(padding) }, base, length))
        }
    }
}

/// Loom's atomics are not plain memory: they are made one by one.
#[cfg(loom)]
struct Block<T>(Box<[T]>);

#[cfg(loom)]
impl<T: Zero> Block<T> {
    fn new(len: usize) -> Option<Self> {
        Some(Block((0..len).map(|_| T::default()).collect()))
    }

    fn slice(&self) -> &[T] {
        &self.0
    }
}
