//! Effects that are there for ever: static initialisers of the JDK, literals, mirrors.
//!
//! When a controlled program first uses a class of the JDK, the initialiser runs as if it had run at the start: without
//! scheduling points. Its effects are neither taken back nor part of a state. What it allocates is permanent. Permanent objects are
//! known by the class and a number, so that they are the same in every execution and on every worker.
//!
//! A scope ends in the transition in which it began. If it cannot, because its code does what is not supported or waits for
//! another thread, half of its effects are there and cannot be taken back: the machine is spoilt. From then on it refuses
//! every transition with the same words, and another machine has to be booted in its place.

use crate::machine::class::{ClassId, Loader, status};
use crate::machine::{Abrupt, Machine, Map, Run, Stop};
use crate::memory::Ref;
use sojourner_program::Location;

/// What a machine answers to every transition once a scope could not be finished.
#[derive(Clone)]
pub(crate) struct Refusal {
    /// What is not supported, with the stack.
    pub what: String,
    /// Where in the program.
    pub location: Option<Location>,
}

/// A piece of code whose effects are there for ever: see `Machine::permanently`.
pub(crate) struct Scope {
    /// The thread that runs it, and the number of the thread's frames outside.
    pub thread: usize,
    pub depth: usize,
    /// The name of the code.
    pub key: u64,
    /// Whether the transition had jumped back before the scope began.
    pub jumped_back: bool,
}

/// Scopes, and the identities of the objects that they leave behind.
#[derive(Default)]
pub(crate) struct PermanentObjects {
    /// Scopes that have begun, the innermost last.
    pub scopes: Vec<Scope>,
    /// The answer of a machine in which a scope could not be finished.
    pub refusal: Option<Refusal>,
    /// The first unit of the heap behind the objects that were there at the start.
    pub first: u32,
    /// The unit up to which objects have been given identities.
    pub named: u32,
    /// How many objects have been allocated in scopes, by the key of the scope.
    pub allocated: Map<u64, u32>,
    /// The identities of objects behind `first`, by unit; 0 where none begins.
    pub identities: Vec<u64>,
}

impl Machine {
    /// Does something whose effects are there for ever, frames that it pushes included. `key` says what it is.
    pub(crate) fn permanently<T>(
        &mut self,
        key: impl FnOnce(&Machine) -> u64,
        what: impl FnOnce(&mut Machine) -> Run<T>,
    ) -> Run<T> {
        if !self.scheduling.controlled {
            return what(self);
        }
        let key = key(self);
        self.name_permanent_objects();
        let depth = self.threads.list[self.turn.thread].frames.len();
        let jumped_back = self.scheduling.jumped_back;
        self.scheduling.permanent.scopes.push(Scope { thread: self.turn.thread, depth, key, jumped_back });
        self.heap.set_permanently(true);
        (self.scheduling.accesses_matter, self.scheduling.has_points) = (false, false);
        let result = what(self);
        let pushed = self.threads.list[self.turn.thread].frames.len() > depth;
        if !(pushed && matches!(result, Err(Abrupt::Again | Abrupt::Called))) {
            self.end_scope();
        }
        result
    }

    /// A frame has been left: ends the scopes whose last one it was.
    pub(crate) fn end_scopes(&mut self) {
        while let Some(scope) = self.scheduling.permanent.scopes.last()
            && self.threads.list[scope.thread].frames.len() <= scope.depth
        {
            self.end_scope();
        }
    }

    /// What a transition has come to. If that is the middle of a scope, the machine is spoilt.
    pub(crate) fn settle_scopes(&mut self, stop: Stop) -> Stop {
        if !self.scheduling.is_in_scope() {
            return stop;
        }
        let what = match stop {
            Stop::Unsupported(what) => what,
            _ => self.place_of("code of the JDK that is run once for all threads waits for another thread"),
        };
        let location = self.location_of(self.turn.thread);
        self.abandon_scopes();
        self.scheduling.permanent.refusal = Some(Refusal { what: what.clone(), location });
        Stop::Unsupported(what)
    }

    /// Ends all scopes although what they were for is not done. A class whose initialiser was running is to be initialised by
    /// the next thread that uses it.
    pub(crate) fn abandon_scopes(&mut self) {
        let Some(thread) = self.scheduling.permanent.scopes.first().map(|scope| scope.thread as u32) else {
            return;
        };
        for class in (1..self.classes.list.len() as u32).map(ClassId) {
            let (word, loader) = (self.status(class), self.class(class).loader);
            let begun = !matches!(word & status::MASK, status::LOADED | status::DONE | status::FAILED);
            if begun && word >> status::OWNER == thread && loader == Loader::BOOT {
                self.set_status(class, status::LOADED);
            }
        }
        self.leave_scopes();
    }

    /// Ends all scopes, whatever is left of their frames.
    pub(crate) fn leave_scopes(&mut self) {
        while self.scheduling.is_in_scope() {
            self.end_scope();
        }
    }

    fn end_scope(&mut self) {
        self.name_permanent_objects();
        if let Some(scope) = self.scheduling.permanent.scopes.pop() {
            // Another machine may have run this code in an earlier transition: its loops are not those of the program.
            self.scheduling.jumped_back = scope.jumped_back;
        }
        if self.scheduling.permanent.scopes.is_empty() {
            self.heap.set_permanently(false);
            self.update_scheduling();
        }
    }

    /// Gives identities to the objects that the innermost scope has allocated so far.
    fn name_permanent_objects(&mut self) {
        let Some(scope) = self.scheduling.permanent.scopes.last() else { return };
        let key = scope.key;
        let end = self.heap.permanent_top();
        while self.scheduling.permanent.named < end {
            let object = Ref(self.scheduling.permanent.named);
            let count = self.scheduling.permanent.allocated.entry(key).or_insert(0);
            // Odd, as those of all permanent objects are.
            let identity = key.wrapping_add(u64::from(*count).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1;
            *count += 1;
            let at = (object.0 - self.scheduling.permanent.first) as usize;
            if self.scheduling.permanent.identities.len() <= at {
                self.scheduling.permanent.identities.resize(at + 1, 0);
            }
            self.scheduling.permanent.identities[at] = identity;
            self.scheduling.permanent.named += self.units_of(object);
        }
    }

    /// The identity of a permanent object, which may have been allocated just now.
    pub(crate) fn permanent_identity_now(&mut self, object: Ref) -> u64 {
        self.name_permanent_objects();
        self.permanent_identity(object)
    }

    /// The identity of a permanent object: the same in every execution, on every worker.
    #[inline]
    pub(crate) fn permanent_identity(&self, object: Ref) -> u64 {
        let at = object.0.wrapping_sub(self.scheduling.permanent.first) as usize;
        // Without an identity of its own it has always been there.
        match self.scheduling.permanent.identities.get(at) {
            Some(&identity) if identity != 0 => identity,
            _ => u64::from(object.0) << 1 | 1,
        }
    }
}
