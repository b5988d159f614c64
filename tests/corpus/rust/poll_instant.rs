//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found panic
//! found panic {--timeouts last} --cfg=stuck
//! found panic {--timeouts patient} --cfg=stuck
// A thread polls a flag and the clock.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let worker = thread::spawn(|| {
        if !cfg!(stuck) {
            DONE.store(true, SeqCst);
        }
    });
    let start = Instant::now();
    while !DONE.load(SeqCst) {
        assert!(start.elapsed() < Duration::from_millis(500), "time-out");
        thread::yield_now();
    }
    worker.join().unwrap();
}
