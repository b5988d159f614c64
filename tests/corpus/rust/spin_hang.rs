//! found hang
// A thread that spins on a flag which one path does not set.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

static EARLY: AtomicBool = AtomicBool::new(false);
static GO: AtomicBool = AtomicBool::new(false);

fn main() {
    let spins = thread::spawn(|| {
        EARLY.store(true, SeqCst);
        while !GO.load(SeqCst) {}
    });
    if EARLY.load(SeqCst) {
        GO.store(true, SeqCst);
    }
    spins.join().unwrap();
}
