//! Functions that programs written for verifiers call: those of SV-COMP.
//!
//! If an assumption does not hold, its thread stops for ever. The other threads could have done everything that they do later before
//! the assumption was checked. If no other thread can move any more, the execution is no deadlock, and nothing is found.

use crate::protocol::{How, NO_VALUE, Op};
use crate::rt::sched::atomic_sections;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{header, runtime};

export! {
    __VERIFIER_assume => assume;
    assume_abort_if_not => assume;
    __VERIFIER_nondet_bool => choose_bool;
    __VERIFIER_nondet__Bool => choose_bool;
    sojourner_choose => choose;
}

extern "C" fn assume(holds: i32) {
    let frame = Frame::here();
    if holds == 0 {
        if !runtime().running.get() {
            defect::refuse(b"__VERIFIER_assume before main is called");
        }
        give_up(frame);
    }
}

/// The running thread stops for ever, and that is no deadlock.
pub fn give_up(frame: &Frame) -> ! {
    atomic_sections::abandon(frame);
    Operation::new(Op::GivenUp, How::Nothing, 0, 0).take(frame);
    crate::rt::broken()
}

extern "C" fn choose_bool() -> u32 {
    choose_below(Frame::here(), 2)
}

extern "C" fn choose(number: u32) -> u32 {
    let frame = Frame::here();
    if !(1..=62).contains(&number) {
        defect::refuse(b"sojourner_choose of fewer than 1 or more than 62");
    }
    choose_below(frame, number)
}

fn choose_below(frame: &Frame, number: u32) -> u32 {
    if !runtime().running.get() {
        defect::refuse(b"a choice before main is called");
    }
    match Operation::new(Op::Choose, How::Nothing, 0, number).take(frame) {
        NO_VALUE => 0,
        value => value,
    }
}

/// A value of a type that has more than can be tried: one of a few. The driver hears of it, and calls nothing clean.
macro_rules! some {
    ($($name:ident as $body:ident: $type:ty = $values:expr;)*) => {
        $(
            extern "C" fn $body() -> $type {
                const VALUES: &[$type] = &$values;
                let frame = Frame::here();
                header().sampled.set(1);
                VALUES[choose_below(frame, VALUES.len() as u32) as usize]
            }
        )*
        export! { $($name => $body;)* }
    };
}

some! {
    __VERIFIER_nondet_int as some_int: i32 = [0, 1, -1, 2];
    __VERIFIER_nondet_long as some_long: i64 = [0, 1, -1, 2];
    __VERIFIER_nondet_longlong as some_longlong: i64 = [0, 1, -1, 2];
    __VERIFIER_nondet_int128 as some_int128: i128 = [0, 1, -1, 2];
    __VERIFIER_nondet_loff_t as some_offset: i64 = [0, 1, -1, 2];
    __VERIFIER_nondet_short as some_short: i16 = [0, 1, -1, 2];
    __VERIFIER_nondet_char as some_char: i8 = [0, 1, -1, b'a' as i8];
    __VERIFIER_nondet_uint as some_uint: u32 = [0, 1, 2, 3];
    __VERIFIER_nondet_unsigned_int as some_unsigned_int: u32 = [0, 1, 2, 3];
    __VERIFIER_nondet_unsigned as some_unsigned: u32 = [0, 1, 2, 3];
    __VERIFIER_nondet_ulong as some_ulong: u64 = [0, 1, 2, 3];
    __VERIFIER_nondet_ulonglong as some_ulonglong: u64 = [0, 1, 2, 3];
    __VERIFIER_nondet_uint128 as some_uint128: u128 = [0, 1, 2, 3];
    __VERIFIER_nondet_size_t as some_size: u64 = [0, 1, 2, 3];
    __VERIFIER_nondet_ushort as some_ushort: u16 = [0, 1, 2, 3];
    __VERIFIER_nondet_uchar as some_uchar: u8 = [0, 1, 2, b'a'];
    __VERIFIER_nondet_u8 as some_u8: u8 = [0, 1, 2, 3];
    __VERIFIER_nondet_u16 as some_u16: u16 = [0, 1, 2, 3];
    __VERIFIER_nondet_u32 as some_u32: u32 = [0, 1, 2, 3];
    __VERIFIER_nondet_float as some_float: f32 = [0.0, 1.0, -1.0, 0.5];
    __VERIFIER_nondet_double as some_double: f64 = [0.0, 1.0, -1.0, 0.5];
}

macro_rules! unbounded {
    ($($name:ident as $body:ident;)*) => {
        $(
            extern "C" fn $body() -> ! {
                Frame::here();
                defect::refuse(concat!(
                    stringify!($name),
                    ": what a pointer may point to is not known"
                ).as_bytes())
            }
        )*
        export! { $($name => $body;)* }
    };
}

unbounded! {
    __VERIFIER_nondet_pointer as any_pointer;
    __VERIFIER_nondet_pchar as any_text;
}

/// Programs that do not define it mean this by it.
extern "C" fn reached() -> ! {
    Frame::here();
    defect::assertion(b"that reach_error() is not called", 0)
}

macro_rules! weak {
    ($($name:literal => $function:path;)*) => { $(
        #[cfg(sojourner_rt)]
        core::arch::global_asm!(
            concat!(".weak ", $name), concat!($name, ":"),
            "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15", "sub rsp, 8",
            "movabs r11, {frame}",
            "mov [r11], rsp",
            "call {function}",
            frame = const crate::rt::base::layout::FRAME_AT,
            function = sym $function,
        );
    )* };
}

weak! {
    "reach_error" => reached;
    "__VERIFIER_error" => reached;
}
