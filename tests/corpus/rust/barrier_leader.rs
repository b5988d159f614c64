//! clean
//! found panic --cfg broken
// One of the threads at a barrier is its leader; broken: each thread takes itself for it.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;

static LEADERS: AtomicU32 = AtomicU32::new(0);

fn main() {
    let barrier = Arc::new(Barrier::new(2));
    let other = Arc::clone(&barrier);
    let meet = |barrier: &Barrier| {
        if barrier.wait().is_leader() || cfg!(broken) {
            LEADERS.fetch_add(1, SeqCst);
        }
    };
    let thread = thread::spawn(move || meet(&other));
    meet(&barrier);
    thread.join().unwrap();
    assert_eq!(LEADERS.load(SeqCst), 1);
}
