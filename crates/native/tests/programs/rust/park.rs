// A thread parks until there is work. `--cfg broken`: it is unparked before there is any.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static WORK: AtomicBool = AtomicBool::new(false);

fn main() {
    let other = thread::spawn(|| {
        while !WORK.load(Ordering::Acquire) {
            thread::park();
        }
    });
    if cfg!(broken) {
        other.thread().unpark();
        WORK.store(true, Ordering::Release);
    } else {
        WORK.store(true, Ordering::Release);
        other.thread().unpark();
    }
    other.join().unwrap();
}
