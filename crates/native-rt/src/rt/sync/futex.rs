//! `syscall`: futexes, on which the C++ library builds waiting for atomic values and futures, and what else is harmless.

use crate::protocol::{How, Op, Space};
use crate::rt::base::errno;
use crate::rt::base::syscalls;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::{Operation, take_again};
use crate::rt::sched::state::{Waits, runtime, touch};

export! {
    syscall => system_call;
}

const FUTEX: usize = 202;
const GETPID: usize = 39;
const GETTID: usize = 186;
const SCHED_YIELD: usize = 24;
/// Calls that neither block nor give what differs from run to run.
const HARMLESS: [usize; 3] = [GETPID, SCHED_YIELD, 1];

const WAIT: usize = 0;
const WAKE: usize = 1;
const WAIT_BITS: usize = 9;
const WAKE_BITS: usize = 10;
/// Private, and by the clock.
const FLAGS: usize = 128 | 256;

extern "C" fn system_call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize {
    let frame = Frame::here();
    if number == FUTEX && runtime().running.get() {
        return match b & !FLAGS {
            WAIT | WAIT_BITS => wait(frame, a as u64, c as u32, d, b & !FLAGS == WAIT_BITS),
            WAKE | WAKE_BITS => wake(frame, a as u64, c as u32),
            _ => defect::refuse(b"syscall(SYS_futex) with an operation other than wait and wake"),
        };
    }
    if number == GETTID {
        // All threads are one to the system.
        return crate::rt::time::clocks::thread_number() as isize;
    }
    if runtime().running.get() && !HARMLESS.contains(&number) {
        defect::refuse(b"syscall with another number than that of futexes");
    }
    // SAFETY: what the program asks for.
    let result = unsafe { syscalls::call(number, [a, b, c, d, e, 0]) };
    if result < 0 {
        errno::set(-result as i32);
        return -1;
    }
    result
}

/// Waits as long as the word has that value; if `until` points to a time, not longer: for that long, or until then.
fn wait(frame: &Frame, word: u64, value: u32, until: usize, absolute: bool) -> isize {
    let timed = until != 0;
    let queue = touch(word, How::Write, Space::Object);
    let sleeps = touch(runtime().thread().base.get() as u64, How::Write, Space::Wake);
    Operation::new(Op::FutexWait, How::Read, word, 4).also(queue).also(sleeps).take(frame);
    // SAFETY: the program passes a word.
    if unsafe { *(word as *const u32) } != value {
        errno::set(errno::EAGAIN);
        return -1;
    }
    if timed && absolute {
        crate::rt::sched::timeouts::withhold_until(until);
    } else if timed {
        crate::rt::sched::timeouts::withhold(crate::rt::sched::virtual_clock::length(
            until as *const crate::rt::sched::virtual_clock::Time,
        ));
    }
    let runtime = runtime();
    runtime.tickets.update(|tickets| tickets + 1);
    let ticket = runtime.tickets.get();
    let thread = runtime.thread();
    thread.waits.set(Waits::Futex);
    thread.woken.set(false);
    thread.timed.set(timed);
    thread.on.set(word);
    thread.ticket.set(ticket);
    // The thread that wakes it notices, so that it does not look in vain even if it finds the word as it was.
    thread.history.clear();
    take_again();
    thread.waits.set(Waits::No);
    let woken = thread.woken.get();
    crate::rt::sched::timeouts::release();
    if woken {
        return 0;
    }
    if absolute {
        crate::rt::time::clocks::pass_until(until);
    } else {
        crate::rt::time::clocks::pass_for(until);
    }
    errno::set(errno::ETIMEDOUT);
    -1
}

fn wake(frame: &Frame, word: u64, most: u32) -> isize {
    runtime().thread().on.set(u64::from(most));
    Operation::new(Op::FutexWake, How::Write, word, 0).take(frame);
    let runtime = runtime();
    let mut woken = 0;
    while woken < most
        && let Some(waiter) = runtime.waiter(Waits::Futex, word, 0)
    {
        runtime.wake(waiter);
        woken += 1;
    }
    woken as isize
}
