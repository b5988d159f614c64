//! Atomic operations on objects of any size.
//!
//! Compilers leave those that no instruction reaches to a library (libatomic). That library uses locks that the scheduler does not see.
//! Here each of these operations is one step, like any other atomic operation.

use crate::protocol::{How, Op};
use crate::rt::hooks::atomics::take;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::races::{self, Order};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::spin_loops;

export! {
    __atomic_load => load;
    __atomic_store => store;
    __atomic_exchange => exchange;
    __atomic_compare_exchange => compare;
}

/// The bytes of an object of the program.
fn bytes(at: *const u8, size: usize) -> &'static [u8] {
    // SAFETY: the program passes an object of that size.
    unsafe { core::slice::from_raw_parts(at, size) }
}

/// Gives an object the value of another. Whether that changes it.
fn give(to: *mut u8, from: *const u8, size: usize) -> bool {
    let changes = bytes(to, size) != bytes(from, size);
    // SAFETY: as above.
    unsafe { core::ptr::copy(from, to, size) };
    changes
}

extern "C" fn load(size: usize, address: *const u8, out: *mut u8, order: i32) {
    let frame = Frame::here();
    range(frame, out as u64, size as u64, true);
    take(frame, Op::AtomicRead, address as u64, size as u32, order);
    give(out, address, size);
}

extern "C" fn store(size: usize, address: *mut u8, value: *const u8, order: i32) {
    let frame = Frame::here();
    range(frame, value as u64, size as u64, false);
    take(frame, Op::AtomicWrite, address as u64, size as u32, order);
    give(address, value, size);
}

extern "C" fn exchange(size: usize, address: *mut u8, value: *const u8, out: *mut u8, order: i32) {
    let frame = Frame::here();
    range(frame, value as u64, size as u64, false);
    range(frame, out as u64, size as u64, true);
    take(frame, Op::AtomicUpdate, address as u64, size as u32, order);
    let mut changes = false;
    for nth in 0..size {
        // SAFETY: the program passes three objects of that size. What is stored may lie where the old value goes.
        unsafe {
            let new = *value.add(nth);
            let old = core::ptr::replace(address.add(nth), new);
            *out.add(nth) = old;
            changes |= old != new;
        }
    }
    if changes {
        spin_loops::changed();
    }
}

/// Compares and, if it is what is expected, replaces; if not, what is expected becomes what was found.
extern "C" fn compare(
    size: usize,
    address: *mut u8,
    expected: *mut u8,
    new: *const u8,
    order: i32,
    failed: i32,
) -> bool {
    let frame = Frame::here();
    range(frame, new as u64, size as u64, false);
    range(frame, expected as u64, size as u64, false);
    let update = Operation::new(Op::AtomicUpdate, How::Write, address as u64, size as u32);
    update.order(Order::LATER).take(frame);
    let replaced = bytes(address, size) == bytes(expected, size);
    let order = Order::of(if replaced { order } else { failed });
    races::compared(address as u64, size as u32, replaced, order);
    if replaced {
        give(address, new, size);
        spin_loops::changed();
    } else {
        // What is found is what is there in this step.
        give(expected, address, size);
        range(frame, expected as u64, size as u64, true);
    }
    replaced
}
