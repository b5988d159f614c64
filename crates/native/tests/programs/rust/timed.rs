// Waiting for a limited time. `--cfg broken`: main expects not to wait in vain.
use std::sync::{Condvar, Mutex, mpsc};
use std::thread;
use std::time::Duration;

static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let wait = Duration::from_millis(10);
    if cfg!(channel) {
        let (sender, receiver) = mpsc::channel();
        let other = thread::spawn(move || sender.send(7));
        let got = receiver.recv_timeout(wait);
        assert!(!cfg!(broken) || got.is_ok());
        let _ = other.join().unwrap();
        return;
    }
    let other = thread::spawn(|| {
        *READY.lock().unwrap() = true;
        CHANGED.notify_one();
    });
    let ready = READY.lock().unwrap();
    let (ready, result) = CHANGED.wait_timeout_while(ready, wait, |ready| !*ready).unwrap();
    assert!(!cfg!(broken) || !result.timed_out());
    drop(ready);
    other.join().unwrap();
}
