//! Semaphores and barriers.

use crate::protocol::{How, Op, Space};
use crate::rt::base::errno;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{Barrier, DESTROYED, Semaphore, look};
use crate::rt::sched::schedule::{Operation, take_again};
use crate::rt::sched::state::{Waits, runtime, touch};
use crate::rt::sched::timeouts;
use crate::rt::sched::virtual_clock;
use crate::rt::time::clocks;

export! {
    sem_init => initialise;
    sem_destroy => destroy;
    sem_wait => wait;
    sem_trywait => try_wait;
    sem_timedwait => timed_wait;
    sem_clockwait => clock_wait;
    sem_post => post;
    sem_getvalue => value;
    pthread_barrier_init => barrier_initialise;
    pthread_barrier_destroy => barrier_destroy;
    pthread_barrier_wait => barrier_wait;
}

fn sound(address: u64, what: &'static [u8]) -> &'static Semaphore {
    let semaphore: &Semaphore = look(address);
    if semaphore.destroyed.get() == DESTROYED {
        defect::misuse(address, &[what, b" a semaphore that has been destroyed"]);
    }
    look(address)
}

extern "C" fn initialise(address: u64, _shared: i32, value: u32) -> i32 {
    let frame = Frame::here();
    if value > i32::MAX as u32 {
        errno::set(errno::EINVAL);
        return -1;
    }
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    look::<Semaphore>(address).make(value);
    0
}

extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    sound(address, b"destroys").destroyed.set(DESTROYED);
    0
}

extern "C" fn wait(address: u64) -> i32 {
    let frame = Frame::here();
    sound(address, b"takes from");
    Operation::new(Op::SemWait, How::Acquire, address, 0).take(frame);
    sound(address, b"takes from").value.update(|value| value - 1);
    0
}

extern "C" fn try_wait(address: u64) -> i32 {
    try_to_take(Frame::here(), address, Op::SemTry, errno::EAGAIN)
}

extern "C" fn timed_wait(address: u64, until: usize) -> i32 {
    take_until(Frame::here(), address, clocks::REALTIME, until)
}

extern "C" fn clock_wait(address: u64, clock: i32, until: usize) -> i32 {
    take_until(Frame::here(), address, clock, until)
}

fn take_until(frame: &Frame, address: u64, clock: i32, until: usize) -> i32 {
    if !clocks::is_waited_by(clock) || !virtual_clock::is_time(until) {
        errno::set(errno::EINVAL);
        return -1;
    }
    timeouts::withhold_until(until);
    let result = try_to_take(frame, address, Op::SemTimed, errno::ETIMEDOUT);
    timeouts::release();
    if result != 0 {
        clocks::pass_until(until);
    }
    result
}

fn try_to_take(frame: &Frame, address: u64, op: Op, failure: i32) -> i32 {
    sound(address, b"takes from");
    Operation::new(op, How::Write, address, 0).take(frame);
    let semaphore = sound(address, b"takes from");
    if semaphore.value.get() == 0 {
        errno::set(failure);
        return -1;
    }
    crate::rt::sched::spin_loops::changed();
    crate::rt::sched::races::gained(address);
    semaphore.value.update(|value| value - 1);
    0
}

extern "C" fn post(address: u64) -> i32 {
    let frame = Frame::here();
    sound(address, b"posts");
    // Whether a thread could have taken from it before is decided in every state, see `offer::touches`.
    Operation::new(Op::SemPost, How::Release, address, 0).take(frame);
    let semaphore = sound(address, b"posts");
    if semaphore.value.get() >= i32::MAX as u32 {
        errno::set(errno::EOVERFLOW);
        return -1;
    }
    semaphore.value.update(|value| value + 1);
    0
}

extern "C" fn value(address: u64, out: *mut i32) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::SemLook, How::Read, address, 0).take(frame);
    let value = sound(address, b"looks at").value.get() as i32;
    range(frame, out as u64, size_of::<i32>() as u64, true);
    // SAFETY: the program passes where the value goes.
    unsafe { *out = value };
    0
}

const SERIAL_THREAD: i32 = -1;

extern "C" fn barrier_initialise(address: u64, _attribute: usize, needed: u32) -> i32 {
    let frame = Frame::here();
    if needed == 0 {
        return errno::EINVAL;
    }
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    look::<Barrier>(address).make(needed);
    0
}

extern "C" fn barrier_destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    let barrier: &Barrier = look(address);
    if barrier.arrived.get() > 0 {
        defect::misuse(address, &[b"destroys a barrier that threads wait at"]);
    }
    barrier.destroyed.set(DESTROYED);
    0
}

extern "C" fn barrier_wait(address: u64) -> i32 {
    let frame = Frame::here();
    let barrier: &Barrier = look(address);
    if barrier.destroyed.get() == DESTROYED {
        defect::misuse(address, &[b"waits at a barrier that has been destroyed"]);
    }
    if barrier.needed.get() == 0 {
        defect::misuse(address, &[b"waits at a barrier that has not been initialised"]);
    }
    let sleeps = touch(runtime().thread().base.get() as u64, How::Write, Space::Wake);
    Operation::new(Op::Arrive, How::Write, address, 0).also(sleeps).take(frame);
    let runtime = runtime();
    let barrier: &Barrier = look(address);
    if barrier.is_last() {
        barrier.arrived.set(0);
        while let Some(waiter) = runtime.waiter(Waits::Barrier, address, 0) {
            runtime.wake(waiter);
        }
        return SERIAL_THREAD;
    }
    barrier.arrived.update(|arrived| arrived + 1);
    runtime.tickets.update(|tickets| tickets + 1);
    let ticket = runtime.tickets.get();
    let thread = runtime.thread();
    thread.waits.set(Waits::Barrier);
    thread.woken.set(false);
    thread.timed.set(false);
    thread.on.set(address);
    thread.ticket.set(ticket);
    take_again();
    thread.waits.set(Waits::No);
    0
}
