// Scoped threads that borrow from main's stack. `--cfg broken`: an update is a read and a write.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn main() {
    let count = AtomicU32::new(0);
    let mut own = [0, 0];
    let add = || {
        if cfg!(broken) {
            count.store(count.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
        } else {
            count.fetch_add(1, Ordering::SeqCst);
        }
    };
    let (first, second) = own.split_at_mut(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            first[0] = 1;
            add();
        });
        second[0] = 2;
        add();
    });
    assert_eq!(own, [1, 2]);
    assert_eq!(count.load(Ordering::SeqCst), 2);
}
