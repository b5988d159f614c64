//! Threads and their frames.

use super::operation::Operation;
use crate::machine::class::{ClassId, MethodId};
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

/// The state of a thread: all of it that is not on its stack. It is changed through `Machine::state_mut`, so that the change can be
/// taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// What it is doing.
    pub status: Status,
    /// Why its wait is over, if the native method that waits has not seen that yet.
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
    /// How many of its generators of random numbers have been given a seed. This number is no part of a state that a search
    /// sees: one seed is as good as another, and the verdict says that only one was explored.
    pub generators: u32,
    /// How many objects it has allocated, if objects have names: see `visible::footprint`.
    pub allocated: u64,
    /// The number of outcomes of the data choice that it stands before; 0 if it stands before none.
    pub outcomes: u32,
    /// Whether no other thread can come before the outcome of the data choice.
    pub urgent: bool,
    /// The frame of the method of `java.util.concurrent` that it is in the middle of, plus one: see `visible::regions`.
    pub region: u32,
    /// Whether it seems to wait in a loop: see `explore::transition`.
    pub spins: bool,
    /// A hash of its frames where it has come round that loop last.
    pub spin_frames: u64,
    /// Counts down after a question for the time that got the same answer as before, because other threads got on: see
    /// `visible::polling`.
    pub polls: u8,
    /// Whether it stays in a loop for good because it has gone round in vain: see `explore::spin_loops`.
    pub stays_in_loop: bool,
    /// A hash of all that it had to itself at the place that it may come back to.
    pub loop_start: u64,
    /// How often it has jumped back since it changed something.
    pub loop_jumps: u32,
    /// The visible operation that it stands before.
    pub pending: Operation,
    /// Whether its uncaught exception was reported.
    pub reported: bool,
    /// Whether it has ended and no other thread has waited for that: see `Machine::update_scheduling`.
    pub end_unobserved: bool,
    /// The first thread that has waited for its end, by number: see `visible::guards`.
    pub heir: Option<u32>,
}

impl ThreadState {
    /// A thread that has not done anything.
    pub const NEW: ThreadState = ThreadState {
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
        spin_frames: 0,
        polls: 0,
        stays_in_loop: false,
        loop_start: 0,
        loop_jumps: 0,
        pending: Operation::NOTHING,
        reported: false,
        end_unobserved: false,
        heir: None,
    };
}

/// The threads of a program, by number.
pub(crate) struct Threads {
    /// Those that have been made. A number is never given twice in an execution.
    pub list: Vec<Thread>,
    /// The number of threads that have been started and have not ended.
    pub alive: usize,
    /// The number of waits so far: threads are notified in the order in which they began to wait.
    pub waits: u64,
    /// How many threads without a name have been made.
    pub named: u32,
    /// How many threads have been made at all.
    pub made: u32,
    /// The transition in which a thread last came or went. While it is the same, the same threads are there.
    pub version: u64,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads { list: Vec::new(), alive: 1, waits: 0, named: 0, made: 0, version: 0 }
    }
}

/// A thread.
pub struct Thread {
    /// The instance of `java.lang.Thread`.
    pub object: Ref,
    /// Its identity, for schedules.
    pub id: ThreadId,
    /// 64 bits that stand for its identity, the same on every machine.
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
    standing: ThreadState,
    /// The transition that has changed how it stands last, see `Undo`.
    touched: u64,
}

impl std::ops::Deref for Thread {
    type Target = ThreadState;

    #[inline(always)]
    fn deref(&self) -> &ThreadState {
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
            standing: ThreadState::NEW,
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

    /// Its state, to be changed in the transition of that number. The first change in a transition keeps the former state.
    #[inline]
    pub(super) fn state_mut(
        &mut self,
        transition: u64,
        keep: impl FnOnce(&ThreadState, u64),
    ) -> &mut ThreadState {
        if self.touched != transition {
            keep(&self.standing, self.touched);
            self.touched = transition;
        }
        &mut self.standing
    }

    /// The transition that has last changed its state. While the number is the same, so is the state.
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    /// Takes back its state to what it was since a transition.
    pub(super) fn restore(&mut self, standing: ThreadState, touched: u64) {
        self.standing = standing;
        self.touched = touched;
    }
}
