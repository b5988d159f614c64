//! What is done once: `pthread_once`, `call_once` of C11, and static variables of functions in C++.

use super::context::{Frame, export};
use super::objects::{Once, change, look};
use super::schedule::Operation;
use super::state::{runtime, touch};
use crate::protocol::{How, Op, Space, Touch};

export! {
    pthread_once => once;
    call_once => once;
    __cxa_guard_acquire => enter_guard;
    __cxa_guard_release => leave_guard;
    __cxa_guard_abort => abandon_guard;
}

/// The C library's value for what has been done.
const DONE: u32 = 2;
/// The first byte of a guard is read by the compiler's own code.
const GUARD_DONE: u32 = 1;

extern "C" fn once(address: u64, function: usize) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Once, How::Acquire, address, 0).take(frame);
    let once: &mut Once = change(address);
    if once.state == DONE {
        return 0;
    }
    once.state = Once::RUNS;
    // SAFETY: the program passed it.
    let function: extern "C" fn() = unsafe { core::mem::transmute(function) };
    runtime().thread().once += 1;
    function();
    runtime().thread().once -= 1;
    Operation::new(Op::OnceDone, How::Release, address, 0).take(frame);
    let once: &mut Once = change(address);
    once.state = DONE;
    0
}

extern "C" fn enter_guard(address: u64) -> i32 {
    let frame = Frame::here();
    let guard: &Once = look(address);
    if guard.state & GUARD_DONE != 0 {
        return 0;
    }
    if runtime().running {
        Operation::new(Op::Once, How::Acquire, address, 0).take(frame);
    }
    let guard: &mut Once = change(address);
    if guard.state & GUARD_DONE != 0 {
        return 0;
    }
    guard.state |= Once::RUNS;
    1
}

extern "C" fn leave_guard(address: u64) {
    let frame = Frame::here();
    if runtime().running {
        // The compiler's own code reads the first byte before it asks.
        let byte = Touch { size: 1, ..touch(address, How::Write, Space::Memory) };
        Operation::new(Op::OnceDone, How::Release, address, 0).also(byte).take(frame);
    }
    let guard: &mut Once = change(address);
    guard.state = guard.state & !Once::RUNS | GUARD_DONE;
}

extern "C" fn abandon_guard(address: u64) {
    let frame = Frame::here();
    if runtime().running {
        Operation::new(Op::OnceDone, How::Release, address, 0).take(frame);
    }
    let guard: &mut Once = change(address);
    guard.state &= !Once::RUNS;
}
