// Work that threads take from a list. `--cfg broken`: a thread looks, and takes later.
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

type Job = Box<dyn FnOnce() -> u32 + Send>;

static SUM: AtomicU32 = AtomicU32::new(0);

fn work(jobs: &Mutex<Vec<Job>>) {
    let job = if cfg!(broken) {
        if jobs.lock().unwrap().is_empty() {
            return;
        }
        jobs.lock().unwrap().pop().expect("there was one")
    } else {
        match jobs.lock().unwrap().pop() {
            Some(job) => job,
            None => return,
        }
    };
    SUM.fetch_add(job(), Ordering::Relaxed);
}

fn main() {
    let text = String::from("seven");
    let jobs: Vec<Job> = vec![Box::new(move || text.len() as u32)];
    let jobs = Arc::new(Mutex::new(jobs));
    let other = {
        let jobs = Arc::clone(&jobs);
        thread::spawn(move || work(&jobs))
    };
    work(&jobs);
    other.join().unwrap();
    assert_eq!(SUM.load(Ordering::Relaxed), 5);
}
