//! What the processes of a model may do next.

use sojourner_program::{Choice, ThreadId};

/// Where [`Model::transitions`](crate::Model::transitions) says which transitions are enabled.
pub struct Transitions<'a> {
    out: &'a mut Vec<Choice>,
    start: usize,
    processes: usize,
    /// The transition that was named last, as a number that orders them, and whether all came in order so far.
    last: u64,
    in_order: bool,
}

impl<'a> Transitions<'a> {
    pub(crate) fn new(out: &'a mut Vec<Choice>, processes: u32) -> Self {
        Transitions { start: out.len(), out, processes: processes as usize, last: 0, in_order: true }
    }

    /// The process may take the action, if the guard holds. The order in which transitions are named does not
    /// matter, nor does naming one twice.
    ///
    /// Panics if the model has no such process or the action is `u32::MAX`; in a search that is a finding.
    #[inline]
    pub fn when(&mut self, guard: bool, process: usize, action: u32) {
        if guard {
            if process >= self.processes || action == u32::MAX {
                self.refuse(process, action);
            }
            // One more than the number, so that it is above the first `last`.
            let number = ((process as u64) << 32 | u64::from(action)) + 1;
            if number <= self.last {
                self.in_order = false;
            }
            self.last = number;
            self.out.push(Choice::pick(ThreadId(process as u32), action));
        }
    }

    /// Puts the transitions in the order that the seam asks for.
    #[inline]
    pub(crate) fn finish(&mut self) {
        if !self.in_order {
            self.sort();
        }
    }

    #[cold]
    fn sort(&mut self) {
        self.out[self.start..].sort_unstable();
        let mut kept = self.start;
        for i in self.start..self.out.len() {
            if i == self.start || self.out[i] != self.out[kept - 1] {
                self.out[kept] = self.out[i];
                kept += 1;
            }
        }
        self.out.truncate(kept);
    }

    #[cold]
    fn refuse(&self, process: usize, action: u32) -> ! {
        panic!(
            "action {action} of process {process}: processes are numbered below {}, actions below {}",
            self.processes,
            u32::MAX
        );
    }
}
