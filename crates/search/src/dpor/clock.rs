//! Vector clocks: for each step, how many steps of each thread happened before it.

use crate::memory::capacity;
use sojourner_program::ThreadId;

/// The clocks of the steps of an execution, one behind the other in one vector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    threads: usize,
    ticks: Vec<u32>,
}

impl Clocks {
    /// The number of threads that a clock has room for.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Makes room for that many threads. Happens when a thread moves for the first time in any execution, so that
    /// it may take its time.
    pub fn admit(&mut self, threads: usize) {
        if threads <= self.threads {
            return;
        }
        let steps = self.ticks.len().checked_div(self.threads).unwrap_or(0);
        let mut wider = vec![0; steps * threads];
        for step in 0..steps {
            wider[step * threads..][..self.threads].copy_from_slice(self.of(step));
        }
        (self.threads, self.ticks) = (threads, wider);
    }

    /// The bytes of all clocks.
    pub fn bytes(&self) -> u64 {
        capacity(&self.ticks)
    }

    /// The clock of a step.
    #[inline]
    pub fn of(&self, step: usize) -> &[u32] {
        &self.ticks[step * self.threads..][..self.threads]
    }

    /// The last clock.
    #[inline]
    pub fn last(&self) -> &[u32] {
        &self.ticks[self.ticks.len() - self.threads..]
    }

    /// The steps from `from` to `until`, and how many of a thread happened before each.
    #[inline]
    pub fn ticks_of(
        &self,
        thread: u32,
        from: usize,
        until: usize,
    ) -> impl DoubleEndedIterator<Item = (usize, u32)> + use<'_> {
        (from..until).map(move |at| (at, self.ticks[at * self.threads + thread as usize]))
    }

    /// Appends a clock: that of the step, or one of nothing.
    pub fn push(&mut self, like: Option<usize>) {
        match like {
            Some(step) => self.ticks.extend_from_within(step * self.threads..(step + 1) * self.threads),
            None => self.ticks.resize(self.ticks.len() + self.threads, 0),
        }
    }

    /// In the last clock, the thread has taken that many steps.
    pub fn tick(&mut self, thread: ThreadId, steps: u32) {
        let last = self.ticks.len() - self.threads;
        self.ticks[last + thread.0 as usize] = steps;
    }

    /// Joins the clock of the step into the last one.
    #[inline]
    pub fn join(&mut self, step: usize) {
        let last = self.ticks.len() - self.threads;
        let (before, last) = self.ticks.split_at_mut(last);
        join(last, &before[step * self.threads..][..self.threads]);
    }

    /// Keeps the clocks of that many steps.
    pub fn truncate(&mut self, steps: usize) {
        self.ticks.truncate(steps * self.threads);
    }
}

/// Makes `clock` the later of both, thread by thread.
#[inline]
pub(crate) fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_keep_what_they_hold_when_threads_come() {
        let mut clocks = Clocks::default();
        clocks.admit(1);
        clocks.push(None);
        clocks.tick(ThreadId(0), 1);
        clocks.admit(3);
        clocks.push(Some(0));
        clocks.tick(ThreadId(2), 1);
        clocks.push(None);
        clocks.join(1);
        assert_eq!([clocks.of(0), clocks.of(1), clocks.of(2)], [[1, 0, 0], [1, 0, 1], [1, 0, 1]]);
        clocks.truncate(1);
        clocks.push(None);
        assert_eq!(clocks.of(1), [0, 0, 0]);
    }
}
