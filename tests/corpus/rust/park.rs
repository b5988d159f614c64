//! clean
//! found deadlock --cfg broken
// park needs an unpark; broken: the flag is looked at by one path only.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let parked = thread::spawn(|| {
        if cfg!(broken) {
            if !READY.load(SeqCst) {
                thread::park();
                thread::park();
            }
        } else {
            while !READY.load(SeqCst) {
                thread::park();
            }
        }
    });
    READY.store(true, SeqCst);
    parked.thread().unpark();
    parked.join().unwrap();
}
