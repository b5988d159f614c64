//! clean
//! found race --cfg broken
// Data behind a flag, in an UnsafeCell; broken: the flag is relaxed.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Slot(UnsafeCell<u32>);
unsafe impl Sync for Slot {}

static DATA: Slot = Slot(UnsafeCell::new(0));
static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let (release, acquire) = if cfg!(broken) {
        (Ordering::Relaxed, Ordering::Relaxed)
    } else {
        (Ordering::Release, Ordering::Acquire)
    };
    let writer = thread::spawn(move || {
        unsafe { *DATA.0.get() = 1 };
        FLAG.store(true, release);
    });
    if FLAG.load(acquire) {
        assert_eq!(unsafe { *DATA.0.get() }, 1);
    }
    writer.join().unwrap();
}
