//! clean
//! found race --cfg broken
// A cell that is declared safe to share. Broken: it has no lock.
use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::thread;

struct Shared {
    value: UnsafeCell<i32>,
    lock: Mutex<()>,
}

unsafe impl Sync for Shared {}

static SHARED: Shared = Shared { value: UnsafeCell::new(0), lock: Mutex::new(()) };

fn add() {
    let _guard = if cfg!(broken) { None } else { Some(SHARED.lock.lock().unwrap()) };
    unsafe { *SHARED.value.get() += 1 };
}

fn main() {
    let other = thread::spawn(add);
    add();
    other.join().unwrap();
}
