//! The pool through which several workers share one search.

use crate::control::Control;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Where workers of one search leave work for those that have none.
pub(crate) struct Pool<J> {
    workers: usize,
    wanted: AtomicUsize,
    state: Mutex<Waiting<J>>,
    wake: Condvar,
}

struct Waiting<J> {
    jobs: Vec<J>,
    idle: usize,
}

impl<J> Pool<J> {
    /// For that many workers. One of them starts at the root, the others with nothing.
    pub fn new(workers: usize) -> Self {
        let state = Mutex::new(Waiting { jobs: Vec::new(), idle: 0 });
        Pool { workers, wanted: AtomicUsize::new(0), state, wake: Condvar::new() }
    }

    /// Whether some worker waits for work.
    pub fn hungry(&self) -> bool {
        self.wanted.load(Relaxed) > 0
    }

    /// Leaves work for a worker that waits.
    pub fn give(&self, job: J) {
        let mut state = self.state.lock().expect("no holder panics");
        state.jobs.push(job);
        self.wanted.store(state.idle.saturating_sub(state.jobs.len()), Relaxed);
        self.wake.notify_one();
    }

    /// Waits for work. `None`: no worker has any, or the search was stopped.
    pub fn take(&self, control: &Control<'_>) -> Option<J> {
        let mut state = self.state.lock().expect("no holder panics");
        state.idle += 1;
        loop {
            if let Some(job) = state.jobs.pop() {
                state.idle -= 1;
                self.wanted.store(state.idle.saturating_sub(state.jobs.len()), Relaxed);
                return Some(job);
            }
            if state.idle == self.workers || control.stopped() {
                self.wake.notify_all();
                return None;
            }
            self.wanted.store(state.idle, Relaxed);
            // The time-out is for a search that is stopped while this worker waits.
            state = self.wake.wait_timeout(state, Duration::from_millis(20)).expect("no holder panics").0;
        }
    }
}
