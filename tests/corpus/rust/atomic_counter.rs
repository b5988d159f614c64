//! clean
//! found panic --cfg broken
// fetch_add against load and store.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static COUNT: AtomicU32 = AtomicU32::new(0);

fn add() {
    if cfg!(broken) {
        COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
    } else {
        COUNT.fetch_add(1, SeqCst);
    }
}

fn main() {
    let other = thread::spawn(add);
    add();
    other.join().unwrap();
    assert_eq!(COUNT.load(SeqCst), 2);
}
