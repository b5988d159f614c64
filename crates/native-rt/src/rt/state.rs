//! The state of the runtime.

use super::context::Frame;
use super::layout::{REGION_AT, STATE_AT, STATE_BYTES, slot_at};
use super::watch::Anchors;
use crate::protocol::{
    CHOICES_AT, CODE_AT, CODE_BYTES, CODE_GRAIN, Code, ENTRIES_AT, EXTRAS_AT, Header, How, MOST_STEPS,
    MOST_THREADS, OFFSETS_AT, Origin, Pending, ROWS_AT, Row, Settings, THREADS_AT, Taken, Touch, Watch,
};

/// Everything that the runtime knows, in memory that restoring the program does not touch.
#[repr(C)]
pub struct Runtime {
    /// Where the stubs leave the address of the registers that they save.
    pub frame: *const Frame,
    /// Where the running thread keeps the next call that it enters.
    pub calls: *mut u64,
    /// Where that is when it has left a function that takes several locks; 0 if it is in none.
    pub several_end: u64,
    /// The least stack pointer that the running thread has had at a call.
    pub low: u64,
    /// Whether functions of ours clear what they leave on the program's stack.
    pub cleans: u32,
    /// Whether the program runs: before `main`, and while the runtime itself is at work, hooks do nothing.
    pub running: bool,
    /// Whether a driver says what to do.
    pub driven: bool,
    /// Whether rows are written.
    pub recording: bool,
    pub may_write_base: bool,
    /// The running thread.
    pub current: u32,
    /// The number of threads of this execution.
    pub threads: u32,
    /// Threads that have been created and not joined.
    pub unjoined: u32,
    /// The atomic section that a thread is in.
    pub section: super::sections::Section,
    /// The number of choices taken.
    pub depth: u32,
    /// Choices that are given.
    pub steps: u32,
    /// The depth up to which choices are likely.
    pub expected: u32,
    /// Rows that must come out again.
    pub known: u32,
    /// The depth at which to pause.
    pub pause_at: u32,
    /// Further objects that rows have, and entries.
    pub extras: u32,
    pub entries: u32,
    /// Whether what the last row says of threads that have not moved since may be wrong.
    pub stale: bool,
    /// The threads that can move, and those of them that have values to choose from, one bit each.
    pub ready: Bits,
    pub several: Bits,
    pub settings: Settings,
    pub watch: Watch,
    /// The process that runs an execution for this one, or 0.
    pub child: u32,
    pub first_goes_on: bool,
    /// Whether it is being asked which threads can move without time passing.
    pub asks_for_others: bool,
    /// Counts those who begin to wait, so that the longest one is known.
    pub tickets: u64,
    /// Slots that have been mapped, by number.
    pub slots: u32,
    /// When the present command came, in ticks of the processor.
    pub since: u64,
    /// Whether the program has seen, in any execution, what would differ from run to run: a clock, the number of the process, what the
    /// system draws.
    pub varies: bool,
    /// Executions so far.
    pub executions: u64,
    /// Where the loop that takes commands stands, and its base.
    pub host: usize,
    pub host_base: usize,
    /// The program's own code, which is instrumented.
    pub text: (u64, u64),
    /// What of the program cannot be written to, its code and constants.
    pub constants: (u64, u64),
    pub tls: super::tls::Templates,
    pub memory: super::restore::Memory,
    pub heap: super::heap::Heaps,
    pub log: super::watch::Log,
    pub laps: super::laps::Laps,
    pub races: super::races::Races,
    pub private: super::private::Private,
    pub guarded: super::guarded::Guarded,
    pub copies: super::copies::Copies,
    pub stations: super::stations::Stations,
    /// What the program has printed and the system has not got yet.
    pub printed: [u8; 4096],
    pub table: [Thread; MOST_THREADS],
    /// Comes last: it compares what lies before it.
    pub hang: super::hang::Hang,
}

const _: () = assert!(size_of::<Runtime>() <= STATE_BYTES);

/// A set of threads.
#[repr(C)]
pub struct Bits([u64; Row::words(MOST_THREADS)]);

impl Bits {
    /// None.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a thread, or takes it away.
    #[inline]
    pub fn set(&mut self, thread: u32, there: bool) {
        let (word, bit) = (&mut self.0[thread as usize / 64], thread % 64);
        *word = *word & !(1 << bit) | u64::from(there) << bit;
    }

    /// The words for so many threads.
    #[inline]
    pub fn of(&self, threads: u32) -> &[u64] {
        &self.0[..Row::words(threads as usize)]
    }

    /// Whether one of so many threads is there.
    #[inline]
    pub fn any(&self, threads: u32) -> bool {
        self.of(threads).iter().any(|word| *word != 0)
    }
}

/// The runtime's state.
///
/// There is one thread of the operating system, and no reference that this gives is kept over a switch or a call that may
/// lead to one.
#[inline]
pub fn runtime() -> &'static mut Runtime {
    // SAFETY: mapped before anything of the program runs, all zeros is a valid value, and see above.
    unsafe { &mut *(STATE_AT as *mut Runtime) }
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
    pub stack_pointer: usize,
    /// The base of its thread-local storage, by which the program knows it.
    pub base: usize,
    /// The registers that its last call of a function of ours began with.
    pub frame: *const Frame,
    /// Whether that call has done nothing visible yet.
    pub fresh: bool,
    pub calls: *mut u64,
    pub low: u64,
    pub slot: u32,
    pub parent: u32,
    pub nth: u32,
    /// Threads that it has created.
    pub children: u32,
    /// What it is about to do.
    pub pending: Pending,
    /// Further objects of that.
    pub touches: [Touch; 2],
    pub touched: u16,
    /// The value that was chosen for it.
    pub value: u32,
    pub finished: bool,
    pub detached: bool,
    pub joined: bool,
    /// Whether it is ending the program: functions that it calls now may use what was left of its stack.
    pub leaves: bool,
    /// From where on its stack held what `main` had there, which has returned.
    pub returned: u64,
    /// Whether its creator waits until it stands before its first visible operation.
    pub announces: bool,
    pub waits: Waits,
    pub woken: bool,
    /// Whether it may give up waiting.
    pub timed: bool,
    /// Whether it does so only when no other thread can move.
    pub withheld: bool,
    /// Whether it waits or sleeps for some time only, and for how long.
    pub limit: super::timeouts::Limit,
    /// Whether it repeats itself until somebody else does something.
    pub awaits: bool,
    /// Whether it would await, and may go on all the same.
    pub idles: bool,
    /// Whether it stands where it has stood before.
    pub again: bool,
    /// What its last call of a function of ours has done so far, in a number.
    pub done: u64,
    /// The steps that it has taken.
    pub steps: u32,
    /// What it waits on, and the mutex that it must have again.
    pub on: u64,
    pub mutex: u64,
    pub ticket: u64,
    pub start: usize,
    pub argument: usize,
    pub result: usize,
    /// How its start routine is declared: `int` of C11, or a pointer.
    pub c11: bool,
    /// Its clock, in nanoseconds since the program began.
    pub clock: u64,
    /// How often it has looked at the clock since it slept last.
    pub looks: u32,
    /// The same, of looks that did not move it because time-outs are withheld.
    pub in_a_row: u32,
    /// How often it has waited in vain, as far as that matters.
    pub in_vain: u32,
    /// Where it is in its row of random numbers.
    pub random: u64,
    /// What it has moved on that the system keeps for the program, in a number, see [`super::sums::moved_on`].
    pub elsewhere: u64,
    /// The last handler of `pthread_cleanup_push`.
    pub cleanup: usize,
    /// Destructors of its thread-local objects.
    pub destructors: usize,
    pub keys: u32,
    /// The bytes that it has read last in one go, for a copy, and those that it has said it writes.
    pub copies: super::hooks::Part,
    pub fills: super::hooks::Part,
    /// What it is in that is run once.
    pub runs_once: super::once::Running,
    pub holds: super::guarded::Holds,
    pub shares: super::rwlock::Shares,
    /// The locks that it is about to take at once.
    pub wanted: super::several::Locks,
    pub robust: super::robust::Held,
    /// What it is called, if the program has said so.
    pub name: super::naming::Name,
    pub anchors: Anchors,
}

impl Runtime {
    #[inline]
    pub fn thread(&mut self) -> &mut Thread {
        &mut self.table[self.current as usize]
    }

    /// All threads of this execution.
    #[inline]
    pub fn all(&mut self) -> &mut [Thread] {
        &mut self.table[..self.threads as usize]
    }

    /// Whether no other thread could notice anything.
    #[inline]
    pub fn alone(&self) -> bool {
        self.unjoined == 0
    }

    /// The thread that the program knows by this base.
    pub fn by_base(&self, base: u64) -> Option<u32> {
        let slot = super::layout::slot_of(base)?;
        let index = self.table[..self.threads as usize].iter().position(|thread| thread.slot == slot)?;
        (self.table[index].base as u64 == base).then_some(index as u32)
    }
}

impl Thread {
    /// Whether it does what it did before, as far as it can tell.
    pub fn repeats(&self) -> bool {
        self.awaits || self.idles
    }

    /// Where what it has in use of its stack begins: behind the registers of its last call of ours.
    #[inline]
    pub fn in_use(&self) -> u64 {
        self.frame as u64 + if self.frame.is_null() { 0 } else { size_of::<Frame>() as u64 }
    }

    /// Whether an address on its stack belonged to `main`, which has returned.
    #[inline]
    pub fn was_mains(&self, address: u64) -> bool {
        address >= self.returned && address < self.stack_end()
    }

    /// Where its stack ends.
    pub fn stack_end(&self) -> u64 {
        slot_at(self.slot) + crate::protocol::STACK_END
    }
}

/// The shared region.
pub fn header() -> &'static mut Header {
    // SAFETY: mapped at the start, the driver reads and writes it only when it is its turn.
    unsafe { &mut *(REGION_AT as *mut Header) }
}

fn at<T>(offset: usize, index: usize) -> *mut T {
    (REGION_AT + offset + index * size_of::<T>()) as *mut T
}

/// The choice at a depth.
pub fn choice(depth: u32) -> &'static mut Taken {
    debug_assert!((depth as usize) < MOST_STEPS);
    // SAFETY: within the region.
    unsafe { &mut *at(CHOICES_AT, depth as usize) }
}

/// The offset of a row, in units of eight bytes.
pub fn offset(row: u32) -> &'static mut u32 {
    // SAFETY: within the region: there is room for two more than steps.
    unsafe { &mut *at(OFFSETS_AT, row as usize) }
}

/// Where a thread comes from.
pub fn origin(thread: u32) -> &'static mut Origin {
    // SAFETY: within the region: the number of threads is checked when one is created.
    unsafe { &mut *at(THREADS_AT, thread as usize) }
}

/// A further object.
pub fn extra(index: u32) -> &'static mut Touch {
    // SAFETY: within the region: rows stop before it is full.
    unsafe { &mut *at(EXTRAS_AT, index as usize) }
}

/// What a thread is about to do in some rows.
pub fn entry(number: u32) -> &'static mut Pending {
    // SAFETY: within the region: rows stop before it is full.
    unsafe { &mut *at(ENTRIES_AT, number as usize) }
}

/// A row and the numbers of its entries.
pub fn row(number: u32) -> (*mut Row, *mut u32) {
    let at = REGION_AT + ROWS_AT + *offset(number) as usize * 8;
    (at as *mut Row, (at + size_of::<Row>()) as *mut u32)
}

/// What the code before an address belongs to, if it is not the program's own.
pub fn code(return_address: u64) -> Option<Code> {
    let grain = (return_address.wrapping_sub(1) / CODE_GRAIN) as usize;
    if grain >= CODE_BYTES {
        return None;
    }
    // SAFETY: within the region.
    match unsafe { *at::<u8>(CODE_AT, grain) } {
        1 => Some(Code::Library),
        2 => Some(Code::Root),
        _ => None,
    }
}

/// A touch of an object of the thread library.
pub fn touch(object: u64, how: How, space: crate::protocol::Space) -> Touch {
    Touch { object, size: 0, how: how as u8, space: space as u8, lacks: 0 }
}
