//! The state of the runtime.

use crate::protocol::{
    CALL_LISTS_AT, CALLS_AT, CHOICES_AT, CODE_AT, CODE_BYTES, CODE_GRAIN, CURSORS_AT, CallList, Code, Cursor,
    ENTRIES_AT, EXTRAS_AT, Header, How, MOST_STEPS, MOST_THREADS, OFFSETS_AT, ON_PATH_AT, OnPath, Origin,
    Pending, ROWS_AT, Row, Settings, StackRequest, THREADS_AT, Taken, Touch, UNSETTLED_AT,
};
use crate::rt::base::cell::CheckedCell;
use crate::rt::base::layout::{ARGUMENTS_AT, HANG_AT, REGION_AT, STATE_AT, slot_at};
use crate::rt::sched::context::Frame;
use crate::rt::sched::spin_loops::SpinHistory;
use core::cell::Cell;

/// Everything that the runtime knows, in memory that restoring the program does not touch.
#[repr(C)]
pub struct Runtime {
    /// Where the stubs leave the address of the registers that they save.
    pub frame: Cell<*const Frame>,
    /// Where the running thread keeps the next call that it enters.
    pub calls: Cell<*mut u64>,
    /// Where that is when it has left a function that takes several locks; 0 if it is in none.
    pub multilock_end: Cell<u64>,
    /// The least stack pointer that the running thread has had at a call.
    pub low: Cell<u64>,
    /// Whether functions of ours clear what they leave on the program's stack.
    pub cleans: Cell<u32>,
    /// Whether the program runs: before `main`, and while the runtime itself is at work, hooks do nothing.
    pub running: Cell<bool>,
    /// Whether a driver says what to do.
    pub driven: Cell<bool>,
    /// Whether rows are written.
    pub recording: Cell<bool>,
    pub may_write_base: Cell<bool>,
    /// The running thread.
    pub current: Cell<u32>,
    /// The number of threads of this execution.
    pub threads: Cell<u32>,
    /// Threads that have been created and not joined.
    pub unjoined: Cell<u32>,
    /// The atomic section that a thread is in.
    pub section: Cell<crate::rt::sched::atomic_sections::Section>,
    /// The number of choices taken.
    pub depth: Cell<u32>,
    /// Choices that are given.
    pub steps: Cell<u32>,
    /// The depth up to which choices are likely.
    pub expected: Cell<u32>,
    /// Rows that must come out again.
    pub known: Cell<u32>,
    /// The depth at which to pause.
    pub pause_at: Cell<u32>,
    /// Further objects that rows have, and entries.
    pub extras: Cell<u32>,
    pub entries: Cell<u32>,
    /// Whether what the last row says of threads that have not moved since may be wrong.
    pub stale: Cell<bool>,
    /// The threads that can move, and those of them that have values to choose from, one bit each.
    pub ready: Bits,
    pub with_values: Bits,
    /// The threads of the last row that have not ended and are about to do anything but touch memory: whether they can move, and what
    /// they touch, may depend on other threads.
    pub beyond_memory: Bits,
    pub settings: Cell<Settings>,
    pub watch: Cell<StackRequest>,
    /// The process that runs an execution for this one, or 0.
    pub child: Cell<u32>,
    pub first_goes_on: Cell<bool>,
    /// Whether it is being asked which threads can move without time passing.
    pub asks_for_others: Cell<bool>,
    /// Counts the threads that begin to wait, so that the one that has waited longest is known.
    pub tickets: Cell<u64>,
    /// Slots that have been mapped, by number.
    pub slots: Cell<u32>,
    /// When the present command came, in ticks of the processor.
    pub since: Cell<u64>,
    /// Whether the program has seen, in any execution, what would differ from run to run: a clock, the number of the process, what the
    /// system draws.
    pub varies: Cell<bool>,
    /// Executions so far.
    pub executions: Cell<u64>,
    /// Where the loop that takes commands stands, and its base.
    pub host: Cell<usize>,
    pub host_base: Cell<usize>,
    /// The program's own code, which is instrumented.
    pub text: Cell<(u64, u64)>,
    /// What of the program cannot be written to, its code and constants.
    pub constants: Cell<(u64, u64)>,
    /// What the pointers of `main`'s arguments take, and these with the texts, in bytes.
    pub arguments: Cell<(u64, u64)>,
    /// Where the C library keeps the streams that the program prints to.
    pub printing: Cell<[*const u64; 2]>,
    /// Whether an alarm is set that no thread gives the occasion to go off.
    pub misses_alarm: Cell<Option<fn() -> bool>>,
    pub tls: Cell<crate::rt::sched::tls::Templates>,
    pub memory: crate::rt::sched::restore::Memory,
    pub heap: crate::rt::sched::heap::Heaps,
    pub log: crate::rt::sched::spin_loops::StepLog,
    pub revisits: crate::rt::sched::revisits::Revisits,
    pub races: CheckedCell<crate::rt::sched::races::Races>,
    pub private: crate::rt::sched::private_memory::Private,
    pub guarded: CheckedCell<crate::rt::sched::locksets::Guarded>,
    pub copies: crate::rt::sched::torn_copies::Copies,
    pub checkpoints: crate::rt::sched::checkpoints::Checkpoints,
    pub search: crate::rt::sched::path_sums::StoredPathSums,
    /// What the program has printed and the system has not got yet.
    pub printed: CheckedCell<[u8; 4096]>,
    pub table: [Thread; MOST_THREADS],
}

const _: () = assert!(STATE_AT + size_of::<Runtime>() <= HANG_AT);

/// A set of threads.
#[repr(C)]
pub struct Bits([Cell<u64>; Row::words(MOST_THREADS)]);

impl Bits {
    /// None.
    pub fn clear(&self) {
        self.0.iter().for_each(|word| word.set(0));
    }

    /// Adds a thread, or takes it away.
    #[inline]
    pub fn set(&self, thread: u32, there: bool) {
        let (word, bit) = (&self.0[thread as usize / 64], thread % 64);
        word.set(word.get() & !(1 << bit) | u64::from(there) << bit);
    }

    /// Those of the first `threads` that are there, in order. They may change meanwhile.
    #[inline]
    pub fn each(&self, threads: u32) -> impl Iterator<Item = u32> {
        let words = self.of(threads).iter().zip((0..).step_by(64));
        words.flat_map(|(word, first)| {
            let mut rest = word.get();
            core::iter::from_fn(move || {
                let nth = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + nth)
            })
        })
    }

    /// The words for so many threads.
    #[inline]
    pub fn of(&self, threads: u32) -> &[Cell<u64>] {
        &self.0[..Row::words(threads as usize)]
    }

    /// Whether one of so many threads is there.
    #[inline]
    pub fn any(&self, threads: u32) -> bool {
        self.of(threads).iter().any(|word| word.get() != 0)
    }
}

/// The runtime's state. All of it lies in cells, so references to it may be kept over calls and fiber switches.
#[cfg(not(test))]
#[inline]
pub fn runtime() -> &'static Runtime {
    // SAFETY: mapped before anything of the program runs, and never unmapped; all zeros is a valid value.
    unsafe { &*(STATE_AT as *const Runtime) }
}

/// What a thread waits for that another one must do.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    No = 0,
    Condition,
    Barrier,
    Futex,
}

/// A thread of the program.
#[repr(C)]
pub struct Thread {
    /// Where it stands, if it does not run.
    pub stack_pointer: Cell<usize>,
    /// The base of its thread-local storage, by which the program knows it.
    pub base: Cell<usize>,
    /// The registers that its last call of a function of ours began with.
    pub frame: Cell<*const Frame>,
    /// Whether that call has done nothing visible yet.
    pub fresh: Cell<bool>,
    pub calls: Cell<*mut u64>,
    pub low: Cell<u64>,
    pub slot: Cell<u32>,
    pub parent: Cell<u32>,
    pub nth: Cell<u32>,
    /// Threads that it has created.
    pub children: Cell<u32>,
    /// What it is about to do.
    pub pending: Cell<Pending>,
    /// Further objects of that.
    pub touches: [Cell<Touch>; 2],
    pub touched: Cell<u16>,
    /// The value that was chosen for it.
    pub value: Cell<u32>,
    pub finished: Cell<bool>,
    pub detached: Cell<bool>,
    pub joined: Cell<bool>,
    /// Whether it is ending the program: functions that it calls now may use what was left of its stack.
    pub leaves: Cell<bool>,
    /// From where on its stack held what `main` had there, which has returned.
    pub returned: Cell<u64>,
    /// Whether its creator waits until it stands before its first visible operation.
    pub announces: Cell<bool>,
    pub waits: Cell<Waits>,
    pub woken: Cell<bool>,
    /// Whether it may give up waiting.
    pub timed: Cell<bool>,
    /// Whether it does so only when no other thread can move.
    pub withheld: Cell<bool>,
    /// Whether it waits or sleeps for some time only, and for how long.
    pub limit: Cell<crate::rt::sched::timeouts::Limit>,
    /// Whether it repeats itself until another thread does something.
    pub awaits: Cell<bool>,
    /// Whether it would await, and may go on all the same.
    pub idles: Cell<bool>,
    /// Whether it stands where it has stood before.
    pub again: Cell<bool>,
    /// What its last call of a function of ours has done so far, in a number.
    pub done: Cell<u64>,
    /// The steps that it has taken.
    pub steps: Cell<u32>,
    /// What it waits on, and the mutex that it must have again.
    pub on: Cell<u64>,
    pub mutex: Cell<u64>,
    pub ticket: Cell<u64>,
    pub start: Cell<usize>,
    pub argument: Cell<usize>,
    pub result: Cell<usize>,
    /// How its start routine is declared: `int` of C11, or a pointer.
    pub c11: Cell<bool>,
    /// Its clock, in nanoseconds since the program began.
    pub clock: Cell<u64>,
    /// How often it has looked at the clock since it slept last.
    pub looks: Cell<u32>,
    /// The same, of looks that did not move it because time-outs are withheld.
    pub in_a_row: Cell<u32>,
    /// How often it has waited in vain, as far as that matters.
    pub in_vain: Cell<u32>,
    /// Where it is in its row of random numbers.
    pub random: Cell<u64>,
    /// What it has moved on that the system keeps for the program, in a number, see [`crate::rt::sched::state_hash::moved_on`].
    pub elsewhere: Cell<u64>,
    /// The last handler of `pthread_cleanup_push`.
    pub cleanup: Cell<usize>,
    /// Destructors of its thread-local objects.
    pub destructors: Cell<usize>,
    pub keys: Cell<u32>,
    /// The bytes that it has read last in one go, for a copy, and those that it has said it writes.
    pub copies: Cell<crate::rt::sched::byte_ranges::Announced>,
    pub fills: Cell<crate::rt::sched::byte_ranges::Announced>,
    /// What it is in that is run once.
    pub runs_once: crate::rt::sched::thread_records::Running,
    pub holds: crate::rt::sched::locksets::Holds,
    pub shares: Cell<crate::rt::sched::thread_records::Shares>,
    /// The locks that it is about to take at once.
    pub wanted: crate::rt::sched::multilock::Locks,
    pub robust: crate::rt::sched::thread_records::Held,
    /// What it is called, if the program has said so.
    pub name: Cell<crate::rt::sched::thread_records::Name>,
    pub history: SpinHistory,
}

impl Runtime {
    #[inline]
    pub fn thread(&self) -> &Thread {
        &self.table[self.current.get() as usize]
    }

    /// All threads of this execution.
    #[inline]
    pub fn all(&self) -> &[Thread] {
        &self.table[..self.threads.get() as usize]
    }

    /// Whether no other thread could notice anything.
    #[inline]
    pub fn alone(&self) -> bool {
        self.unjoined.get() == 0
    }

    /// Where the pointers of `main`'s arguments lie, which the program may have changed.
    pub fn arguments(&self) -> (u64, u64) {
        let start = slot_at(0) + ARGUMENTS_AT;
        (start, start + self.arguments.get().0)
    }

    /// The same with the texts, which it may have changed, too.
    pub fn all_arguments(&self) -> (u64, u64) {
        let start = slot_at(0) + ARGUMENTS_AT;
        (start, start + self.arguments.get().1)
    }

    /// The thread that the program knows by this base.
    pub fn by_base(&self, base: u64) -> Option<u32> {
        let slot = crate::rt::base::layout::slot_of(base)?;
        let index = self.in_slot(slot)?;
        (self.table[index as usize].base.get() as u64 == base).then_some(index)
    }

    /// The thread whose memory lies in a slot.
    #[inline]
    pub fn in_slot(&self, slot: u32) -> Option<u32> {
        let index = self.heap.slots.0[slot as usize].get().thread();
        // What is noted there may be of another execution.
        let found =
            (index < self.threads.get() && self.table[index as usize].slot.get() == slot).then_some(index);
        #[cfg(sojourner_checks)]
        assert!(
            found.map(|index| index as usize)
                == self.all().iter().position(|thread| thread.slot.get() == slot),
            "a slot is noted as that of another thread"
        );
        found
    }
}

impl Thread {
    /// Whether it does what it did before, as far as it can tell.
    pub fn repeats(&self) -> bool {
        self.awaits.get() || self.idles.get()
    }

    /// Where what it has in use of its stack begins: behind the registers of its last call of ours.
    #[inline]
    pub fn in_use(&self) -> u64 {
        self.frame.get() as u64 + if self.frame.get().is_null() { 0 } else { size_of::<Frame>() as u64 }
    }

    /// Whether an address on its stack belonged to `main`, which has returned.
    #[inline]
    pub fn was_mains(&self, address: u64) -> bool {
        address >= self.returned.get() && address < self.stack_end()
    }

    /// Where its stack ends.
    pub fn stack_end(&self) -> u64 {
        slot_at(self.slot.get()) + crate::protocol::STACK_END
    }
}

/// The header of the region that the driver shares.
#[cfg(not(test))]
#[inline]
pub fn header() -> &'static Header {
    // SAFETY: mapped at the start, and never unmapped. The driver reads and writes its cells only when it is its turn.
    unsafe { &*(REGION_AT as *const Header) }
}

#[cfg(test)]
pub use for_tests::{header, new_state, runtime};

/// An element of a table in that region.
#[inline]
fn at<T>(offset: usize, index: usize) -> &'static Cell<T> {
    // SAFETY: as above. The callers keep within the table; what it has not been given yet is zero, which is a valid value.
    unsafe { &*((REGION_AT + offset + index * size_of::<T>()) as *const Cell<T>) }
}

/// The choice at a depth.
#[inline]
pub fn choice(depth: u32) -> &'static Cell<Taken> {
    debug_assert!((depth as usize) < MOST_STEPS);
    at(CHOICES_AT, depth as usize)
}

/// The offset of a row, in units of eight bytes. There is room for two more than steps.
#[inline]
pub fn offset(row: u32) -> &'static Cell<u32> {
    at(OFFSETS_AT, row as usize)
}

/// Where a thread comes from. The number of threads is checked when one is created.
#[inline]
pub fn origin(thread: u32) -> &'static Cell<Origin> {
    at(THREADS_AT, thread as usize)
}

/// A further object. Rows stop before the table is full.
#[inline]
pub fn extra(index: u32) -> &'static Cell<Touch> {
    at(EXTRAS_AT, index as usize)
}

/// What a thread is about to do in some rows. Rows stop before the table is full.
#[inline]
pub fn entry(number: u32) -> &'static Cell<Pending> {
    at(ENTRIES_AT, number as usize)
}

/// The calls of a thread, beside an entry.
#[inline]
pub fn call_list(entry: u32) -> &'static Cell<CallList> {
    at(CALL_LISTS_AT, entry as usize)
}

/// A call of some thread. The caller keeps below [`MOST_CALLS`](crate::protocol::MOST_CALLS).
#[inline]
pub fn recorded_call(index: u32) -> &'static Cell<u64> {
    at(CALLS_AT, index as usize)
}

/// A row that has been written, or that there is room for.
#[inline]
pub fn row(number: u32) -> &'static Cell<Row> {
    at(ROWS_AT + offset(number).get() as usize * 8, 0)
}

/// The numbers of the entries of a row with so many threads.
#[inline]
pub fn row_entries(number: u32, threads: u32) -> &'static [Cell<u32>] {
    let first: *const Cell<u32> = at(ROWS_AT + offset(number).get() as usize * 8 + size_of::<Row>(), 0);
    // SAFETY: behind a row are as many numbers as there are threads.
    unsafe { core::slice::from_raw_parts(first, threads as usize) }
}

/// What a thread is about to do in a row.
#[inline]
pub fn row_entry(number: u32, thread: u32) -> &'static Cell<Pending> {
    entry(row_entries(number, thread + 1)[thread as usize].get())
}

/// The words behind those of a row with so many threads: a bit for each that can move.
#[inline]
pub fn row_bits(number: u32, threads: u32) -> &'static [Cell<u64>] {
    let start = ROWS_AT + offset(number).get() as usize * 8 + Row::bits_at(threads as usize);
    let first: *const Cell<u64> = at(start, 0);
    // SAFETY: behind the numbers of its entries a row has that many words.
    unsafe { core::slice::from_raw_parts(first, Row::words(threads as usize)) }
}

/// The choices that are still to be taken in a state of the path of a search.
#[inline]
pub fn cursor(depth: u32) -> &'static Cell<Cursor> {
    at(CURSORS_AT, depth as usize)
}

/// An unsettled state of a search. The caller keeps within the table.
#[inline]
pub fn unsettled(number: u32) -> &'static Cell<[u64; 2]> {
    at(UNSETTLED_AT, number as usize)
}

/// One of those on the path.
#[inline]
pub fn on_path(nth: u32) -> &'static Cell<OnPath> {
    at(ON_PATH_AT, nth as usize)
}

/// What the code before an address belongs to, if it is not the program's own.
pub fn code(return_address: u64) -> Option<Code> {
    let grain = (return_address.wrapping_sub(1) / CODE_GRAIN) as usize;
    if grain >= CODE_BYTES {
        return None;
    }
    match at::<u8>(CODE_AT, grain).get() {
        1 => Some(Code::Library),
        2 => Some(Code::Root),
        _ => None,
    }
}

/// A touch of an object of the thread library.
pub fn touch(object: u64, how: How, space: crate::protocol::Space) -> Touch {
    Touch { object, size: 0, how: how as u8, space: space as u8, lacks: 0 }
}

/// A state and a header for each thread of the tests, in place of those at fixed addresses.
#[cfg(test)]
mod for_tests {
    use super::{Header, Runtime};
    use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};

    std::thread_local! {
        static RUNTIME: *mut Runtime = zeroed();
        static HEADER: *mut Header = zeroed();
    }

    /// The state, as it is before anything has happened. Each test begins with it.
    pub fn new_state() -> &'static Runtime {
        // SAFETY: all zeros is a valid value, and all of both lies in cells.
        unsafe {
            RUNTIME.with(|runtime| runtime.write_bytes(0, 1));
            HEADER.with(|header| header.write_bytes(0, 1));
        }
        runtime()
    }

    pub fn runtime() -> &'static Runtime {
        // SAFETY: never given back.
        RUNTIME.with(|runtime| unsafe { &**runtime })
    }

    pub fn header() -> &'static Header {
        // SAFETY: as above.
        HEADER.with(|header| unsafe { &**header })
    }

    fn zeroed<T>() -> *mut T {
        let layout = Layout::new::<T>();
        // SAFETY: both types have a size.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        memory.cast()
    }
}
