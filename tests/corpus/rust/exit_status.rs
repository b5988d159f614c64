//! found exit
// std::process::exit with what a lost update leaves.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static COUNT: AtomicU32 = AtomicU32::new(0);

fn add() {
    COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
}

fn main() {
    let other = thread::spawn(add);
    add();
    other.join().unwrap();
    std::process::exit(if COUNT.load(SeqCst) == 2 { 0 } else { 1 });
}
