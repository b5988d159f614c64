//! found deadlock
// A thread locks a mutex that it holds.
use std::sync::Mutex;

fn main() {
    let m = Mutex::new(1);
    let first = m.lock().unwrap();
    let second = m.lock().unwrap();
    drop((first, second));
}
