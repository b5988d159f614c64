//! Code that comes from no class file.

use super::{Code, Handler, Insn, Op, Switch};
use std::cell::{Cell, OnceCell};

/// Collects instructions.
pub struct Builder {
    insns: Vec<Insn>,
    registers: u16,
    handlers: Vec<Handler>,
    switches: Vec<Switch>,
    constants: Vec<u64>,
}

impl Builder {
    /// Code with that many registers.
    pub fn new(registers: u16) -> Builder {
        Builder {
            insns: Vec::new(),
            registers,
            handlers: Vec::new(),
            switches: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Adds an instruction; its index.
    pub fn emit(&mut self, insn: Insn) -> usize {
        self.insns.push(insn);
        self.insns.len() - 1
    }

    /// The index that the next instruction will have.
    pub fn next(&self) -> usize {
        self.insns.len()
    }

    /// Makes sure that there are at least so many registers.
    pub fn reserve(&mut self, registers: u16) {
        self.registers = self.registers.max(registers);
    }

    /// Changes the target of a jump.
    pub fn patch(&mut self, jump: usize, target: usize) {
        let aimed = self.insns[jump].aimed_at(target as u32);
        self.insns[jump] = aimed.expect("the machine's own methods are small");
    }

    /// Puts a constant into a register.
    pub fn constant(&mut self, register: u16, bits: u64) {
        match u32::try_from(bits) {
            Ok(bits) => self.emit(Insn::wide(Op::ConstInt, register, bits)),
            Err(_) => {
                self.constants.push(bits);
                self.emit(Insn::wide(Op::ConstWide, register, self.constants.len() as u32 - 1))
            }
        };
    }

    /// Catches everything that the instructions from `start` to before `end` throw.
    pub fn catch(&mut self, start: usize, end: usize, target: usize, register: u16) {
        self.handlers.push(Handler {
            start: start as u16,
            end: end as u16,
            target: target as u32,
            catches: 0,
            register,
        });
    }

    /// Adds a switch; its number.
    pub fn switch(&mut self, switch: Switch) -> u32 {
        self.switches.push(switch);
        self.switches.len() as u32 - 1
    }

    /// The code. An instruction's index stands for the byte that it comes from.
    pub fn finish(self) -> Code {
        Code {
            bcis: (0..self.insns.len()).map(|index| index as u16).collect(),
            insns: self.insns.into_iter().map(Cell::new).collect(),
            registers: self.registers,
            handlers: self.handlers.into(),
            switches: self.switches.into(),
            constants: self.constants.into(),
            liveness: OnceCell::new(),
            executed: None,
        }
    }
}
