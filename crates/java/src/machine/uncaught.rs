//! Exceptions that leave a thread.

use super::class::{ClassId, Loader};
use super::{Abrupt, Bits, Machine, Run};
use crate::memory::Ref;
use sojourner_program::{Finding, Kind};

impl Machine {
    /// An exception leaves a thread. While a program is explored that is a finding, unless the program has a handler for
    /// it.
    pub(crate) fn uncaught(&mut self, exception: Ref) -> Run<u64> {
        if !self.scheduling.controlled || self.has_handler() || self.is_death(exception) {
            return Ok(0u64.bits());
        }
        self.uncaught_finding(exception)
    }

    /// Whether it is what threads throw that are told to stop. The JDK keeps quiet about those.
    pub(crate) fn is_death(&self, exception: Ref) -> bool {
        let lineage = &self.class(ClassId(self.heap.class(exception))).lineage;
        lineage.iter().any(|&class| self.class_name(class) == "java/lang/ThreadDeath")
    }

    /// The finding for an exception that leaves a thread, or the handler for such exceptions. If the search goes on behind
    /// the finding, the thread comes here again and ends.
    pub(crate) fn uncaught_finding(&mut self, exception: Ref) -> Run<u64> {
        if self.threads.list[self.turn.thread].reported {
            self.state_mut(self.turn.thread).reported = false;
            return Ok(0u64.bits());
        }
        let class = ClassId(self.heap.class(exception));
        let type_name = self.external_name(class);
        let assertion = type_name == "java.lang.AssertionError";
        let text = self.heap.get_ref(exception, self.known.throwable_message);
        let text = text.some().map_or(String::new(), |text| format!(": {}", self.text(text)));
        let thread = self.thread_name(self.turn.thread);
        let trace = self.stack_trace(exception);
        let mut message = if assertion {
            format!("an assertion failed in thread {thread}{text}")
        } else {
            format!("thread {thread} did not catch {type_name}{text}")
        };
        for &(method, bci) in &trace {
            message.push_str(&format!("\n    at {}", self.describe_place(method, bci)));
        }
        let own = trace.iter().find(|(method, _)| self.is_own(*method)).or(trace.first());
        let finding = Finding {
            kind: if assertion { Kind::Assertion } else { Kind::Exception },
            message,
            type_name: Some(type_name),
            thread: Some(self.threads.list[self.turn.thread].id),
            location: own.map(|&(method, bci)| self.location(method, bci)),
        };
        self.state_mut(self.turn.thread).reported = true;
        Err(Abrupt::Found(Box::new(finding)))
    }

    /// Whether the program has set a handler for exceptions that the current thread does not catch.
    fn has_handler(&self) -> bool {
        let object = self.threads.list[self.turn.thread].object;
        let set = |name: &str, object: Ref| {
            let offset = self.offset_of(self.known.thread, name);
            offset.is_some_and(|offset| !self.heap.get_ref(object, offset).is_null())
        };
        // A group of threads may be of a class of the program's own.
        let group =
            self.offset_of(self.known.thread, "group").map(|offset| self.heap.get_ref(object, offset));
        let own_group = group
            .and_then(Ref::some)
            .is_some_and(|group| self.class(ClassId(self.heap.class(group))).loader != Loader::BOOT);
        own_group
            || set("uncaughtExceptionHandler", object)
            || set("defaultUncaughtExceptionHandler", self.class(self.known.thread).mirror)
    }
}
