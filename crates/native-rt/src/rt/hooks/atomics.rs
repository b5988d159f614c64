//! Atomic operations. They interleave, each as one step; the order of memory that they ask for decides what they order.

use crate::protocol::{How, Op};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::races::{self, Order};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::spin_loops;
use crate::rt::sched::state::runtime;
use crate::rt::sched::state_hash;

/// Takes an atomic step, with the order that it asks for.
pub fn take(frame: &Frame, op: Op, address: u64, size: u32, order: i32) {
    let how = if op == Op::AtomicRead { How::Read } else { How::Write };
    Operation::new(op, how, address, size).order(Order::of(order)).take(frame);
}

macro_rules! atomics {
    ($($type:ty, $size:literal: $load:ident, $store:ident, $exchange:ident, $add:ident, $sub:ident, $and:ident, $or:ident,
       $xor:ident, $nand:ident, $compare:ident, $compare_value:ident;)*) => { $(
        extern "C" fn $load(address: *const $type, order: i32) -> $type {
            take(Frame::here(), Op::AtomicRead, address as u64, $size, order);
            // SAFETY: the program passes an object of that type.
            unsafe { *address }
        }

        extern "C" fn $store(address: *mut $type, value: $type, order: i32) {
            take(Frame::here(), Op::AtomicWrite, address as u64, $size, order);
            // SAFETY: as above.
            unsafe { *address = value };
        }

        atomics!(@update $type, $size, $exchange, |_old, value| value);
        atomics!(@update $type, $size, $add, |old, value| <$type>::wrapping_add(old, value));
        atomics!(@update $type, $size, $sub, |old, value| <$type>::wrapping_sub(old, value));
        atomics!(@update $type, $size, $and, |old, value| old & value);
        atomics!(@update $type, $size, $or, |old, value| old | value);
        atomics!(@update $type, $size, $xor, |old, value| old ^ value);
        atomics!(@update $type, $size, $nand, |old, value| !(old & value));

        /// As gcc calls it: what is expected stands in memory, and what was found goes there. That is a read and a write of the
        /// program's memory like any other, which clang announces by itself.
        extern "C" fn $compare(
            address: *mut $type, expected: *mut $type, new: $type, order: i32, failed: i32,
        ) -> bool {
            let frame = Frame::here();
            Operation::new(Op::Read, How::Read, expected as u64, $size).take(frame);
            // SAFETY: the program passes two objects of that type.
            let wanted = unsafe { *expected };
            let found = compare(frame, address, wanted, new, [order, failed]);
            if found != wanted {
                state_hash::goes_on_with(found as u64);
                Operation::new(Op::Write, How::Write, expected as u64, $size).take(frame);
                // SAFETY: as above.
                unsafe { *expected = found };
            }
            found == wanted
        }

        /// As clang and rustc call it: the value that was found is the result.
        extern "C" fn $compare_value(
            address: *mut $type, expected: $type, new: $type, order: i32, failed: i32,
        ) -> $type {
            let frame = Frame::here();
            compare(frame, address, expected, new, [order, failed])
        }
    )* };
    (@update $type:ty, $size:literal, $name:ident, $new:expr) => {
        extern "C" fn $name(address: *mut $type, value: $type, order: i32) -> $type {
            take(Frame::here(), Op::AtomicUpdate, address as u64, $size, order);
            let new: fn($type, $type) -> $type = $new;
            // SAFETY: the program passes an object of that type.
            let old = unsafe { *address };
            let new = new(old, value);
            // SAFETY: as above.
            unsafe { *address = new };
            if new != old {
                spin_loops::changed();
            }
            old
        }
    };
}

/// Compares and, if it is what is expected, replaces. What was found. The orders are for the one case and the other.
fn compare<T: Copy + PartialEq>(frame: &Frame, address: *mut T, expected: T, new: T, orders: [i32; 2]) -> T {
    let size = size_of::<T>() as u32;
    Operation::new(Op::AtomicUpdate, How::Write, address as u64, size).order(Order::LATER).take(frame);
    // SAFETY: the program passes an object of that type.
    let found = unsafe { *address };
    let replaced = found == expected;
    races::compared(address as u64, size, replaced, Order::of(orders[usize::from(!replaced)]));
    if replaced {
        // SAFETY: as above.
        unsafe { *address = new };
        spin_loops::changed();
    }
    found
}

extern "C" fn fence(order: i32) {
    races::fence(runtime(), Order::of(order));
}

extern "C" fn signal_fence(_order: i32) {}

atomics! {
    u8, 1: load_8, store_8, exchange_8, add_8, sub_8, and_8, or_8, xor_8, nand_8, compare_8,
        compare_value_8;
    u16, 2: load_16, store_16, exchange_16, add_16, sub_16, and_16, or_16, xor_16, nand_16, compare_16,
        compare_value_16;
    u32, 4: load_32, store_32, exchange_32, add_32, sub_32, and_32, or_32, xor_32, nand_32, compare_32,
        compare_value_32;
    u64, 8: load_64, store_64, exchange_64, add_64, sub_64, and_64, or_64, xor_64, nand_64, compare_64,
        compare_value_64;
    u128, 16: load_128, store_128, exchange_128, add_128, sub_128, and_128, or_128, xor_128, nand_128, compare_128,
        compare_value_128;
}

export! {
    __tsan_atomic_thread_fence => fence;
    __tsan_atomic_signal_fence => signal_fence;
    __tsan_atomic8_load => load_8;
    __tsan_atomic8_store => store_8;
    __tsan_atomic8_exchange => exchange_8;
    __tsan_atomic8_fetch_add => add_8;
    __tsan_atomic8_fetch_sub => sub_8;
    __tsan_atomic8_fetch_and => and_8;
    __tsan_atomic8_fetch_or => or_8;
    __tsan_atomic8_fetch_xor => xor_8;
    __tsan_atomic8_fetch_nand => nand_8;
    __tsan_atomic8_compare_exchange_strong => compare_8;
    __tsan_atomic8_compare_exchange_weak => compare_8;
    __tsan_atomic8_compare_exchange_val => compare_value_8;
    __tsan_atomic16_load => load_16;
    __tsan_atomic16_store => store_16;
    __tsan_atomic16_exchange => exchange_16;
    __tsan_atomic16_fetch_add => add_16;
    __tsan_atomic16_fetch_sub => sub_16;
    __tsan_atomic16_fetch_and => and_16;
    __tsan_atomic16_fetch_or => or_16;
    __tsan_atomic16_fetch_xor => xor_16;
    __tsan_atomic16_fetch_nand => nand_16;
    __tsan_atomic16_compare_exchange_strong => compare_16;
    __tsan_atomic16_compare_exchange_weak => compare_16;
    __tsan_atomic16_compare_exchange_val => compare_value_16;
    __tsan_atomic32_load => load_32;
    __tsan_atomic32_store => store_32;
    __tsan_atomic32_exchange => exchange_32;
    __tsan_atomic32_fetch_add => add_32;
    __tsan_atomic32_fetch_sub => sub_32;
    __tsan_atomic32_fetch_and => and_32;
    __tsan_atomic32_fetch_or => or_32;
    __tsan_atomic32_fetch_xor => xor_32;
    __tsan_atomic32_fetch_nand => nand_32;
    __tsan_atomic32_compare_exchange_strong => compare_32;
    __tsan_atomic32_compare_exchange_weak => compare_32;
    __tsan_atomic32_compare_exchange_val => compare_value_32;
    __tsan_atomic64_load => load_64;
    __tsan_atomic64_store => store_64;
    __tsan_atomic64_exchange => exchange_64;
    __tsan_atomic64_fetch_add => add_64;
    __tsan_atomic64_fetch_sub => sub_64;
    __tsan_atomic64_fetch_and => and_64;
    __tsan_atomic64_fetch_or => or_64;
    __tsan_atomic64_fetch_xor => xor_64;
    __tsan_atomic64_fetch_nand => nand_64;
    __tsan_atomic64_compare_exchange_strong => compare_64;
    __tsan_atomic64_compare_exchange_weak => compare_64;
    __tsan_atomic64_compare_exchange_val => compare_value_64;
    __tsan_atomic128_load => load_128;
    __tsan_atomic128_store => store_128;
    __tsan_atomic128_exchange => exchange_128;
    __tsan_atomic128_fetch_add => add_128;
    __tsan_atomic128_fetch_sub => sub_128;
    __tsan_atomic128_fetch_and => and_128;
    __tsan_atomic128_fetch_or => or_128;
    __tsan_atomic128_fetch_xor => xor_128;
    __tsan_atomic128_fetch_nand => nand_128;
    __tsan_atomic128_compare_exchange_strong => compare_128;
    __tsan_atomic128_compare_exchange_weak => compare_128;
    __tsan_atomic128_compare_exchange_val => compare_value_128;
}
