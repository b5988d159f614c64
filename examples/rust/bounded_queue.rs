// A bounded queue of one place with one condition variable for both sides. A producer puts two items, two consumers take one each.
// Each side wakes one waiter. It may be one of the wrong side, and then all sleep. `--cfg fixed`: each side wakes all.
use std::sync::{Condvar, Mutex};
use std::thread;

static PLACE: Mutex<Option<u32>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();

fn wake() {
    if cfg!(fixed) {
        CHANGED.notify_all();
    } else {
        CHANGED.notify_one();
    }
}

fn put(item: u32) {
    let mut place = CHANGED.wait_while(PLACE.lock().unwrap(), |place| place.is_some()).unwrap();
    *place = Some(item);
    wake();
}

fn take() -> Option<u32> {
    let mut place = CHANGED.wait_while(PLACE.lock().unwrap(), |place| place.is_none()).unwrap();
    let item = place.take();
    wake();
    item
}

fn main() {
    thread::scope(|scope| {
        scope.spawn(take);
        scope.spawn(take);
        put(1);
        put(2);
    });
}
