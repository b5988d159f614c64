//! Spin locks. They have four bytes, not those of a mutex.

use crate::protocol::{How, Op};
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{DESTROYED, Spin, look};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;

export! {
    pthread_spin_init => initialise;
    pthread_spin_destroy => destroy;
    pthread_spin_lock => lock;
    pthread_spin_trylock => try_lock;
    pthread_spin_unlock => unlock;
}

fn sound(address: u64, what: &'static [u8]) -> &'static Spin {
    let spin: &Spin = look(address);
    if spin.holder.get() == DESTROYED {
        defect::misuse(address, &[what, b" a spin lock that has been destroyed"]);
    }
    spin
}

extern "C" fn initialise(address: u64, _shared: i32) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Initialise, How::Write, address, 0).take(frame);
    look::<Spin>(address).holder.set(0);
    0
}

extern "C" fn destroy(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Destroy, How::Write, address, 0).take(frame);
    let spin = sound(address, b"destroys");
    if spin.holder.get() != 0 {
        defect::misuse(address, &[b"destroys a locked spin lock"]);
    }
    spin.holder.set(DESTROYED);
    0
}

extern "C" fn lock(address: u64) -> i32 {
    let frame = Frame::here();
    sound(address, b"locks");
    Operation::new(Op::SpinLock, How::Acquire, address, 0).take(frame);
    gain(sound(address, b"locks"))
}

fn gain(spin: &Spin) -> i32 {
    spin.holder.set(runtime().current.get() + 1);
    crate::rt::sched::spin_loops::turn(&raw const *spin as u64, 1);
    0
}

extern "C" fn try_lock(address: u64) -> i32 {
    let frame = Frame::here();
    sound(address, b"tries to lock");
    Operation::new(Op::SpinTry, How::Write, address, 0).take(frame);
    let spin = sound(address, b"tries to lock");
    if spin.holder.get() != 0 {
        return errno::EBUSY;
    }
    crate::rt::sched::spin_loops::changed();
    crate::rt::sched::races::gained(address);
    gain(spin)
}

extern "C" fn unlock(address: u64) -> i32 {
    let frame = Frame::here();
    Operation::new(Op::Unlock, How::Release, address, 0).take(frame);
    let spin = sound(address, b"unlocks");
    if spin.holder.get() == 0 {
        defect::misuse(address, &[b"unlocks a spin lock that is not locked"]);
    }
    if spin.holder.get() != runtime().current.get() + 1 {
        defect::misuse(address, &[b"unlocks a spin lock that another thread has locked"]);
    }
    crate::rt::sched::spin_loops::turn(address, -1);
    spin.holder.set(0);
    0
}
