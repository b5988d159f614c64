//! clean
//! found deadlock --cfg broken
// A receiver ends when the last sender is dropped. Broken: main keeps one while it joins.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (send, receive) = mpsc::channel::<i32>();
    let other = thread::spawn(move || receive.iter().count());
    if cfg!(broken) {
        assert_eq!(other.join().unwrap(), 0);
        drop(send);
    } else {
        drop(send);
        assert_eq!(other.join().unwrap(), 0);
    }
}
