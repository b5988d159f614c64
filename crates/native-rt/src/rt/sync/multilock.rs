//! Taking several locks at once: what happens when a thread has left the function of a library that asks for them.

use crate::protocol::Op;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::multilock::{Kind, Wanted};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sync::mutex;
use crate::rt::sync::rwlock;

export! {
    sojourner_takes_several => take;
}

/// The running thread has left a function that takes several locks: now it takes them.
extern "C" fn take() {
    let frame = Frame::here();
    let runtime = runtime();
    runtime.multilock_end.set(0);
    let own = runtime.current.get();
    let Some(first) = runtime.thread().wanted.all().next() else { return };
    Operation::new(Op::LockSeveral, first.how(own), first.address, 0).take(frame);
    for Wanted { address, kind } in runtime.thread().wanted.all() {
        match kind {
            Kind::Mutex => mutex::gain_wanted(address),
            Kind::Reads => rwlock::read_wanted(address),
            Kind::Writes => rwlock::write_wanted(address),
        }
    }
    runtime.thread().wanted.clear();
}
