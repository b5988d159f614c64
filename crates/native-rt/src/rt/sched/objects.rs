//! Objects of the thread library, as they lie in the program's memory.
//!
//! Their state is kept where the C library would keep it, in as many bytes, so that static initialisers are right, copies
//! are copies, and restoring the program's memory restores them. Which threads wait is known from the threads.

use crate::protocol::{How, NOBODY};
use core::cell::Cell;

/// What lies in the program's memory as an object: all of it in cells, because the program and other threads change it, too.
///
/// # Safety
/// Every bit pattern must be a value of it.
pub unsafe trait Object {}

/// An object of the program.
pub fn look<T: Object>(address: u64) -> &'static T {
    // SAFETY: the program passed the address as one of such an object, of which every bit pattern is a value. If there is no
    // memory, that is a crash of the program.
    unsafe { &*(address as *const T) }
}

/// What stands in an object that has been destroyed.
pub const DESTROYED: u32 = 0xdead_0b1e;

pub const NORMAL: u32 = 0;
pub const RECURSIVE: u32 = 1;
pub const ERROR_CHECKING: u32 = 2;
pub const ADAPTIVE: u32 = 3;
/// Beside the kind: a holder that ends leaves it to the next one.
pub const ROBUST: u32 = 16;

/// `pthread_spinlock_t`.
#[repr(C)]
pub struct Spin {
    /// The holder's number, plus one; 0 if no thread holds it.
    pub holder: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Spin {}

/// `pthread_mutex_t`. The kind lies where static initialisers put it.
#[repr(C)]
pub struct Mutex {
    pub locked: Cell<u32>,
    pub count: Cell<u32>,
    /// The holder's number, plus one.
    pub owner: Cell<u32>,
    /// Of a robust one: what became of its holders.
    pub health: Cell<u32>,
    pub kind: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Mutex {}

impl Mutex {
    /// Makes it anew.
    pub fn make(&self, kind: u32) {
        self.take_back();
        self.health.set(0);
        self.kind.set(kind);
    }

    /// Its holder has ended.
    pub const ORPHANED: u32 = 1;
    /// A thread has it since then, and has not put right what it guards.
    pub const INCONSISTENT: u32 = 2;
    /// That thread has given it back, and no thread can have it any more.
    pub const LOST: u32 = 3;

    /// What it does when its holder takes it again.
    pub fn sort(&self) -> u32 {
        self.kind.get() & !ROBUST
    }

    pub fn holder(&self) -> u32 {
        if self.locked.get() == 0 { NOBODY } else { self.owner.get().wrapping_sub(1) }
    }

    /// Whether a thread that locks it goes on, be it with an error.
    pub fn can_lock(&self, thread: u32) -> bool {
        self.locked.get() == 0
            || (self.holder() == thread && matches!(self.sort(), RECURSIVE | ERROR_CHECKING))
    }

    /// How a thread touches it that takes it. Once no thread can have it any more, a thread that asks is told so, and changes nothing.
    pub fn how_taken(&self) -> How {
        if self.health.get() == Mutex::LOST { How::Look } else { How::Acquire }
    }

    /// How a thread touches it that tries to take it, and does not wait.
    pub fn how_tried(&self) -> How {
        match (self.health.get(), self.locked.get()) {
            (Mutex::LOST, _) => How::Open,
            (_, 0) => How::Write,
            _ => How::Shut,
        }
    }

    /// How a thread touches it that gives it back without having it, and is told so.
    pub fn how_mistaken(&self) -> How {
        if self.locked.get() == 0 { How::Open } else { How::Shut }
    }

    /// A thread has it from now on.
    pub fn give(&self, thread: u32) {
        self.locked.set(1);
        self.count.set(1);
        self.owner.set(thread + 1);
    }

    /// No thread has it any longer.
    pub fn take_back(&self) {
        self.locked.set(0);
        self.count.set(0);
        self.owner.set(0);
    }

    pub fn is_sound(&self) -> bool {
        self.sort() <= ADAPTIVE && self.locked.get() <= 1
    }
}

/// `pthread_rwlock_t`.
#[repr(C)]
pub struct RwLock {
    pub readers: Cell<u32>,
    /// The writer's number, plus one.
    pub writer: Cell<u32>,
    pub destroyed: Cell<u32>,
    /// Writers that wait for it, if it keeps readers out then.
    pub waiting: Cell<u32>,
    pub unused: [Cell<u32>; 8],
    /// Which threads it prefers, where static initialisers put it.
    pub kind: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for RwLock {}

impl RwLock {
    /// Makes it anew.
    pub fn make(&self, kind: u32) {
        [&self.readers, &self.writer, &self.destroyed, &self.waiting].iter().for_each(|word| word.set(0));
        self.unused.iter().for_each(|word| word.set(0));
        self.kind.set(kind);
    }

    /// Where the line of writers before a lock lies, as an object of its own: writers are in it together, and readers go past it while it
    /// is empty.
    pub fn line(address: u64) -> u64 {
        address + core::mem::offset_of!(RwLock, waiting) as u64
    }

    /// The kind that lets no further reader in while a writer waits.
    pub const PREFERS_WRITERS: u32 = 2;

    /// Whether a reader may come in.
    pub fn admits_readers(&self) -> bool {
        self.writer.get() == 0 && self.waiting.get() == 0
    }

    /// Whether a writer may come in.
    pub fn admits_writer(&self) -> bool {
        self.writer.get() == 0 && self.readers.get() == 0
    }
}

/// `pthread_barrier_t`.
#[repr(C)]
pub struct Barrier {
    pub needed: Cell<u32>,
    pub arrived: Cell<u32>,
    pub destroyed: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Barrier {}

impl Barrier {
    /// Makes it anew.
    pub fn make(&self, needed: u32) {
        self.needed.set(needed);
        self.arrived.set(0);
        self.destroyed.set(0);
    }

    /// Whether the next one to arrive lets all go on.
    pub fn is_last(&self) -> bool {
        self.arrived.get() + 1 >= self.needed.get()
    }
}

/// `sem_t`.
#[repr(C)]
pub struct Semaphore {
    pub value: Cell<u32>,
    pub destroyed: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Semaphore {}

impl Semaphore {
    /// Makes it anew.
    pub fn make(&self, value: u32) {
        self.value.set(value);
        self.destroyed.set(0);
    }
}

/// `pthread_once_t`, `once_flag` of C11, and the first bytes of the guard of a static variable of C++.
#[repr(C)]
pub struct Once {
    pub state: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Once {}

impl Once {
    pub const RUNS: u32 = 0x100;

    /// Whether a thread is in it.
    pub fn runs(&self) -> bool {
        self.state.get() & Once::RUNS != 0
    }

    /// Whether it has been done: the C library says 2, the guards of C++ say 1.
    pub fn is_done(&self) -> bool {
        self.state.get() & 3 != 0
    }
}

/// `pthread_cond_t`: nothing but whether it has been destroyed. Its last word is 0 in a static initialiser.
#[repr(C)]
pub struct Condition {
    pub words: [Cell<u32>; 11],
    pub destroyed: Cell<u32>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Condition {}

impl Condition {
    /// Makes it anew.
    pub fn make(&self) {
        self.words.iter().for_each(|word| word.set(0));
        self.destroyed.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(kind: u32) -> Mutex {
        let [locked, count, owner, health] = [const { Cell::new(0) }; 4];
        Mutex { locked, count, owner, health, kind: Cell::new(kind) }
    }

    #[test]
    fn mutex_is_locked_by_one_thread_at_a_time() {
        let mutex = mutex(NORMAL);
        assert!(mutex.can_lock(0) && mutex.can_lock(1));
        mutex.give(1);
        assert_eq!((mutex.holder(), mutex.count.get()), (1, 1));
        assert!(!mutex.can_lock(0) && !mutex.can_lock(1));
        mutex.take_back();
        assert_eq!(mutex.holder(), NOBODY);
    }

    #[test]
    fn recursive_mutex_is_locked_again_by_its_holder() {
        let mutex = mutex(RECURSIVE | ROBUST);
        mutex.give(1);
        assert!(mutex.can_lock(1) && !mutex.can_lock(0));
        assert_eq!(mutex.sort(), RECURSIVE);
    }

    #[test]
    fn lost_robust_mutex_can_only_be_looked_at() {
        let mutex = mutex(ROBUST);
        mutex.health.set(Mutex::LOST);
        assert_eq!((mutex.how_taken(), mutex.how_tried()), (How::Look, How::Open));
    }

    #[test]
    fn objects_are_found_by_address() {
        let mutex = mutex(NORMAL);
        let same: &Mutex = look(&raw const mutex as u64);
        same.give(4);
        assert_eq!(mutex.holder(), 4);
    }

    #[test]
    fn waiting_writer_keeps_readers_out_and_readers_keep_writers_out() {
        let word = || Cell::new(0);
        let unused = [const { Cell::new(0) }; 8];
        let lock = RwLock {
            readers: word(),
            writer: word(),
            destroyed: word(),
            waiting: word(),
            unused,
            kind: word(),
        };
        lock.make(RwLock::PREFERS_WRITERS);
        lock.waiting.set(1);
        assert!(!lock.admits_readers() && lock.admits_writer());
        lock.readers.set(1);
        assert!(!lock.admits_writer());
    }

    #[test]
    fn last_thread_opens_barrier() {
        let barrier = Barrier { needed: Cell::new(0), arrived: Cell::new(0), destroyed: Cell::new(0) };
        barrier.make(2);
        assert!(!barrier.is_last());
        barrier.arrived.set(1);
        assert!(barrier.is_last());
    }
}
