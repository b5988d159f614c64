//! The references in bytecode that lead to other methods.

use crate::classfile::instruction::Instruction;
use crate::classfile::opcode::*;

/// What an instruction refers to, by index in the constant pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A call of a static method.
    Static(u16),
    /// A call of exactly this method on an object.
    Special(u16),
    /// A call of what this method means for the class of an object.
    Virtual(u16),
    /// A dynamic call.
    Dynamic(u16),
    /// An instance that is made.
    New(u16),
    /// A static field.
    Field(u16),
    /// A constant.
    Load(u16),
}

/// The uses in the code of a method, each with the byte of its instruction; of bad code those before the fault.
pub fn scan(code: &[u8]) -> Vec<(u16, Use)> {
    let mut uses = Vec::new();
    let mut at = 0;
    while let Ok(instruction) = Instruction::decode(code, at) {
        let found = match instruction.opcode {
            LDC => Some(Use::Load(u16::from(instruction.u8(1)))),
            LDC_W => Some(Use::Load(instruction.u16(1))),
            GETSTATIC | PUTSTATIC => Some(Use::Field(instruction.u16(1))),
            INVOKEVIRTUAL | INVOKEINTERFACE => Some(Use::Virtual(instruction.u16(1))),
            INVOKESPECIAL => Some(Use::Special(instruction.u16(1))),
            INVOKESTATIC => Some(Use::Static(instruction.u16(1))),
            INVOKEDYNAMIC => Some(Use::Dynamic(instruction.u16(1))),
            NEW => Some(Use::New(instruction.u16(1))),
            _ => None,
        };
        uses.extend(found.map(|found| (at as u16, found)));
        at = instruction.next;
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_found_behind_instructions_of_every_length() {
        #[rustfmt::skip]
        let code = [
            TABLESWITCH, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9,
            WIDE, IINC, 0, 1, 0, 1,
            INVOKESTATIC, 0, 7,
            INVOKEINTERFACE, 0, 8, 1, 0,
            LDC, 9,
            RETURN,
        ];
        assert_eq!(scan(&code), [(30, Use::Static(7)), (33, Use::Virtual(8)), (38, Use::Load(9))]);
        assert_eq!(scan(&[NOP, LDC]), []);
    }
}
