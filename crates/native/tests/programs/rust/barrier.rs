// Each of two threads sees what the other did before the barrier. `--cfg broken`: main does not wait at it.
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static BARRIER: Barrier = Barrier::new(if cfg!(broken) { 1 } else { 2 });
static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let other = thread::spawn(|| {
        DONE.store(true, Ordering::Relaxed);
        BARRIER.wait();
    });
    BARRIER.wait();
    assert!(DONE.load(Ordering::Relaxed));
    other.join().unwrap();
}
