// Each thread has its own value, and drops it in the end. `--cfg broken`: they are taken to share one.
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Own(Vec<u32>);

impl Drop for Own {
    fn drop(&mut self) {
        DROPPED.fetch_add(self.0.len() as u32, Ordering::SeqCst);
    }
}

thread_local! {
    static OWN: RefCell<Own> = const { RefCell::new(Own(Vec::new())) };
}

fn add(value: u32) -> usize {
    OWN.with_borrow_mut(|own| {
        own.0.push(value);
        own.0.len()
    })
}

fn main() {
    let other = thread::spawn(|| add(1) + add(2));
    let mine = add(3);
    assert_eq!(mine, if cfg!(broken) { 3 } else { 1 });
    assert_eq!(other.join().unwrap(), 3);
    assert_eq!(DROPPED.load(Ordering::SeqCst), 2);
}
