// Two threads count under a lock. `--cfg broken`: they give it back between reading and writing.
use std::sync::{Arc, Mutex};
use std::thread;

fn count(counter: &Mutex<u32>) {
    if cfg!(broken) {
        let before = *counter.lock().unwrap();
        *counter.lock().unwrap() = before + 1;
    } else {
        *counter.lock().unwrap() += 1;
    }
}

fn main() {
    let counter = Arc::new(Mutex::new(0));
    let other = {
        let counter = Arc::clone(&counter);
        thread::spawn(move || count(&counter))
    };
    count(&counter);
    other.join().unwrap();
    assert_eq!(*counter.lock().unwrap(), 2);
}
