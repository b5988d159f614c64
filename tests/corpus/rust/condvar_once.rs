//! clean
//! found deadlock --cfg broken
// A thread waits for a flag under a mutex; broken: the flag is set and notified without looking at it under the lock first.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&pair);
    let setter = thread::spawn(move || {
        let (flag, changed) = &*other;
        *flag.lock().unwrap() = true;
        changed.notify_one();
    });
    let (flag, changed) = &*pair;
    let mut set = flag.lock().unwrap();
    if cfg!(broken) {
        set = changed.wait(set).unwrap();
    }
    while !*set {
        set = changed.wait(set).unwrap();
    }
    drop(set);
    setter.join().unwrap();
}
