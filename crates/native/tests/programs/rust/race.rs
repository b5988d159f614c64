// A data race, with unsafe code. `--cfg compared`: one side is a comparison of slices, which is a call of the C library.
use std::thread;

static mut BYTES: [u8; 24] = [0; 24];

fn bytes() -> &'static mut [u8; 24] {
    unsafe { &mut *&raw mut BYTES }
}

fn main() {
    let other = thread::spawn(|| bytes()[3] = 1);
    if cfg!(compared) {
        let _same = bytes()[..] == std::hint::black_box([1; 24])[..];
    } else {
        bytes()[3] = 2;
    }
    other.join().unwrap();
}
