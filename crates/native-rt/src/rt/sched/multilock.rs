//! Several locks at once: `std::lock` and `std::scoped_lock`.
//!
//! A function of a library that takes several locks holds some of them while it tries the others, and gives them back if it
//! cannot have all. Two of them could go on like that for ever, each because of what the other holds for a moment. Only a thread that tries
//! a lock itself can notice that moment. So all of it is one step, which takes all the locks and is possible when all of them can be had.
//! The function itself says which they are: while a thread is in one, every lock that it asks for
//! is given to it as if it were free, and taken down. When it leaves the function, it waits until it can have them.
//!
//! What others could notice must not happen in between. Where it does, because the function takes something that is no lock of
//! the thread library, the driver is told; it begins anew, and the steps are those that the function makes.

use crate::protocol::{How, NOBODY, Pending, SINGLY, Space, Touch};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{ERROR_CHECKING, Mutex, RECURSIVE, ROBUST, RwLock, look};
use crate::rt::sched::private_memory;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime, touch};
use core::cell::Cell;

/// Locks that are taken at once at most.
const MOST: usize = 8;
/// How many functions of the library lie between the one that takes several locks and ours at most.
const BETWEEN: usize = 24;

/// How a lock is to be had.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Mutex = 0,
    Reads,
    Writes,
}

/// A lock that a thread wants.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wanted {
    pub address: u64,
    pub kind: Kind,
}

impl Wanted {
    /// Whether a thread can have it; if not, its holder.
    fn state(&self, thread: u32) -> (bool, u32) {
        match self.kind {
            Kind::Mutex => {
                let mutex: &Mutex = look(self.address);
                (mutex.can_lock(thread), mutex.holder())
            }
            Kind::Reads => {
                let lock: &RwLock = look(self.address);
                (lock.admits_readers(), lock.writer.get().wrapping_sub(1))
            }
            Kind::Writes => {
                let lock: &RwLock = look(self.address);
                (lock.writer.get() == 0 && lock.readers.get() == 0, lock.writer.get().wrapping_sub(1))
            }
        }
    }

    /// No other thread notices that the holder of a mutex takes it once more.
    pub fn how(&self, thread: u32) -> How {
        match self.kind {
            Kind::Mutex if look::<Mutex>(self.address).holder() == thread && self.state(thread).0 => {
                How::Nothing
            }
            Kind::Mutex | Kind::Writes => How::Acquire,
            Kind::Reads => How::Share,
        }
    }
}

/// The locks that a thread wants to have at once.
#[repr(C)]
pub struct Locks {
    locks: [Cell<Wanted>; MOST],
    count: Cell<u32>,
}

impl Locks {
    /// Those of a new thread: none.
    pub fn clear(&self) {
        self.count.set(0);
    }

    /// All of them, in the order in which the thread has asked for them.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Wanted> + ExactSizeIterator {
        self.locks[..self.count.get() as usize].iter().map(Cell::get)
    }

    /// The number of one that the thread cannot have.
    fn missing(&self, thread: u32) -> Option<usize> {
        let mut all = self.all().enumerate();
        all.find(|(nth, wanted)| !wanted.state(thread).0 || self.is_in_vain(*nth)).map(|(nth, _)| nth)
    }

    /// Whether a lock stands there for the second time, and can be had only once.
    pub fn is_in_vain(&self, nth: usize) -> bool {
        let Wanted { address, kind } = self.locks[nth].get();
        let once = match kind {
            Kind::Mutex => look::<Mutex>(address).sort() != RECURSIVE,
            Kind::Reads => false,
            Kind::Writes => true,
        };
        once && self.locks[..nth].iter().any(|other| other.get().address == address)
    }
}

/// The running thread asks for a lock. Whether that is taken down, so that it goes on as if it had it.
#[inline]
pub fn wants(address: u64, kind: Kind) -> bool {
    header().lockers.count.get() > 0 && is_wanted(Wanted { address, kind })
}

fn is_wanted(wanted: Wanted) -> bool {
    let runtime = runtime();
    if !runtime.running.get() {
        return false;
    }
    let own = runtime.current.get();
    if runtime.multilock_end.get() == 0 {
        match end_of_function(runtime) {
            Some(end) => runtime.multilock_end.set(end),
            None => return false,
        }
    }
    if wanted.kind == Kind::Mutex {
        let mutex: &Mutex = look(wanted.address);
        if mutex.kind.get() & ROBUST != 0 || mutex.sort() == ERROR_CHECKING && mutex.holder() == own {
            // It is told so, or that the holder has ended; no other thread is concerned.
            interrupted(runtime);
        }
    }
    let locks = &runtime.thread().wanted;
    match locks.locks.get(locks.count.get() as usize) {
        Some(place) => place.set(wanted),
        None => interrupted(runtime),
    }
    locks.count.update(|count| count + 1);
    true
}

/// The running thread gives a lock back. Whether it only seemed to have it.
pub fn wants_no_longer(address: u64) -> bool {
    let runtime = runtime();
    if runtime.multilock_end.get() == 0 {
        return false;
    }
    let locks = &runtime.thread().wanted;
    let Some(at) = locks.all().rposition(|wanted| wanted.address == address) else { return false };
    for nth in at + 1..locks.all().len() {
        locks.locks[nth - 1].set(locks.locks[nth].get());
    }
    locks.count.update(|count| count - 1);
    true
}

/// A lock is tried that a thread may have for a moment while it tries others.
pub fn is_tried() {
    let hidden = header().lockers.count.get() > 0 && !runtime().private.contains(SINGLY);
    header().tried.update(|tried| tried | u32::from(hidden));
}

/// Where the calls of the running thread end when it has left the function that takes several locks, if it is in one.
fn end_of_function(runtime: &Runtime) -> Option<u64> {
    if runtime.private.contains(SINGLY) {
        return None;
    }
    let mut calls = [0; BETWEEN];
    let top = runtime.calls.get() as u64;
    let count = defect::calls_of(runtime, runtime.current.get(), top, &mut calls) as usize;
    // What is called from there; the function itself is the next one.
    let outermost = calls[..count].iter().rposition(|call| header().lockers.contain(*call))?;
    top.checked_sub(8 * (outermost as u64 + 2))
}

/// In the midst of taking several locks something comes that others can notice.
#[cold]
pub fn interrupted(runtime: &Runtime) -> ! {
    private_memory::met(runtime, SINGLY);
    defect::refuse(b"several locks at once, with something else in between")
}

/// Whether a thread that is about to take several locks can have them; if not, the holder of one. It waits for that thread.
pub fn offer(runtime: &Runtime, index: u32) -> (bool, u32) {
    let thread = &runtime.table[index as usize];
    let missing = thread.wanted.missing(index);
    let named = thread.wanted.locks[missing.unwrap_or(0)].get();
    let (object, how) = (named.address, named.how(index) as u8);
    thread.pending.update(|pending| Pending { object, how, ..pending });
    match missing {
        Some(_) => (false, named.state(index).1),
        None => (true, NOBODY),
    }
}

/// The locks that a thread is about to take beside the one that it is said to wait for. Their number.
pub fn touches(runtime: &Runtime, index: u32, mut add: impl FnMut(&Runtime, Touch)) -> u16 {
    let locks = &runtime.table[index as usize].wanted;
    let named = locks.missing(index).unwrap_or(0);
    for (nth, wanted) in locks.all().enumerate().filter(|(nth, _)| *nth != named) {
        let lacks = !wanted.state(index).0 || locks.is_in_vain(nth);
        let touch = touch(wanted.address, wanted.how(index), Space::Object);
        add(runtime, Touch { lacks: lacks.into(), ..touch });
    }
    locks.all().len().saturating_sub(1) as u16
}
