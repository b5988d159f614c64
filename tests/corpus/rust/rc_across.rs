//! clean
//! found race|memory --cfg broken
// An Arc is cloned by two threads; broken: an Rc is forced across.
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

struct Forced(Rc<u32>);
unsafe impl Send for Forced {}
impl Forced {
    fn again(&self) -> Rc<u32> {
        Rc::clone(&self.0)
    }
}

fn main() {
    if cfg!(broken) {
        let mine = Rc::new(7);
        let sent = Forced(Rc::clone(&mine));
        let other = thread::spawn(move || *sent.again());
        let copy = Rc::clone(&mine);
        assert_eq!(*copy, 7);
        other.join().unwrap();
    } else {
        let mine = Arc::new(7);
        let sent = Arc::clone(&mine);
        let other = thread::spawn(move || *Arc::clone(&sent));
        assert_eq!(*Arc::clone(&mine), 7);
        assert_eq!(other.join().unwrap(), 7);
    }
}
