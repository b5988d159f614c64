//! Effects that are there for ever: static initialisers of the JDK, literals, mirrors.
//!
//! When a class of the JDK is first used while a program is explored, its initialiser runs as if it had run at the start:
//! without scheduling points, and its effects are neither taken back nor part of the state. What it allocates is
//! permanent, and known by the class and a number, so that it is the same in every execution and on every worker.
//!
//! A scope ends in the transition in which it began. If it cannot, because its code does what is not supported or waits for
//! another thread, half of its effects are there and cannot be taken back: the machine is spoilt. From then on it refuses
//! every transition with the same words, and another machine has to be booted in its place.

use super::watch::{Refusal, Scope};
use crate::class::{ClassId, Loader, Shape, status};
use crate::machine::{Machine, Run, Stop, Trouble};
use crate::memory::{ARRAY_DATA, Ref};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// 64 bits that stand for a name.
pub(crate) fn print(text: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}

impl Machine {
    /// Does something whose effects are there for ever, frames that it pushes included. `key` says what it is.
    pub(crate) fn permanently<T>(
        &mut self,
        key: impl FnOnce(&Machine) -> u64,
        what: impl FnOnce(&mut Machine) -> Run<T>,
    ) -> Run<T> {
        if !self.watch.on {
            return what(self);
        }
        let key = key(self);
        self.name_permanent_objects();
        let depth = self.threads[self.current].frames.len();
        let looped = self.watch.looped;
        self.watch.scopes.push(Scope { thread: self.current, depth, key, looped });
        self.heap.set_permanently(true);
        (self.watch.watching, self.watch.turns) = (false, false);
        let result = what(self);
        let pushed = self.threads[self.current].frames.len() > depth;
        if !(pushed && matches!(result, Err(Trouble::Again | Trouble::Called))) {
            self.end_scope();
        }
        result
    }

    /// A frame has been left: ends the scopes whose last one it was.
    pub(crate) fn end_scopes(&mut self) {
        while let Some(scope) = self.watch.scopes.last()
            && self.threads[scope.thread].frames.len() <= scope.depth
        {
            self.end_scope();
        }
    }

    /// What a transition has come to. If that is the middle of a scope, the machine is spoilt.
    pub(super) fn settle_scopes(&mut self, stop: Stop) -> Stop {
        if !self.watch.is_in_scope() {
            return stop;
        }
        let what = match stop {
            Stop::Unsupported(what) => what,
            _ => self.place_of("code of the JDK that is run once for all threads waits for another thread"),
        };
        let location = self.location_of(self.current);
        self.abandon_scopes();
        self.watch.refusal = Some(Refusal { what: what.clone(), location });
        Stop::Unsupported(what)
    }

    /// Ends all scopes although what they were for is not done. A class whose initialiser was running is to be initialised by
    /// the next thread that uses it.
    pub(super) fn abandon_scopes(&mut self) {
        let Some(thread) = self.watch.scopes.first().map(|scope| scope.thread as u32) else { return };
        for class in (1..self.classes.len() as u32).map(ClassId) {
            let (word, loader) = (self.status(class), self.class(class).loader);
            let begun = !matches!(word & status::MASK, status::LOADED | status::DONE | status::FAILED);
            if begun && word >> status::OWNER == thread && loader == Loader::BOOT {
                self.set_status(class, status::LOADED);
            }
        }
        self.leave_scopes();
    }

    /// Ends all scopes, whatever is left of their frames.
    pub(super) fn leave_scopes(&mut self) {
        while self.watch.is_in_scope() {
            self.end_scope();
        }
    }

    fn end_scope(&mut self) {
        self.name_permanent_objects();
        if let Some(scope) = self.watch.scopes.pop() {
            // Another machine may have run this code in an earlier transition: its loops are not those of the program.
            self.watch.looped = scope.looped;
        }
        if self.watch.scopes.is_empty() {
            self.heap.set_permanently(false);
            self.look_around();
        }
    }

    /// Gives identities to the objects that the innermost scope has allocated so far.
    fn name_permanent_objects(&mut self) {
        let Some(scope) = self.watch.scopes.last() else { return };
        let key = scope.key;
        let end = self.heap.permanent_top();
        while self.watch.named < end {
            let object = Ref(self.watch.named);
            let count = self.watch.allocated.entry(key).or_insert(0);
            // Odd, as those of all permanent objects are.
            let identity = key.wrapping_add(u64::from(*count).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1;
            *count += 1;
            let at = (object.0 - self.watch.first) as usize;
            if self.watch.late.len() <= at {
                self.watch.late.resize(at + 1, 0);
            }
            self.watch.late[at] = identity;
            self.watch.named += self.units_of(object);
        }
    }

    /// The size of an object, or of a hole, in units of the heap.
    pub(crate) fn units_of(&self, object: Ref) -> u32 {
        if let Some(units) = self.heap.hole_at(object) {
            return units;
        }
        let class = &self.classes[self.heap.class(object) as usize];
        let bytes = match class.shape {
            Shape::Array { kind, .. } => ARRAY_DATA + kind.size() * self.heap.length(object),
            _ if Some(class.id) == self.known.class => {
                let of = self.heap.get_u32(object, self.known.mirror_id);
                self.class(ClassId(of)).mirror_size.max(class.size)
            }
            _ => class.size,
        };
        bytes.div_ceil(8)
    }

    /// Who a permanent object is, which may have been allocated just now.
    pub(crate) fn permanent_identity_now(&mut self, object: Ref) -> u64 {
        self.name_permanent_objects();
        self.permanent_identity(object)
    }

    /// Who a permanent object is: the same in every execution, on every worker.
    #[inline]
    pub(super) fn permanent_identity(&self, object: Ref) -> u64 {
        let at = object.0.wrapping_sub(self.watch.first) as usize;
        // Without an identity of its own it has always been there.
        match self.watch.late.get(at) {
            Some(&identity) if identity != 0 => identity,
            _ => u64::from(object.0) << 1 | 1,
        }
    }
}
