// A weak reference, with which a thread may come too late. `--cfg broken`: it expects that it does not.
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(7);
    let weak = Arc::downgrade(&strong);
    let other = thread::spawn(move || {
        let found = weak.upgrade();
        if cfg!(broken) {
            assert!(found.is_some());
        }
        found.map(|found| *found)
    });
    drop(strong);
    assert!(matches!(other.join().unwrap(), None | Some(7)));
}
