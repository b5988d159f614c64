//! Data of the runtime that belongs to the execution: it lies among the program's data, so that restoring the program
//! restores it.

use core::cell::UnsafeCell;

/// A variable among the program's data.
#[repr(transparent)]
pub struct Kept<T>(UnsafeCell<T>);

// SAFETY: there is one thread of the operating system.
unsafe impl<T> Sync for Kept<T> {}

impl<T> Kept<T> {
    /// A variable with its first value.
    pub const fn new(value: T) -> Kept<T> {
        Kept(UnsafeCell::new(value))
    }

    /// The variable. What this gives is not kept over a switch, nor over a call that may use it, too.
    #[allow(clippy::mut_from_ref)]
    pub fn get(&self) -> &mut T {
        // SAFETY: see above.
        unsafe { &mut *self.0.get() }
    }
}
