//! Fields of the JDK's objects, by name, for natives that fill them in.

use crate::machine::Machine;
use crate::machine::class::ClassId;
use crate::memory::Ref;

impl Machine {
    /// Sets a field that holds a reference. A JDK that has no such field does without.
    pub(crate) fn set_ref(&mut self, object: Ref, name: &str, value: Ref) {
        if let Some(offset) = self.offset_in(object, name) {
            self.heap.put_ref(object, offset, value);
        }
    }

    /// Sets a field of type int.
    pub(crate) fn set_int(&mut self, object: Ref, name: &str, value: i32) {
        if let Some(offset) = self.offset_in(object, name) {
            self.heap.put_i32(object, offset, value);
        }
    }

    /// Sets a field of type long.
    pub(crate) fn set_long(&mut self, object: Ref, name: &str, value: i64) {
        if let Some(offset) = self.offset_in(object, name) {
            self.heap.put_i64(object, offset, value);
        }
    }

    /// Sets a field of type boolean.
    pub(crate) fn set_boolean(&mut self, object: Ref, name: &str, value: bool) {
        if let Some(offset) = self.offset_in(object, name) {
            self.heap.put_u8(object, offset, u8::from(value));
        }
    }

    /// A field that holds a reference; null if the JDK has no such field.
    pub(crate) fn ref_in(&self, object: Ref, name: &str) -> Ref {
        self.offset_in(object, name).map_or(Ref::NULL, |offset| self.heap.get_ref(object, offset))
    }

    /// A field of type int; zero if the JDK has no such field.
    pub(crate) fn int_in(&self, object: Ref, name: &str) -> i32 {
        self.offset_in(object, name).map_or(0, |offset| self.heap.get_i32(object, offset))
    }

    /// A field of type long; zero if the JDK has no such field.
    pub(crate) fn long_in(&self, object: Ref, name: &str) -> i64 {
        self.offset_in(object, name).map_or(0, |offset| self.heap.get_i64(object, offset))
    }

    /// A field of type boolean; false if the JDK has no such field.
    pub(crate) fn boolean_in(&self, object: Ref, name: &str) -> bool {
        self.offset_in(object, name).is_some_and(|offset| self.heap.get_u8(object, offset) != 0)
    }

    /// A static field that holds a reference.
    pub(crate) fn static_ref(&self, class: ClassId, name: &str) -> Ref {
        let mirror = self.class(class).mirror;
        self.offset_of(class, name).map_or(Ref::NULL, |offset| self.heap.get_ref(mirror, offset))
    }

    fn offset_in(&self, object: Ref, name: &str) -> Option<u32> {
        self.offset_of(ClassId(self.heap.class(object)), name)
    }
}
