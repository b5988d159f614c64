//! found deadlock --cfg broken
//? clean
// A channel that holds one message. Broken: its owner sends a second one before it receives.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (send, receive) = mpsc::sync_channel(1);
    let other = thread::spawn(move || {
        let mut sum = 0;
        if cfg!(broken) {
            return sum;
        }
        while let Ok(number) = receive.recv() {
            sum += number;
        }
        sum
    });
    if cfg!(broken) {
        let (own, kept) = mpsc::sync_channel(1);
        own.send(1).unwrap();
        own.send(2).unwrap();
        drop(kept);
    }
    let _ = send.send(1);
    drop(send);
    assert!(other.join().unwrap() <= 1);
}
