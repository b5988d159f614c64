//! Annotations as bytes, and the constants that they refer to.

use crate::classfile::{Constant, text};
use crate::machine::class::{ClassId, Loader};
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Class",
        methods: &[
            ("getRawAnnotations()[B", leaf(|m, a| of_class(m, a, "RuntimeVisibleAnnotations"))),
            ("getRawTypeAnnotations()[B", leaf(|m, a| of_class(m, a, "RuntimeVisibleTypeAnnotations"))),
            ("getConstantPool()Ljdk/internal/reflect/ConstantPool;", framed(constant_pool)),
        ],
    },
    Table {
        class: "java/lang/reflect/Executable",
        methods: &[("getTypeAnnotationBytes0()[B", leaf(of_method))],
    },
    Table { class: "java/lang/reflect/Field", methods: &[("getTypeAnnotationBytes0()[B", leaf(of_field))] },
    Table {
        class: "jdk/internal/reflect/ConstantPool",
        methods: &[
            ("getSize0(Ljava/lang/Object;)I", leaf(size)),
            ("getClassAt0(Ljava/lang/Object;I)Ljava/lang/Class;", framed(class_at)),
            ("getIntAt0(Ljava/lang/Object;I)I", leaf(number_at)),
            ("getLongAt0(Ljava/lang/Object;I)J", leaf(number_at)),
            ("getFloatAt0(Ljava/lang/Object;I)F", leaf(number_at)),
            ("getDoubleAt0(Ljava/lang/Object;I)D", leaf(number_at)),
            ("getStringAt0(Ljava/lang/Object;I)Ljava/lang/String;", leaf(string_at)),
            ("getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;", leaf(text_at)),
        ],
    },
];

fn of_class(machine: &mut Machine, arguments: Arguments, attribute: &str) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    machine.raw_attribute(class, file.attributes, attribute).map(Bits::bits)
}

fn of_method(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let id = machine.reflected_method(arguments.object(0))?;
    let (class, attributes) = (machine.method(id).class, machine.method(id).attributes);
    machine.raw_attribute(class, attributes, "RuntimeVisibleTypeAnnotations").map(Bits::bits)
}

fn of_field(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let field = arguments.object(0);
    let class = machine.class_of_mirror(machine.ref_in(field, "clazz"));
    let index = machine.int_in(field, "slot") as usize;
    let Some(field) = machine.class(class).fields.get(index) else { return Ok(0) };
    let attributes = field.attributes;
    machine.raw_attribute(class, attributes, "RuntimeVisibleTypeAnnotations").map(Bits::bits)
}

fn constant_pool(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let of = machine.load(Loader::BOOT, "jdk/internal/reflect/ConstantPool")?;
    machine.initialise(of)?;
    let object = machine.new_object(of)?;
    machine.set_ref(object, "constantPoolOop", arguments.object(0));
    Ok(object.bits())
}

/// The class whose constants are asked for, and an index.
fn asked(machine: &Machine, arguments: Arguments) -> (ClassId, u16) {
    (machine.class_of_mirror(arguments.object(1)), arguments.int(2) as u16)
}

fn wrong() -> Abrupt {
    Abrupt::raise("java/lang/IllegalArgumentException", "Wrong type at constant pool index")
}

fn size(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    Ok((machine.file(class)?.pool.len() as i32).bits())
}

fn class_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (class, index) = asked(machine, arguments);
    let class = machine.resolve_class(class, index)?;
    Ok(machine.class(class).mirror.bits())
}

fn number_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (class, index) = asked(machine, arguments);
    match machine.file(class)?.pool.get(index)? {
        Constant::Integer(value) => Ok(value.bits()),
        Constant::Float(bits) => Ok(bits.bits()),
        Constant::Long(value) => Ok(value.bits()),
        Constant::Double(bits) => Ok(bits),
        _ => Err(wrong()),
    }
}

fn string_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (class, index) = asked(machine, arguments);
    match machine.file(class)?.pool.get(index)? {
        Constant::String(_) => machine.resolve_constant(class, index).map(Bits::bits),
        _ => Err(wrong()),
    }
}

fn text_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (class, index) = asked(machine, arguments);
    let file = machine.file(class)?;
    let units = text::decode(file.pool.raw(index).map_err(|_| wrong())?);
    machine.intern(&units).map(Bits::bits)
}
