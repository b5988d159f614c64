//! What the driver asks for, how a run ends, and how the runtime treats what the standards leave open.

/// What the driver asks for.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Start again, follow the choices, and go on.
    Run = 1,
    /// Go on from where the program was paused, with one more choice.
    Continue = 2,
    /// End the process.
    Quit = 3,
    /// Go on with a depth-first search, see [`OwnSearch`](super::OwnSearch).
    Search = 4,
}

/// How a run came to an end.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program stands in the last row and can go on.
    Paused = 0,
    /// In the last row no thread can move, though threads remain.
    Stuck = 1,
    /// The program has ended; its status is in the header.
    Exited = 2,
    /// The step behind the last row failed: see the defect.
    Failed = 3,
    /// The step behind the last row does something that is not modelled: see the defect.
    Refused = 4,
    /// The program did something else than the last time with the same schedule: see the defect.
    Diverged = 5,
    /// The schedule asked for a choice that is not there.
    NoSuchChoice = 6,
    /// There is no room for more rows.
    TooLong = 7,
}

impl Ending {
    /// The ending of that number.
    pub fn from_number(number: u32) -> Option<Ending> {
        use Ending::*;
        [Paused, Stuck, Exited, Failed, Refused, Diverged, NoSuchChoice, TooLong]
            .into_iter()
            .find(|ending| *ending as u32 == number)
    }
}

/// What the driver asks when a step takes long.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the running thread repeats itself for ever. If not, it goes on.
    Repeats = 1,
    /// Where it is. The execution ends there.
    Where = 2,
}

/// Threads beyond which no thread creates another one if the program is known to create more than [`MOST_THREADS`](crate::protocol::MOST_THREADS).
pub const FEW_THREADS: u32 = 8;

/// How often each side gives up the processor before it goes to sleep, as long as no other process wants it. Both sides run on one
/// processor: giving it up hands it over, at half the cost of waking and sleeping.
pub const YIELDS: u32 = 8;

/// Whenever a thread waits.
pub const TIMEOUTS_ANY: u32 = 0;
/// Where a second or more is left, only when no other thread gets on.
pub const TIMEOUTS_PATIENT: u32 = 1;
/// Only when nothing else can happen.
pub const TIMEOUTS_LAST: u32 = 2;

/// How the runtime treats what the standards leave open.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// 1: a signal may wake any waiter; 0: the one that has waited longest.
    pub signal_any: u32,
    /// 0: races are not looked for; 1: they are reported; 2: they end the execution.
    pub races: u32,
    /// 1: what the program prints is kept.
    pub output: u32,
    /// 1: leaks are looked for when the program ends.
    pub leaks: u32,
    /// 1: a thread that has looked at things in vain, and is where it was before, is left there for good.
    pub cuts: u32,
    /// How often a thread must have come back to where it was before it is looked whether the whole program has.
    pub returns: u32,
    /// 1: a thread that repeats itself may go on all the same, as long as another thread can.
    pub lenient: u32,
    /// Whether rows tell the state in a number: 0, 1, or [`SUMS_FOR_MATCHING`].
    pub sums: u32,
    /// 1: accesses that a mutex guards are no visible operations.
    pub guards: u32,
    /// 1: an atomic section that only touches memory is one step.
    pub sections: u32,
    /// When time-outs come: [`TIMEOUTS_ANY`], [`TIMEOUTS_PATIENT`] or [`TIMEOUTS_LAST`].
    pub timeouts: u32,
    /// The number of threads beyond which no thread creates another one; 0: as many as can be followed.
    pub threads: u32,
    /// 1: the calls that threads are in are recorded with the states.
    pub calls: u32,
}

/// The numbers of states are compared between executions: they tell of the past, too, what must not be lost.
pub const SUMS_FOR_MATCHING: u32 = 2;

/// A part of the state that checkpoints leave out, so that tests see whether that is noticed. Only checked builds of the runtime heed
/// it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unkept {
    /// Nothing is left out.
    Nothing = 0,
    /// Pages of data.
    Data = 1,
    /// Blocks of the heap.
    Heap = 2,
    /// Thread-local storage.
    Storage = 3,
    /// The calls that threads are in.
    Calls = 4,
}
