//! The virtual clock of each thread, and times as programs pass them.

use crate::rt::sched::state::{Thread, runtime};

/// When programs begin: the first second of 2020.
pub const BEGIN: u64 = 1_577_836_800;
/// How long the machine has been up by then, in seconds: no number that a program counts to by itself, and milliseconds fit an `int`.
pub const UPTIME: u64 = 500_009;
pub const SECOND: u64 = 1_000_000_000;
/// A thousandth of it.
pub const MILLISECOND: u64 = 1_000_000;
/// What a second look at the clock takes. The next one takes twice as long, up to so many times, until the thread sleeps: a thread that
/// waits for a moment by looking again and again comes to it soon. The first look takes no time, so that a thread that looks, and waits for
/// a second, looks again a second later.
const LOOK: u64 = 1_000;
const DOUBLINGS: u32 = 17;

/// Waits in vain, for parts of a second, after which a thread's further ones take until a second is full: what it works out anew for
/// each of them is then the same but for the second.
const EXACT: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Time {
    pub seconds: i64,
    pub nanos: i64,
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
    pub fn wait(&self, nanos: u64) {
        self.clock.set(self.clock.get().saturating_add(nanos));
        if nanos > 0 {
            self.looks.set(0);
            self.in_a_row.set(0);
        }
    }

    /// The thread has waited for so long, in vain.
    pub fn wait_in_vain(&self, nanos: u64) {
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

/// Whether what is at that address is a time. A thread that adds to the nanoseconds and carries nothing has none, and does not wait.
pub fn is_time(at: usize) -> bool {
    // SAFETY: the program passes a time.
    let nanos = unsafe { (*(at as *const Time)).nanos };
    (0..SECOND as i64).contains(&nanos)
}

/// How long it is until a moment, by the running thread's clock.
pub fn left_until(until: usize) -> u64 {
    let moment = length(until as *const Time);
    let begin = if moment >= BEGIN * SECOND { BEGIN } else { UPTIME } * SECOND;
    moment.saturating_sub(begin).saturating_sub(runtime().thread().clock.get())
}

/// The nanoseconds of a time that the program passes.
pub fn length(time: *const Time) -> u64 {
    // SAFETY: the program passes a time.
    let time = unsafe { *time };
    (time.seconds as u64).saturating_mul(SECOND).saturating_add(time.nanos as u64)
}
