//! The calls that the compiler puts before accesses to memory and around functions.

use crate::protocol::{How, Op};
use crate::rt::base::layout::STATE_AT;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{Runtime, runtime};
use crate::rt::sched::torn_copies;
use core::arch::naked_asm;
use core::mem::offset_of;

macro_rules! accesses {
    ($($size:literal: $read:ident, $write:ident, $read_write:ident;)*) => { $(
        extern "C" fn $read(address: u64) {
            let read = |frame: &Frame| _ = Operation::new(Op::Read, How::Read, address, $size).take(frame);
            if $size > 8 { torn_copies::announced_read(address, $size, read) } else { read(Frame::here()) }
        }

        extern "C" fn $write(address: u64) {
            let frame = Frame::here();
            let write = Operation::new(Op::Write, How::Write, address, $size);
            if $size > 8 && !runtime().private.is_empty() {
                return torn_copies::write(frame, address, $size, |frame| _ = write.take(frame));
            }
            write.take(frame);
        }

        /// The compiler has put a read and a write behind each other into one: they are two operations all the same.
        extern "C" fn $read_write(address: u64) {
            let frame = Frame::here();
            Operation::new(Op::Read, How::Read, address, $size).take(frame);
            Operation::new(Op::Write, How::Write, address, $size).take(frame);
        }
    )* };
}

accesses! {
    1: read_1, write_1, read_write_1;
    2: read_2, write_2, read_write_2;
    4: read_4, write_4, read_write_4;
    8: read_8, write_8, read_write_8;
    16: read_16, write_16, read_write_16;
}

extern "C" fn read_range(address: u64, size: u64) {
    torn_copies::announced_read(address, size, |frame| range(frame, address, size, false));
}

extern "C" fn write_range(address: u64, size: u64) {
    torn_copies::write(Frame::here(), address, size, |frame| range(frame, address, size, true));
}

extern "C" fn vptr_update(address: u64, new: u64) {
    let frame = Frame::here();
    // A constructor of a class that is derived writes what is there already: only what changes counts.
    // SAFETY: the program is about to write there.
    if unsafe { *(address as *const u64) } != new {
        Operation::new(Op::Write, How::Write, address, 8).take(frame);
    }
}

extern "C" fn vptr_read(address: u64) {
    Operation::new(Op::Read, How::Read, address, 8).take(Frame::here());
}

extern "C" fn nothing() {}

export! {
    __tsan_init => nothing;
    __tsan_flush_memory => nothing;
    __tsan_read1 => read_1;
    __tsan_read2 => read_2;
    __tsan_read4 => read_4;
    __tsan_read8 => read_8;
    __tsan_read16 => read_16;
    __tsan_write1 => write_1;
    __tsan_write2 => write_2;
    __tsan_write4 => write_4;
    __tsan_write8 => write_8;
    __tsan_write16 => write_16;
    __tsan_unaligned_read2 => read_2;
    __tsan_unaligned_read4 => read_4;
    __tsan_unaligned_read8 => read_8;
    __tsan_unaligned_read16 => read_16;
    __tsan_unaligned_write2 => write_2;
    __tsan_unaligned_write4 => write_4;
    __tsan_unaligned_write8 => write_8;
    __tsan_unaligned_write16 => write_16;
    __tsan_volatile_read1 => read_1;
    __tsan_volatile_read2 => read_2;
    __tsan_volatile_read4 => read_4;
    __tsan_volatile_read8 => read_8;
    __tsan_volatile_read16 => read_16;
    __tsan_volatile_write1 => write_1;
    __tsan_volatile_write2 => write_2;
    __tsan_volatile_write4 => write_4;
    __tsan_volatile_write8 => write_8;
    __tsan_volatile_write16 => write_16;
    __tsan_unaligned_volatile_read2 => read_2;
    __tsan_unaligned_volatile_read4 => read_4;
    __tsan_unaligned_volatile_read8 => read_8;
    __tsan_unaligned_volatile_read16 => read_16;
    __tsan_unaligned_volatile_write2 => write_2;
    __tsan_unaligned_volatile_write4 => write_4;
    __tsan_unaligned_volatile_write8 => write_8;
    __tsan_unaligned_volatile_write16 => write_16;
    __tsan_read_write1 => read_write_1;
    __tsan_read_write2 => read_write_2;
    __tsan_read_write4 => read_write_4;
    __tsan_read_write8 => read_write_8;
    __tsan_read_write16 => read_write_16;
    __tsan_unaligned_read_write2 => read_write_2;
    __tsan_unaligned_read_write4 => read_write_4;
    __tsan_unaligned_read_write8 => read_write_8;
    __tsan_unaligned_read_write16 => read_write_16;
    __tsan_read_range => read_range;
    __tsan_write_range => write_range;
    __tsan_vptr_update => vptr_update;
    __tsan_vptr_read => vptr_read;
}

/// A function is entered: the place of the call is kept, and how deep the stack is.
#[cfg_attr(sojourner_rt, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn __tsan_func_entry() {
    naked_asm!(
        "movabs r11, {state}",
        "mov rax, [r11 + {calls}]",
        "test rax, rax",
        "je 2f",
        "mov [rax], rdi",
        "add qword ptr [r11 + {calls}], 8",
        "cmp rsp, [r11 + {low}]",
        "jae 2f",
        "mov [r11 + {low}], rsp",
        "2:",
        "ret",
        state = const STATE_AT,
        calls = const offset_of!(Runtime, calls),
        low = const offset_of!(Runtime, low),
    )
}

/// A function is left; if it takes several locks, that is when.
#[cfg_attr(sojourner_rt, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn __tsan_func_exit() {
    naked_asm!(
        "movabs r11, {state}",
        "mov rax, [r11 + {calls}]",
        "test rax, rax",
        "je 2f",
        "sub rax, 8",
        "mov [r11 + {calls}], rax",
        "cmp rax, [r11 + {multilock_end}]",
        "je {several}",
        "2:",
        "ret",
        state = const STATE_AT,
        calls = const offset_of!(Runtime, calls),
        multilock_end = const offset_of!(Runtime, multilock_end),
        several = sym crate::rt::sync::multilock::sojourner_takes_several,
    )
}
