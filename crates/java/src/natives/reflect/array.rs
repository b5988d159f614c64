//! `java.lang.reflect.Array`.

use super::super::lang::array_of;
use super::boxes::widen;
use crate::classfile::Kind;
use crate::machine::class::ClassId;
use crate::machine::native::{Table, framed, leaf};
use crate::machine::visible::OperationKind;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/reflect/Array",
    methods: &[
        (
            "getLength(Ljava/lang/Object;)I",
            leaf(|machine, arguments| Ok(array_of(machine, arguments.object(0))?.1.bits())),
        ),
        ("get(Ljava/lang/Object;I)Ljava/lang/Object;", framed(get)),
        ("getBoolean(Ljava/lang/Object;I)Z", leaf(|m, a| get_as(m, a, Kind::Boolean))),
        ("getByte(Ljava/lang/Object;I)B", leaf(|m, a| get_as(m, a, Kind::Byte))),
        ("getChar(Ljava/lang/Object;I)C", leaf(|m, a| get_as(m, a, Kind::Char))),
        ("getShort(Ljava/lang/Object;I)S", leaf(|m, a| get_as(m, a, Kind::Short))),
        ("getInt(Ljava/lang/Object;I)I", leaf(|m, a| get_as(m, a, Kind::Int))),
        ("getLong(Ljava/lang/Object;I)J", leaf(|m, a| get_as(m, a, Kind::Long))),
        ("getFloat(Ljava/lang/Object;I)F", leaf(|m, a| get_as(m, a, Kind::Float))),
        ("getDouble(Ljava/lang/Object;I)D", leaf(|m, a| get_as(m, a, Kind::Double))),
        ("set(Ljava/lang/Object;ILjava/lang/Object;)V", leaf(set)),
        ("setBoolean(Ljava/lang/Object;IZ)V", leaf(|m, a| set_as(m, a, Kind::Boolean))),
        ("setByte(Ljava/lang/Object;IB)V", leaf(|m, a| set_as(m, a, Kind::Byte))),
        ("setChar(Ljava/lang/Object;IC)V", leaf(|m, a| set_as(m, a, Kind::Char))),
        ("setShort(Ljava/lang/Object;IS)V", leaf(|m, a| set_as(m, a, Kind::Short))),
        ("setInt(Ljava/lang/Object;II)V", leaf(|m, a| set_as(m, a, Kind::Int))),
        ("setLong(Ljava/lang/Object;IJ)V", leaf(|m, a| set_as(m, a, Kind::Long))),
        ("setFloat(Ljava/lang/Object;IF)V", leaf(|m, a| set_as(m, a, Kind::Float))),
        ("setDouble(Ljava/lang/Object;ID)V", leaf(|m, a| set_as(m, a, Kind::Double))),
        ("newArray(Ljava/lang/Class;I)Ljava/lang/Object;", leaf(new_array)),
        ("multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;", leaf(new_arrays)),
    ],
}];

fn mismatch() -> Abrupt {
    Abrupt::raise("java/lang/IllegalArgumentException", "argument type mismatch")
}

/// The kind of an array's elements, and an index that lies in it.
fn place(machine: &Machine, array: Ref, index: i32) -> Run<(Kind, u32)> {
    let (kind, length) = array_of(machine, array)?;
    if index < 0 || index as u32 >= length {
        return Err(Abrupt::bare("java/lang/ArrayIndexOutOfBoundsException"));
    }
    Ok((kind, index as u32))
}

impl Machine {
    /// The bits of an element of an array.
    pub(crate) fn element_bits(&self, array: Ref, kind: Kind, index: u32) -> u64 {
        match kind {
            Kind::Boolean => self.heap.element_at::<u8>(array, index).bits(),
            Kind::Byte => self.heap.element_at::<i8>(array, index).bits(),
            Kind::Char => self.heap.element_at::<u16>(array, index).bits(),
            Kind::Short => self.heap.element_at::<i16>(array, index).bits(),
            Kind::Long | Kind::Double => self.heap.element_at::<u64>(array, index),
            _ => self.heap.element_at::<u32>(array, index).bits(),
        }
    }

    fn set_element_bits(&mut self, array: Ref, kind: Kind, index: u32, bits: u64) {
        match kind.size() {
            1 => self.heap.set_element(array, index, bits as u8),
            2 => self.heap.set_element(array, index, bits as u16),
            8 => self.heap.set_element(array, index, bits),
            _ => self.heap.set_element(array, index, bits as u32),
        }
    }
}

/// An element is about to be read or written, which others may notice.
fn touch(machine: &mut Machine, array: Ref, kind: Kind, index: u32, what: OperationKind) -> Run<()> {
    if machine.may_be_visible(array) {
        machine.touch(array, ARRAY_DATA + index * kind.size(), what)?;
    }
    Ok(())
}

fn get(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let array = arguments.object(0);
    let (kind, index) = place(machine, array, arguments.int(1))?;
    touch(machine, array, kind, index, OperationKind::Read)?;
    let bits = machine.element_bits(array, kind, index);
    match machine.boxing(kind)? {
        None => Ok(bits),
        Some(boxing) => {
            let class = machine.method(boxing).class;
            machine.initialise(class)?;
            machine.call(boxing, &[bits, 0][..usize::from(kind.slots())], Resume::Next)?;
            Err(Abrupt::Called)
        }
    }
}

fn get_as(machine: &mut Machine, arguments: Arguments, wanted: Kind) -> Run<u64> {
    let array = arguments.object(0);
    if array_of(machine, array)?.0 == Kind::Reference {
        return Err(Abrupt::raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array of primitive type",
        ));
    }
    let (kind, index) = place(machine, array, arguments.int(1))?;
    touch(machine, array, kind, index, OperationKind::Read)?;
    widen(machine.element_bits(array, kind, index), kind, wanted).ok_or_else(mismatch)
}

fn set(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (array, value) = (arguments.object(0), arguments.object(2));
    let (kind, index) = place(machine, array, arguments.int(1))?;
    if kind != Kind::Reference {
        if value.is_null() {
            return Err(Abrupt::bare("java/lang/IllegalArgumentException"));
        }
        let bits = machine.unboxed(value).and_then(|(from, bits)| widen(bits, from, kind));
        let bits = bits.ok_or_else(mismatch)?;
        touch(machine, array, kind, index, OperationKind::Write)?;
        machine.set_element_bits(array, kind, index, bits);
        return Ok(0);
    }
    let component = machine.class(ClassId(machine.heap.class(array))).component();
    let fits = |class| component.is_some_and(|(component, _)| machine.is_subclass(class, component));
    if !value.is_null() && !fits(ClassId(machine.heap.class(value))) {
        return Err(Abrupt::raise("java/lang/IllegalArgumentException", "array element type mismatch"));
    }
    touch(machine, array, kind, index, OperationKind::Write)?;
    machine.set_element_bits(array, kind, index, value.bits());
    machine.publish(array, ARRAY_DATA + 4 * index, value);
    Ok(0)
}

fn set_as(machine: &mut Machine, arguments: Arguments, from: Kind) -> Run<u64> {
    let array = arguments.object(0);
    if array_of(machine, array)?.0 == Kind::Reference {
        return Err(Abrupt::raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array of primitive type",
        ));
    }
    let (kind, index) = place(machine, array, arguments.int(1))?;
    let bits = widen(arguments.get(2), from, kind).ok_or_else(mismatch)?;
    touch(machine, array, kind, index, OperationKind::Write)?;
    machine.set_element_bits(array, kind, index, bits);
    Ok(0)
}

/// The class of arrays of a component, which must not be void.
fn array_class(machine: &mut Machine, component: Ref) -> Run<ClassId> {
    if component.is_null() {
        return Err(Abrupt::null());
    }
    let component = machine.class_of_mirror(component);
    if component == machine.known.primitives[Kind::Void as usize] {
        return Err(Abrupt::bare("java/lang/IllegalArgumentException"));
    }
    machine.array_of(component)
}

fn new_array(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = array_class(machine, arguments.object(0))?;
    machine.new_array(class, arguments.int(1)).map(Bits::bits)
}

fn new_arrays(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let dimensions = arguments.object(1);
    let count = array_of(machine, dimensions)?.1;
    if count == 0 || count > 255 {
        return Err(Abrupt::bare("java/lang/IllegalArgumentException"));
    }
    let lengths: Vec<i32> = (0..count).map(|index| machine.heap.element_at(dimensions, index)).collect();
    let mut class = array_class(machine, arguments.object(0))?;
    for _ in 1..count {
        class = machine.array_of(class)?;
    }
    machine.new_arrays(class, &lengths).map(Bits::bits)
}
