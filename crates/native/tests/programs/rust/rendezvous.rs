// A channel without room: who sends waits for who receives. `--cfg broken`: nobody receives, and main waits for the sender.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let other = thread::spawn(move || sender.send(7).is_ok());
    if !cfg!(broken) {
        assert_eq!(receiver.recv(), Ok(7));
    }
    assert!(other.join().unwrap());
}
