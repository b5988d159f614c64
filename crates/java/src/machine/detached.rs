//! Methods that run on a thread of their own, beside the program: properties of states, and what is called once and for all.

use super::class::MethodId;
use super::{Abrupt, Frame, Machine, Resume, Run, Status, Stop};
use crate::memory::{HEADER, Ref};

/// Polls of the interpreter after which a property is taken to go on for ever, in parts between which it is looked whether the
/// search wants to end.
const LONGEST: i32 = i32::MAX;
const PARTS: i32 = 1 << 11;

impl Machine {
    /// Runs a static method without parameters on a thread of its own. The caller takes back what it did.
    pub(crate) fn evaluate(&mut self, method: MethodId) -> Run<u64> {
        let thread = self.begin_detached(self.threads.list[0].object)?;
        self.push_evaluation(thread, method)?;
        self.finish_detached(thread)
    }

    /// Runs a static method without parameters on a thread of its own, as if it had been run at the start: what it does to
    /// permanent objects, and those that it makes, are there for ever. `key` gives these their identities.
    pub(crate) fn evaluate_permanently(&mut self, method: MethodId, key: u64) -> Run<()> {
        let (marks, current) = (self.marks(), self.turn.thread);
        // What it keeps for its thread is for no other thread.
        let object = self.permanently(|_| key, Machine::stranger)?;
        let thread = self.begin_detached(object)?;
        self.heap.put_i64(object, self.known.thread_handle, thread as i64 + 1);
        let pushed = self.permanently(
            |_| key,
            |machine| {
                machine.push_evaluation(thread, method)?;
                Err::<(), Abrupt>(Abrupt::Called)
            },
        );
        let result = match pushed {
            Err(Abrupt::Called) => self.finish_detached(thread),
            other => other.map(|()| 0),
        };
        self.rewind_to(marks);
        self.turn.thread = current;
        self.update_scheduling();
        result.map(drop)
    }

    /// A thread that runs what does not belong to the program.
    fn begin_detached(&mut self, object: Ref) -> Run<usize> {
        self.begin_transition(0);
        let thread = self.new_thread(object, true)?;
        self.hand_over(thread);
        // No other thread moves meanwhile.
        self.state_mut(thread).atomic = 1;
        Ok(thread)
    }

    /// The object of a thread like the main one that has nothing of its own.
    fn stranger(&mut self) -> Run<Ref> {
        let main = self.threads.list[0].object;
        let object = self.new_object(self.known.thread)?;
        let bytes = (self.class(self.known.thread).size - HEADER) as usize;
        self.heap.copy(main, HEADER as usize, object, HEADER as usize, bytes);
        for name in ["threadLocals", "inheritableThreadLocals"] {
            if let Some(offset) = self.offset_of(self.known.thread, name) {
                self.heap.put_ref(object, offset, Ref::NULL);
            }
        }
        Ok(object)
    }

    fn push_evaluation(&mut self, thread: usize, method: MethodId) -> Run<()> {
        let stub = self.stub_evaluate(method)?;
        let frame = Frame { method: stub, pc: 0, base: 0, lock: Ref::NULL, resume: Resume::Again };
        self.threads.list[thread].frames.push(frame);
        Ok(())
    }

    /// Runs the current thread until it waits, ends, or has taken so long that it seems to go on for ever, or the search
    /// wants to end.
    fn interpret_for_long(&mut self) -> Stop {
        for _ in 0..PARTS {
            self.turn.polls = LONGEST / PARTS;
            let stop = self.interpret();
            let tired = matches!(stop, Stop::Switch) && self.turn.polls < 0;
            let full = self.heap.needs_collection();
            if !tired || full || self.scheduling.cancel.is_set() {
                return stop;
            }
        }
        Stop::Switch
    }

    /// Runs such a thread to its end; what it has left in the first slot.
    fn finish_detached(&mut self, thread: usize) -> Run<u64> {
        (self.scheduling.accesses_matter, self.scheduling.has_points) = (false, false);
        let permanent = self.scheduling.is_in_scope();
        let stop = self.interpret_for_long();
        if permanent {
            // What the JDK could not get ready at the start it does when the program needs it.
            self.abandon_scopes();
        }
        match self.settle_scopes(stop) {
            Stop::Switch if self.threads.list[thread].frames.is_empty() => {
                Ok(self.threads.list[thread].stack.get(0))
            }
            // The class is just being initialised: there is nothing to look at yet.
            Stop::Switch if matches!(self.threads.list[thread].status, Status::Initialising(_)) => Ok(1),
            Stop::Switch if self.threads.list[thread].status != Status::Runnable => {
                Err(Abrupt::unsupported("it waits for something"))
            }
            Stop::Switch => Err(Abrupt::unsupported("it takes too long")),
            Stop::Found(finding) => Err(Abrupt::Found(finding)),
            Stop::Exit => Err(Abrupt::Exit),
            Stop::Ignore(_) => Err(Abrupt::Ignore),
            Stop::Unsupported(what) => Err(Abrupt::Unsupported(what)),
        }
    }
}
