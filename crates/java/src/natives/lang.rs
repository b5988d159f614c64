//! `java.lang.Object`, `String` and the boxes of primitives.

use crate::classfile::Kind;
use crate::machine::class::{ClassId, Shape};
use crate::machine::native::{Table, framed, leaf};
use crate::machine::visible::ObjectPart;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, HASH, HEADER, Ref, UNSEEDED};
use sojourner_program::Mode;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Object",
        methods: &[
            ("getClass()Ljava/lang/Class;", leaf(get_class)),
            ("hashCode()I", leaf(identity_hash_code)),
            ("clone()Ljava/lang/Object;", leaf(clone)),
            ("notify()V", framed(notify)),
            ("notifyAll()V", framed(notify_all)),
            ("wait(J)V", framed(wait)),
        ],
    },
    Table { class: "java/lang/String", methods: &[("intern()Ljava/lang/String;", leaf(intern))] },
    Table { class: "java/lang/StringUTF16", methods: &[("isBigEndian()Z", leaf(|_, _| Ok(0)))] },
    Table {
        class: "java/lang/Float",
        methods: &[
            ("floatToRawIntBits(F)I", leaf(|_, arguments| Ok(arguments.get(0)))),
            ("intBitsToFloat(I)F", leaf(|_, arguments| Ok(arguments.get(0)))),
        ],
    },
    Table {
        class: "java/lang/Double",
        methods: &[
            ("doubleToRawLongBits(D)J", leaf(|_, arguments| Ok(arguments.get(0)))),
            ("longBitsToDouble(J)D", leaf(|_, arguments| Ok(arguments.get(0)))),
        ],
    },
];

fn get_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = ClassId(machine.heap.class(arguments.object(0)));
    Ok(machine.class(class).mirror.bits())
}

/// `Object.hashCode` and `System.identityHashCode`: a number that is given on first use, from a fixed sequence.
pub fn identity_hash_code(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(machine.identity_hash(arguments.object(0)).bits())
}

impl Machine {
    /// The identity hash code of an object; zero for null.
    pub(crate) fn identity_hash(&mut self, object: Ref) -> i32 {
        if object.is_null() {
            return 0;
        }
        let word = self.heap.get_u32(object, HASH);
        let known = word & !UNSEEDED;
        // What is permanent has its hash code for ever: tables that last may go by it. It is the same in every machine of the
        // program, as addresses of what came later than the start are not.
        if self.scheduling.controlled && known == 0 && object.0 < self.heap.split() {
            let identity = self.permanent_identity_now(object);
            let hash = (identity ^ identity >> 32) as u32;
            return (hash.wrapping_mul(0x85EB_CA6B) & 0x7FFF_FFFF).max(1) as i32;
        }
        if self.may_be_visible(object) {
            self.note(object, ObjectPart::Hash, if known == 0 { Mode::Write } else { Mode::Read });
            if known == 0 {
                self.has_unpredictable_steps();
            }
        }
        if known != 0 {
            return known as i32;
        }
        // A Weyl sequence, mixed: distinct for the first 2^31 objects, spread like the hash codes of other machines.
        let mut hash = if self.scheduling.controlled {
            // Each thread counts for itself, so that the order of threads does not matter.
            let current = self.turn.thread;
            // Under a reduction the order in which threads are started does not matter either.
            let thread = if self.scheduling.steps_singly() {
                self.threads.list[current].print as u32
            } else {
                current as u32
            };
            let standing = self.state_mut(current);
            standing.hashes += 1;
            (standing.hashes ^ thread << 20).wrapping_mul(0x9E37_79B9)
        } else {
            self.heap.next_hash = self.heap.next_hash.wrapping_add(0x9E37_79B9);
            self.heap.next_hash
        };
        hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
        hash = (hash ^ hash >> 13) & 0x7FFF_FFFF;
        let hash = hash.max(1);
        self.heap.put_u32(object, HASH, hash | word & UNSEEDED);
        hash as i32
    }
}

fn clone(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let id = ClassId(machine.heap.class(object));
    if machine.may_be_visible(object) {
        machine.touch_whole(object)?;
    }
    let class = machine.class(id);
    if let Shape::Array { kind, .. } = class.shape {
        let length = machine.heap.length(object);
        let copy = machine.new_array(id, length as i32)?;
        let bytes = length as usize * kind.size() as usize;
        machine.heap.copy(object, ARRAY_DATA as usize, copy, ARRAY_DATA as usize, bytes);
        return Ok(copy.bits());
    }
    if !machine.is_subclass(id, machine.known.cloneable) {
        return Err(Abrupt::raise("java/lang/CloneNotSupportedException", machine.external_name(id)));
    }
    let bytes = class.size - HEADER;
    let copy = machine.new_object(id)?;
    machine.heap.copy(object, HEADER as usize, copy, HEADER as usize, bytes as usize);
    Ok(copy.bits())
}

fn notify(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.notify(arguments.object(0), false).map(Bits::bits)
}

fn notify_all(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.notify(arguments.object(0), true).map(Bits::bits)
}

fn wait(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let milliseconds = arguments.long(1);
    if milliseconds < 0 {
        return Err(Abrupt::raise("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let until = (milliseconds > 0).then(|| machine.after(milliseconds.saturating_mul(1_000_000)));
    machine.wait_on(arguments.object(0), until).map(Bits::bits)
}

fn intern(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(machine.intern_object(arguments.object(0)).bits())
}

/// The kind of an array's elements and their number; an exception if it is no array.
pub fn array_of(machine: &Machine, array: Ref) -> Run<(Kind, u32)> {
    if array.is_null() {
        return Err(Abrupt::null());
    }
    match machine.class(ClassId(machine.heap.class(array))).shape {
        Shape::Array { kind, .. } => Ok((kind, machine.heap.length(array))),
        _ => Err(Abrupt::raise("java/lang/IllegalArgumentException", "Argument is not an array")),
    }
}
