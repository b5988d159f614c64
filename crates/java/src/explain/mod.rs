//! What was null: the messages of NullPointerExceptions, word for word as HotSpot 17 prints them (JEP 358).
//!
//! The message has two halves. *Cannot read field "x"* says what the instruction could not do; *because "this.y" is
//! null* says in terms of the source where the null came from. The second half is left out where the value is not
//! the result of one known instruction, as after a conditional expression.

mod names;
mod origins;

use crate::classfile::instruction::Instruction;
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, Descriptor};
pub(crate) use names::in_table;
use names::{class_name, local_name, method_name};
use origins::Origins;
use std::fmt::Write;

/// How many fields, calls and array elements an expression is made of before the rest is left out.
const DEEPEST: u32 = 5;

/// How deep indices may stand within indices. HotSpot has no such limit. Source code never needs more, but bytecode may have more.
const NESTED: u32 = 16;

/// The message of the NullPointerException that the instruction at `bci` threw in a method of the class. `None` if the instruction never
/// finds nulls, or if the bytecode makes no sense. Also `None` for the call of a constructor: the program made the exception itself. Costs
/// time in proportion to the length of the method's code.
pub fn null_pointer_message(class: &ClassFile, method_index: usize, bci: u16) -> Option<String> {
    let method = class.methods.get(method_index)?;
    let code = class.code(method.attributes).ok()??;
    let bci = usize::from(bci);
    let instruction = Instruction::decode(code.code, bci).ok()?;
    let (action, depth) = action(class, &instruction)?;
    let origins = Origins::before(class, &code, bci)?;
    let explanation = Explanation { class, method_index, code: code.code, origins };
    let mut message = action;
    if let Some(cause) = explanation.cause(bci, depth) {
        message.push_str(&cause);
    }
    Some(message)
}

/// What the instruction cannot do with null, and how deep in the operand stack the null lies.
fn action(class: &ClassFile, instruction: &Instruction<'_>) -> Option<(String, usize)> {
    let load = |kind: &str| Some((format!("Cannot load from {kind} array"), 1));
    let store = |kind: &str, depth| Some((format!("Cannot store to {kind} array"), depth));
    let plain = |text: &str| Some((text.to_string(), 0));
    match instruction.opcode {
        IALOAD => load("int"),
        LALOAD => load("long"),
        FALOAD => load("float"),
        DALOAD => load("double"),
        AALOAD => load("object"),
        BALOAD => load("byte/boolean"),
        CALOAD => load("char"),
        SALOAD => load("short"),
        IASTORE => store("int", 2),
        LASTORE => store("long", 3),
        FASTORE => store("float", 2),
        DASTORE => store("double", 3),
        AASTORE => store("object", 2),
        BASTORE => store("byte/boolean", 2),
        CASTORE => store("char", 2),
        SASTORE => store("short", 2),
        ARRAYLENGTH => plain("Cannot read the array length"),
        ATHROW => plain("Cannot throw exception"),
        MONITORENTER => plain("Cannot enter synchronized block"),
        MONITOREXIT => plain("Cannot exit synchronized block"),
        GETFIELD => {
            let (_, name, _) = class.pool.member(instruction.u16(1)).ok()?;
            Some((format!("Cannot read field \"{name}\""), 0))
        }
        PUTFIELD => {
            let (_, name, descriptor) = class.pool.member(instruction.u16(1)).ok()?;
            let depth = crate::classfile::field_kind(descriptor).ok()?.slots();
            Some((format!("Cannot assign field \"{name}\""), usize::from(depth)))
        }
        INVOKEVIRTUAL | INVOKESPECIAL | INVOKEINTERFACE => {
            let (_, name, descriptor) = class.pool.member(instruction.u16(1)).ok()?;
            if name == "<init>" {
                return None;
            }
            let depth = usize::from(Descriptor::parse(descriptor).ok()?.slots);
            Some((format!("Cannot invoke \"{}\"", method_name(class, instruction.u16(1))?), depth))
        }
        _ => None,
    }
}

struct Explanation<'a> {
    class: &'a ClassFile,
    method_index: usize,
    code: &'a [u8],
    origins: Origins,
}

impl Explanation<'_> {
    /// The second half of the message: what the value at that depth of the stack before `bci` is called.
    fn cause(&self, bci: usize, depth: usize) -> Option<String> {
        let origin = self.origins.of(bci, depth)?;
        let instruction = Instruction::decode(self.code, origin).ok()?;
        let mut expression = String::new();
        self.expression(&mut expression, bci, depth, DEEPEST, NESTED)?;
        Some(match instruction.opcode {
            INVOKEVIRTUAL..=INVOKEINTERFACE => {
                format!(" because the return value of \"{expression}\" is null")
            }
            _ => format!(" because \"{expression}\" is null"),
        })
    }

    /// Appends the expression whose value lies at that depth of the stack before `bci`. Appends nothing and gives `None` if
    /// it is not known, or none that is worth printing. Goes `left` steps deep, and into `nested` indices.
    fn expression(&self, text: &mut String, bci: usize, depth: usize, left: u32, nested: u32) -> Option<()> {
        if left == 0 || nested == 0 {
            return None;
        }
        let origin = self.origins.of(bci, depth)?;
        let instruction = Instruction::decode(self.code, origin).ok()?;
        match instruction.opcode {
            ACONST_NULL => text.push_str("null"),
            ICONST_M1..=ICONST_5 => push(text, i32::from(instruction.opcode) - i32::from(ICONST_0)),
            BIPUSH => push(text, instruction.u8(1) as i8),
            SIPUSH => push(text, instruction.u16(1) as i16),
            ILOAD | ALOAD | ILOAD_0..=ILOAD_3 | ALOAD_0..=ALOAD_3 => {
                let local = instruction.local();
                let untouched = !self.origins.written(bci, local);
                text.push_str(&local_name(self.class, self.method_index, origin, local, untouched)?);
            }
            GETSTATIC => {
                let (class, name, _) = self.class.pool.member(instruction.u16(1)).ok()?;
                let _ = write!(text, "{}.{name}", class_name(class));
            }
            GETFIELD => {
                let (_, name, _) = self.class.pool.member(instruction.u16(1)).ok()?;
                if self.expression(text, origin, 0, left - 1, nested).is_some() {
                    text.push('.');
                }
                text.push_str(name);
            }
            INVOKEVIRTUAL..=INVOKEINTERFACE => {
                text.push_str(&method_name(self.class, instruction.u16(1))?);
            }
            IALOAD | AALOAD => {
                if self.expression(text, origin, 1, left - 1, nested).is_none() {
                    text.push_str("<array>");
                }
                text.push('[');
                if self.expression(text, origin, 0, left, nested - 1).is_none() {
                    text.push_str("...");
                }
                text.push(']');
            }
            _ => return None,
        }
        Some(())
    }
}

fn push(text: &mut String, value: impl std::fmt::Display) {
    let _ = write!(text, "{value}");
}
