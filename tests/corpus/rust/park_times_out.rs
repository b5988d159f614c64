//! clean
//! found panic --cfg broken
// park_timeout may return without an unpark. Broken: it is taken to mean that there was one.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let main = thread::current();
    let other = thread::spawn(move || {
        READY.store(true, SeqCst);
        main.unpark();
    });
    thread::park_timeout(Duration::from_millis(1));
    assert!(!cfg!(broken) || READY.load(SeqCst));
    other.join().unwrap();
}
