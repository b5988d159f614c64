//! Threads and their frames.

use crate::class::{ClassId, MethodId};
use crate::memory::{Ref, Stack};

/// What happens in the caller when a frame is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// It goes on behind the call, with the result in the callee's first register.
    Next,
    /// It executes its instruction again: the frame was not a call of the program's.
    Again,
}

/// A call that has not returned.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The method.
    pub method: MethodId,
    /// The instruction that is executed, or whose call is.
    pub pc: u32,
    /// The slot of its first register.
    pub base: u32,
    /// The object whose monitor is given back at the end.
    pub lock: Ref,
    /// What its caller does afterwards.
    pub resume: Resume,
}

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can run.
    Runnable,
    /// It waits for a monitor.
    Entering(Ref),
    /// It waits to be notified.
    Waiting {
        /// The object.
        on: Ref,
        /// When it gives up, in nanoseconds of virtual time.
        until: Option<i64>,
    },
    /// It is parked.
    Parked {
        /// When it gives up.
        until: Option<i64>,
    },
    /// It sleeps.
    Sleeping {
        /// When it wakes up.
        until: i64,
    },
    /// It waits until another thread has initialised a class.
    Initialising(ClassId),
    /// The main thread has left `main` and waits for the other non-daemon threads.
    Leaving,
    /// It is over.
    Finished,
}

/// Why a thread that had been waiting goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// It was notified, or unparked.
    Notified,
    /// Its time was up.
    TimedOut,
    /// It was interrupted.
    Interrupted,
}

/// A thread.
pub struct Thread {
    /// The instance of `java.lang.Thread`.
    pub object: Ref,
    /// Its slots.
    pub stack: Stack,
    /// Its frames, the oldest first.
    pub frames: Vec<Frame>,
    /// What it is doing.
    pub status: Status,
    /// Why it goes on, if it had been waiting and the native that waits has not seen it yet.
    pub woken: Option<Woken>,
    /// Whether the next `park` returns at once.
    pub permit: bool,
    /// How often it had entered the monitor that it waits on.
    pub entries: u32,
    /// Whether the program ends without it.
    pub daemon: bool,
    /// Whether its stack has overflowed and the error is on its way.
    pub overflowing: bool,
    /// How many atomic sections it is in: while it can run, no other thread does.
    pub atomic: u32,
    /// Whether it has given up its turn.
    pub gives_way: bool,
    /// When it began to wait: threads are notified in this order.
    pub since: u64,
}

impl Thread {
    /// The frame on top.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    /// The frame on top, to be changed.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }
}
