// Two accounts, each with its lock. Transfers in both directions lock them in different orders. `--cfg fixed`: the first account's lock
// is always taken first.
use std::sync::Mutex;
use std::thread;

static ACCOUNTS: [Mutex<i64>; 2] = [Mutex::new(100), Mutex::new(100)];

fn transfer(from: usize, to: usize, amount: i64) {
    if cfg!(fixed) && to < from {
        let mut target = ACCOUNTS[to].lock().unwrap();
        *ACCOUNTS[from].lock().unwrap() -= amount;
        *target += amount;
        return;
    }
    let mut source = ACCOUNTS[from].lock().unwrap();
    *ACCOUNTS[to].lock().unwrap() += amount;
    *source -= amount;
}

fn main() {
    let other = thread::spawn(|| transfer(1, 0, 30));
    transfer(0, 1, 10);
    other.join().unwrap();
    assert_eq!(*ACCOUNTS[0].lock().unwrap(), 120);
    assert_eq!(*ACCOUNTS[1].lock().unwrap(), 80);
}
