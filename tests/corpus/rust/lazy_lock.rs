//! clean
//! found panic --cfg broken
// A value that the first of two threads makes. Broken: it is made of what another thread writes meanwhile.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static SOURCE: AtomicU32 = AtomicU32::new(1);
static VALUE: LazyLock<u32> = LazyLock::new(|| SOURCE.load(SeqCst));

fn main() {
    let other = thread::spawn(|| {
        if cfg!(broken) {
            SOURCE.store(2, SeqCst);
        }
        *VALUE
    });
    let own = *VALUE;
    assert_eq!(own, other.join().unwrap());
    assert_eq!(own, 1);
}
