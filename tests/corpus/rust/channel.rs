//! found deadlock --cfg broken
// A receiver that waits for a sender which is still alive but never sends.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (send, receive) = mpsc::channel::<u32>();
    let kept = if cfg!(broken) { Some(send.clone()) } else { None };
    let sender = thread::spawn(move || drop(send));
    assert!(receive.recv().is_err());
    drop(kept);
    sender.join().unwrap();
}
