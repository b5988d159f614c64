//! clean
//! found race --cfg broken
// A spin lock of one's own; broken: it takes the lock by load and store.
use std::cell::UnsafeCell;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread;

struct Shared {
    locked: AtomicBool,
    count: UnsafeCell<u32>,
}
unsafe impl Sync for Shared {}
static SHARED: Shared = Shared { locked: AtomicBool::new(false), count: UnsafeCell::new(0) };

fn add() {
    if cfg!(broken) {
        while SHARED.locked.load(Acquire) {}
        SHARED.locked.store(true, Relaxed);
    } else {
        while SHARED.locked.compare_exchange(false, true, Acquire, Relaxed).is_err() {}
    }
    unsafe { *SHARED.count.get() += 1 };
    SHARED.locked.store(false, Release);
}

fn main() {
    let other = thread::spawn(add);
    add();
    other.join().unwrap();
    assert!(unsafe { *SHARED.count.get() } >= 1);
}
