// Two locks that two threads take in different orders.
use std::sync::Mutex;
use std::thread;

static ONE: Mutex<()> = Mutex::new(());
static OTHER: Mutex<()> = Mutex::new(());

fn main() {
    let thread = thread::spawn(|| {
        let _other = OTHER.lock().unwrap();
        let _one = ONE.lock().unwrap();
    });
    {
        let _one = ONE.lock().unwrap();
        let _other = OTHER.lock().unwrap();
    }
    thread.join().unwrap();
}
