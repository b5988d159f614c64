// Two threads send, main receives both. `--cfg broken`: it expects them in an order.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = sender.clone();
    thread::spawn(move || sender.send(Box::new(1)).unwrap());
    thread::spawn(move || other.send(Box::new(2)).unwrap());
    let got: Vec<Box<u32>> = receiver.iter().collect();
    assert_eq!(got.len(), 2);
    assert_eq!(*got[0] + *got[1], 3);
    if cfg!(broken) {
        assert_eq!(*got[0], 1);
    }
}
