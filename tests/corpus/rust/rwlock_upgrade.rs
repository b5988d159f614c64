//! clean
//! found panic --cfg broken
// Check and write under one lock; broken: the check is made under a read lock that is given back first.
use std::sync::{Arc, RwLock};
use std::thread;

fn take(balance: &RwLock<i32>) {
    if cfg!(broken) {
        let enough = *balance.read().unwrap() >= 8;
        if enough {
            *balance.write().unwrap() -= 8;
        }
    } else {
        let mut balance = balance.write().unwrap();
        if *balance >= 8 {
            *balance -= 8;
        }
    }
}

fn main() {
    let balance = Arc::new(RwLock::new(10));
    let other = Arc::clone(&balance);
    let thread = thread::spawn(move || take(&other));
    take(&balance);
    thread.join().unwrap();
    assert!(*balance.read().unwrap() >= 0);
}
