//! What the driver and the runtime share: one region of memory, mapped into both processes.
//!
//! The driver names a schedule; the runtime starts the program anew, follows the schedule, and goes on by itself as far as
//! it may. Each state on the way is a [`Row`]: of every thread what it is about to do, and which choices it has. What is the
//! same as in the state before is not written again: a row has the numbers of *entries*. Rows of a prefix that is run
//! again stay as they are, and what the program does is compared with them.
//!
//! Everything is plain data at fixed offsets. Neither side trusts the other to be alive: the program may overwrite its own
//! memory, so the driver checks every number that it takes from here.

use core::cell::Cell;
use core::sync::atomic::AtomicU32;

/// Both sides must be built from the same text.
pub const VERSION: u32 = 9;

/// The environment variable that holds the number of the descriptor of the region.
pub const VARIABLE: &str = "SOJOURNER_REGION";

/// Steps that an execution may have.
pub const MOST_STEPS: usize = 1 << 20;
/// Threads that an execution may have.
pub const MOST_THREADS: usize = 512;
/// Objects beyond the first that steps of an execution may touch.
pub const MOST_EXTRAS: usize = 1 << 22;
/// Entries that the rows of an execution may have.
pub const MOST_ENTRIES: usize = 1 << 24;
/// Bytes for the rows of an execution.
pub const ROW_BYTES: usize = 1 << 30;

/// Where the header ends and the choices begin.
pub const CHOICES_AT: usize = 64 << 10;
const _: () = assert!(size_of::<Header>() <= CHOICES_AT);
/// Where the offsets of rows begin.
pub const OFFSETS_AT: usize = CHOICES_AT + MOST_STEPS * size_of::<Taken>();
/// Where the table of threads begins.
pub const THREADS_AT: usize = OFFSETS_AT + (MOST_STEPS + 2) * size_of::<u32>();
/// Where further objects begin.
pub const EXTRAS_AT: usize = THREADS_AT + MOST_THREADS * size_of::<Origin>();
/// Where entries begin.
pub const ENTRIES_AT: usize = (EXTRAS_AT + MOST_EXTRAS * size_of::<Touch>()).next_multiple_of(4096);
/// Where rows begin.
pub const ROWS_AT: usize = (ENTRIES_AT + MOST_ENTRIES * size_of::<Pending>()).next_multiple_of(4096);
/// Where it begins what the program's code belongs to, a byte for every [`CODE_GRAIN`] bytes of it from address 0 on.
pub const CODE_AT: usize = ROWS_AT + ROW_BYTES;
/// Bytes of code that belong together.
pub const CODE_GRAIN: u64 = 16;
/// Room for that: code beyond is the program's own.
pub const CODE_BYTES: usize = 8 << 20;
/// The size of the region. Its pages come into being when they are used.
pub const REGION_BYTES: usize = CODE_AT + CODE_BYTES;

/// What code belongs to that is not the program's own.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The standard library of a Rust program.
    Library = 1,
    /// The function of that library which calls what a thread, or the program, was started for.
    Root = 2,
}

/// Where the slots of threads lie in the program's memory: stack, thread-local storage and heap of each.
pub const SLOTS_AT: u64 = 0x1000_0000_0000;
/// The bytes of a slot.
pub const SLOT_BYTES: u64 = 1 << 32;
/// The number of slots.
pub const SLOTS: u64 = 4096;
/// Where in a slot the stack ends.
pub const STACK_END: u64 = (8 << 20) + (64 << 10);
/// Where in a slot the heap begins.
pub const HEAP_AT: u64 = 32 << 20;

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
}

/// How a run came to an end.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program stands in the last row and can go on.
    Paused = 0,
    /// In the last row nobody can move, though threads remain.
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

/// What sort of error a defect is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefectKind {
    /// An assertion failed.
    Assertion = 1,
    /// The program called `abort`, or the C++ library did so for it.
    Abort = 2,
    /// A signal that the processor raised: its number is in `number`.
    Signal = 3,
    /// A stack overflow.
    StackOverflow = 4,
    /// An access to a block that had been freed.
    UseAfterFree = 5,
    /// A second `free`, or one of what is no block.
    BadFree = 6,
    /// An access to the heap outside every block.
    OutOfBounds = 7,
    /// An interface was used against its rules.
    Misuse = 8,
    /// Two conflicting accesses are unordered.
    Race = 9,
    /// Something that is not modelled.
    Unsupported = 10,
    /// The program did something else than before.
    Different = 11,
    /// Nothing visible happened for a long time.
    Endless = 12,
    /// An exception of C++ that nobody caught.
    Exception = 13,
    /// A panic of a Rust program that ends it at once.
    Panic = 14,
    /// A thread repeats itself for ever, and nothing visible happens.
    Hang = 15,
}

impl DefectKind {
    /// The kind of that number.
    pub fn from_number(number: u32) -> Option<DefectKind> {
        use DefectKind::*;
        [
            Assertion,
            Abort,
            Signal,
            StackOverflow,
            UseAfterFree,
            BadFree,
            OutOfBounds,
            Misuse,
            Race,
            Unsupported,
            Different,
            Endless,
            Exception,
            Panic,
            Hang,
        ]
        .into_iter()
        .find(|kind| *kind as u32 == number)
    }
}

/// Frames of a stack that are kept.
pub const MOST_FRAMES: usize = 24;

/// What went wrong, and where.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Defect {
    /// A `DefectKind`.
    pub kind: u32,
    /// The thread, by its number in the execution.
    pub thread: u32,
    /// The signal's number.
    pub number: u32,
    /// The number of frames.
    pub frames: u32,
    /// For a race, the number of rows before the step that was the other access.
    pub other_step: u32,
    /// The slot that the block lies in which the object belongs to, and its number there, or 0.
    pub slot: u32,
    /// See above.
    pub block: u32,
    /// Unused.
    pub padding: u32,
    /// Where that block begins, and its size.
    pub block_start: u64,
    /// See above.
    pub block_size: u64,
    /// The object; where nothing visible happens, the return address of the last call of a function of the runtime.
    pub object: u64,
    /// Return addresses, innermost first.
    pub stack: [u64; MOST_FRAMES],
    /// The length of the text.
    pub text_length: u32,
    /// For an assertion the line; for an abort whether a library calls it; for what differs from run to run the operation;
    /// for a race whether each side writes (bit 0: this, bit 1: the other).
    pub detail: u32,
    /// Words: an assertion's condition, the name of a function.
    pub text: [u8; 512],
}

/// A race that was seen.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Race {
    /// The first byte that both accesses touch.
    pub object: u64,
    /// The return address of the access that came second.
    pub here: u64,
    /// The return address of the access that came first.
    pub there: u64,
    /// Whether each writes: bit 0 the second, bit 1 the first.
    pub writes: u32,
    /// The number of rows before the second access.
    pub step: u32,
    /// The thread that did the second, by its number in the execution.
    pub thread: u32,
    /// The thread that did the first.
    pub other: u32,
}

/// Panics of one execution that are kept.
pub const MOST_PANICS: usize = 8;
/// Bytes of a panic's message, and of the name of its file, that are kept.
pub const PANIC_TEXT: usize = 512;
/// See above.
pub const PANIC_FILE: usize = 256;

/// A panic of a Rust program that the program's own code has not caught.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Panic {
    /// The thread, by its number in the execution.
    pub thread: u32,
    /// 1: it has ended the thread; 0: it unwinds the stack.
    pub ended: u32,
    /// 1: it has begun to unwind the stack; 0: it has only said why.
    pub unwinds: u32,
    /// 1: its thread has been joined.
    pub joined: u32,
    /// Where it says that it is.
    pub line: u32,
    /// The length of the name of that file; 0 if it says nothing.
    pub file_length: u32,
    /// The length of the message.
    pub text_length: u32,
    /// The number of frames.
    pub frames: u32,
    /// Return addresses, innermost first.
    pub stack: [u64; MOST_FRAMES],
    /// The message.
    pub text: [u8; PANIC_TEXT],
    /// The file.
    pub file: [u8; PANIC_FILE],
}

impl Panic {
    /// Nothing.
    pub const NONE: Panic = Panic {
        thread: 0,
        ended: 0,
        unwinds: 0,
        joined: 0,
        line: 0,
        file_length: 0,
        text_length: 0,
        frames: 0,
        stack: [0; MOST_FRAMES],
        text: [0; PANIC_TEXT],
        file: [0; PANIC_FILE],
    };
}

/// Blocks from one place that nobody has freed, and nobody can reach any more.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Leak {
    /// Where they were allocated.
    pub place: u64,
    /// How many they are.
    pub count: u64,
    /// Their bytes, together with those of blocks that only they refer to.
    pub bytes: u64,
    /// The slot of the first one.
    pub slot: u32,
    /// Its number there.
    pub block: u32,
}

/// Places of leaks that one run reports.
pub const MOST_LEAKS: usize = 16;

/// Random numbers that the program has drawn at one place, of each of which one value is explored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The function, up to the first zero.
    pub name: [u8; DRAW_NAME],
    /// The return address of its call, and those of the calls that led to it, innermost first.
    pub places: [u64; DRAW_FRAMES],
}

/// The length of the name of a function that draws random numbers at most.
pub const DRAW_NAME: usize = 32;

/// Frames that are kept of a draw.
pub const DRAW_FRAMES: usize = 8;

/// Places of draws that are kept.
pub const MOST_DRAWS: usize = 24;

/// Of what the driver wants to know the stacks, in an execution that is run again: to note them always would take time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The number of rows before an access to memory, or `NOBODY`.
    pub step: u32,
    /// The slot of a block.
    pub slot: u32,
    /// The block's number there, or 0.
    pub block: u32,
}

impl Watch {
    /// Nothing.
    pub const NOTHING: Watch = Watch { step: NOBODY, slot: 0, block: 0 };
}

/// A stack that was asked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    /// Whose it is, by its number in the execution.
    pub thread: u32,
    /// The number of frames; 0 if what was asked for did not happen.
    pub frames: u32,
    /// Return addresses, innermost first.
    pub places: [u64; MOST_FRAMES],
}

/// The stacks that were asked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// Of the access.
    pub access: Stack,
    /// Of who allocated the block.
    pub allocation: Stack,
    /// Of who freed it.
    pub release: Stack,
}

impl Watched {
    /// Nothing has happened yet.
    pub const NOTHING: Watched = {
        let none = Stack { thread: NOBODY, frames: 0, places: [0; MOST_FRAMES] };
        Watched { access: none, allocation: none, release: none }
    };
}

/// Cycles of threads that wait for each other's locks which one run reports.
pub const MOST_CYCLES: usize = 4;

/// Threads of such a cycle that are told.
pub const MOST_IN_CYCLE: usize = 32;

/// Threads that wait for each other's locks, and will never move again.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// The row of the state in which it closes.
    pub row: u32,
    /// The number of threads.
    pub length: u32,
    /// The threads: each holds what the next one waits for, and the last one what the first one waits for. If the first one has
    /// ended, it holds what the second one waits for, and there are two.
    pub threads: [u32; MOST_IN_CYCLE],
}

/// Races that one run reports beside how it ended.
pub const MOST_RACES: usize = 32;

/// Threads beyond which nobody creates one in a program that is known to create more than [`MOST_THREADS`].
pub const FEW_THREADS: u32 = 8;

/// Words on stacks that several threads are known to touch, and words of data that no mutex guards.
pub const MOST_SHARED: usize = 1024;

/// Stands among those words for all data.
pub const ALL_DATA: u64 = 1;

/// Stands among those words for the clocks: the program looks at one, so that they are part of its state.
pub const CLOCKS: u64 = 2;

/// Stands among those words for times that the program keeps where others can see them, so that clocks count as they are.
pub const DATES: u64 = 8;

/// Stands among those words for what takes several locks at once: it does something else in between, so that its steps are
/// those that it makes.
pub const SINGLY: u64 = 4;

/// Stands among those words for signals that are sent to the process, and not to one of its threads: whoever waits for signals
/// waits for those.
pub const TO_PROCESS: u64 = 6;

/// Added to the address of a word: copies from and to it are made piece by piece.
pub const TORN: u64 = 1;

/// What is known of atomic sections at most.
pub const MOST_INSIDE: usize = 384;

/// Things that a thread may touch in an atomic section that is one step.
pub const MOST_IN_SECTION: usize = 32;

/// Stands for wherever an atomic section is entered.
pub const EVERYWHERE: u64 = 0;

/// Something that a thread touches in an atomic section; or that those which are entered there are not one step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// Where the section is entered.
    pub place: u64,
    /// The slot of the thread.
    pub slot: u32,
    /// Unused.
    pub padding: u32,
    /// What it touches. Of a block of the heap, the size is its number.
    pub touch: Touch,
}

impl Inside {
    /// Sections that are entered there, by whomever, are not one step.
    pub const fn apart(place: u64) -> Inside {
        let (how, space) = (How::Nothing as u8, Space::Memory as u8);
        let touch = Touch { object: 0, size: 0, how, space, lacks: 0 };
        Inside { place, slot: 0, padding: 0, touch }
    }

    /// Whether that is what it says.
    pub const fn is_apart(&self) -> bool {
        self.touch.how == How::Nothing as u8
    }

    /// Whether nothing is said by another one beyond what this says.
    pub fn covers(&self, other: &Inside) -> bool {
        (self.place, self.slot) == (other.place, other.slot) && self.touch.covers(&other.touch)
    }
}

/// Functions of one sort whose places the driver tells.
pub const MOST_FUNCTIONS: usize = 64;

/// Where functions of one sort begin and end.
#[repr(C)]
#[derive(Debug)]
pub struct Functions {
    /// Their number.
    pub count: Cell<u64>,
    /// The first address of each, and the one behind it.
    pub ranges: [Cell<(u64, u64)>; MOST_FUNCTIONS],
}

impl Functions {
    /// Whether an address lies in one of them.
    pub fn contain(&self, address: u64) -> bool {
        let known = &self.ranges[..(self.count.get() as usize).min(MOST_FUNCTIONS)];
        known.iter().map(Cell::get).any(|(start, end)| (start..end).contains(&address))
    }
}

/// How often each side gives up the processor before it goes to sleep, as long as nobody else wants it. Both run on one:
/// giving it up is handing it over, at half the cost of waking and sleeping.
pub const YIELDS: u32 = 8;

/// No thread.
pub const NOBODY: u32 = u32::MAX;

/// Stands for the holder in the entry of a thread whose step lets time pass. The step is possible only because no other thread
/// can move, so it depends on every step.
pub const LASTLY: u32 = u32::MAX - 1;

/// The same of a thread whose step is to give up waiting, or to end a sleep, although other threads may be able to move.
pub const EXPIRES: u32 = u32::MAX - 2;
/// The same of one that takes so long that a patient thread would wait.
pub const EXPIRES_LATE: u32 = u32::MAX - 3;

/// The value of a choice that has one outcome.
pub const NO_VALUE: u32 = u32::MAX;

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
    pub laps: u32,
    /// 1: a thread that repeats itself may go on all the same as long as somebody else can.
    pub lenient: u32,
    /// Whether rows tell the state in a number: 0, 1, or [`SUMS_FOR_MATCHING`].
    pub sums: u32,
    /// 1: accesses that a mutex guards are no visible operations.
    pub guards: u32,
    /// 1: an atomic section that only touches memory is one step.
    pub sections: u32,
    /// When time-outs come: [`TIMEOUTS_ANY`], [`TIMEOUTS_PATIENT`] or [`TIMEOUTS_LAST`].
    pub timeouts: u32,
    /// The number of threads beyond which nobody creates one; 0: as many as can be followed.
    pub threads: u32,
}

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
    /// Whether somebody was about to enter an atomic section while others could have moved.
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
    /// There were as many threads as can be followed, and whoever would have created another one was stopped.
    pub crowded: Cell<u32>,
    /// The program has come back to a state that it had been in, or a thread to where it was, in a way that others have noticed.
    pub laps: Cell<u32>,
    /// A step let time pass because no other thread could move, see [`LASTLY`].
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
    /// 1: what the program's code belongs to is told, see [`CODE_AT`].
    pub told: Cell<u32>,
    /// Panics that the program's own code has not caught, in the order in which they began.
    pub panic: [Cell<Panic>; MOST_PANICS],
    /// 1: each execution is to have a process of its own. Written before the runtime begins.
    pub isolate: Cell<u32>,
    /// 1: the program has done something that outlasts the execution in this process.
    pub outlasts: Cell<u32>,
    /// What to note the stacks of.
    pub watch: Cell<Watch>,
    /// The number of places of leaks.
    pub leaks: Cell<u32>,
    /// The stacks that were asked for.
    pub watched: Cell<Watched>,
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
    pub insides: Cell<u32>,
    /// See above.
    pub inside: [Cell<Inside>; MOST_INSIDE],
    /// The words, by address.
    pub shared_words: [Cell<u64>; MOST_SHARED],
    /// Functions whose names say that they are atomic sections.
    pub sections: Functions,
    /// Functions of libraries that take several locks, and give back what they have as long as they cannot have all.
    pub lockers: Functions,
}

/// The numbers of states are compared between executions: they tell of the past, too, what must not be lost.
pub const SUMS_FOR_MATCHING: u32 = 2;

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

/// The program was in this state before, and since then nobody could move but one thread: it goes round for ever.
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
    /// Whether it is the same object, and whoever touches it like this does no less than whoever does like the other.
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
    /// Taken by one of several who may have it at once.
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
