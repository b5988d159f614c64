//! Which objects several threads can reach.
//!
//! An object is private until a reference to it is stored in a shared one, or its thread is started. A bit in its header
//! says which it is.

use crate::classfile::Kind;
use crate::machine::Machine;
use crate::machine::class::{ClassId, Shape};
use crate::memory::{ARRAY_DATA, FLAGS, HEADER, Ref, SHARED};

impl Machine {
    /// A reference is stored in an object: threads that can reach the object can reach what it leads to.
    #[inline(always)]
    pub(crate) fn publish(&mut self, object: Ref, offset: u32, value: Ref) {
        if self.scheduling.accesses_matter && self.is_private(value) && self.may_be_visible(object) {
            self.publish_noticed(object, offset, value);
        }
    }

    #[inline(never)]
    fn publish_noticed(&mut self, object: Ref, offset: u32, value: Ref) {
        let own = self.scheduling.thread_local_fields.contains(&offset)
            && self.is_subclass(ClassId(self.heap.class(object)), self.known.thread);
        if !own {
            self.share(value);
        }
    }

    #[inline(always)]
    fn is_private(&self, object: Ref) -> bool {
        object.0 >= self.heap.split() && self.heap.get_u32(object, FLAGS) & SHARED == 0
    }

    /// An object and all that it leads to can be reached by several threads.
    pub(crate) fn share(&mut self, object: Ref) {
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if object.is_null() || !self.is_private(object) {
                continue;
            }
            let flags = self.heap.get_u32(object, FLAGS);
            self.heap.put_u32(object, FLAGS, flags | SHARED);
            self.push_references(object, &mut pending);
        }
    }

    /// Several threads are alive from now on: what static fields and threads lead to is shared.
    pub(crate) fn share_all(&mut self) {
        let mut pending: Vec<Ref> = self.threads.list.iter().map(|thread| thread.object).collect();
        for changed in self.heap.changed() {
            let word = self.heap.word(changed.object.0 + changed.offset / 8);
            let [low, high] = self.references_in_word(changed.object, changed.offset);
            pending.extend(low.then_some(Ref(word as u32)));
            pending.extend(high.then_some(Ref((word >> 32) as u32)));
        }
        // What was stored while a thread was alone may hang on objects that have been shared before.
        let mut reached = hashbrown::HashSet::new();
        while let Some(object) = pending.pop() {
            if object.0 < self.heap.split() || !reached.insert(object) {
                continue;
            }
            let flags = self.heap.get_u32(object, FLAGS);
            if flags & SHARED == 0 {
                self.heap.put_u32(object, FLAGS, flags | SHARED);
            }
            self.push_references(object, &mut pending);
        }
    }

    /// Which halves of a word of an object are references.
    pub(crate) fn references_in_word(&self, object: Ref, offset: u32) -> [bool; 2] {
        let class = &self.classes.list[self.heap.class(object) as usize];
        let is_reference = |offset: u32| match class.shape {
            _ if offset < HEADER => false,
            Shape::Array { kind, .. } => {
                kind == Kind::Reference && (offset - ARRAY_DATA) / 4 < self.heap.length(object)
            }
            _ if Some(class.id) == self.known.class && offset >= self.known.mirror_id => {
                let of = &self.classes.list[self.class_of_mirror(object).0 as usize];
                of.static_references.contains(&offset)
            }
            _ => class.references.contains(&offset),
        };
        [is_reference(offset), is_reference(offset + 4)]
    }

    /// Everything that an object refers to.
    pub(crate) fn push_all_references(&self, object: Ref, pending: &mut Vec<Ref>) {
        let class = &self.classes.list[self.heap.class(object) as usize];
        match class.shape {
            Shape::Array { .. } => self.push_references(object, pending),
            _ => pending.extend(class.references.iter().map(|&offset| self.heap.get_ref(object, offset))),
        }
    }

    fn push_references(&self, object: Ref, pending: &mut Vec<Ref>) {
        let class = &self.classes.list[self.heap.class(object) as usize];
        match class.shape {
            Shape::Array { kind: Kind::Reference, .. } => {
                let elements = (0..self.heap.length(object)).map(|index| ARRAY_DATA + 4 * index);
                pending.extend(elements.map(|offset| self.heap.get_ref(object, offset)));
            }
            Shape::Array { .. } => {}
            _ => {
                let own = self.scheduling.thread_local_fields.as_slice();
                let threads = class.lineage.contains(&self.known.thread);
                let offsets = class.references.iter().filter(|offset| !threads || !own.contains(offset));
                pending.extend(offsets.map(|&offset| self.heap.get_ref(object, offset)));
            }
        }
    }
}
