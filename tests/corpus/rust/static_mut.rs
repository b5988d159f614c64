//! found race
// A static mut without any protection.
use std::thread;

static mut COUNT: u32 = 0;

fn main() {
    let other = thread::spawn(|| unsafe { COUNT += 1 });
    unsafe { COUNT += 1 };
    other.join().unwrap();
}
