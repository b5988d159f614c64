//! Locks for one writer or several readers.

use super::context::{Frame, export};
use super::objects::{DESTROYED, RwLock, change, look};
use super::schedule::Operation;
use super::state::runtime;
use super::{defect, errno};
use crate::protocol::{How, Op};

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

fn sound(address: u64, what: &'static [u8]) -> &'static mut RwLock {
    let lock: &RwLock = look(address);
    if lock.destroyed == DESTROYED {
        defect::misuse(address, &[what, b" a read-write lock that has been destroyed"]);
    }
    change(address)
}

extern "C" fn initialise(address: u64, _attribute: usize) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    let lock: &mut RwLock = change(address);
    *lock = RwLock { readers: 0, writer: 0, destroyed: 0 };
    0
}

extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    let lock = sound(address, b"destroys");
    if lock.readers > 0 || lock.writer > 0 {
        defect::misuse(address, &[b"destroys a locked read-write lock"]);
    }
    lock.destroyed = DESTROYED;
    0
}

extern "C" fn read_lock(address: u64) -> i32 {
    let frame = Frame::here();
    if sound(address, b"locks").writer == runtime().current + 1 {
        return errno::EDEADLK;
    }
    Operation::new(Op::ReadLock, How::Read, address, 0).take(frame);
    sound(address, b"locks").readers += 1;
    super::watch::turn(address, 1);
    0
}

extern "C" fn try_read_lock(address: u64) -> i32 {
    try_read(Frame::here(), address, errno::EBUSY)
}

extern "C" fn timed_read_lock(address: u64, until: usize) -> i32 {
    in_time(try_read(Frame::here(), address, errno::ETIMEDOUT), until)
}

extern "C" fn clock_read_lock(address: u64, _clock: i32, until: usize) -> i32 {
    in_time(try_read(Frame::here(), address, errno::ETIMEDOUT), until)
}

/// What comes of trying until a moment.
fn in_time(result: i32, until: usize) -> i32 {
    if result == errno::ETIMEDOUT {
        super::time::pass_until(until);
    }
    result
}

fn try_read(frame: &Frame, address: u64, failure: i32) -> i32 {
    sound(address, b"tries to lock");
    Operation::new(Op::TryReadLock, How::Write, address, 0).take(frame);
    let lock = sound(address, b"tries to lock");
    if lock.writer != 0 {
        return failure;
    }
    super::watch::changed();
    super::races::gained(address);
    super::watch::turn(address, 1);
    lock.readers += 1;
    0
}

extern "C" fn write_lock(address: u64) -> i32 {
    let frame = Frame::here();
    if sound(address, b"locks").writer == runtime().current + 1 {
        return errno::EDEADLK;
    }
    Operation::new(Op::WriteLock, How::Acquire, address, 0).take(frame);
    let own = runtime().current;
    sound(address, b"locks").writer = own + 1;
    super::watch::turn(address, 1);
    0
}

extern "C" fn try_write_lock(address: u64) -> i32 {
    try_write(Frame::here(), address, errno::EBUSY)
}

extern "C" fn timed_write_lock(address: u64, until: usize) -> i32 {
    in_time(try_write(Frame::here(), address, errno::ETIMEDOUT), until)
}

extern "C" fn clock_write_lock(address: u64, _clock: i32, until: usize) -> i32 {
    in_time(try_write(Frame::here(), address, errno::ETIMEDOUT), until)
}

fn try_write(frame: &Frame, address: u64, failure: i32) -> i32 {
    sound(address, b"tries to lock");
    Operation::new(Op::TryWriteLock, How::Write, address, 0).take(frame);
    let own = runtime().current;
    let lock = sound(address, b"tries to lock");
    if lock.writer != 0 || lock.readers != 0 {
        return failure;
    }
    super::watch::changed();
    super::races::gained(address);
    super::watch::turn(address, 1);
    lock.writer = own + 1;
    0
}

extern "C" fn unlock(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::SharedUnlock, How::Release, address, 0).take(frame);
    let own = runtime().current;
    let lock = sound(address, b"unlocks");
    if lock.writer == own + 1 {
        lock.writer = 0;
    } else if lock.writer != 0 {
        defect::misuse(address, &[b"unlocks a read-write lock that another thread has locked"]);
    } else if lock.readers == 0 {
        defect::misuse(address, &[b"unlocks a read-write lock that is not locked"]);
    } else {
        lock.readers -= 1;
    }
    super::watch::turn(address, -1);
    0
}
