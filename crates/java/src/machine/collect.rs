//! Garbage: found by marking what threads, classes and literals reach.
//!
//! Collections happen between instructions only, so that every frame's live registers are known.

use super::{Abrupt, Machine, Resume, Run};
use crate::classfile::Kind;
use crate::machine::class::{Class, ClassId, Loader, Shape};
use crate::memory::{ARRAY_DATA, Ref};

impl Machine {
    /// The size of an object, or of a hole, in units of the heap.
    pub(crate) fn units_of(&self, object: Ref) -> u32 {
        if let Some(units) = self.heap.hole_at(object) {
            return units;
        }
        let class = &self.classes.list[self.heap.class(object) as usize];
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

    /// Marks what threads, classes and literals reach.
    fn mark(&mut self) {
        self.mark_but(|_, _| None);
    }

    /// The weak references of the program to what nothing else reaches, in an order that does not depend on where objects
    /// lie.
    pub(crate) fn weak_to_garbage(&mut self) -> Vec<Ref> {
        let named = |name: &str| {
            let class = self.classes.symbols.find(name);
            class.and_then(|symbol| self.loaded(Loader::BOOT, symbol))
        };
        let kinds = ["java/lang/ref/WeakReference", "java/lang/ref/PhantomReference"].map(named);
        let reference = named("java/lang/ref/Reference");
        let referent = reference.and_then(|class| self.offset_of(class, "referent"));
        let Some(referent) = referent else { return Vec::new() };
        // Those of the JDK's own that were there at the start keep what they have.
        let split = self.heap.split();
        let weak = self.mark_but(|object, class| {
            let is_weak =
                object.0 >= split && kinds.iter().flatten().any(|kind| class.lineage.contains(kind));
            is_weak.then_some(referent)
        });
        let is_dead = |&reference: &Ref| {
            self.heap.get_ref(reference, referent).some().is_some_and(|object| !self.heap.is_marked(object))
        };
        weak.into_iter().filter(is_dead).collect()
    }

    /// Marks what threads, classes and literals reach, but not by the fields of objects that are left out. The answer is which
    /// objects have such a field.
    fn mark_but(&mut self, left_out: impl Fn(Ref, &Class) -> Option<u32>) -> Vec<Ref> {
        let mut without = Vec::new();
        let mut pending: Vec<Ref> = Vec::new();
        for class in self.classes.list.iter().skip(1) {
            pending.push(class.mirror);
        }
        pending.extend(self.tables.interned.values());
        pending.extend(&self.tables.loaders);
        pending.extend(self.tables.roots.iter());
        for thread in &self.threads.list {
            pending.push(thread.object);
            for (depth, frame) in thread.frames.iter().enumerate() {
                pending.push(frame.lock);
                let live = self.liveness(frame.method);
                // A frame on top is about to execute its instruction, as is one that will execute it again.
                let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
                live.references(frame.pc, again, |register| {
                    pending.push(Ref(thread.stack.get(frame.base as usize + usize::from(register)) as u32));
                });
            }
        }
        self.heap.begin_marking();
        while let Some(object) = pending.pop() {
            if object.is_null() || !self.heap.mark(object) {
                continue;
            }
            let class = &self.classes.list[self.heap.class(object) as usize];
            match class.shape {
                Shape::Array { kind: Kind::Reference, .. } => {
                    for index in 0..self.heap.length(object) {
                        pending.push(self.heap.get_ref(object, ARRAY_DATA + 4 * index));
                    }
                }
                Shape::Array { .. } => {}
                _ => {
                    let not_followed = left_out(object, class);
                    without.extend(not_followed.map(|_| object));
                    let followed = class.references.iter().filter(|&&offset| Some(offset) != not_followed);
                    pending.extend(followed.map(|&offset| self.heap.get_ref(object, offset)));
                    if Some(class.id) == self.known.class {
                        let of = &self.classes.list[self.heap.get_u32(object, self.known.mirror_id) as usize];
                        pending.extend(
                            of.static_references.iter().map(|&offset| self.heap.get_ref(object, offset)),
                        );
                    }
                }
            }
        }
        without
    }

    /// Makes room: objects that nothing reaches become holes.
    pub(crate) fn collect(&mut self) {
        self.mark();
        let (classes, known) = (&self.classes.list, &self.known);
        // Sizes come from classes; a mirror's from the class that it stands for.
        let mirrors: hashbrown::HashMap<Ref, u32> =
            classes.iter().skip(1).map(|class| (class.mirror, class.mirror_size)).collect();
        self.heap.sweep(|object, class, length| {
            let class = &classes[class as usize];
            let bytes = match class.shape {
                Shape::Array { kind, .. } => {
                    u64::from(ARRAY_DATA) + u64::from(kind.size()) * u64::from(length)
                }
                _ if Some(class.id) == known.class => {
                    u64::from(mirrors.get(&object).copied().unwrap_or(class.size))
                }
                _ => u64::from(class.size),
            };
            bytes.div_ceil(8) as u32
        });
        // The more is alive, the longer until the next time. While a program is controlled, a transition may end here, and only then the
        // search looks at how much memory is in use: it must not be much more by that time.
        let live = self.heap.used() - self.heap.bytes_in_holes();
        let more = if self.options.explores { live / 8 } else { live * 2 };
        self.heap.collect_at = if self.options.garbage < 1 << 20 {
            self.options.garbage
        } else {
            more.min(self.heap.limit() / 4).max(self.options.garbage)
        };
    }

    /// There is no room for so many bytes. While a program is explored, what earlier steps have left behind stays until
    /// they are taken back: if that fills the heap, the program has not run out of memory, but we have.
    #[cold]
    pub(super) fn out_of_memory(&mut self, bytes: u64) -> Abrupt {
        if self.scheduling.controlled && self.heap.dynamic() > self.heap.grown() {
            self.mark();
            let mut alive = 0;
            let mut at = self.heap.split();
            while at < self.heap.top() {
                let units = self.units_of(Ref(at)).max(1);
                alive += if self.heap.is_marked(Ref(at)) { u64::from(units) * 8 } else { 0 };
                at += units;
            }
            if alive + bytes <= self.heap.limit() - u64::from(self.heap.split()) * 8 {
                return Abrupt::Unsupported(format!(
                    "the heap of {} MB is full of what earlier steps of this execution have left behind, of which {} MB \
                     are in use: raise it by --heap, or bound executions by --depth",
                    self.heap.limit() >> 20,
                    alive >> 20
                ));
            }
        }
        Abrupt::raise("java/lang/OutOfMemoryError", "Java heap space")
    }

    /// A new object when the heap was full.
    pub(super) fn new_object_after_collecting(&mut self, class: ClassId) -> Run<Ref> {
        self.collect();
        self.new_object(class)
    }

    /// A new array; garbage is collected first if the heap is full.
    pub(super) fn new_array_collecting(&mut self, class: ClassId, length: i32) -> Run<Ref> {
        let used = self.heap.used();
        let array = self.new_array(class, length);
        let full = array.is_err() && length > 0 && u64::from(length as u32) < self.heap.limit();
        if full && used > 1 << 20 {
            self.collect();
            return self.new_array(class, length);
        }
        array
    }

    /// A new array of arrays: `multianewarray`.
    pub(crate) fn new_arrays(&mut self, class: ClassId, lengths: &[i32]) -> Run<Ref> {
        if let Some(&negative) = lengths.iter().find(|&&length| length < 0) {
            return Err(Abrupt::raise("java/lang/NegativeArraySizeException", negative.to_string()));
        }
        let Some((&length, rest)) = lengths.split_first() else { return Ok(Ref::NULL) };
        let array = self.new_array(class, length)?;
        let Some((component, _)) = self.class(class).component().filter(|_| !rest.is_empty()) else {
            return Ok(array);
        };
        // As deep as the dimensions that the instruction gives, of which there are at most 255.
        for index in 0..length as u32 {
            let element = self.new_arrays(component, rest)?;
            self.heap.put_ref(array, ARRAY_DATA + 4 * index, element);
        }
        Ok(array)
    }
}
