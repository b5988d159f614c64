//! Mutexes.

use crate::protocol::{How, Op};
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::multilock::{self, Kind};
use crate::rt::sched::objects::{
    ADAPTIVE, DESTROYED, ERROR_CHECKING, Mutex, NORMAL, RECURSIVE, ROBUST, look,
};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sched::timeouts;
use crate::rt::time::clocks;

export! {
    pthread_mutex_init => initialise;
    pthread_mutex_destroy => destroy;
    pthread_mutex_lock => lock;
    __pthread_mutex_lock => lock;
    pthread_mutex_trylock => try_lock;
    pthread_mutex_timedlock => timed_lock;
    pthread_mutex_clocklock => clock_lock;
    pthread_mutex_unlock => unlock;
    __pthread_mutex_unlock => unlock;
}

/// The bit of an attribute that asks for a robust mutex. Priorities, inherited or with a ceiling, are no matter: any thread may
/// go on.
const ASKS_ROBUST: u32 = 0x4000_0000;

pub fn sound(address: u64, what: &'static [u8]) -> &'static Mutex {
    let mutex: &Mutex = look(address);
    if mutex.kind.get() == DESTROYED {
        defect::misuse(address, &[what, b" a mutex that has been destroyed"]);
    }
    if !mutex.is_sound() {
        defect::misuse(address, &[what, b" what is not an initialised mutex"]);
    }
    mutex
}

extern "C" fn initialise(address: u64, attribute: *const u32) -> i32 {
    let frame = Frame::here();
    // SAFETY: the program passes an attribute or nothing.
    let attribute = if attribute.is_null() { 0 } else { unsafe { *attribute } };
    let robust = if attribute & ASKS_ROBUST != 0 { ROBUST } else { 0 };
    make(frame, address, attribute & 3 | robust)
}

fn make(frame: &Frame, address: u64, kind: u32) -> i32 {
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    crate::rt::sched::locksets::nobody_holds(address);
    look::<Mutex>(address).make(kind);
    0
}

/// Makes a mutex for C11, which has kinds of its own.
pub fn make_kind(frame: &Frame, address: u64, recursive: bool) {
    make(frame, address, if recursive { RECURSIVE } else { NORMAL });
}

extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    let mutex = sound(address, b"destroys");
    if mutex.locked.get() != 0 {
        defect::misuse(address, &[b"destroys a locked mutex"]);
    }
    mutex.kind.set(DESTROYED);
    0
}

pub extern "C" fn lock(address: u64) -> i32 {
    take_lock(Frame::here(), address)
}

pub fn take_lock(frame: &Frame, address: u64) -> i32 {
    let mutex = sound(address, b"locks");
    if multilock::wants(address, Kind::Mutex) {
        return 0;
    }
    // No other thread notices that its holder takes it once more, or is told that it has it.
    let again = mutex.holder() == runtime().current.get() && mutex.can_lock(runtime().current.get());
    let how = if again { How::Nothing } else { How::Acquire };
    Operation::new(Op::Lock, how, address, 0).take(frame);
    gain(sound(address, b"locks"))
}

/// The running thread has been given a mutex with others.
pub fn gain_wanted(address: u64) {
    gain(sound(address, b"locks"));
}

/// Takes a mutex that can be taken.
fn gain(mutex: &Mutex) -> i32 {
    let own = runtime().current.get();
    let address = &raw const *mutex as u64;
    if mutex.health.get() == Mutex::LOST {
        return errno::ENOTRECOVERABLE;
    }
    if mutex.locked.get() == 0 {
        mutex.give(own);
        crate::rt::sched::locksets::took(address);
        crate::rt::sched::spin_loops::turn(address, 1);
        return crate::rt::sync::robust::taken(mutex);
    }
    if mutex.sort() == RECURSIVE {
        mutex.count.update(|count| count + 1);
        crate::rt::sched::spin_loops::turn(address, 1);
        return 0;
    }
    errno::EDEADLK
}

pub extern "C" fn try_lock(address: u64) -> i32 {
    try_to_lock(Frame::here(), address, Op::TryLock, errno::EBUSY)
}

pub fn try_to_lock(frame: &Frame, address: u64, op: Op, failure: i32) -> i32 {
    sound(address, b"tries to lock");
    if multilock::wants(address, Kind::Mutex) {
        return 0;
    }
    multilock::is_tried();
    Operation::new(op, How::Write, address, 0).take(frame);
    let mutex = sound(address, b"tries to lock");
    let own = runtime().current.get();
    if mutex.locked.get() == 0 || mutex.sort() == RECURSIVE && mutex.holder() == own {
        crate::rt::sched::spin_loops::changed();
        crate::rt::sched::races::gained(address);
        return gain(mutex);
    }
    failure
}

pub extern "C" fn timed_lock(address: u64, until: usize) -> i32 {
    timed(Frame::here(), address, until)
}

extern "C" fn clock_lock(address: u64, clock: i32, until: usize) -> i32 {
    if !clocks::is_waited_by(clock) {
        return errno::EINVAL;
    }
    timed(Frame::here(), address, until)
}

pub fn timed(frame: &Frame, address: u64, until: usize) -> i32 {
    let mutex = sound(address, b"locks");
    if mutex.sort() == ERROR_CHECKING && mutex.holder() == runtime().current.get() {
        return errno::EDEADLK;
    }
    timeouts::withhold_until(until);
    let result = try_to_lock(frame, address, Op::TimedLock, clocks::in_vain(until));
    timeouts::release();
    if result == errno::ETIMEDOUT {
        clocks::pass_until(until);
    }
    result
}

pub extern "C" fn unlock(address: u64) -> i32 {
    let frame = Frame::here();
    give_back(frame, address)
}

pub fn give_back(frame: &Frame, address: u64) -> i32 {
    let mutex: &Mutex = look(address);
    let how = match (mutex.holder() == runtime().current.get(), mutex.count.get()) {
        (true, 1) => How::Release,
        (true, _) => How::Nothing,
        // It is an error, which depends on its holder.
        (false, _) => How::Write,
    };
    if multilock::wants_no_longer(address) {
        return 0;
    }
    Operation::new(Op::Unlock, how, address, 0).take(frame);
    let mutex = sound(address, b"unlocks");
    if mutex.holder() != runtime().current.get() {
        if mutex.kind.get() & ROBUST != 0 || matches!(mutex.sort(), ERROR_CHECKING | RECURSIVE) {
            return errno::EPERM;
        }
        if mutex.locked.get() == 0 {
            defect::misuse(address, &[b"unlocks a mutex that is not locked"]);
        }
        defect::misuse(address, &[b"unlocks a mutex that another thread has locked"]);
    }
    crate::rt::sched::spin_loops::turn(address, -1);
    mutex.count.update(|count| count - 1);
    if mutex.count.get() == 0 {
        crate::rt::sched::locksets::gave_back(address);
        mutex.locked.set(0);
        mutex.owner.set(0);
        crate::rt::sync::robust::given_back(mutex);
    }
    0
}

const _: () = assert!(ADAPTIVE == 3);
