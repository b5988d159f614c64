// A spin lock of one's own. `--cfg broken`: it is given back before the data is written.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Locked {
    taken: AtomicBool,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Locked {}

static LOCKED: Locked = Locked { taken: AtomicBool::new(false), value: UnsafeCell::new(0) };

fn raise() {
    while LOCKED.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        std::hint::spin_loop();
    }
    if cfg!(broken) {
        LOCKED.taken.store(false, Ordering::Release);
    }
    unsafe { *LOCKED.value.get() += 1 };
    LOCKED.taken.store(false, Ordering::Release);
}

fn main() {
    let other = thread::spawn(raise);
    raise();
    other.join().unwrap();
    assert_eq!(unsafe { *LOCKED.value.get() }, 2);
}
