//! clean
//! found panic --cfg broken
// A panic of a thread reaches main by unwrap.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static SLOT: AtomicU32 = AtomicU32::new(2);

fn main() {
    let reader = thread::spawn(|| {
        let table = [1, 2, 3];
        let at = SLOT.load(SeqCst) as usize;
        table[at]
    });
    SLOT.store(if cfg!(broken) { 3 } else { 1 }, SeqCst);
    reader.join().unwrap();
}
