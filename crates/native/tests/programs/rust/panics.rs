// What becomes of a panic in a thread, by `--cfg`.
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn fails() {
    let empty: Vec<u32> = Vec::new();
    println!("{}", empty[std::hint::black_box(3)]);
}

struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("in a destructor");
    }
}

fn main() {
    if cfg!(joined) {
        assert!(thread::spawn(fails).join().is_err());
    } else if cfg!(unwrapped) {
        thread::spawn(fails).join().unwrap();
    } else if cfg!(resumed) {
        thread::spawn(fails).join().unwrap_or_else(|payload| resume_unwind(payload));
    } else if cfg!(detached) {
        drop(thread::spawn(fails));
    } else if cfg!(scoped) {
        thread::scope(|scope| _ = scope.spawn(fails));
    } else if cfg!(caught) {
        thread::spawn(|| assert!(catch_unwind(fails).is_err())).join().unwrap();
        assert!(catch_unwind(|| panic!("mine")).is_err());
    } else if cfg!(often) {
        for _ in 0..20 {
            assert!(catch_unwind(fails).is_err());
        }
    } else if cfg!(exits) {
        if thread::spawn(fails).join().is_err() {
            std::process::exit(3);
        }
    } else if cfg!(any) {
        std::panic::panic_any(7);
    } else if cfg!(twice) {
        let _panics = Panics;
        fails();
    } else if cfg!(poisoned) {
        let value = Arc::new(Mutex::new(7));
        let other = Arc::clone(&value);
        let other = thread::spawn(move || {
            let _held = other.lock().unwrap();
            fails();
        });
        assert!(other.join().is_err());
        assert!(value.is_poisoned());
        assert_eq!(*value.lock().unwrap_or_else(|poisoned| poisoned.into_inner()), 7);
    } else if cfg!(waited_for) {
        let ready = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&ready);
        let _other = thread::spawn(move || {
            fails();
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut held = ready.0.lock().unwrap();
        while !*held {
            held = ready.1.wait(held).unwrap();
        }
    } else {
        fails();
    }
}
