//! clean
//! found memory|race --cfg broken
// A pointer is exchanged, and the old value is freed by the thread that got it. Broken: it is freed while a reader looks at it.
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::thread;

static SLOT: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());

fn main() {
    SLOT.store(Box::into_raw(Box::new(1)), SeqCst);
    let other = thread::spawn(|| {
        if cfg!(broken) {
            let value = SLOT.load(SeqCst);
            if !value.is_null() {
                assert_eq!(unsafe { *value }, 1);
            }
        } else {
            let value = SLOT.swap(ptr::null_mut(), SeqCst);
            if !value.is_null() {
                assert_eq!(*unsafe { Box::from_raw(value) }, 1);
            }
        }
    });
    let value = SLOT.swap(ptr::null_mut(), SeqCst);
    if !value.is_null() {
        drop(unsafe { Box::from_raw(value) });
    }
    other.join().unwrap();
}
