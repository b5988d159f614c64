// Main waits until another thread is ready. `--cfg broken`: it does not look before it waits, and may come too late.
use std::sync::{Condvar, Mutex};
use std::thread;

static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let other = thread::spawn(|| {
        *READY.lock().unwrap() = true;
        CHANGED.notify_one();
    });
    let mut ready = READY.lock().unwrap();
    if cfg!(broken) {
        ready = CHANGED.wait(ready).unwrap();
    }
    while !*ready {
        ready = CHANGED.wait(ready).unwrap();
    }
    drop(ready);
    other.join().unwrap();
}
