//! clean
//! found panic --cfg broken
// A weak pointer may be gone. Broken: it is taken to be there.
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(7);
    let weak = Arc::downgrade(&strong);
    let other = thread::spawn(move || match weak.upgrade() {
        Some(value) => assert_eq!(*value, 7),
        None => assert!(!cfg!(broken), "it is gone"),
    });
    drop(strong);
    other.join().unwrap();
}
