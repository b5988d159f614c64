//! clean
//! found panic --cfg broken
// Scoped threads add to one counter. Broken: a load and a store between them.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

fn main() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                if cfg!(broken) {
                    counter.store(counter.load(SeqCst) + 1, SeqCst);
                } else {
                    counter.fetch_add(1, SeqCst);
                }
            });
        }
    });
    assert_eq!(counter.load(SeqCst), 2);
}
