// A lazy static that two threads use. `--cfg broken`: main expects that the other thread has used it first.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static MADE: AtomicU32 = AtomicU32::new(0);
static TEXT: LazyLock<String> = LazyLock::new(|| {
    MADE.fetch_add(1, Ordering::Relaxed);
    thread::current().name().unwrap_or("another").to_string()
});

fn main() {
    let other = thread::spawn(|| TEXT.len());
    let length = TEXT.len();
    assert_eq!(other.join().unwrap(), length);
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
    if cfg!(broken) {
        assert_eq!(*TEXT, "another");
    }
}
