//! Code that brings values from one type to another, as `MethodHandle.asType` describes it.

use crate::classfile::Kind;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader};
use crate::machine::{Abrupt, Machine, Run};

/// The class that boxes a primitive kind.
pub(super) fn wrapper(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Boolean => "java/lang/Boolean",
        Kind::Byte => "java/lang/Byte",
        Kind::Char => "java/lang/Character",
        Kind::Short => "java/lang/Short",
        Kind::Int => "java/lang/Integer",
        Kind::Long => "java/lang/Long",
        Kind::Float => "java/lang/Float",
        Kind::Double => "java/lang/Double",
        Kind::Reference | Kind::Void => return None,
    })
}

/// The primitive kind that a class boxes.
fn boxed(descriptor: &str) -> Option<Kind> {
    let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
    Kind::PRIMITIVES.into_iter().find(|&kind| wrapper(kind) == Some(name))
}

fn kind_of(descriptor: &str) -> Kind {
    descriptor.bytes().next().and_then(Kind::of).unwrap_or(Kind::Void)
}

/// The instruction that widens a primitive; `None` if the bits are the same, and an error if it would narrow.
fn widening(from: Kind, to: Kind) -> Result<Option<Op>, ()> {
    use Kind::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    Ok(match (from, to) {
        (a, b) if a == b => None,
        (Byte, Short | Int) | (Short | Char, Int) => None,
        (Byte | Short | Char | Int, Long) => Some(Op::I2L),
        (Byte | Short | Char | Int, Float) => Some(Op::I2F),
        (Byte | Short | Char | Int, Double) => Some(Op::I2D),
        (Long, Float) => Some(Op::L2F),
        (Long, Double) => Some(Op::L2D),
        (Float, Double) => Some(Op::F2D),
        (Boolean, _) | (_, _) => return Err(()),
    })
}

impl Machine {
    /// Adds code that changes the value in a register from one type to another, in place. The registers from `spare` on
    /// are free.
    pub(super) fn adapt(
        &mut self,
        builder: &mut Builder,
        loader: Loader,
        register: u16,
        (from, to): (&str, &str),
        spare: u16,
    ) -> Run<()> {
        if from == to || to == "V" {
            return Ok(());
        }
        let (from_kind, to_kind) = (kind_of(from), kind_of(to));
        let impossible = || {
            let message = format!("cannot convert {from} to {to}");
            Abrupt::raise("java/lang/invoke/WrongMethodTypeException", message)
        };
        builder.reserve(spare + 4);
        match (from_kind, to_kind) {
            (Kind::Void, Kind::Reference) => {
                builder.emit(Insn::new(Op::ConstNull, register, 0, 0));
            }
            (Kind::Void, _) => builder.constant(register, 0),
            (Kind::Reference, Kind::Reference) => {
                if to != "Ljava/lang/Object;" {
                    let class = self.load_described(loader, to)?;
                    // Interfaces are not checked by the verifier either, but calls rely on the class.
                    builder.emit(Insn::wide(Op::CheckCastOf, register, class.0));
                }
            }
            (Kind::Reference, _) => {
                let source = boxed(from).unwrap_or(to_kind);
                let widen = widening(source, to_kind).map_err(|()| impossible())?;
                self.unbox(builder, register, source, spare)?;
                if let Some(op) = widen {
                    builder.emit(Insn::new(op, register, register, 0));
                }
            }
            (_, Kind::Reference) => {
                // To a box of another kind the value is widened first, which only `asType` of constants asks for.
                let target = boxed(to).unwrap_or(from_kind);
                if let Some(op) = widening(from_kind, target).map_err(|()| impossible())? {
                    builder.emit(Insn::new(op, register, register, 0));
                }
                self.box_value(builder, register, target, spare)?;
            }
            _ => {
                if let Some(op) = widening(from_kind, to_kind).map_err(|()| impossible())? {
                    builder.emit(Insn::new(op, register, register, 0));
                }
            }
        }
        Ok(())
    }

    /// Adds code that boxes the primitive in a register.
    pub(super) fn box_value(
        &mut self,
        builder: &mut Builder,
        register: u16,
        kind: Kind,
        spare: u16,
    ) -> Run<()> {
        let Some(name) = wrapper(kind) else { return Ok(()) };
        let class = self.load(Loader::BOOT, name)?;
        let descriptor = format!("({})L{name};", kind.letter());
        self.emit_call(builder, class, "valueOf", &descriptor, register, spare)
    }

    /// Adds code that takes the primitive out of the box in a register.
    pub(super) fn unbox(&mut self, builder: &mut Builder, register: u16, kind: Kind, spare: u16) -> Run<()> {
        let Some(name) = wrapper(kind) else { return Ok(()) };
        let class = self.load(Loader::BOOT, name)?;
        builder.emit(Insn::wide(Op::CheckCastOf, register, class.0));
        let method = format!("{}Value", kind.word());
        self.emit_call(builder, class, &method, &format!("(){}", kind.letter()), register, spare)
    }

    /// Adds a call with one argument, the value in a register, which receives the result.
    fn emit_call(
        &mut self,
        builder: &mut Builder,
        class: ClassId,
        name: &str,
        descriptor: &str,
        register: u16,
        spare: u16,
    ) -> Run<()> {
        let method = self.method_named(class, name, descriptor);
        let method =
            method.ok_or_else(|| Abrupt::unsupported(format!("this JDK has no {name}{descriptor}")))?;
        let op = if self.method(method).is_static() { Op::CallStatic } else { Op::CallDirect };
        let site = self.call_site(method);
        builder.reserve(spare + 2);
        builder.emit(Insn::new(Op::Move, spare, register, 0));
        builder.emit(Insn::wide(op, spare, site));
        builder.emit(Insn::new(Op::Move, register, spare, 0));
        Ok(())
    }
}
