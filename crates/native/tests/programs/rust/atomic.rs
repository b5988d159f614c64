// Two threads count. `--cfg broken`: an update is a read and a write.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static COUNT: AtomicU32 = AtomicU32::new(0);

fn count() {
    if cfg!(broken) {
        COUNT.store(COUNT.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
    } else {
        COUNT.fetch_add(1, Ordering::SeqCst);
    }
}

fn main() {
    let (one, other) = (thread::spawn(count), thread::spawn(count));
    one.join().unwrap();
    other.join().unwrap();
    assert_eq!(COUNT.load(Ordering::SeqCst), 2);
}
