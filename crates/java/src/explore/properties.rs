//! Properties of the user's own, looked at in every state.

use super::Execution;
use crate::class::{Loader, MethodId};
use crate::classfile::access;
use crate::machine::{Frame, Machine, Resume, Run, Status, Stop, Trouble};
use crate::memory::{HEADER, Ref};
use sojourner_program::{Finding, Kind};

/// Polls of the interpreter after which a property is taken to go on for ever, in parts between which it is looked whether the
/// search wants to end.
const LONGEST: i32 = i32::MAX;
const PARTS: i32 = 1 << 11;

impl Execution {
    /// The first property that does not hold in this state.
    pub(super) fn broken_property(&mut self) -> Option<Finding> {
        if self.machine.watch.settings.properties.is_empty() || self.machine.exit.is_some() {
            return None;
        }
        let properties = self.machine.watch.settings.properties.clone();
        properties.iter().find_map(|property| match self.machine.holds_here(property) {
            Ok(true) => None,
            Ok(false) => {
                let mut finding = Finding::new(Kind::Property, format!("{property} does not hold"));
                finding.type_name = Some(property.clone());
                Some(finding)
            }
            Err(_) if self.machine.watch.cancel.is_set() => None,
            Err(why) => {
                let mut finding = Finding::new(Kind::Property, format!("{property} cannot be told: {why}"));
                finding.type_name = Some(property.clone());
                Some(finding)
            }
        })
    }
}

impl Machine {
    /// Whether the properties can be evaluated at all: the classes and methods that they name are there.
    pub(super) fn check_properties(&mut self) -> Result<(), String> {
        let properties = self.watch.settings.properties.clone();
        properties.iter().try_for_each(|property| self.method_of_property(property).map(drop))
    }

    fn method_of_property(&mut self, property: &str) -> Result<MethodId, String> {
        let missing = |_| format!("the property {property}: there is no such method, and no such class");
        if let Some((class_name, method_name)) = property.rsplit_once('.')
            && let Ok(class) = self.load(Loader::APP, &class_name.replace('.', "/"))
            && let Some(method) = self.method_named(class, method_name, "()Z")
        {
            return match self.method(method).is(access::STATIC) {
                true => Ok(method),
                false => Err(format!("the property {property}: the method is not static")),
            };
        }
        let class = self.load(Loader::APP, &property.replace('.', "/")).map_err(missing)?;
        let interface = self.load(Loader::APP, "sojourner/Property").map_err(missing)?;
        if !self.is_subclass(class, interface) {
            return Err(format!(
                "the property {property} is neither a static method without parameters that gives a boolean, \
                 nor a class that implements sojourner.Property"
            ));
        }
        self.stub_property(class).map_err(|trouble| format!("the property {property}: {trouble:?}"))
    }

    /// Runs a property on a thread of its own, and takes back what it did.
    fn holds_here(&mut self, property: &str) -> Result<bool, String> {
        let method = self.method_of_property(property)?;
        let marks = self.marks();
        let current = self.current;
        let result = self.evaluate(method);
        self.rewind_to(marks);
        self.current = current;
        match result {
            Ok(bits) => Ok(bits != 0),
            Err(Trouble::Found(finding)) => Err(finding.message),
            Err(other) => Err(format!("{other:?}")),
        }
    }

    fn evaluate(&mut self, method: MethodId) -> Run<u64> {
        let thread = self.begin_aside(self.threads[0].object)?;
        self.push_evaluation(thread, method)?;
        self.finish_aside(thread)
    }

    /// Runs a static method without parameters on a thread of its own, as if it had been run at the start: what it does to
    /// permanent objects, and those that it makes, are there for ever. `key` says who these are.
    pub(super) fn evaluate_permanently(&mut self, method: MethodId, key: u64) -> Run<()> {
        let (marks, current) = (self.marks(), self.current);
        // What it keeps for its thread is for nobody else.
        let object = self.permanently(|_| key, Machine::stranger)?;
        let thread = self.begin_aside(object)?;
        self.heap.put_i64(object, self.known.thread_handle, thread as i64 + 1);
        let pushed = self.permanently(
            |_| key,
            |machine| {
                machine.push_evaluation(thread, method)?;
                Err::<(), Trouble>(Trouble::Called)
            },
        );
        let result = match pushed {
            Err(Trouble::Called) => self.finish_aside(thread),
            other => other.map(|()| 0),
        };
        self.rewind_to(marks);
        self.current = current;
        self.look_around();
        result.map(drop)
    }

    /// A thread that runs what does not belong to the program.
    fn begin_aside(&mut self, object: Ref) -> Run<usize> {
        self.begin_transition(0);
        let thread = self.new_thread(object, true)?;
        self.hand_over(thread);
        // Nobody else moves meanwhile.
        self.standing(thread).atomic = 1;
        Ok(thread)
    }

    /// The object of a thread like the main one that has nothing of its own.
    fn stranger(&mut self) -> Run<Ref> {
        let main = self.threads[0].object;
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
        self.threads[thread].frames.push(frame);
        Ok(())
    }

    /// Runs the current thread until it waits, ends, or has taken so long that it seems to go on for ever, or the search
    /// wants to end.
    fn interpret_for_long(&mut self) -> Stop {
        for _ in 0..PARTS {
            self.fuel = LONGEST / PARTS;
            let stop = self.interpret();
            let tired = matches!(stop, Stop::Switch) && self.fuel < 0;
            let full = self.heap.allocated_since_collection() > self.collect_at;
            if !tired || full || self.watch.cancel.is_set() {
                return stop;
            }
        }
        Stop::Switch
    }

    /// Runs such a thread to its end; what it has left in the first slot.
    fn finish_aside(&mut self, thread: usize) -> Run<u64> {
        (self.watch.watching, self.watch.turns) = (false, false);
        let permanent = self.watch.is_in_scope();
        let stop = self.interpret_for_long();
        if permanent {
            // What the JDK could not get ready at the start it does when the program needs it.
            self.abandon_scopes();
        }
        match self.settle_scopes(stop) {
            Stop::Switch if self.threads[thread].frames.is_empty() => Ok(self.threads[thread].stack.get(0)),
            // The class is just being initialised: there is nothing to look at yet.
            Stop::Switch if matches!(self.threads[thread].status, Status::Initialising(_)) => Ok(1),
            Stop::Switch if self.threads[thread].status != Status::Runnable => {
                Err(Trouble::unsupported("it waits for something"))
            }
            Stop::Switch => Err(Trouble::unsupported("it takes too long")),
            Stop::Found(finding) => Err(Trouble::Found(finding)),
            Stop::Exit => Err(Trouble::Exit),
            Stop::Ignore(_) => Err(Trouble::Ignore),
            Stop::Unsupported(what) => Err(Trouble::Unsupported(what)),
        }
    }
}
