// Two threads read, and one of them writes if need be. `--cfg broken`: both write what they have read before.
use std::sync::RwLock;
use std::thread;

static VALUE: RwLock<u32> = RwLock::new(0);

fn raise() {
    if cfg!(broken) {
        let before = *VALUE.read().unwrap();
        *VALUE.write().unwrap() = before + 1;
    } else {
        let mut value = VALUE.write().unwrap();
        *value += 1;
    }
}

fn main() {
    let other = thread::spawn(raise);
    raise();
    assert!(*VALUE.read().unwrap() >= 1);
    other.join().unwrap();
    assert_eq!(*VALUE.read().unwrap(), 2);
}
