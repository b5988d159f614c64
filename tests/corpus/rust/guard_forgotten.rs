//! clean
//! found deadlock --cfg broken
// A guard that is forgotten never unlocks.
use std::mem;
use std::sync::Mutex;
use std::thread;

static NUMBER: Mutex<i32> = Mutex::new(0);

fn main() {
    let other = thread::spawn(|| {
        let mut guard = NUMBER.lock().unwrap();
        *guard += 1;
        if cfg!(broken) {
            mem::forget(guard);
        }
    });
    *NUMBER.lock().unwrap() += 1;
    other.join().unwrap();
}
