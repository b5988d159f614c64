//! Alarms: `alarm`, and `setitimer` of real time without an interval.
//!
//! The clock is each thread's own, so the alarm goes off where that of a thread which has the signal unblocked passes the moment: when
//! the thread sleeps, pauses or looks at the clock. `sigwait` takes the signal where it is blocked. That a handler is called
//! anywhere else is not explored, and the driver is told so. Where no thread can move and the alarm would still go off, the
//! program is refused.

use crate::protocol::{Defect, DefectKind, Ending, How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::{Operation, finish};
use crate::rt::sched::state::{header, runtime};
use crate::rt::sched::timestamps;
use crate::rt::sched::virtual_clock::SECOND;
use crate::rt::time::signals::{self, SIGALRM};
use core::cell::Cell;

export! {
    alarm => set;
    setitimer => set_timer;
    pause => wait;
}

/// When the alarm goes off, in nanoseconds since the program began; 0 if none is set.
static MOMENT: Restored<Cell<u64>> = Restored::new(Cell::new(0));

/// Sets the alarm, or takes it back. What was left of the one before.
fn arm(nanos: u64) -> u64 {
    if !runtime().running.get() {
        defect::refuse(b"alarm before main is called");
    }
    // When it goes off depends on the clocks as they are.
    timestamps::are_seen(runtime());
    header().alarms.set(1);
    let now = runtime().thread().clock.get();
    let next = if nanos == 0 { 0 } else { now.saturating_add(nanos) };
    MOMENT.replace(next).saturating_sub(now)
}

extern "C" fn set(seconds: u32) -> u32 {
    Frame::here();
    arm(u64::from(seconds) * SECOND).div_ceil(SECOND) as u32
}

/// `struct itimerval`: the interval and the first time, in seconds and microseconds.
type Timer = [i64; 4];

extern "C" fn set_timer(which: i32, new: *const Timer, old: *mut Timer) -> i32 {
    const REAL: i32 = 0;
    Frame::here();
    // SAFETY: the program passes a timer.
    let [every_second, every_micro, seconds, micros] = unsafe { *new };
    if which != REAL || (every_second, every_micro) != (0, 0) {
        defect::refuse(b"setitimer with an interval, or of another clock than that of real time");
    }
    let left = arm(seconds as u64 * SECOND + micros as u64 * 1000);
    if !old.is_null() {
        // SAFETY: the program passes where the old one goes.
        unsafe { *old = [0, 0, (left / SECOND) as i64, (left % SECOND / 1000) as i64] };
    }
    0
}

/// How long the running thread may sleep until the alarm goes off, if it does so for this thread.
pub fn left() -> Option<u64> {
    let moment = MOMENT.get();
    (moment != 0 && signals::is_open_here(SIGALRM))
        .then(|| moment.saturating_sub(runtime().thread().clock.get()))
}

/// The alarm goes off in the running thread, whose clock has come to the moment.
pub fn go_off() {
    let thread = runtime().thread();
    thread.clock.set(thread.clock.get().max(MOMENT.take()));
    if signals::is_open_elsewhere(SIGALRM) {
        defect::refuse(b"alarm, with several threads that have SIGALRM unblocked");
    }
    if !signals::handle_here(SIGALRM) {
        defect::note(runtime(), DefectKind::Signal, b"");
        defect::amend(|defect| Defect { number: SIGALRM, ..defect });
        finish(Ending::Failed);
    }
}

extern "C" fn wait() -> i32 {
    let frame = Frame::here();
    if !runtime().running.get() {
        defect::refuse(b"pause");
    }
    if left().is_some() {
        Operation::new(Op::Pause, How::Nothing, 0, 0).take(frame);
        go_off();
    } else {
        signals::wait_in_vain(frame);
    }
    errno::set(errno::EINTR);
    -1
}

/// Whether the alarm is set, so that a thread that waits for its signal need not wait for ever; it is taken back.
pub fn take() -> bool {
    let moment = MOMENT.take();
    let thread = runtime().thread();
    thread.clock.set(thread.clock.get().max(moment));
    moment != 0
}

/// Whether the alarm is set.
pub fn is_set() -> bool {
    MOMENT.get() != 0
}

/// No thread can move. A handler may change that, and no thread gives it the occasion.
pub fn is_missed() -> bool {
    is_set() && signals::has_handler(SIGALRM)
}
