//! Boxes of primitive values.

use crate::classfile::Kind;
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::{Abrupt, Bits, Machine, Run};
use crate::memory::Ref;

/// The kinds that have boxes, with the names of those.
const BOXES: [(Kind, &str); 8] = [
    (Kind::Boolean, "java/lang/Boolean"),
    (Kind::Char, "java/lang/Character"),
    (Kind::Float, "java/lang/Float"),
    (Kind::Double, "java/lang/Double"),
    (Kind::Byte, "java/lang/Byte"),
    (Kind::Short, "java/lang/Short"),
    (Kind::Int, "java/lang/Integer"),
    (Kind::Long, "java/lang/Long"),
];

impl Machine {
    /// The method that boxes a value: `Integer.valueOf` and its like. `None` for references and void.
    pub(crate) fn boxing(&mut self, kind: Kind) -> Run<Option<MethodId>> {
        let Some(&(_, name)) = BOXES.iter().find(|(of, _)| *of == kind) else { return Ok(None) };
        let class = self.load(Loader::BOOT, name)?;
        let descriptor = format!("({})L{name};", kind.letter());
        let method = self.method_named(class, "valueOf", &descriptor);
        method.map(Some).ok_or_else(|| Abrupt::unsupported(format!("this JDK's {name}")))
    }

    /// What a box holds; `None` if the object is no box.
    pub(crate) fn unboxed(&self, object: Ref) -> Option<(Kind, u64)> {
        let of = ClassId(self.heap.class(object));
        let name = self.class_name(of);
        let &(kind, _) = BOXES.iter().find(|(_, known)| *known == name)?;
        let at = self.offset_of(of, "value")?;
        let bits = match kind {
            Kind::Boolean => self.heap.get_u8(object, at).bits(),
            Kind::Byte => self.heap.get_i8(object, at).bits(),
            Kind::Char => self.heap.get_u16(object, at).bits(),
            Kind::Short => self.heap.get_i16(object, at).bits(),
            Kind::Long | Kind::Double => self.heap.get_u64(object, at),
            _ => self.heap.get_u32(object, at).bits(),
        };
        Some((kind, bits))
    }
}

/// A value of one kind as a value of another that is wider; `None` if it is not.
pub fn widen(bits: u64, from: Kind, to: Kind) -> Option<u64> {
    if from == to {
        return Some(bits);
    }
    let int = i32::of(bits);
    match (from, to) {
        (Kind::Byte, Kind::Short) => Some(bits),
        (Kind::Byte | Kind::Short | Kind::Char, Kind::Int) => Some(bits),
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Long) => Some(i64::from(int).bits()),
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Float) => Some((int as f32).bits()),
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Double) => Some(f64::from(int).bits()),
        (Kind::Long, Kind::Float) => Some((i64::of(bits) as f32).bits()),
        (Kind::Long, Kind::Double) => Some((i64::of(bits) as f64).bits()),
        (Kind::Float, Kind::Double) => Some(f64::from(f32::of(bits)).bits()),
        _ => None,
    }
}
