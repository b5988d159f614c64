//! clean
//! found panic --cfg broken
//! clean {--timeouts last} --cfg broken
// Waits with a time-out for a flag. Broken: a time-out is taken to be impossible.
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static DONE: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let other = thread::spawn(|| {
        *DONE.lock().unwrap() = true;
        CHANGED.notify_one();
    });
    let guard = DONE.lock().unwrap();
    let (guard, result) = CHANGED.wait_timeout_while(guard, Duration::from_millis(5), |done| !*done).unwrap();
    if cfg!(broken) {
        assert!(!result.timed_out());
    }
    assert!(*guard || result.timed_out());
    drop(guard);
    other.join().unwrap();
}
