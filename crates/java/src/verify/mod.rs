//! The bytecode verifier.

pub(crate) mod instruction;
pub(crate) mod opcode;
