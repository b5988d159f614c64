//! Cells for the runtime's state.
//!
//! Functions of the runtime call each other in every direction, and a fiber switch may happen in any of them. So no `&mut` to the
//! state is ever kept: numbers lie in [`core::cell::Cell`], whose aliases are harmless. What is too large to copy in and out lies
//! in a [`CheckedCell`], which lends it to one closure at a time.
//!
//! Checked builds keep a flag for each such cell. They stop with the place if a closure borrows what another one has, or if a
//! fiber switch happens inside one. Those are builds with debug assertions, and the runtime of a driver that was built with them
//! (`cfg(sojourner_checks)`). In other builds a `CheckedCell` is its value, and borrowing costs nothing.

use core::cell::UnsafeCell;
use core::ops::Deref;

/// A value that is lent to closures: to one that changes it, or to any number that only look.
#[repr(C)]
pub struct CheckedCell<T> {
    flag: check::Flag,
    value: UnsafeCell<T>,
}

impl<T> CheckedCell<T> {
    /// A cell with a value.
    pub const fn new(value: T) -> CheckedCell<T> {
        CheckedCell { flag: check::Flag::free(), value: UnsafeCell::new(value) }
    }

    /// Lends the value to a closure that only looks at it. No fiber switch may happen in there.
    #[inline(always)]
    #[track_caller]
    pub fn with<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        let _loan = self.flag.share();
        // SAFETY: no closure has the value to change it; checked builds, in which all tests run, see to that.
        look(unsafe { &*self.value.get() })
    }

    /// Lends the value to a closure that changes it. No fiber switch may happen in there.
    #[inline(always)]
    #[track_caller]
    pub fn with_mut<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let _loan = self.flag.take();
        // SAFETY: no other closure has the value; checked builds, in which all tests run, see to that.
        change(unsafe { &mut *self.value.get() })
    }

    /// Where the value lies, for copying its bytes.
    pub fn as_ptr(&self) -> *mut T {
        self.value.get()
    }
}

/// A variable among the program's data: putting the program's memory back puts it back, too. It holds cells.
#[repr(transparent)]
pub struct Restored<T>(T);

// SAFETY: one thread of the operating system runs the runtime and the program.
unsafe impl<T> Sync for Restored<T> {}

impl<T> Restored<T> {
    /// A variable with its first value.
    pub const fn new(value: T) -> Restored<T> {
        Restored(value)
    }
}

impl<T> Deref for Restored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

pub use check::{abandon_loans, assert_none_lent};

/// The flags of a checked build.
#[cfg(any(test, debug_assertions, sojourner_checks))]
mod check {
    use core::cell::Cell;

    /// The closures that have the value: the number of those that look, or `CHANGES`. A fault of the program ends an execution from within
    /// any closure, and all loans with it. So a flag counts only in the epoch in which it was set.
    #[repr(C)]
    pub struct Flag {
        epoch: Cell<u32>,
        lent: Cell<u32>,
    }

    /// One closure has the value, and changes it.
    const CHANGES: u32 = u32::MAX;

    /// The loans of all cells.
    pub struct Loans {
        epoch: Cell<u32>,
        count: Cell<u32>,
    }

    /// Ends a loan when it is dropped.
    pub struct Loan<'a>(&'a Flag);

    impl Flag {
        pub const fn free() -> Flag {
            Flag { epoch: Cell::new(0), lent: Cell::new(0) }
        }

        fn lent(&self) -> u32 {
            if self.epoch.get() == loans().epoch.get() { self.lent.get() } else { 0 }
        }

        fn lend(&self, lent: u32) -> Loan<'_> {
            self.epoch.set(loans().epoch.get());
            self.lent.set(lent);
            loans().count.update(|count| count + 1);
            Loan(self)
        }

        #[track_caller]
        pub fn share(&self) -> Loan<'_> {
            let lent = self.lent();
            assert!(lent != CHANGES, "a part of the state is read while it is being changed");
            self.lend(lent + 1)
        }

        #[track_caller]
        pub fn take(&self) -> Loan<'_> {
            assert!(self.lent() == 0, "a part of the state is changed while it is in use");
            self.lend(CHANGES)
        }
    }

    impl Drop for Loan<'_> {
        fn drop(&mut self) {
            let lent = self.0.lent.get();
            self.0.lent.set(if lent == CHANGES { 0 } else { lent - 1 });
            loans().count.update(|count| count - 1);
        }
    }

    /// Stops if a part of the state is lent: the caller is about to switch fibers.
    #[track_caller]
    pub fn assert_none_lent() {
        assert!(loans().count.get() == 0, "a fiber switch happens while a part of the state is in use");
    }

    /// Ends all loans: the code that had them never goes on.
    pub fn abandon_loans() {
        loans().epoch.update(|epoch| epoch.wrapping_add(1));
        loans().count.set(0);
    }

    #[cfg(not(test))]
    fn loans() -> &'static Loans {
        // SAFETY: within the memory of the state, behind the state itself; all zeros is a valid value.
        unsafe { &*(crate::rt::base::layout::LOANS_AT as *const Loans) }
    }

    #[cfg(test)]
    fn loans() -> &'static Loans {
        std::thread_local! {
            static LOANS: &'static Loans = Box::leak(Box::new(Loans { epoch: Cell::new(0), count: Cell::new(0) }));
        }
        LOANS.with(|loans| *loans)
    }
}

/// The same without flags.
#[cfg(not(any(test, debug_assertions, sojourner_checks)))]
mod check {
    #[repr(C)]
    pub struct Flag {}

    pub struct Loan;

    impl Flag {
        pub const fn free() -> Flag {
            Flag {}
        }

        #[inline(always)]
        pub fn share(&self) -> Loan {
            Loan
        }

        #[inline(always)]
        pub fn take(&self) -> Loan {
            Loan
        }
    }

    #[inline(always)]
    pub fn assert_none_lent() {}

    #[inline(always)]
    pub fn abandon_loans() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_lent_to_one_closure_after_the_other() {
        let cell = CheckedCell::new(1);
        cell.with_mut(|value| *value += 1);
        assert_eq!(cell.with(|value| cell.with(|same| value + same)), 4);
        assert_none_lent();
    }

    #[test]
    #[should_panic(expected = "changed while it is in use")]
    fn change_within_change_is_caught() {
        let cell = CheckedCell::new(1);
        cell.with_mut(|value| *value += cell.with_mut(|same| *same));
    }

    #[test]
    #[should_panic(expected = "changed while it is in use")]
    fn change_within_look_is_caught() {
        let cell = CheckedCell::new(1);
        cell.with(|_| cell.with_mut(|same| *same = 2));
    }

    #[test]
    #[should_panic(expected = "read while it is being changed")]
    fn look_within_change_is_caught() {
        let cell = CheckedCell::new(1);
        cell.with_mut(|value| *value += cell.with(|same| *same));
    }

    #[test]
    #[should_panic(expected = "a fiber switch happens")]
    fn fiber_switch_within_closure_is_caught() {
        CheckedCell::new(1).with(|_| assert_none_lent());
    }

    #[test]
    fn abandoned_loans_count_no_longer() {
        let cell = CheckedCell::new(1);
        core::mem::forget(cell.flag.take());
        abandon_loans();
        assert_none_lent();
        cell.with_mut(|value| *value = 2);
    }
}
