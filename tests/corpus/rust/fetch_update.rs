//! clean
//! found panic --cfg broken
// A balance is lowered if there is enough. Broken: by a load and a store.
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::thread;

static BALANCE: AtomicI32 = AtomicI32::new(10);

fn take() -> bool {
    if cfg!(broken) {
        let balance = BALANCE.load(SeqCst);
        if balance < 7 {
            return false;
        }
        BALANCE.store(balance - 7, SeqCst);
        true
    } else {
        BALANCE.fetch_update(SeqCst, SeqCst, |balance| (balance >= 7).then(|| balance - 7)).is_ok()
    }
}

fn main() {
    let other = thread::spawn(take);
    let own = take();
    assert!(!(own && other.join().unwrap()));
}
