//! found deadlock --cfg broken
// Two mutexes in two orders.
use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);

fn main() {
    let other = thread::spawn(|| {
        let _b = if cfg!(broken) { B.lock() } else { A.lock() };
        let _a = if cfg!(broken) { A.lock() } else { B.lock() };
    });
    {
        let _a = A.lock();
        let _b = B.lock();
    }
    other.join().unwrap();
}
