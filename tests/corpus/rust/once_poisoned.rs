//! clean
//! found panic --cfg broken
// An initialiser that panics poisons its Once. Broken: another thread calls it as if nothing had happened.
use std::panic;
use std::sync::Once;
use std::thread;

static INIT: Once = Once::new();

fn main() {
    let other = thread::spawn(|| {
        let _ = panic::catch_unwind(|| {
            INIT.call_once_force(|state| {
                if cfg!(broken) && !state.is_poisoned() {
                    panic!("the first time");
                }
            })
        });
    });
    other.join().unwrap();
    INIT.call_once(|| {});
    assert!(INIT.is_completed());
}
