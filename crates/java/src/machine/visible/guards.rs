//! What guards a shared object: a lock that every thread holds that accesses it, or the only thread that accesses it.
//!
//! The first access to an object decides. If its thread holds a lock, that is the guard. If it holds none, the thread
//! itself is, as if every thread had a lock of its own that it never gives back. When a thread has ended, what it guards
//! passes to the first one that has waited for its end: no other thread knows that the end has come.

use super::Behaviour;
use crate::machine::Machine;
use crate::memory::{FLAGS, GUARD, REFERENCES_END, Ref, SHARED};

/// What guards an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Nothing yet.
    None,
    /// A lock.
    Lock(Ref),
    /// A thread, by machine number.
    Owner(usize),
}

impl Guard {
    /// What a word in the header of an object says.
    #[inline(always)]
    pub fn of(word: u32) -> Guard {
        match word {
            0 => Guard::None,
            REFERENCES_END.. => Guard::Owner((word - REFERENCES_END) as usize),
            _ => Guard::Lock(Ref(word)),
        }
    }

    fn word(self) -> u32 {
        match self {
            Guard::None => 0,
            Guard::Lock(lock) => lock.0,
            Guard::Owner(thread) => REFERENCES_END + thread as u32,
        }
    }
}

impl Machine {
    /// Whether the current thread has what guards an object. Nothing does where threads are suspended or stopped in the middle of
    /// what they do.
    #[inline(always)]
    pub(crate) fn has_guard(&self, object: Ref) -> bool {
        if self.scheduling.halts_threads() {
            return false;
        }
        match Guard::of(self.heap.get_u32(object, GUARD)) {
            Guard::None => false,
            Guard::Lock(lock) => {
                lock == object && self.holds(object) || self.undo.holds(self.turn.thread, lock)
            }
            Guard::Owner(thread) => thread == self.turn.thread || self.heir(thread) == self.turn.thread,
        }
    }

    /// The same at an access to a variable of that key. The first access to a shared object decides what guards it.
    #[inline]
    pub(crate) fn is_guarded(&mut self, object: Ref, key: usize) -> bool {
        if Guard::of(self.heap.get_u32(object, GUARD)) != Guard::None || self.scheduling.halts_threads() {
            return self.has_guard(object);
        }
        let guard = match self.lock_for(object) {
            Some(lock) => Guard::Lock(lock),
            None if self.may_own() => {
                self.note_variable(object, key);
                Guard::Owner(self.turn.thread)
            }
            None => return false,
        };
        self.heap.put_u32(object, GUARD, guard.word());
        true
    }

    /// Whether the current thread can be a guard. Where a program ends while threads are alive, the end shows how far they have
    /// come with what is theirs, and so do properties of states.
    fn may_own(&self) -> bool {
        self.scheduling.settings.reduce.owned
            && !self.scheduling.settings.looks_at_states
            && !self.scheduling.expects(Behaviour::EndsEarly)
            && self.turn.thread < (u32::MAX - REFERENCES_END) as usize
    }

    /// The lock that would guard an object if the current thread were the first to access it.
    fn lock_for(&self, object: Ref) -> Option<Ref> {
        if !self.scheduling.settings.reduce.locked {
            return None;
        }
        if self.holds(object) { Some(object) } else { self.undo.innermost_lock(self.turn.thread) }
    }

    /// Which key is to blame for an access to a variable of an object without its guard. An object may have variables that only
    /// one thread accesses, and others that are accessed under a lock: then it is the former that need scheduling points,
    /// because there is one guard only.
    pub(crate) fn variable_to_blame(&mut self, object: Ref, key: usize) -> usize {
        let Guard::Owner(_) = Guard::of(self.heap.get_u32(object, GUARD)) else { return key };
        let (Some(lock), Some(first)) = (self.lock_for(object), self.noted_variable(object)) else {
            return key;
        };
        if first == key {
            return key;
        }
        self.heap.put_u32(object, GUARD, Guard::Lock(lock).word());
        first
    }

    /// The thread that has now what a thread guards: itself, or the thread that has waited for its end.
    #[inline(always)]
    pub(crate) fn heir(&self, mut thread: usize) -> usize {
        while let Some(heir) = self.threads.list[thread].heir {
            thread = heir as usize;
        }
        thread
    }

    /// Notes by an access to which variable a thread has become the guard of an object. Of arrays the bits are taken: all
    /// elements have one key.
    fn note_variable(&mut self, object: Ref, key: usize) {
        if !self.is_array(object) {
            let flags = self.heap.get_u32(object, FLAGS) & SHARED | (key as u32 + 1) << 1;
            self.heap.put_u32(object, FLAGS, flags);
        }
    }

    fn noted_variable(&self, object: Ref) -> Option<usize> {
        let key = (self.heap.get_u32(object, FLAGS) >> 1).checked_sub(1)?;
        (!self.is_array(object)).then_some(key as usize)
    }
}
