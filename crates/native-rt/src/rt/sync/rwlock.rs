//! Locks for one writer or several readers.

use crate::protocol::{How, Op, Space};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::multilock::{self, Kind};
use crate::rt::sched::objects::{DESTROYED, RwLock, look};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{runtime, touch};
use crate::rt::sched::thread_records::Shares;
use crate::rt::sched::timeouts;
use crate::rt::sched::virtual_clock;
use crate::rt::time::clocks;
use core::cell::Cell;

export! {
    pthread_rwlock_init => initialise;
    pthread_rwlock_destroy => destroy;
    pthread_rwlock_rdlock => read_lock;
    pthread_rwlock_tryrdlock => try_read_lock;
    pthread_rwlock_timedrdlock => timed_read_lock;
    pthread_rwlock_clockrdlock => clock_read_lock;
    pthread_rwlock_wrlock => write_lock;
    pthread_rwlock_trywrlock => try_write_lock;
    pthread_rwlock_timedwrlock => timed_write_lock;
    pthread_rwlock_clockwrlock => clock_write_lock;
    pthread_rwlock_unlock => unlock;
}

/// Those that the first thread has since before `main` was called.
static SINCE_BEFORE: Restored<Cell<Shares>> = Restored::new(Cell::new(Shares::NONE));

/// Those of a thread that begins.
pub fn shares_of_new_thread(is_first: bool) -> Shares {
    if is_first { SINCE_BEFORE.get() } else { Shares::NONE }
}

/// The running thread has a lock for reading.
fn share(address: u64) {
    let lock: &RwLock = look(address);
    lock.readers.update(|readers| readers + 1);
    crate::rt::sched::spin_loops::turn(address, 1);
    own_shares().update(|mut shares| {
        shares.add(address);
        shares
    });
}

/// Those of the running thread.
fn own_shares() -> &'static Cell<Shares> {
    if runtime().running.get() { &runtime().thread().shares } else { &SINCE_BEFORE }
}

/// The running thread gives back a lock that is locked for reading.
fn unshare(address: u64) {
    let lock: &RwLock = look(address);
    let mut shares = own_shares().get();
    let known = shares.remove(address);
    own_shares().set(shares);
    if !known {
        defect::misuse(address, &[b"unlocks a read-write lock that only other threads have locked"]);
    }
    lock.readers.update(|readers| readers - 1);
}

fn sound(address: u64, what: &'static [u8]) -> &'static RwLock {
    let lock: &RwLock = look(address);
    if lock.destroyed.get() == DESTROYED {
        defect::misuse(address, &[what, b" a read-write lock that has been destroyed"]);
    }
    look(address)
}

extern "C" fn initialise(address: u64, attribute: *const u32) -> i32 {
    let frame = Frame::here();
    // SAFETY: the program passes an attribute, which begins with the threads that it prefers, or nothing.
    let kind = if attribute.is_null() { 0 } else { unsafe { *attribute } };
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    look::<RwLock>(address).make(kind);
    0
}

extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    let lock = sound(address, b"destroys");
    if lock.readers.get() > 0 || lock.writer.get() > 0 {
        defect::misuse(address, &[b"destroys a locked read-write lock"]);
    }
    lock.destroyed.set(DESTROYED);
    0
}

extern "C" fn read_lock(address: u64) -> i32 {
    let frame = Frame::here();
    if sound(address, b"locks").writer.get() == runtime().current.get() + 1 {
        return errno::EDEADLK;
    }
    if multilock::wants(address, Kind::Reads) {
        return 0;
    }
    Operation::new(Op::ReadLock, How::Share, address, 0).take(frame);
    read_wanted(address);
    0
}

extern "C" fn try_read_lock(address: u64) -> i32 {
    try_read(Frame::here(), address, errno::EBUSY)
}

extern "C" fn timed_read_lock(address: u64, until: usize) -> i32 {
    lock_until(Frame::here(), address, clocks::REALTIME, until, try_read)
}

extern "C" fn clock_read_lock(address: u64, clock: i32, until: usize) -> i32 {
    lock_until(Frame::here(), address, clock, until, try_read)
}

/// Tries until a moment. A thread that has the lock for writing would wait for itself.
fn lock_until(
    frame: &Frame,
    address: u64,
    clock: i32,
    until: usize,
    try_to: fn(&Frame, u64, i32) -> i32,
) -> i32 {
    if !clocks::is_waited_by(clock) || !virtual_clock::is_time(until) {
        return errno::EINVAL;
    }
    if sound(address, b"locks").writer.get() == runtime().current.get() + 1 {
        return errno::EDEADLK;
    }
    timeouts::withhold_until(until);
    let result = try_to(frame, address, errno::ETIMEDOUT);
    timeouts::release();
    if result == errno::ETIMEDOUT {
        clocks::pass_until(until);
    }
    result
}

fn try_read(frame: &Frame, address: u64, failure: i32) -> i32 {
    sound(address, b"tries to lock");
    if multilock::wants(address, Kind::Reads) {
        return 0;
    }
    multilock::is_tried();
    Operation::new(Op::TryReadLock, How::Write, address, 0).take(frame);
    let lock = sound(address, b"tries to lock");
    if !lock.admits_readers() {
        return failure;
    }
    crate::rt::sched::spin_loops::changed();
    crate::rt::sched::races::shared(address);
    share(address);
    0
}

extern "C" fn write_lock(address: u64) -> i32 {
    let frame = Frame::here();
    if sound(address, b"locks").writer.get() == runtime().current.get() + 1 {
        return errno::EDEADLK;
    }
    if multilock::wants(address, Kind::Writes) {
        return 0;
    }
    let prefers_writers = sound(address, b"locks").kind.get() == RwLock::PREFERS_WRITERS;
    if prefers_writers {
        // That it waits is what others notice, before it has the lock.
        Operation::new(Op::Queue, How::Share, RwLock::line(address), 0).take(frame);
        sound(address, b"locks").waiting.update(|waiting| waiting + 1);
    }
    let mut operation = Operation::new(Op::WriteLock, How::Acquire, address, 0);
    if prefers_writers {
        operation = operation.also(touch(RwLock::line(address), How::Unshare, Space::Object));
    }
    operation.take(frame);
    sound(address, b"locks").waiting.update(|waiting| waiting - u32::from(prefers_writers));
    write_wanted(address);
    0
}

/// The running thread has been given a lock for writing.
pub fn write_wanted(address: u64) {
    let own = runtime().current.get();
    sound(address, b"locks").writer.set(own + 1);
    crate::rt::sched::spin_loops::turn(address, 1);
}

/// The running thread has been given a lock for reading.
pub fn read_wanted(address: u64) {
    sound(address, b"locks");
    share(address);
}

extern "C" fn try_write_lock(address: u64) -> i32 {
    try_write(Frame::here(), address, errno::EBUSY)
}

extern "C" fn timed_write_lock(address: u64, until: usize) -> i32 {
    lock_until(Frame::here(), address, clocks::REALTIME, until, try_write)
}

extern "C" fn clock_write_lock(address: u64, clock: i32, until: usize) -> i32 {
    lock_until(Frame::here(), address, clock, until, try_write)
}

fn try_write(frame: &Frame, address: u64, failure: i32) -> i32 {
    sound(address, b"tries to lock");
    if multilock::wants(address, Kind::Writes) {
        return 0;
    }
    multilock::is_tried();
    Operation::new(Op::TryWriteLock, How::Write, address, 0).take(frame);
    let own = runtime().current.get();
    let lock = sound(address, b"tries to lock");
    if !lock.admits_writer() {
        return failure;
    }
    crate::rt::sched::spin_loops::changed();
    crate::rt::sched::races::had_alone(address);
    crate::rt::sched::spin_loops::turn(address, 1);
    lock.writer.set(own + 1);
    0
}

extern "C" fn unlock(address: u64) -> i32 {
    let frame = Frame::here();
    let own = runtime().current.get();
    let writes = sound(address, b"unlocks").writer.get() == own + 1;
    let how = if writes { How::Release } else { How::Unshare };
    if multilock::wants_no_longer(address) {
        return 0;
    }
    Operation::new(Op::SharedUnlock, how, address, 0).take(frame);
    let lock = sound(address, b"unlocks");
    if writes {
        lock.writer.set(0);
    } else if lock.writer.get() != 0 {
        defect::misuse(address, &[b"unlocks a read-write lock that another thread has locked"]);
    } else if lock.readers.get() == 0 {
        defect::misuse(address, &[b"unlocks a read-write lock that is not locked"]);
    } else {
        unshare(address);
    }
    crate::rt::sched::spin_loops::turn(address, -1);
    0
}
