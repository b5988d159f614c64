//! Time is virtual: each thread has a clock of its own, which moves when it is looked at and when the thread sleeps. What
//! the program sees is the same for equal schedules.

use super::alarm;
use super::context::{Frame, export};
use super::dates;
use super::errno;
use super::hooks::range;
use super::schedule::Operation;
use super::state::{Thread, header, runtime};
use super::timeouts;
use crate::protocol::{CLOCK, CLOCKS, How, Op};

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

/// When programs begin: the first second of 2020.
pub const BEGIN: u64 = 1_577_836_800;
/// How long the machine has been up by then, in seconds: no number that a program counts to by itself, and milliseconds fit an `int`.
pub const UPTIME: u64 = 500_009;
pub const SECOND: u64 = 1_000_000_000;
/// A thousandth of it.
pub const MILLISECOND: u64 = 1_000_000;
/// What a second look at the clock takes. The next one takes twice as long, up to so many times, until the thread sleeps: who waits
/// for a moment by looking again and again comes to it soon. The first look takes no time, so that whoever looks, and waits for
/// a second, looks again a second later.
const LOOK: u64 = 1_000;
const DOUBLINGS: u32 = 17;

/// Clocks: the calendar's, and the one that never goes back. Others can be looked at; nobody waits by them.
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

/// Waits in vain, for parts of a second, after which a thread's further ones take until a second is full: what it works out anew for
/// each of them is then the same but for the second.
const EXACT: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Time {
    seconds: i64,
    nanos: i64,
}

fn look(frame: Option<&Frame>) -> u64 {
    let runtime = runtime();
    runtime.varies.set(true);
    if !runtime.running.get() {
        return 0;
    }
    super::private::met(runtime, CLOCKS);
    if timeouts::are_restricted(runtime) && !runtime.alone() {
        if let Some(frame) = frame {
            Operation::new(Op::Clock, How::Read, CLOCK, 0).take_at(frame, runtime.place(frame), 0);
        }
        runtime.thread().looked();
    } else {
        let thread = runtime.thread();
        // A loop that looks at the clock does not repeat itself.
        thread.anchors.clear();
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

extern "C" fn seconds(out: *mut i64) -> i64 {
    let frame = Frame::here();
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
        dates::are_seen(runtime());
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

impl Thread {
    /// The thread looks at its clock, which moves, the more the oftener it looks. By how much.
    pub fn move_clock(&self) -> u64 {
        let passes = if self.looks.get() > 0 { LOOK << (self.looks.get() - 1) } else { 0 };
        self.clock.update(|clock| clock + passes);
        self.looks.set((self.looks.get() + 1).min(DOUBLINGS + 1));
        passes
    }

    /// The thread has slept for so long.
    fn wait(&self, nanos: u64) {
        self.clock.set(self.clock.get().saturating_add(nanos));
        if nanos > 0 {
            self.looks.set(0);
            self.in_a_row.set(0);
        }
    }

    /// The thread has waited for so long, in vain.
    fn wait_in_vain(&self, nanos: u64) {
        self.wait(nanos);
        if nanos.is_multiple_of(SECOND) {
            return;
        }
        self.in_vain.set((self.in_vain.get() + 1).min(EXACT + 1));
        if self.in_vain.get() > EXACT {
            self.clock.set(self.clock.get().next_multiple_of(SECOND));
        }
    }
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

/// Whether what is at that address is a time. Who adds to the nanoseconds and carries nothing has none, and does not wait.
pub fn is_time(at: usize) -> bool {
    // SAFETY: the program passes a time.
    let nanos = unsafe { (*(at as *const Time)).nanos };
    (0..SECOND as i64).contains(&nanos)
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

/// How long it is until a moment, by the running thread's clock.
pub fn left_until(until: usize) -> u64 {
    let moment = length(until as *const Time);
    let begin = if moment >= BEGIN * SECOND { BEGIN } else { UPTIME } * SECOND;
    moment.saturating_sub(begin).saturating_sub(runtime().thread().clock.get())
}

/// The same for as long as a time says.
pub fn pass_for(time: usize) {
    runtime().thread().wait_in_vain(length(time as *const Time));
}

pub fn length(time: *const Time) -> u64 {
    // SAFETY: the program passes a time.
    let time = unsafe { *time };
    (time.seconds as u64).saturating_mul(SECOND).saturating_add(time.nanos as u64)
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
