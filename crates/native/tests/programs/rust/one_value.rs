// A thread sends a value. `--cfg broken`: main expects that it has come by now.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(1).unwrap());
    if cfg!(broken) {
        assert_eq!(receiver.try_recv(), Ok(1));
    } else {
        assert_eq!(receiver.recv(), Ok(1));
    }
    other.join().unwrap();
}
