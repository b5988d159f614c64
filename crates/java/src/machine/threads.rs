//! Threads and their frames.

use super::Pending;
use crate::class::{ClassId, MethodId};
use crate::memory::{Ref, Stack};
use sojourner_program::ThreadId;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// It waits until another thread has ended.
    Joining(Ref),
    /// It waits until another thread has initialised a class.
    Initialising(ClassId),
    /// The main thread has left `main` and waits for the other non-daemon threads.
    Leaving,
    /// It is over.
    Finished,
}

/// Why a thread that had been waiting goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Woken {
    /// It was notified, or unparked.
    Notified,
    /// Its time was up.
    TimedOut,
    /// It was interrupted.
    Interrupted,
}

/// How a thread stands: all of it that is not on its stack. Whoever changes it goes through `Machine::standing`, which
/// can take the change back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// What it is doing.
    pub status: Status,
    /// Why it goes on, if it had been waiting and the native that waits has not seen it yet.
    pub woken: Option<Woken>,
    /// Whether the next `park` returns at once.
    pub permit: bool,
    /// Whether its stack has overflowed and the error is on its way.
    pub overflowing: bool,
    /// Whether it has given up its turn.
    pub gives_way: bool,
    /// Whether it is held up until another thread lets it go on: `Thread.suspend`.
    pub suspended: bool,
    /// Whether another thread has told it to stop, and it has not thrown `ThreadDeath` yet.
    pub stopped: bool,
    /// How often it had entered the monitor that it waits on.
    pub entries: u32,
    /// How many atomic sections it is in: while it can run, no other thread does.
    pub atomic: u32,
    /// When it began to wait: threads are notified in this order.
    pub since: u64,
    /// How many threads it has started.
    pub children: u32,
    /// How many of its objects have been asked for their identity hash codes.
    pub hashes: u32,
    /// How many of its generators of random numbers have been given a seed. It is no part of the state: one seed is as good as
    /// another, and the verdict says that only one was explored.
    pub generators: u32,
    /// How many objects it has allocated, if they have names: see `explore::footprint`.
    pub allocated: u64,
    /// The number of outcomes of the data choice that it stands before; 0 if it stands before none.
    pub outcomes: u32,
    /// Whether nobody else can come before the outcome of the data choice.
    pub urgent: bool,
    /// The frame of the method of `java.util.concurrent` that it is in the middle of, plus one: see `explore::visible`.
    pub region: u32,
    /// Whether it seems to wait in a loop, and what stands for its frames where it has come round last: see
    /// `explore::transition`.
    pub spins: bool,
    pub round: u64,
    /// Counts down from when it was told the same time as before because others got on: see `explore::clock`.
    pub polls: u8,
    /// Whether it is left alone because it has gone round in vain, what stands for all that it had to itself where it may come
    /// back to, and how often it has jumped back since it changed something: see `explore::rounds`.
    pub rests: bool,
    pub lap: u64,
    pub laps: u32,
    /// What it is about to do, as far as others can notice it.
    pub pending: Pending,
    /// Whether it has thrown what it does not catch, and that has been told of.
    pub told: bool,
    /// Whether it is over and no other thread has waited for that: see `Machine::look_around`.
    pub unseen: bool,
    /// The first thread that has waited for its end, by machine number: see `explore::guards`.
    pub heir: Option<u32>,
}

impl Standing {
    /// A thread that has not done anything.
    pub const NEW: Standing = Standing {
        status: Status::Runnable,
        woken: None,
        permit: false,
        overflowing: false,
        gives_way: false,
        suspended: false,
        stopped: false,
        entries: 0,
        atomic: 0,
        since: 0,
        children: 0,
        hashes: 0,
        generators: 0,
        allocated: 0,
        outcomes: 0,
        urgent: false,
        region: 0,
        spins: false,
        round: 0,
        polls: 0,
        rests: false,
        lap: 0,
        laps: 0,
        pending: Pending::NOTHING,
        told: false,
        unseen: false,
        heir: None,
    };
}

/// A thread.
pub struct Thread {
    /// The instance of `java.lang.Thread`.
    pub object: Ref,
    /// Who it is, for schedules.
    pub id: ThreadId,
    /// 64 bits that stand for who it is, on every machine.
    pub print: u64,
    /// Its slots.
    pub stack: Stack,
    /// Its frames, the oldest first.
    pub frames: Vec<Frame>,
    /// Whether the program ends without it.
    pub daemon: bool,
    /// A number that frames and slots have had to themselves since they last changed.
    pub version: u64,
    /// How many transitions could be taken back when they did.
    pub moved_at: usize,
    standing: Standing,
    /// The transition that has changed how it stands last, see `Undo`.
    touched: u64,
}

impl std::ops::Deref for Thread {
    type Target = Standing;

    #[inline(always)]
    fn deref(&self) -> &Standing {
        &self.standing
    }
}

impl Thread {
    /// A thread that has not done anything.
    pub fn new(object: Ref, (id, print): (ThreadId, u64), stack: Stack, daemon: bool) -> Thread {
        Thread {
            object,
            id,
            print,
            stack,
            frames: Vec::new(),
            daemon,
            version: 0,
            moved_at: 0,
            standing: Standing::NEW,
            touched: 0,
        }
    }

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

    /// How it stands, to be changed in the transition of that number. How it stood before and since when is kept, unless
    /// that has been done.
    #[inline]
    pub(super) fn standing(&mut self, transition: u64, keep: impl FnOnce(&Standing, u64)) -> &mut Standing {
        if self.touched != transition {
            keep(&self.standing, self.touched);
            self.touched = transition;
        }
        &mut self.standing
    }

    /// The transition that has changed how it stands, which no other has: if it is the same, so is how it stands.
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    /// Stands again as it did since a transition.
    pub(super) fn restore(&mut self, standing: Standing, touched: u64) {
        self.standing = standing;
        self.touched = touched;
    }
}
