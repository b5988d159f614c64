//! clean
//! found panic --cfg broken
// Two threads race to initialise a OnceLock.
use std::sync::OnceLock;
use std::thread;

static VALUE: OnceLock<u32> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| *VALUE.get_or_init(|| 7));
    let mine = *VALUE.get_or_init(|| 8);
    let theirs = other.join().unwrap();
    assert_eq!(mine, theirs);
    if cfg!(broken) {
        assert_eq!(mine, 8);
    }
}
