//! Programs of threads, locks, conditions and shared variables, as a front-end for real ones sees them: threads are
//! created and joined, wait for nothing but locks, the end of a thread and wake-ups, and say exactly what they touch.
//!
//! What a program does is its [`Code`]; [`Threaded`] makes programs of it that can only be stepped and rewound.

mod machine;
mod paper;
mod random;

pub use machine::{Machine, Threaded};
pub use paper::{Aget, BoundedBuffer, Counter, Fsbench, Indexer, LastZero, Readers, TwoReaders};
pub use random::RandomThreads;

/// What the threads of a program do.
pub trait Code: Send + Sync + 'static {
    /// How many threads there can be.
    fn threads(&self) -> usize;

    /// How many of them are there from the start. The others are started by one of these.
    fn first(&self) -> usize {
        self.threads()
    }

    /// How many shared variables there are; they begin with 0.
    fn variables(&self) -> usize;

    /// How many locks there are.
    fn locks(&self) -> usize {
        1
    }

    /// Whether a lock can be shared.
    fn is_shared(&self, lock: usize) -> bool {
        let _ = lock;
        false
    }

    /// How many conditions there are.
    fn conditions(&self) -> usize {
        0
    }

    /// Whether a signal wakes any of the threads that wait, not the one that has waited longest.
    fn wakes_any(&self) -> bool {
        false
    }

    /// Whether no operation has outcomes that touch different things.
    fn is_exact(&self) -> bool {
        true
    }

    /// Whether threads may do the same again and again, so that steps say what they change.
    fn goes_round(&self) -> bool {
        false
    }

    /// What the thread does next.
    fn operation(&self, thread: usize, local: &Local) -> Operation;

    /// The thread has done it, and got that value: what was read, whether trying or comparing succeeded.
    fn got(&self, thread: usize, local: &mut Local, value: u8) {
        let _ = (thread, value);
        local.at += 1;
    }
}

/// What a thread has for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Local {
    /// Where it is in its code.
    pub at: u8,
    /// Its variables.
    pub r: [u8; 4],
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Nothing more.
    End,
    /// The same, for others to see: they may join it.
    Exit,
    /// Reads the variable.
    Read(usize),
    /// Gives the variable the value.
    Write(usize, u8),
    /// Gives any one of the variables the value.
    WriteAny(u8),
    /// Reads all the variables whose bits are set, in one go.
    ReadSeveral(u8),
    /// Gives all the variables whose bits are set the value, in one go.
    WriteSeveral(u8, u8),
    /// Adds to the variable in one go, and gets what it was.
    Add(usize, u8),
    /// Gives the variable the second value if it has the first.
    CompareAndSwap(usize, u8, u8),
    /// Reads the variable and fails if it has the value.
    Refuse(usize, u8),
    /// Takes the lock.
    Lock(usize),
    /// Gives the lock back.
    Unlock(usize),
    /// Takes the lock if it is free.
    TryLock(usize),
    /// Takes all the locks whose bits are set, in one go.
    LockSeveral(u8),
    /// Takes the lock together with other threads that share it.
    Share(usize),
    /// The same, if no thread has the lock alone.
    TryShare(usize),
    /// Gives a lock back that it shares.
    Unshare(usize),
    /// Waits for the condition, with the lock given back meanwhile.
    Wait(usize, usize),
    /// Wakes one thread that waits for the condition.
    Signal(usize),
    /// Wakes all threads that wait for the condition.
    Broadcast(usize),
    /// Gets any number below that.
    Choose(u8),
    /// Starts the thread.
    Start(usize),
    /// Waits for the thread's exit.
    Join(usize),
}
