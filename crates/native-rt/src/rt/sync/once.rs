//! What is done once: `pthread_once`, `call_once` of C11, and static variables of functions in C++.

use crate::protocol::{How, Op, Space, Touch};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{Once, look};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{runtime, touch};
use core::ffi::{c_char, c_void};

/// Functions that run something, once. An exception may leave it, so that it is called from a frame that the unwinder knows:
/// one like those of [`export!`], which keeps the address and the function in registers.
macro_rules! run_once {
    ($($name:ident;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                $crate::rt::base::symbols::listed!($name),
                ".cfi_startproc",
                "push rbp", ".cfi_def_cfa_offset 16", ".cfi_offset rbp, -16",
                "push rbx", ".cfi_def_cfa_offset 24", ".cfi_offset rbx, -24",
                "push r12", ".cfi_def_cfa_offset 32", ".cfi_offset r12, -32",
                "push r13", ".cfi_def_cfa_offset 40", ".cfi_offset r13, -40",
                "push r14", ".cfi_def_cfa_offset 48", ".cfi_offset r14, -48",
                "push r15", ".cfi_def_cfa_offset 56", ".cfi_offset r15, -56",
                "sub rsp, 8", ".cfi_def_cfa_offset 64",
                "movabs r11, {frame}",
                "mov [r11], rsp",
                "mov rbx, rdi",
                "mov r12, rsi",
                "call {begin}",
                "test eax, eax",
                "je 2f",
                "call r12",
                "movabs r11, {frame}",
                "mov [r11], rsp",
                "mov rdi, rbx",
                "call {end}",
                "2:",
                "xor eax, eax",
                "mov r12, [rsp + 32]",
                "mov rbx, [rsp + 40]",
                "add rsp, 56",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                frame = const crate::rt::base::layout::FRAME_AT,
                begin = sym begin,
                end = sym end,
            )
        }
    )* };
}

run_once! {
    pthread_once;
    call_once;
}

export! {
    __cxa_begin_catch => catch;
    __cxa_guard_acquire => enter_guard;
    __cxa_guard_release => leave_guard;
    __cxa_guard_abort => abandon_guard;
}

/// The C library's value for what has been done.
const DONE: u32 = 2;
/// The first byte of a guard is read by the compiler's own code.
const GUARD_DONE: u32 = 1;

/// Whether it is still to be run.
extern "C" fn begin(address: u64) -> u32 {
    let frame = Frame::here();
    Operation::new(Op::Once, How::Acquire, address, 0).take(frame);
    let once: &Once = look(address);
    if once.state.get() == DONE {
        return 0;
    }
    once.state.set(Once::RUNS);
    let running = &runtime().thread().runs_once;
    let Some(place) = running.all.get(running.count.get() as usize) else {
        defect::refuse(b"more than eight functions in one another that are run once");
    };
    place.set((&raw const *frame as u64, address));
    running.count.update(|count| count + 1);
    1
}

/// It has been run.
extern "C" fn end(address: u64) {
    let frame = Frame::here();
    runtime().thread().runs_once.count.update(|count| count - 1);
    Operation::new(Op::OnceDone, How::Release, address, 0).take(frame);
    look::<Once>(address).state.set(DONE);
}

/// The running thread has left everything that lies below on its stack. What it was about to run there has not been run, and the next
/// one runs it.
pub fn abandon(frame: &Frame, below: u64) {
    loop {
        let running = &runtime().thread().runs_once;
        let Some(last) = running.count.get().checked_sub(1) else { break };
        let (place, address) = running.all[last as usize].get();
        if place > below {
            break;
        }
        running.count.set(last);
        Operation::new(Op::OnceDone, How::Release, address, 0).take(frame);
        look::<Once>(address).state.set(0);
    }
}

/// An exception is caught.
extern "C" fn catch(exception: usize) -> usize {
    let frame = Frame::here();
    abandon(frame, &raw const *frame as u64);
    const NEXT: usize = usize::MAX;
    unsafe extern "C" {
        fn dlsym(handle: usize, name: *const c_char) -> *const c_void;
    }
    // SAFETY: the library of C++ has it, as a function catches an exception, and it has this type.
    let library: extern "C" fn(usize) -> usize =
        unsafe { core::mem::transmute(dlsym(NEXT, c"__cxa_begin_catch".as_ptr())) };
    library(exception)
}

extern "C" fn enter_guard(address: u64) -> i32 {
    let frame = Frame::here();
    let guard: &Once = look(address);
    if guard.state.get() & GUARD_DONE != 0 {
        return 0;
    }
    if runtime().running.get() {
        Operation::new(Op::Once, How::Acquire, address, 0).take(frame);
    }
    let guard: &Once = look(address);
    if guard.state.get() & GUARD_DONE != 0 {
        return 0;
    }
    guard.state.update(|state| state | Once::RUNS);
    1
}

extern "C" fn leave_guard(address: u64) {
    let frame = Frame::here();
    if runtime().running.get() {
        // The compiler's own code reads the first byte before it asks.
        let byte = Touch { size: 1, ..touch(address, How::Write, Space::Memory) };
        Operation::new(Op::OnceDone, How::Release, address, 0).also(byte).take(frame);
    }
    let guard: &Once = look(address);
    guard.state.update(|state| state & !Once::RUNS | GUARD_DONE);
}

extern "C" fn abandon_guard(address: u64) {
    let frame = Frame::here();
    if runtime().running.get() {
        Operation::new(Op::OnceDone, How::Release, address, 0).take(frame);
    }
    let guard: &Once = look(address);
    guard.state.update(|state| state & !Once::RUNS);
}
