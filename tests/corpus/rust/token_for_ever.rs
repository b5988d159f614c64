//! clean
//! found livelock --cfg broken
// Two threads hand a token to each other; broken: they never stop.
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

static TURN: AtomicUsize = AtomicUsize::new(0);

fn play(me: usize) {
    let mut rounds = 0;
    while cfg!(broken) || rounds < 2 {
        while TURN.load(SeqCst) != me {
            std::hint::spin_loop();
        }
        TURN.store(1 - me, SeqCst);
        if !cfg!(broken) {
            rounds += 1;
        }
    }
}

fn main() {
    let other = thread::spawn(|| play(1));
    play(0);
    other.join().unwrap();
}
