//! Calls that the driver puts into the assembly of a program. What a program has of assembly in its sources: before each of its instructions that touches memory, and is known, the program
//! calls one of these with the address, and behind it another one. To the program such a call is no call, so it finds all
//! registers and flags as they were.

use crate::protocol::{How, Op};
use crate::rt::base::cell::{CheckedCell, Restored};
use crate::rt::base::layout::STATE_AT;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::Frame;
use crate::rt::sched::races::Order;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::spin_loops;
use crate::rt::sched::state::{Runtime, runtime};
use core::mem::offset_of;

/// What the running thread is about to replace: where, how many bytes, and what they are. No other thread moves in between.
struct Replaced {
    address: u64,
    size: usize,
    bytes: [u8; 16],
}

static REPLACED: Restored<CheckedCell<Replaced>> =
    Restored::new(CheckedCell::new(Replaced { address: 0, size: 0, bytes: [0; 16] }));

/// What the processor does with one instruction is atomic, and ordered as strongly as the processor does.
fn tell(frame: &Frame, op: Op, address: u64, size: u32) {
    const ACQUIRE: i32 = 2;
    const RELEASE: i32 = 3;
    const SEQUENTIAL: i32 = 5;
    let (how, order) = match op {
        Op::AtomicRead => (How::Read, ACQUIRE),
        Op::AtomicWrite => (How::Write, RELEASE),
        _ => (How::Write, SEQUENTIAL),
    };
    Operation::new(op, how, address, size).order(Order::of(order)).take(frame);
    REPLACED.with_mut(|replaced| {
        (replaced.address, replaced.size) = (address, if op == Op::AtomicUpdate { size as usize } else { 0 });
        let (from, to) = (address as *const u8, replaced.bytes.as_mut_ptr());
        // SAFETY: the instruction behind this touches the same bytes.
        unsafe { core::ptr::copy_nonoverlapping(from, to, replaced.size) };
    });
}

/// The instruction has been executed.
extern "C" fn executed() {
    let changes = REPLACED.with(|replaced| {
        let Replaced { address, size, bytes } = replaced;
        // SAFETY: as above.
        let now = unsafe { core::slice::from_raw_parts(*address as *const u8, *size) };
        now != &bytes[..*size]
    });
    if runtime().running.get() && changes {
        spin_loops::changed();
    }
}

/// Gives functions names under which assembly calls them: with an address in `rdi`, and of ranges the size in `rsi`, which it has saved. What a call may
/// change otherwise is saved here, below the place of the call, so that it is part of where the thread stands.
macro_rules! told {
    ($($name:ident => $function:path;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "pushfq", "push rax", "push rcx", "push rdx", "push rsi", "push r8", "push r9", "push r10", "push r11",
                "mov rax, rsp",
                "mov rcx, [rsp + 72]",
                "and rsp, -16",
                "sub rsp, 512",
                "fxsave64 [rsp]",
                "push rax", "push rax", "push rcx",
                "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15", "sub rsp, 8",
                "movabs r11, {frame}",
                "mov [r11], rsp",
                "cld",
                "call {function}",
                "add rsp, 72",
                "pop rax",
                "fxrstor64 [rsp]",
                "mov rsp, rax",
                "pop r11", "pop r10", "pop r9", "pop r8", "pop rsi", "pop rdx", "pop rcx", "pop rax", "popfq",
                "ret",
                frame = const crate::rt::base::layout::FRAME_AT,
                function = sym $function,
            )
        }
    )* };
}

/// Positions for the instruction that reads the processor's ticks: those that are the same for equal schedules, in `edx` and `eax`.
/// Everything else stays as it was.
#[cfg_attr(sojourner_rt, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn __sojourner_ticks() {
    core::arch::naked_asm!(
        "pushfq", "push rax", "push rcx", "push rdx", "push rsi", "push rdi", "push r8", "push r9", "push r10", "push r11",
        "mov rax, rsp",
        "and rsp, -16",
        "sub rsp, 512",
        "fxsave64 [rsp]",
        "push rax", "push rax",
        "cld",
        "call {function}",
        "pop rcx", "pop rcx",
        "fxrstor64 [rsp]",
        "mov rsp, rcx",
        "mov rdx, rax",
        "shr rdx, 32",
        "mov eax, eax",
        "mov [rsp + 64], rax",
        "mov [rsp + 48], rdx",
        "pop r11", "pop r10", "pop r9", "pop r8", "pop rdi", "pop rsi", "pop rdx", "pop rcx", "pop rax", "popfq",
        "ret",
        function = sym crate::rt::time::clocks::ticks,
    )
}

macro_rules! accesses {
    ($($size:literal: $read:ident, $write:ident, $update:ident;)*) => { $(
        extern "C" fn $read(address: u64) {
            tell(Frame::here(), Op::AtomicRead, address, $size);
        }

        extern "C" fn $write(address: u64) {
            tell(Frame::here(), Op::AtomicWrite, address, $size);
        }

        extern "C" fn $update(address: u64) {
            tell(Frame::here(), Op::AtomicUpdate, address, $size);
        }
    )* };
}

accesses! {
    1: read_1, write_1, update_1;
    2: read_2, write_2, update_2;
    4: read_4, write_4, update_4;
    8: read_8, write_8, update_8;
    16: read_16, write_16, update_16;
}

/// The bytes of the stack that [`silent`] saves registers in at most.
const SAVED: usize = 56 + 72 + 16 + 528;

/// The same for accesses of the compiler's own. It says which registers are in use, by saving them before the call; what the
/// others hold is left there by chance and no part of where the thread stands. So they are saved below the frame, and if states are told by
/// what lies on stacks, nothing of it stays there.
macro_rules! silent {
    ($($name:ident => $function:path;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15",
                // Subtracting would change the flags before they are saved.
                "lea rsp, [rsp - 8]",
                "pushfq", "push rax", "push rcx", "push rdx", "push rsi", "push r8", "push r9", "push r10", "push r11",
                "lea rax, [rsp + 72]",
                "mov rcx, rsp",
                "and rsp, -16",
                "sub rsp, 528",
                "fxsave64 [rsp]",
                "mov [rsp + 512], rcx",
                "movabs r11, {frame}",
                "mov [r11], rax",
                "cld",
                "call {function}",
                "call {leave}",
                "fxrstor64 [rsp]",
                "mov rsp, [rsp + 512]",
                "movabs r11, {cleans}",
                "cmp dword ptr [r11], 0",
                "jne 2f",
                "pop r11", "pop r10", "pop r9", "pop r8", "pop rsi", "pop rdx", "pop rcx", "pop rax", "popfq",
                "lea rsp, [rsp + 56]",
                "ret",
                "2:",
                "pop r11", "pop r10", "pop r9", "pop r8", "pop rsi", "pop rdx", "pop rcx", "pop rax", "popfq",
                "lea rsp, [rsp + 56]",
                ".rept {words}",
                "push 0",
                ".endr",
                "lea rsp, [rsp + {saved}]",
                "ret",
                frame = const crate::rt::base::layout::FRAME_AT,
                function = sym $function,
                leave = sym crate::rt::sched::context::leave,
                cleans = const STATE_AT + offset_of!(Runtime, cleans),
                words = const SAVED / 8,
                saved = const SAVED,
            )
        }
    )* };
}

/// Accesses that the compiler makes and does not announce: of words around bit fields, and of structures that are passed by value.
macro_rules! plain {
    ($($size:literal: $read:ident, $write:ident;)*) => { $(
        extern "C" fn $read(address: u64) {
            let frame = Frame::here();
            // Of variables that never change gcc announces no reads.
            if !runtime().is_constant(address) {
                Operation::new(Op::Read, How::Read, address, $size).take(frame);
            }
        }

        extern "C" fn $write(address: u64) {
            Operation::new(Op::Write, How::Write, address, $size).take(Frame::here());
        }
    )* };
}

plain! {
    1: plain_read_1, plain_write_1;
    2: plain_read_2, plain_write_2;
    4: plain_read_4, plain_write_4;
    8: plain_read_8, plain_write_8;
    16: plain_read_16, plain_write_16;
}

extern "C" fn read_range(address: u64, size: u64) {
    range(Frame::here(), address, size, false);
}

extern "C" fn write_range(address: u64, size: u64) {
    range(Frame::here(), address, size, true);
}

silent! {
    __sojourner_value_read1 => plain_read_1;
    __sojourner_value_read2 => plain_read_2;
    __sojourner_value_read4 => plain_read_4;
    __sojourner_value_read8 => plain_read_8;
    __sojourner_value_read16 => plain_read_16;
    __sojourner_value_write1 => plain_write_1;
    __sojourner_value_write2 => plain_write_2;
    __sojourner_value_write4 => plain_write_4;
    __sojourner_value_write8 => plain_write_8;
    __sojourner_value_write16 => plain_write_16;
    __sojourner_value_read_range => read_range;
    __sojourner_value_write_range => write_range;
}

told! {
    __sojourner_rdrand => crate::rt::libc::random::processors;
    __sojourner_bits_write1 => plain_write_1;
    __sojourner_bits_write2 => plain_write_2;
    __sojourner_bits_write4 => plain_write_4;
    __sojourner_bits_write8 => plain_write_8;
    __sojourner_assembly_read1 => read_1;
    __sojourner_assembly_read2 => read_2;
    __sojourner_assembly_read4 => read_4;
    __sojourner_assembly_read8 => read_8;
    __sojourner_assembly_read16 => read_16;
    __sojourner_assembly_write1 => write_1;
    __sojourner_assembly_write2 => write_2;
    __sojourner_assembly_write4 => write_4;
    __sojourner_assembly_write8 => write_8;
    __sojourner_assembly_write16 => write_16;
    __sojourner_assembly_update1 => update_1;
    __sojourner_assembly_update2 => update_2;
    __sojourner_assembly_update4 => update_4;
    __sojourner_assembly_update8 => update_8;
    __sojourner_assembly_update16 => update_16;
    __sojourner_assembly_done => executed;
}
