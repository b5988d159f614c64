//! clean
//! found panic --cfg broken
// The last owner takes the value out. Broken: another thread may still be an owner.
use std::sync::Arc;
use std::thread;

fn main() {
    let shared = Arc::new(5);
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || assert_eq!(*other, 5));
    if cfg!(broken) {
        assert_eq!(Arc::try_unwrap(shared).unwrap(), 5);
        thread.join().unwrap();
    } else {
        thread.join().unwrap();
        assert_eq!(Arc::try_unwrap(shared).unwrap(), 5);
    }
}
