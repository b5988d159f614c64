//! States as rows: the choices, and what each thread is about to do.

use super::{How, Op};

/// No thread.
pub const NOBODY: u32 = u32::MAX;

/// Positions for the holder in the entry of a thread whose step lets time pass. The step is possible only because no other thread
/// can move, so it depends on every step.
pub const LASTLY: u32 = u32::MAX - 1;

/// The same of a thread whose step is to give up waiting, or to end a sleep, although other threads may be able to move.
pub const EXPIRES: u32 = u32::MAX - 2;
/// The same of one that takes so long that a patient thread would wait.
pub const EXPIRES_LATE: u32 = u32::MAX - 3;

/// The value of a choice that has one outcome.
pub const NO_VALUE: u32 = u32::MAX;

/// A choice as the runtime knows it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The thread, by its number in the execution.
    pub thread: u32,
    /// The value, or `NO_VALUE`.
    pub value: u32,
}

/// Where a thread of an execution comes from. Threads are numbered in the order in which they are created.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The thread that created it, or `NOBODY`.
    pub parent: u32,
    /// How many threads that one had created before.
    pub nth: u32,
    /// Its slot.
    pub slot: u32,
    /// Unused.
    pub padding: u32,
}

/// A state: this, for each thread the number of its [`Pending`] among the entries, and for each a bit that says whether it can
/// move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of threads.
    pub threads: u32,
    /// The number of further objects up to here.
    pub extras: u32,
    /// The number of entries up to here.
    pub entries: u32,
    /// Whether a thread that can move has values to choose from.
    pub several: u8,
    /// [`GOES_ROUND`] and [`POLLED`].
    pub marks: u8,
    /// The operations beyond the first that the step before it made.
    pub inside: u16,
    /// The state in a number to which each of its parts adds its own; 0: it is not told.
    pub sum: u64,
    /// Another one, so that both together stand for it alone.
    pub twin: u64,
}

/// The program was in this state before, and since then no other thread could move than one, which goes round for ever.
pub const GOES_ROUND: u8 = 1;
/// In the step before it, a thread let time pass by looking at the clock again and again.
pub const POLLED: u8 = 2;

impl Row {
    /// Where in a row of so many threads the bits begin: behind the numbers of the entries.
    pub const fn bits_at(threads: usize) -> usize {
        size_of::<Row>() + (threads * size_of::<u32>()).next_multiple_of(size_of::<u64>())
    }

    /// The words that the bits take.
    pub const fn words(threads: usize) -> usize {
        threads.div_ceil(64)
    }

    /// The bytes of a row.
    pub const fn bytes(threads: usize) -> usize {
        Row::bits_at(threads) + Row::words(threads) * size_of::<u64>()
    }
}

/// What a thread is about to do.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The address of what it touches.
    pub object: u64,
    /// Where in the code.
    pub place: u64,
    /// The choices: bit `v` for the value `v`, the highest bit for no value.
    pub offer: u64,
    /// The bytes of an access to memory.
    pub size: u32,
    /// The first of the further objects.
    pub extra: u32,
    /// The thread that holds what it waits for, or `NOBODY`.
    pub holder: u32,
    /// The block of the heap that the object lies in, counted from 1 in its slot; 0: it does not lie in one.
    pub block: u32,
    /// The number of further objects.
    pub extras: u16,
    /// An `Op`.
    pub op: u8,
    /// A `How`.
    pub how: u8,
}

/// The calls that a thread is in, beside one of the entries: where they begin among all calls, and where they end. They lie one behind
/// the other in the order of the entries.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallList {
    /// The first of them, the innermost one.
    pub start: u32,
    /// The first behind them.
    pub end: u32,
}

impl CallList {
    /// No calls, before all others.
    pub const NONE: CallList = CallList { start: 0, end: 0 };
}

/// The object that stands for being in an atomic section. It is no address of the program.
pub const SECTION: u64 = 8;

/// The object that stands for the clocks. It is no address of the program.
pub const CLOCK: u64 = 16;

/// The bit of an offer without a value.
pub const RUN: u64 = 1 << 63;

impl Pending {
    /// What a thread is about to do that has ended, or not begun.
    pub const NONE: Pending = Pending {
        object: 0,
        place: 0,
        offer: 0,
        size: 0,
        extra: 0,
        holder: NOBODY,
        block: 0,
        extras: 0,
        op: Op::Finished as u8,
        how: How::Nothing as u8,
    };
}
