//! Time is virtual: each thread has a clock of its own, which moves when it is looked at and when the thread sleeps. What
//! the program sees is the same for equal schedules.

use crate::protocol::{CLOCK, CLOCKS, How, Op, TIME_OF_DAY};
use crate::rt::base::errno;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::single_values;
use crate::rt::sched::state::{header, runtime};
use crate::rt::sched::timeouts;
use crate::rt::sched::timestamps;
use crate::rt::sched::virtual_clock::{
    BEGIN, MILLISECOND, SECOND, Time, UPTIME, is_time, left_until, length,
};
use crate::rt::time::alarm;

export! {
    clock_gettime => clock_gettime_now;
    gettimeofday => time_of_day;
    time => seconds;
    clock => processor_time;
    sleep => sleep_seconds;
    usleep => sleep_micros;
    nanosleep => sleep_nanos;
    clock_nanosleep => sleep_on_clock;
    sched_yield => pause;
    pthread_yield => pause;
    thrd_yield => pause;
    getpid => process;
    getppid => process;
    gettid => thread_number;
}

/// Clocks: the calendar's, and the one that never goes back. Others can be read, but no thread waits by them.
pub const REALTIME: i32 = 0;
const MONOTONIC: i32 = 1;
/// The time that the process, or the thread, has had a processor.
const OF_PROCESSOR: [i32; 2] = [2, 3];
/// Those that show the calendar's time less exactly, or with alarms.
const OF_CALENDAR: [i32; 4] = [REALTIME, 5, 8, 11];

/// With what a clock begins, in seconds.
fn beginning(clock: i32) -> u64 {
    match clock {
        _ if OF_PROCESSOR.contains(&clock) => 0,
        _ if OF_CALENDAR.contains(&clock) => BEGIN,
        _ => UPTIME,
    }
}

fn look(frame: Option<&Frame>) -> u64 {
    let runtime = runtime();
    runtime.varies.set(true);
    if !runtime.running.get() {
        return 0;
    }
    crate::rt::sched::private_memory::met(runtime, CLOCKS);
    if timeouts::are_restricted(runtime) && !runtime.alone() {
        if let Some(frame) = frame {
            Operation::new(Op::Clock, How::Read, CLOCK, 0).take_at(frame, runtime.place(frame), 0);
        }
        runtime.thread().looked();
    } else {
        let thread = runtime.thread();
        // A loop that looks at the clock does not repeat itself.
        thread.history.clear();
        if thread.move_clock() >= MILLISECOND {
            header().polled.set(1);
        }
    }
    let now = runtime.thread().clock.get();
    if alarm::left() == Some(0) {
        alarm::go_off();
    }
    now
}

extern "C" fn clock_gettime_now(clock: i32, out: *mut Time) -> i32 {
    let frame = Frame::here();
    range(frame, out as u64, size_of::<Time>() as u64, true);
    let now = if OF_PROCESSOR.contains(&clock) { look_at_processor(Some(frame)) } else { look(Some(frame)) };
    let seconds = now / SECOND + beginning(clock);
    // SAFETY: the program passes where the time goes.
    unsafe { *out = Time { seconds: seconds as i64, nanos: (now % SECOND) as i64 } };
    0
}

extern "C" fn time_of_day(out: *mut Time, _zone: usize) -> i32 {
    let frame = Frame::here();
    if !out.is_null() {
        range(frame, out as u64, size_of::<Time>() as u64, true);
        let now = look(Some(frame));
        let time = Time { seconds: (now / SECOND + BEGIN) as i64, nanos: (now % SECOND / 1000) as i64 };
        // SAFETY: as above; the second field counts microseconds here.
        unsafe { *out = time };
    }
    0
}

/// The time of day in whole seconds. Programs seed generators with it, and measure with finer clocks: so the verdict tells of it.
extern "C" fn seconds(out: *mut i64) -> i64 {
    let frame = Frame::here();
    single_values::note(frame, TIME_OF_DAY);
    if !out.is_null() {
        range(frame, out as u64, size_of::<i64>() as u64, true);
    }
    let now = (look(Some(frame)) / SECOND + BEGIN) as i64;
    if !out.is_null() {
        // SAFETY: as above.
        unsafe { *out = now };
    }
    now
}

/// The same of what counts from nothing, and looks like any number.
fn look_at_processor(frame: Option<&Frame>) -> u64 {
    if runtime().running.get() {
        timestamps::are_seen(runtime());
    }
    look(frame)
}

/// The ticks of the processor, a nanosecond each, since the machine is up.
pub extern "C" fn ticks() -> u64 {
    UPTIME * SECOND + look_at_processor(None)
}

extern "C" fn processor_time() -> i64 {
    (look_at_processor(Some(Frame::here())) / 1000) as i64
}

/// Sleeps. What is left of the time if an alarm goes off before it is over.
fn pass(frame: &Frame, nanos: u64) -> u64 {
    if !runtime().running.get() {
        return 0;
    }
    let withheld = timeouts::withholds_sleep(runtime(), nanos);
    let op = if withheld { Op::Sleep } else { Op::Pause };
    timeouts::limit_sleep(runtime(), nanos);
    Operation::new(op, How::Nothing, 0, 0).take(frame);
    timeouts::release();
    if nanos > 0
        && let Some(left) = alarm::left().filter(|left| *left <= nanos)
    {
        runtime().thread().wait(left);
        alarm::go_off();
        return nanos - left;
    }
    let thread = runtime().thread();
    if withheld {
        // It may take longer: loops that sleep come to the end of what they wait for soon.
        thread.wait_in_vain(nanos);
    } else {
        thread.wait(nanos);
    }
    0
}

/// A thread has waited in vain for so many milliseconds.
pub fn pass_millis(millis: u64) {
    runtime().thread().wait_in_vain(millis.saturating_mul(MILLISECOND));
}

extern "C" fn sleep_seconds(seconds: u32) -> u32 {
    pass(Frame::here(), u64::from(seconds) * SECOND).div_ceil(SECOND) as u32
}

extern "C" fn sleep_micros(micros: u32) -> i32 {
    match pass(Frame::here(), u64::from(micros) * 1000) {
        0 => 0,
        _ => {
            errno::set(errno::EINTR);
            -1
        }
    }
}

/// Whether one can wait by a clock.
pub fn is_waited_by(clock: i32) -> bool {
    matches!(clock, REALTIME | MONOTONIC)
}

/// What a wait until a moment comes to that was not granted at once: there is no waiting for what is no moment.
pub fn in_vain(until: usize) -> i32 {
    if is_time(until) { errno::ETIMEDOUT } else { errno::EINVAL }
}

/// The running thread has waited in vain until a moment, if one is given: its clock shows that. By which clock the moment is
/// meant, its size tells: the calendar's is far ahead of the others.
pub fn pass_until(until: usize) {
    let runtime = runtime();
    if until == 0 || !runtime.running.get() {
        return;
    }
    let left = left_until(until);
    runtime.thread().wait_in_vain(left);
}

/// The same for as long as a time says.
pub fn pass_for(time: usize) {
    runtime().thread().wait_in_vain(length(time as *const Time));
}

extern "C" fn sleep_nanos(time: *const Time, left: *mut Time) -> i32 {
    match sleep_for(Frame::here(), time, left) {
        0 => 0,
        error => {
            errno::set(error);
            -1
        }
    }
}

/// Sleeps; what is no time is an error.
pub fn sleep_for(frame: &Frame, time: *const Time, left: *mut Time) -> i32 {
    if !is_time(time as usize) {
        return errno::EINVAL;
    }
    match pass(frame, length(time)) {
        0 => 0,
        rest => {
            if !left.is_null() {
                range(frame, left as u64, size_of::<Time>() as u64, true);
                // SAFETY: the program passes where what is left goes.
                unsafe { *left = Time { seconds: (rest / SECOND) as i64, nanos: (rest % SECOND) as i64 } };
            }
            errno::EINTR
        }
    }
}

extern "C" fn sleep_on_clock(clock: i32, flags: i32, time: *const Time, _left: usize) -> i32 {
    const UNTIL: i32 = 1;
    let frame = Frame::here();
    if !is_time(time as usize) {
        return errno::EINVAL;
    }
    let mut nanos = length(time);
    if flags & UNTIL != 0 {
        nanos =
            nanos.saturating_sub(beginning(clock) * SECOND).saturating_sub(runtime().thread().clock.get());
    }
    if pass(frame, nanos) == 0 { 0 } else { errno::EINTR }
}

extern "C" fn pause() -> i32 {
    pass(Frame::here(), 0);
    0
}

pub extern "C" fn process() -> i32 {
    runtime().varies.set(true);
    4242
}

pub extern "C" fn thread_number() -> i32 {
    let runtime = runtime();
    runtime.varies.set(true);
    4242 + if runtime.running.get() { runtime.thread().slot.get() as i32 } else { 0 }
}
