//! clean
//! found panic --cfg broken
// Scoped threads add parts of a slice; broken: the sum is read before the scope ends.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

fn main() {
    let numbers = [1, 2, 3, 4];
    let sum = AtomicU32::new(0);
    thread::scope(|scope| {
        for part in numbers.chunks(2) {
            let sum = &sum;
            scope.spawn(move || sum.fetch_add(part.iter().sum(), Relaxed));
        }
        if cfg!(broken) {
            assert_eq!(sum.load(Relaxed), 10);
        }
    });
    assert_eq!(sum.load(Relaxed), 10);
}
