//! clean
//! found panic --cfg broken
// A thread panics while it holds a lock, and main handles that; broken: main unwraps the poisoned lock.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let lock = Arc::new(Mutex::new(0));
    let other = Arc::clone(&lock);
    let result = thread::spawn(move || {
        let _held = other.lock().unwrap();
        panic!("while holding the lock");
    })
    .join();
    assert!(result.is_err());
    let value =
        if cfg!(broken) { *lock.lock().unwrap() } else { *lock.lock().unwrap_or_else(|e| e.into_inner()) };
    assert_eq!(value, 0);
}
