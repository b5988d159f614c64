//! Operations of threads, and how they touch objects.

/// A set of operations, one bit each.
#[derive(Clone, Copy, Debug)]
pub struct Ops(u64);

impl Ops {
    /// The set of these.
    pub const fn new(all: &[Op]) -> Ops {
        let (mut bits, mut index) = (0, 0);
        while index < all.len() {
            bits |= 1 << all[index] as u64;
            index += 1;
        }
        Ops(bits)
    }

    /// Whether the operation of that number is one of them.
    #[inline]
    pub const fn contains(self, number: u8) -> bool {
        self.0 >> (number & 63) & 1 != 0
    }
}

/// One of the further objects of a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Its address.
    pub object: u64,
    /// The bytes, if it is memory.
    pub size: u32,
    /// A `How`.
    pub how: u8,
    /// A `Space`.
    pub space: u8,
    /// 1: the thread waits, and this is what it cannot have.
    pub lacks: u16,
}

impl Touch {
    /// Whether it is the same object, and this touch does no less to it than the other one.
    pub fn covers(&self, other: &Touch) -> bool {
        (self.object, self.size, self.space) == (other.object, other.size, other.space)
            && (self.how == other.how || self.how == How::Write as u8 && other.how == How::Read as u8)
    }
}

/// How an object is touched.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum How {
    /// Not at all.
    Nothing = 0,
    /// Looked at.
    Read = 1,
    /// Changed.
    Write = 2,
    /// Taken.
    Acquire = 3,
    /// Given back.
    Release = 4,
    /// Changed while it could have been taken.
    Open = 5,
    /// Looked at, which is possible only while it could be taken.
    Look = 6,
    /// Tried in vain: it can be taken neither before nor behind it.
    Shut = 7,
    /// Taken by one of several threads that may have it at once.
    Share = 8,
    /// Given back by one of them.
    Unshare = 9,
    /// Tried, and taken by one of several.
    Enter = 10,
    /// Tried in vain: several have it at once, and others could join them.
    Ajar = 11,
}

impl How {
    /// The way of that number.
    pub fn from_number(number: u8) -> How {
        match number {
            1 => How::Read,
            2 => How::Write,
            3 => How::Acquire,
            4 => How::Release,
            5 => How::Open,
            6 => How::Look,
            7 => How::Shut,
            8 => How::Share,
            9 => How::Unshare,
            10 => How::Enter,
            11 => How::Ajar,
            _ => How::Nothing,
        }
    }
}

/// What sort of thing an address stands for: a mutex is not the memory that it lies in.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Bytes.
    Memory = 0,
    /// An object of the thread library.
    Object = 1,
    /// A thread's end.
    Thread = 2,
    /// That a waiting thread has been woken.
    Wake = 3,
    /// That a block of the heap has not been freed.
    Block = 4,
}

macro_rules! operations {
    ($($(#[$meta:meta])* $name:ident = $number:literal, $words:literal, $space:ident;)*) => {
        /// What a thread does.
        #[repr(u8)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Op { $($(#[$meta])* $name = $number,)* }

        impl Op {
            /// The operation of that number.
            pub fn from_number(number: u8) -> Option<Op> {
                match number { $($number => Some(Op::$name),)* _ => None }
            }

            /// What it does, in words that the object follows.
            pub fn words(self) -> &'static str {
                match self { $(Op::$name => $words,)* }
            }

            /// What its object is.
            pub fn space(self) -> Space {
                match self { $(Op::$name => Space::$space,)* }
            }
        }
    };
}

operations! {
    Finished = 0, "has ended", Thread;
    Read = 1, "reads", Memory;
    Write = 2, "writes", Memory;
    AtomicRead = 3, "atomically reads", Memory;
    AtomicWrite = 4, "atomically writes", Memory;
    AtomicUpdate = 5, "atomically updates", Memory;
    Lock = 6, "locks", Object;
    TryLock = 7, "tries to lock", Object;
    TimedLock = 8, "locks, or gives up in time,", Object;
    Unlock = 9, "unlocks", Object;
    Wait = 10, "waits on", Object;
    Woken = 11, "was woken and locks", Object;
    GivesUp = 12, "gives up waiting on", Object;
    Relock = 13, "waits no longer and locks", Object;
    Signal = 14, "signals", Object;
    Broadcast = 15, "broadcasts", Object;
    ReadLock = 16, "locks for reading", Object;
    WriteLock = 17, "locks for writing", Object;
    TryReadLock = 18, "tries to lock for reading", Object;
    TryWriteLock = 19, "tries to lock for writing", Object;
    SharedUnlock = 20, "unlocks", Object;
    Arrive = 21, "arrives at", Object;
    Leave = 22, "leaves", Object;
    SemWait = 23, "takes from", Object;
    SemTry = 24, "tries to take from", Object;
    SemTimed = 25, "takes in time, or gives up, from", Object;
    SemPost = 26, "posts", Object;
    SemLook = 27, "looks at", Object;
    Once = 28, "runs once", Object;
    OnceDone = 29, "has run once", Object;
    Create = 30, "starts a thread, its handle goes to", Memory;
    Join = 31, "joins", Thread;
    TryJoin = 32, "tries to join", Thread;
    Detach = 33, "detaches", Thread;
    End = 34, "ends", Thread;
    Pause = 35, "pauses", Memory;
    Free = 36, "frees", Block;
    FutexWait = 37, "waits on the futex", Memory;
    FutexWoken = 38, "was woken from the futex", Object;
    FutexGivesUp = 39, "gives up waiting on the futex", Object;
    FutexWake = 40, "wakes waiters of the futex", Object;
    Exit = 41, "ends the program", Memory;
    Initialise = 42, "initialises", Object;
    Destroy = 43, "destroys", Object;
    Await = 44, "looks again and again at", Memory;
    Key = 45, "makes or deletes a key", Object;
    Asleep = 46, "waits to be woken from", Object;
    Section = 47, "enters an atomic section", Object;
    SectionEnd = 48, "leaves an atomic section", Object;
    GivenUp = 49, "has assumed what is not so", Object;
    Choose = 50, "chooses", Object;
    WokenInTime = 51, "was woken in time from", Object;
    FutexWokenInTime = 52, "was woken in time from the futex", Object;
    Left = 53, "is left where it looks again and again at", Memory;
    LockSeveral = 54, "locks, together with others,", Object;
    SpinLock = 55, "locks", Object;
    Queue = 56, "waits in line to write for", Object;
    SpinTry = 57, "tries to lock", Object;
    Returns = 58, "returns from main", Thread;
    Sleep = 59, "sleeps", Memory;
    Clock = 60, "looks at the clock", Object;
}
