//! Handles that convert arguments and results: `asType` and `explicitCastArguments`.

use super::handle_code::HandleCode;
use crate::classfile::Kind;
use crate::code::Op;
use crate::machine::class::{ClassId, Loader};
use crate::machine::native::{Table, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/invoke/MethodHandleImpl",
    methods: &[(
        "makePairwiseConvert(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;ZZ)Ljava/lang/invoke/MethodHandle;",
        leaf(make_pairwise_convert),
    )],
}];

/// A handle of another type. That every conversion is possible has been checked before.
fn make_pairwise_convert(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (target, wanted, strict) = (arguments.object(0), arguments.object(1), arguments.int(2) != 0);
    let old = machine.type_of_handle(target)?;
    if old == wanted {
        return Ok(target.bits());
    }
    let (outer, inner) = (machine.classes_of_type(wanted)?, machine.classes_of_type(old)?);
    let parameters: Vec<Kind> = outer[1..].iter().map(|&class| machine.kind_of_class(class)).collect();
    let returns = machine.kind_of_class(outer[0]);
    let numbers =
        |classes: &[ClassId]| classes.iter().map(|class| format!(" {}", class.0)).collect::<String>();
    let key = format!("convert {strict}{} to{}", numbers(&outer), numbers(&inner));
    let form = machine.form(key, &parameters, returns, |handle_code| {
        let handle = handle_code.operand(0);
        let mut values = Vec::with_capacity(parameters.len());
        for (number, &(register, _)) in handle_code.arguments.clone().iter().enumerate() {
            values.push(convert(handle_code, register, outer[number + 1], inner[number + 1], strict)?);
        }
        let result = handle_code.machine.kind_of_class(inner[0]);
        let register = handle_code.call_handle(handle, &values, result)?;
        let (register, kind) = convert(handle_code, register, inner[0], outer[0], strict)?;
        handle_code.leave(register, kind);
        Ok(())
    })?;
    machine.new_handle(wanted, form, &[target]).map(Bits::bits)
}

/// Converts a value from one class to another: where it is then, and what kind it is of.
pub(super) fn convert(
    handle_code: &mut HandleCode,
    register: u16,
    from: ClassId,
    to: ClassId,
    strict: bool,
) -> Run<(u16, Kind)> {
    let machine = &*handle_code.machine;
    let (source, target) = (machine.kind_of_class(from), machine.kind_of_class(to));
    let register = match (source, target) {
        (_, Kind::Void) => register,
        (Kind::Void, _) => handle_code.zero(target),
        (Kind::Reference, Kind::Reference) => cast(handle_code, register, from, to, strict)?,
        (Kind::Reference, _) => unbox(handle_code, register, target, strict)?,
        (_, Kind::Reference) => {
            let (boxed, class) = box_value(handle_code, register, source)?;
            cast(handle_code, boxed, class, to, strict)?
        }
        _ => convert_primitive(handle_code, register, source, target),
    };
    Ok((register, target))
}

fn cast(handle_code: &mut HandleCode, register: u16, from: ClassId, to: ClassId, strict: bool) -> Run<u16> {
    let machine = &*handle_code.machine;
    // An explicit cast to an interface is none, as the verifier treats interfaces.
    if machine.is_subclass(from, to) || machine.class(to).is_interface() && !strict {
        return Ok(register);
    }
    // As the JDK does it: the complaint of `Class.cast` is worded in another way than that of a cast in code.
    let mirror = machine.class(to).mirror;
    let class = handle_code.object(mirror);
    let arguments = [(class, Kind::Reference), (register, Kind::Reference)];
    handle_code.call_java("java/lang/Class", "cast", "(Ljava/lang/Object;)Ljava/lang/Object;", &arguments)
}

fn unbox(handle_code: &mut HandleCode, register: u16, kind: Kind, strict: bool) -> Run<u16> {
    let name = match kind {
        Kind::Boolean => "unboxBoolean",
        Kind::Byte => "unboxByte",
        Kind::Char => "unboxCharacter",
        Kind::Short => "unboxShort",
        Kind::Long => "unboxLong",
        Kind::Float => "unboxFloat",
        Kind::Double => "unboxDouble",
        _ => "unboxInteger",
    };
    let casts = handle_code.register();
    handle_code.builder.constant(casts, u64::from(!strict));
    let arguments = [(register, Kind::Reference), (casts, Kind::Boolean)];
    let descriptor = format!("(Ljava/lang/Object;Z){}", kind.letter());
    handle_code.call_java("sun/invoke/util/ValueConversions", name, &descriptor, &arguments)
}

/// Boxes a value: where it is then, and of which class.
pub(super) fn box_value(handle_code: &mut HandleCode, register: u16, kind: Kind) -> Run<(u16, ClassId)> {
    let name = super::adapt::wrapper(kind).unwrap_or("java/lang/Object");
    let class = handle_code.machine.load(Loader::BOOT, name)?;
    let descriptor = format!("({})L{name};", kind.letter());
    let register = handle_code.call_java(name, "valueOf", &descriptor, &[(register, kind)])?;
    Ok((register, class))
}

/// Conversions between primitives, narrowing ones included.
fn convert_primitive(handle_code: &mut HandleCode, register: u16, from: Kind, to: Kind) -> u16 {
    use Kind::{Boolean, Byte, Char, Double, Float, Long, Short};
    if from == to {
        return register;
    }
    let wide = |kind: Kind| matches!(kind, Long | Float | Double);
    let result = handle_code.register();
    let direct = match (from, to) {
        (Long, Float) => Some(Op::L2F),
        (Long, Double) => Some(Op::L2D),
        (Float, Long) => Some(Op::F2L),
        (Float, Double) => Some(Op::F2D),
        (Double, Long) => Some(Op::D2L),
        (Double, Float) => Some(Op::D2F),
        (_, Long) => Some(Op::I2L),
        (_, Float) => Some(Op::I2F),
        (_, Double) => Some(Op::I2D),
        _ => None,
    };
    if let Some(op) = direct {
        handle_code.emit(op, result, register, 0);
        return result;
    }
    // The way to the small kinds leads by an int.
    let op = match from {
        Long => Op::L2I,
        Float => Op::F2I,
        Double => Op::D2I,
        _ => Op::Move,
    };
    debug_assert!(!wide(to));
    handle_code.emit(op, result, register, 0);
    match to {
        Boolean => {
            handle_code.emit(Op::IAndImm, result, result, 1);
        }
        Byte => {
            handle_code.emit(Op::I2B, result, result, 0);
        }
        Char => {
            handle_code.emit(Op::I2C, result, result, 0);
        }
        Short => {
            handle_code.emit(Op::I2S, result, result, 0);
        }
        _ => {}
    }
    result
}
