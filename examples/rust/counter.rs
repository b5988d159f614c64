// Two threads count under a lock, and in an atomic variable. `--cfg broken`: one of them reads the variable, and writes it later.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

static DONE: AtomicUsize = AtomicUsize::new(0);

fn done() {
    if cfg!(broken) {
        let before = DONE.load(Ordering::SeqCst);
        DONE.store(before + 1, Ordering::SeqCst);
    } else {
        DONE.fetch_add(1, Ordering::SeqCst);
    }
}

fn main() {
    let count = Arc::new(Mutex::new(0));
    let other = {
        let count = Arc::clone(&count);
        thread::spawn(move || {
            *count.lock().unwrap() += 1;
            done();
        })
    };
    *count.lock().unwrap() += 1;
    done();
    other.join().unwrap();
    assert_eq!(*count.lock().unwrap(), 2);
    assert_eq!(DONE.load(Ordering::SeqCst), 2);
}
