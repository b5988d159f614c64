//! The first bytes of the region.

use super::{
    Cycle, Defect, Draw, Functions, Leak, MOST_CYCLES, MOST_DRAWS, MOST_LEAKS, MOST_PANICS, MOST_RACES,
    MOST_SECTION_TOUCHES, MOST_SHARED, OwnSearch, Panic, Race, RequestedStacks, SectionTouch, Settings,
    StackRequest,
};
use core::cell::Cell;
use core::sync::atomic::AtomicU32;

/// The first bytes of the region. What only the side writes whose turn it is lies in cells; handing over the turn by `request`
/// and `response` orders those writes. What one side writes while the other runs is atomic.
#[repr(C)]
pub struct Header {
    /// `VERSION`, written by the runtime when it is ready.
    pub version: AtomicU32,
    /// Raised by the driver: there is a command.
    pub request: AtomicU32,
    /// Raised by the runtime: the command has been obeyed.
    pub response: AtomicU32,
    /// Whether the driver sleeps on `response`.
    pub driver_sleeps: AtomicU32,
    /// Whether the runtime sleeps on `request`.
    pub runtime_sleeps: AtomicU32,
    /// How often each side gives up the processor before it goes to sleep.
    pub yields: Cell<u32>,
    /// What the last command took, in ticks of the processor.
    pub busy: Cell<u64>,
    /// Counts rows as they come, so that the driver sees that something happens.
    pub pulse: AtomicU32,
    /// A `Question`, written before the driver sends the signal that asks it.
    pub question: AtomicU32,
    /// A `Command`.
    pub command: Cell<u32>,
    /// The number of choices to follow.
    pub steps: Cell<u32>,
    /// The number of rows that are there from before, and must come out again.
    pub known: Cell<u32>,
    /// The number of choices behind these that are likely: the runtime goes by them until one is not there.
    pub expected: Cell<u32>,
    /// The number of choices that the runtime may take by itself behind those.
    pub ahead: Cell<u32>,
    /// 1: of those that can move the first one goes on by default; 0: the one that moved last.
    pub first_goes_on: Cell<u32>,
    /// How to treat what the standards leave open.
    pub settings: Cell<Settings>,
    /// The number of rows.
    pub rows: Cell<u32>,
    /// An `Ending`.
    pub ending: Cell<u32>,
    /// The status with which the program ended.
    pub status: Cell<u32>,
    /// Whether a thread was about to enter an atomic section while others could have moved.
    pub sectioned: Cell<u32>,
    /// The number of races seen.
    pub races: Cell<u32>,
    /// Not every race of this execution has been looked for: there was no room for all that is needed.
    pub races_missed: Cell<u32>,
    /// A lock has been tried in a program that takes several at once: that one of them is held for a moment, while the others are
    /// tried, it cannot have noticed.
    pub tried: Cell<u32>,
    /// A value was asked for of which only some can be tried.
    pub sampled: Cell<u32>,
    /// An alarm was set: handlers are called only where a thread's clock moves.
    pub alarms: Cell<u32>,
    /// There were as many threads as can be followed, and a thread that was about to create another one was stopped.
    pub crowded: Cell<u32>,
    /// The program has come back to a state that it had been in, or a thread to where it was, in a way that others have noticed.
    pub revisits: Cell<u32>,
    /// A step let time pass because no other thread could move, see [`LASTLY`](crate::protocol::LASTLY).
    pub waited: Cell<u32>,
    /// A time-out was withheld because another thread could move.
    pub withheld: Cell<u32>,
    /// A thread may have learned what another thread did without being ordered behind it: by an atomic operation that does not
    /// acquire and release, or by an attempt that failed. Never reset.
    pub unordered: Cell<u32>,
    /// The operations beyond the first that the last step has made by now: accesses that a mutex guards, and what belongs to an
    /// atomic section.
    pub inside_step: Cell<u32>,
    /// Whether the clock of the thread that moved has been moved on by its looking at it again and again, in the last step.
    pub polled: Cell<u32>,
    /// What went wrong.
    pub defect: Cell<Defect>,
    /// The races that were seen since the command.
    pub race: [Cell<Race>; MOST_RACES],
    /// The number of panics.
    pub panics: Cell<u32>,
    /// 1: what the program's code belongs to is told, see [`CODE_AT`](crate::protocol::CODE_AT).
    pub told: Cell<u32>,
    /// Panics that the program's own code has not caught, in the order in which they began.
    pub panic: [Cell<Panic>; MOST_PANICS],
    /// 1: each execution is to have a process of its own. Written before the runtime begins.
    pub isolate: Cell<u32>,
    /// 1: the program has done something that outlasts the execution in this process.
    pub outlasts: Cell<u32>,
    /// 1: a state that was put back was not the one that had been copied, so that executions have no checkpoints any more.
    pub unrestored: Cell<u32>,
    /// An [`Unkept`](crate::protocol::Unkept), for tests.
    pub unkept: Cell<u32>,
    /// A search that the runtime goes on with.
    pub search: OwnSearch,
    /// What to note the stacks of.
    pub watch: Cell<StackRequest>,
    /// The number of places of leaks.
    pub leaks: Cell<u32>,
    /// The stacks that were asked for.
    pub watched: Cell<RequestedStacks>,
    /// Leaks.
    pub leak: [Cell<Leak>; MOST_LEAKS],
    /// The number of places at which random numbers were drawn, since the process began.
    pub drawn: Cell<u32>,
    /// Those places.
    pub draws: [Cell<Draw>; MOST_DRAWS],
    /// The number of cycles of threads that wait for each other's locks, in the order in which they closed.
    pub cycles: Cell<u32>,
    /// See above.
    pub cycle: [Cell<Cycle>; MOST_CYCLES],
    /// The number of words on stacks that others than their owners touch, and of words that no mutex guards: those that the
    /// driver gives, and behind them those that the run has met.
    pub shared: Cell<u32>,
    /// What is known of atomic sections: as many as the driver gives, and behind them what the run has met.
    pub section_touches: Cell<u32>,
    /// See above.
    pub section_touch: [Cell<SectionTouch>; MOST_SECTION_TOUCHES],
    /// The words, by address.
    pub shared_words: [Cell<u64>; MOST_SHARED],
    /// Functions whose names say that they are atomic sections.
    pub sections: Functions,
    /// Functions of libraries that take several locks, and give back what they have as long as they cannot have all.
    pub lockers: Functions,
}
