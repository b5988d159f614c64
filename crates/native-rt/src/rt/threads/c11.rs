//! Threads of C11, as far as they differ from those of POSIX.

use crate::protocol::Op;
use crate::rt::base::errno;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sync::condition;
use crate::rt::sync::mutex;
use crate::rt::threads::lifecycle;
use crate::rt::time::clocks;

export! {
    thrd_create => create;
    thrd_join => join;
    thrd_sleep => sleep;
    mtx_init => initialise;
    mtx_lock => lock;
    mtx_trylock => try_lock;
    mtx_timedlock => timed_lock;
    mtx_unlock => unlock;
    mtx_destroy => ignore;
    cnd_init => initialise_condition;
    cnd_wait => wait;
    cnd_timedwait => timed_wait;
    cnd_signal => signal;
    cnd_broadcast => broadcast;
    cnd_destroy => ignore;
    tss_create => create_key;
}

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;
const RECURSIVE: i32 = 1;

fn result(number: i32) -> i32 {
    match number {
        0 => SUCCESS,
        errno::EBUSY => BUSY,
        errno::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

extern "C" fn create(handle: *mut u64, start: usize, argument: usize) -> i32 {
    result(lifecycle::begin_thread(Frame::here(), handle, core::ptr::null(), start, argument, true))
}

extern "C" fn join(handle: u64, out: *mut i32) -> i32 {
    let frame = Frame::here();
    match lifecycle::join_with(frame, handle, Op::Join, 0) {
        Ok(value) => {
            if !out.is_null() {
                range(frame, out as u64, size_of::<i32>() as u64, true);
                // SAFETY: the program passes where the result goes.
                unsafe { *out = value as i32 };
            }
            SUCCESS
        }
        Err(error) => result(error),
    }
}

extern "C" fn sleep(
    length: *const crate::rt::sched::virtual_clock::Time,
    left: *mut crate::rt::sched::virtual_clock::Time,
) -> i32 {
    const FAILED: i32 = -2;
    const INTERRUPTED: i32 = -1;
    match clocks::sleep_for(Frame::here(), length, left) {
        0 => 0,
        errno::EINTR => INTERRUPTED,
        _ => FAILED,
    }
}

extern "C" fn initialise(address: u64, kind: i32) -> i32 {
    mutex::make_kind(Frame::here(), address, kind & RECURSIVE != 0);
    SUCCESS
}

extern "C" fn lock(address: u64) -> i32 {
    result(mutex::take_lock(Frame::here(), address))
}

extern "C" fn try_lock(address: u64) -> i32 {
    result(mutex::try_to_lock(Frame::here(), address, Op::TryLock, errno::EBUSY))
}

extern "C" fn timed_lock(address: u64, until: usize) -> i32 {
    result(mutex::timed(Frame::here(), address, until))
}

extern "C" fn unlock(address: u64) -> i32 {
    result(mutex::give_back(Frame::here(), address))
}

/// What is destroyed has no result to speak of, and no state that another function would miss.
extern "C" fn ignore(_address: u64) {}

extern "C" fn initialise_condition(address: u64) -> i32 {
    condition::initialise(address, core::ptr::null())
}

extern "C" fn wait(address: u64, mutex: u64) -> i32 {
    result(condition::wait_on(Frame::here(), address, mutex, 0))
}

extern "C" fn timed_wait(address: u64, mutex: u64, until: usize) -> i32 {
    result(condition::wait_on(Frame::here(), address, mutex, until))
}

extern "C" fn signal(address: u64) -> i32 {
    result(condition::signal(address))
}

extern "C" fn broadcast(address: u64) -> i32 {
    result(condition::broadcast(address))
}

extern "C" fn create_key(key: *mut u32, destructor: usize) -> i32 {
    result(crate::rt::threads::keys::create(key, destructor))
}
