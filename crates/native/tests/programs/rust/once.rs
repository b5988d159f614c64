// Something is done once, by whoever comes first. `--cfg broken`: a flag is to take care of that.
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static ONCE: Once = Once::new();
static FLAG: AtomicBool = AtomicBool::new(false);
static TIMES: AtomicU32 = AtomicU32::new(0);

fn prepare() {
    if !cfg!(broken) {
        ONCE.call_once(|| _ = TIMES.fetch_add(1, Ordering::Relaxed));
    } else if !FLAG.load(Ordering::SeqCst) {
        FLAG.store(true, Ordering::SeqCst);
        TIMES.fetch_add(1, Ordering::Relaxed);
    }
    assert_eq!(TIMES.load(Ordering::Relaxed), 1);
}

fn main() {
    let other = thread::spawn(prepare);
    prepare();
    other.join().unwrap();
}
