//! What a run tells of: defects, races, panics, leaks, random numbers, cycles of locks, and stacks that were asked for.

use super::NOBODY;

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
    /// An exception of C++ that no handler caught.
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

/// Blocks from one place that the program has not freed, and that no pointer leads to any more.
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

/// The name of a draw that is the time of day.
pub const TIME_OF_DAY: &str = "time";

/// Frames that are kept of a draw.
pub const DRAW_FRAMES: usize = 8;

/// Places of draws that are kept.
pub const MOST_DRAWS: usize = 24;

/// Of what the driver wants to know the stacks, in an execution that is run again: to note them always would take time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackRequest {
    /// The number of rows before an access to memory, or `NOBODY`.
    pub step: u32,
    /// The slot of a block.
    pub slot: u32,
    /// The block's number there, or 0.
    pub block: u32,
}

impl StackRequest {
    /// Nothing.
    pub const NOTHING: StackRequest = StackRequest { step: NOBODY, slot: 0, block: 0 };
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
pub struct RequestedStacks {
    /// Of the access.
    pub access: Stack,
    /// Of the thread that allocated the block.
    pub allocation: Stack,
    /// Of the thread that freed it.
    pub release: Stack,
}

impl RequestedStacks {
    /// Nothing has happened yet.
    pub const NOTHING: RequestedStacks = {
        let none = Stack { thread: NOBODY, frames: 0, places: [0; MOST_FRAMES] };
        RequestedStacks { access: none, allocation: none, release: none }
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
