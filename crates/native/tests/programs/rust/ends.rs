// Ways to end, by `--cfg`.
use std::thread;
use std::time::Duration;

fn deep(depth: u64) -> u64 {
    let large = std::hint::black_box([depth; 64]);
    1 + deep(large[3] + 1)
}

static mut WORD: u64 = 0;

fn stores() {
    unsafe { std::arch::asm!("mov qword ptr [{}], 1", in(reg) &raw mut WORD) }
}

fn main() {
    if cfg!(aborts) {
        std::process::abort();
    } else if cfg!(overflows) {
        println!("{}", deep(0));
    } else if cfg!(reads) {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).unwrap();
    } else if cfg!(runs) {
        std::process::Command::new("true").status().unwrap();
    } else if cfg!(assembly) {
        stores();
    } else if cfg!(sleeps) {
        let other = thread::spawn(|| thread::sleep(Duration::from_millis(5)));
        thread::sleep(Duration::from_millis(1));
        thread::yield_now();
        other.join().unwrap();
    } else {
        thread::spawn(|| {
            loop {
                thread::yield_now();
            }
        });
    }
}
