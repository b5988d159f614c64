//! Which bytecodes of a method were executed.
//!
//! An instruction stands for several bytecodes: those before it in its basic block that were folded into it.

use std::cell::Cell;

/// The bytecodes of a method and the instructions that stand for them.
#[derive(Debug)]
pub struct Executed {
    bytecodes: Box<[Bytecode]>,
    /// For each instruction, whether it was reached.
    reached: Box<[Cell<bool>]>,
}

/// A bytecode in translated code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytecode {
    pub opcode: u8,
    /// The first instruction that was made for it, or else the next one after it.
    pub insn: u32,
    /// The first instruction of its basic block.
    pub block: u32,
}

impl Executed {
    pub(super) fn new(bytecodes: Vec<Bytecode>, insns: usize) -> Executed {
        Executed { bytecodes: bytecodes.into(), reached: vec![Cell::new(false); insns].into() }
    }

    /// An instruction is about to be executed.
    #[inline]
    pub fn reach(&self, insn: usize) {
        self.reached[insn].set(true);
    }

    /// The opcodes that were executed.
    pub fn executed(&self) -> impl Iterator<Item = u8> {
        let reached = |insn: u32| self.reached.get(insn as usize).is_some_and(Cell::get);
        // The instruction after the last one of a block may be reached by another way; the one before was not, then.
        let executed =
            move |code: &&Bytecode| reached(code.insn) && (code.insn == code.block || reached(code.insn - 1));
        self.bytecodes.iter().filter(executed).map(|code| code.opcode)
    }
}
