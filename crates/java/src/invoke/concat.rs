//! String concatenation: `StringConcatFactory`.
//!
//! A call site becomes a method that turns every argument into a string and then joins them at once.

use super::dynamic::Site;
use crate::classfile::{Constant, Descriptor, Kind};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::MethodId;
use crate::machine::native::leaf;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

/// In a recipe, an argument and a constant.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

/// A part of a concatenation.
pub(super) enum Piece {
    /// Text that is known.
    Text(Vec<u16>),
    /// The value in a register, of that type.
    Value(u16, String),
}

impl Machine {
    pub(super) fn link_concat(&mut self, site: &Site) -> Run<MethodId> {
        let descriptor = Descriptor::parse(&site.descriptor)?;
        let recipe = if site.bootstrap.name == "makeConcat" {
            vec![ARGUMENT; descriptor.parameters.len()]
        } else {
            self.bootstrap_string(site, 0)?
        };
        let (mut parts, mut text, mut argument, mut register, mut constant) =
            (Vec::new(), Vec::new(), 0, 0, 1);
        for unit in recipe {
            match unit {
                ARGUMENT => {
                    if !text.is_empty() {
                        parts.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    let kind = descriptor.kinds.get(argument).copied().ok_or_else(bad_recipe)?;
                    parts.push(Piece::Value(register, descriptor.parameters[argument].clone()));
                    register += kind.slots();
                    argument += 1;
                }
                CONSTANT => {
                    text.extend(self.constant_text(site, constant)?);
                    constant += 1;
                }
                other => text.push(other),
            }
        }
        if !text.is_empty() {
            parts.push(Piece::Text(text));
        }
        let first = descriptor.slots;
        let mut builder = Builder::new(first + 4);
        self.emit_concat(&mut builder, &parts, first)?;
        builder.emit(Insn::new(Op::ReturnRef, first, 0, 0));
        Ok(self.make_method("concat", &site.descriptor, builder.finish()))
    }

    fn constant_text(&mut self, site: &Site, number: usize) -> Run<Vec<u16>> {
        let index = site.argument(number)?;
        let file = self.file(site.from)?;
        Ok(match file.pool.get(index)? {
            Constant::String(text) => crate::classfile::text::decode(file.pool.raw(text)?),
            Constant::Integer(value) => value.to_string().encode_utf16().collect(),
            Constant::Long(value) => value.to_string().encode_utf16().collect(),
            _ => return Err(Abrupt::unsupported("a concatenation with a constant that is no string")),
        })
    }

    /// Adds code that joins parts; the result is in register `first`, and those from there on are free.
    pub(super) fn emit_concat(&mut self, builder: &mut Builder, parts: &[Piece], first: u16) -> Run<()> {
        let count = parts.len() as u16;
        builder.reserve(first + count + 6);
        let strings = self.known.string;
        for (index, part) in parts.iter().enumerate() {
            let register = first + 1 + index as u16;
            match part {
                Piece::Text(units) => {
                    let string = self.intern(units)?;
                    builder.emit(Insn::wide(Op::ConstRef, register, string.0));
                }
                Piece::Value(value, descriptor) => {
                    let letter = match Kind::of(descriptor.as_bytes()[0]) {
                        Some(Kind::Byte | Kind::Short) => "I".to_string(),
                        Some(Kind::Reference) | None => "Ljava/lang/Object;".to_string(),
                        Some(kind) => kind.letter().to_string(),
                    };
                    let name = format!("({letter})Ljava/lang/String;");
                    let method = self.method_named(strings, "valueOf", &name);
                    let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's String.valueOf"))?;
                    let site = self.call_site(method);
                    builder.emit(Insn::new(Op::Move, register, *value, 0));
                    builder.emit(Insn::wide(Op::CallStatic, register, site));
                }
            }
        }
        let join = self.join_method(parts.len());
        let site = self.call_site(join);
        builder.constant(first, parts.len() as u64);
        builder.emit(Insn::wide(Op::CallStatic, first, site));
        Ok(())
    }

    /// The native that joins so many strings. Its first argument is their number.
    fn join_method(&mut self, count: usize) -> MethodId {
        let descriptor = format!("(I{})Ljava/lang/String;", "Ljava/lang/String;".repeat(count));
        let symbol = self.classes.symbols.intern(&descriptor);
        if let Some(&known) = self.links.concatenations.get(&symbol) {
            return known;
        }
        let result = count as u16 + 1;
        let mut builder = Builder::new(result + 2);
        builder.emit(Insn::new(Op::Native, result, 0, 0));
        builder.emit(Insn::new(Op::ReturnRef, result, 0, 0));
        let method = self.make_method("join", &descriptor, builder.finish());
        self.method(method).native.set(Some(leaf(join)));
        self.links.concatenations.insert(symbol, method);
        method
    }
}

fn bad_recipe() -> Abrupt {
    Abrupt::raise("java/lang/invoke/StringConcatException", "Mismatched number of concat arguments")
}

/// Joins strings. What converts to no string at all is written `null`.
fn join(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let strings: Vec<Ref> = (1..=arguments.int(0) as u16).map(|slot| arguments.object(slot)).collect();
    let (value, coder) = (machine.known.string_value, machine.known.string_coder);
    let wide = strings.iter().any(|string| !string.is_null() && machine.heap.get_u8(*string, coder) != 0);
    if wide {
        let mut units = Vec::new();
        for string in strings {
            match string.some() {
                Some(string) => units.extend(machine.units(string)),
                None => units.extend("null".encode_utf16()),
            }
        }
        return machine.new_string_of(&units).map(Bits::bits);
    }
    let mut bytes = Vec::new();
    for string in strings {
        match string.some() {
            Some(string) => {
                bytes.extend_from_slice(machine.heap.elements(machine.heap.get_ref(string, value), 1));
            }
            None => bytes.extend_from_slice(b"null"),
        }
    }
    machine.new_latin1(&bytes).map(Bits::bits)
}
