//! Condition variables.
//!
//! A wait is two steps: the thread gives the mutex back and waits; when it has been woken, it takes the mutex. One with
//! a time-out may give up at any moment; that it does, or was woken before, is a step of its own, and then it takes the mutex.

use crate::protocol::{How, NO_VALUE, Op, Space};
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{Condition, DESTROYED, Mutex, look};
use crate::rt::sched::schedule::{Operation, take_again};
use crate::rt::sched::state::{Waits, runtime, touch};
use crate::rt::sched::timeouts;
use crate::rt::sched::virtual_clock;
use crate::rt::time::clocks;

export! {
    pthread_cond_init => initialise;
    pthread_cond_destroy => destroy;
    pthread_cond_wait => wait;
    pthread_cond_timedwait => timed_wait;
    pthread_cond_clockwait => clock_wait;
    pthread_cond_signal => signal;
    pthread_cond_broadcast => broadcast;
}

fn sound(address: u64, what: &'static [u8]) {
    let condition: &Condition = look(address);
    if condition.destroyed.get() == DESTROYED {
        defect::misuse(address, &[what, b" a condition variable that has been destroyed"]);
    }
}

pub extern "C" fn initialise(address: u64, _attribute: *const u32) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    look::<Condition>(address).make();
    0
}

pub extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    sound(address, b"destroys");
    if runtime().waiters(Waits::Condition, address) > 0 {
        defect::misuse(address, &[b"destroys a condition variable that a thread waits on"]);
    }
    let condition: &Condition = look(address);
    condition.destroyed.set(DESTROYED);
    0
}

pub extern "C" fn wait(condition: u64, mutex: u64) -> i32 {
    wait_on(Frame::here(), condition, mutex, 0)
}

pub extern "C" fn timed_wait(condition: u64, mutex: u64, until: usize) -> i32 {
    wait_on(Frame::here(), condition, mutex, until)
}

extern "C" fn clock_wait(condition: u64, mutex: u64, clock: i32, until: usize) -> i32 {
    if !clocks::is_waited_by(clock) {
        return errno::EINVAL;
    }
    wait_on(Frame::here(), condition, mutex, until)
}

/// Waits; if `until` points to a moment, not longer.
pub fn wait_on(frame: &Frame, condition: u64, mutex: u64, until: usize) -> i32 {
    let timed = until != 0;
    if timed && !virtual_clock::is_time(until) {
        return errno::EINVAL;
    }
    sound(condition, b"waits on");
    let held: &Mutex = look(mutex);
    if !held.is_sound() || held.holder() != runtime().current.get() {
        defect::misuse(condition, &[b"waits on a condition variable without holding the mutex"]);
    }
    let gives = touch(mutex, How::Release, Space::Object);
    let sleeps = touch(runtime().thread().base.get() as u64, How::Write, Space::Wake);
    Operation::new(Op::Wait, How::Write, condition, 0).also(gives).also(sleeps).take(frame);
    let first = runtime().waiter(Waits::Condition, condition, 0);
    if first.is_some_and(|waiter| runtime().table[waiter as usize].mutex.get() != mutex) {
        defect::misuse(
            condition,
            &[b"waits on a condition variable with another mutex than who waits already"],
        );
    }
    let held: &Mutex = look(mutex);
    let depth = held.count.get();
    crate::rt::sched::spin_loops::turn(mutex, -i64::from(depth));
    crate::rt::sched::locksets::gave_back(mutex);
    held.take_back();
    crate::rt::sync::robust::given_back(held);
    if timed {
        timeouts::withhold_until(until);
    }
    let runtime = runtime();
    runtime.tickets.update(|tickets| tickets + 1);
    let ticket = runtime.tickets.get();
    let thread = runtime.thread();
    thread.waits.set(Waits::Condition);
    thread.woken.set(false);
    thread.timed.set(timed);
    thread.on.set(condition);
    thread.mutex.set(mutex);
    thread.ticket.set(ticket);
    take_again();
    let own = runtime.current.get();
    thread.waits.set(Waits::No);
    let woken = thread.woken.get();
    let withheld = thread.withheld.get();
    timeouts::release();
    if !woken {
        clocks::pass_until(until);
    }
    if timed && !(woken && withheld) {
        Operation::new(Op::Relock, How::Acquire, mutex, 0).take(frame);
    }
    let held: &Mutex = look(mutex);
    if held.health.get() == Mutex::LOST {
        return errno::ENOTRECOVERABLE;
    }
    held.give(own);
    held.count.set(depth);
    crate::rt::sched::spin_loops::turn(mutex, i64::from(depth));
    crate::rt::sched::locksets::took(mutex);
    match crate::rt::sync::robust::taken(held) {
        0 if !woken => errno::ETIMEDOUT,
        told => told,
    }
}

pub extern "C" fn signal(condition: u64) -> i32 {
    let frame = Frame::here();
    sound(condition, b"signals");
    let runtime = runtime();
    if runtime.settings.get().signal_any != 0 && runtime.waiters(Waits::Condition, condition) > 62 {
        defect::refuse(b"pthread_cond_signal with more than 62 waiters (--signal fifo wakes the one that has waited longest)");
    }
    let value = Operation::new(Op::Signal, How::Write, condition, 0).take(frame);
    let nth = if value == NO_VALUE { 0 } else { value };
    if let Some(waiter) = runtime.waiter(Waits::Condition, condition, nth) {
        runtime.wake(waiter);
    }
    0
}

pub extern "C" fn broadcast(condition: u64) -> i32 {
    let frame = Frame::here();
    sound(condition, b"broadcasts");
    Operation::new(Op::Broadcast, How::Write, condition, 0).take(frame);
    let runtime = runtime();
    while let Some(waiter) = runtime.waiter(Waits::Condition, condition, 0) {
        runtime.wake(waiter);
    }
    0
}
