//! Where things lie: in the region, and in the memory of the program.

use super::{CallList, Cursor, Header, MOST_UNSETTLED, OnPath, Origin, Pending, Taken, Touch};

/// Steps that an execution may have.
pub const MOST_STEPS: usize = 1 << 20;
/// Threads that an execution may have.
pub const MOST_THREADS: usize = 512;
/// Objects beyond the first that steps of an execution may touch.
pub const MOST_EXTRAS: usize = 1 << 22;
/// Entries that the rows of an execution may have.
pub const MOST_ENTRIES: usize = 1 << 24;
/// Calls that the entries of an execution may have together. Behind that many no more are recorded.
pub const MOST_CALLS: usize = 1 << 26;
/// Calls of one thread that are recorded, the innermost ones.
pub const MOST_CALLS_OF_THREAD: usize = 64;
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
/// Where the cursors of the path of a search begin.
pub const CURSORS_AT: usize = CODE_AT + CODE_BYTES;
/// Where its unsettled states begin.
pub const UNSETTLED_AT: usize = CURSORS_AT + MOST_STEPS * size_of::<Cursor>();
/// Where those on the path begin.
pub const ON_PATH_AT: usize = UNSETTLED_AT + MOST_UNSETTLED * size_of::<[u64; 2]>();
/// Where the lists of calls begin, one for each entry.
pub const CALL_LISTS_AT: usize = ON_PATH_AT + MOST_UNSETTLED * size_of::<OnPath>();
/// Where the calls begin.
pub const CALLS_AT: usize = CALL_LISTS_AT + MOST_ENTRIES * size_of::<CallList>();
/// The size of the region. Its pages come into being when they are used.
pub const REGION_BYTES: usize = CALLS_AT + MOST_CALLS * size_of::<u64>();

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
