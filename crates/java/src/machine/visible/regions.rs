//! Methods of `java.util.concurrent` that are one operation each: where a thread is in the middle of one.

use super::{Behaviour, Juc};
use crate::machine::Machine;
use crate::machine::class::Loader;

impl Machine {
    /// The frame of the method of `java.util.concurrent` that the current thread is in the middle of, plus one; 0 if it
    /// is in none. What is counted in several places is added and summed up step by step, but only in programs that ask for
    /// sums while others add.
    pub(crate) fn region(&mut self) -> u32 {
        let (base, asks) = self.find_region(self.turn.thread);
        if asks {
            self.learn_behaviour(Behaviour::ReadsSums);
        }
        base
    }

    /// The same for any thread.
    pub(crate) fn region_of(&self, thread: usize) -> u32 {
        self.find_region(thread).0
    }

    /// The frame of the method of `java.util.concurrent` that a thread is in the middle of, plus one. It is 0 if the thread is in none, or
    /// in code of the program that such a method has called. Also whether the method asks for a sum: once that is known of the program, the
    /// methods that count are in the middle of nothing.
    fn find_region(&self, thread: usize) -> (u32, bool) {
        if self.scheduling.settings.juc == Juc::Real {
            return (0, false);
        }
        let asked = self.scheduling.expects(Behaviour::ReadsSums);
        let (mut base, mut asks) = (0, false);
        let (mut counts, mut looks_up) = (false, false);
        for (depth, frame) in self.threads.list[thread].frames.iter().enumerate().rev() {
            let method = self.method(frame.method);
            let class = self.class(method.class);
            if class.loader != Loader::BOOT {
                break;
            }
            counts |= method.marks.adds || method.marks.sums;
            looks_up |= class.looks_up;
            // Methods that add look at the sum, too, in order to grow.
            asks = (asks || method.marks.sums) && !method.marks.adds;
            if class.concurrent && !method.marks.hidden && !method.marks.several {
                base = depth as u32 + 1;
            }
        }
        match () {
            // What the rest of the library counts and asks for is not the program's affair.
            () if looks_up => (base, false),
            () if asked && counts => (0, false),
            () => (base, asks),
        }
    }

    /// A method of `java.util.concurrent` may call one of the program's own: what comes behind it is another operation.
    #[inline(never)]
    pub(crate) fn leave_region_for(&mut self, called: crate::machine::class::MethodId) {
        if self.class(self.method(called).class).loader != Loader::BOOT {
            self.leave_region();
        }
    }

    /// What the current thread does next is not in the middle of a method of `java.util.concurrent`.
    pub(crate) fn leave_region(&mut self) {
        if self.threads.list[self.turn.thread].region != 0 {
            self.state_mut(self.turn.thread).region = 0;
        }
    }
}
