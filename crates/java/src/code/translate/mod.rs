//! From bytecode to instructions.
//!
//! The operand stack is simulated: an entry is a value in its own place of the stack, or a local variable or constant
//! that was not needed in a register yet. At the borders of basic blocks every entry is in its place.

mod bytecodes;
mod emit;
mod stack;
mod tables;

use super::executed::Bytecode;
use super::{Code, Executed, Handler, Insn, Op, Switch};
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, ClassFileError, CodeAttribute, Cursor, Kind};
use std::cell::{Cell, OnceCell};

/// Why a method cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslateError {
    /// The constants or attributes that it uses are bad.
    #[error(transparent)]
    File(#[from] ClassFileError),
    /// The code makes no sense.
    #[error("bad code at byte {at}: {reason}")]
    Code {
        /// The byte.
        at: usize,
        /// What is wrong.
        reason: &'static str,
    },
}

type Result<T> = std::result::Result<T, TranslateError>;

/// The kinds that the stack knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Int,
    Float,
    Long,
    Double,
    Ref,
}

impl Type {
    fn of(kind: Kind) -> Option<Type> {
        Some(match kind {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Type::Int,
            Kind::Float => Type::Float,
            Kind::Long => Type::Long,
            Kind::Double => Type::Double,
            Kind::Reference => Type::Ref,
            Kind::Void => return None,
        })
    }

    fn width(self) -> u16 {
        if matches!(self, Type::Long | Type::Double) { 2 } else { 1 }
    }
}

/// Where the value of a stack entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// In the entry's own place.
    Here,
    /// Still in a local variable.
    Local(u16),
    /// Nowhere yet: a constant.
    Int(i32),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    value: Value,
    kind: Type,
    /// Its place: the slots below it.
    at: u16,
}

struct Translation<'a> {
    file: &'a ClassFile,
    bytes: &'a [u8],
    max_locals: u16,
    max_stack: u16,
    insns: Vec<Insn>,
    bcis: Vec<u16>,
    switches: Vec<Switch>,
    constants: Vec<u64>,
    stack: Vec<Entry>,
    depth: u16,
    /// Whether a basic block begins at a byte.
    leaders: Vec<bool>,
    /// Whether the bytecode at a byte has been translated.
    reached: Vec<bool>,
    /// The stack at the beginning of a basic block, once known.
    entries: Vec<Option<Vec<Type>>>,
    /// The instruction of the first byte of a basic block, once translated.
    starts: Vec<u32>,
    /// Instructions whose target is still a byte.
    jumps: Vec<(usize, usize)>,
    pending: Vec<usize>,
    bci: usize,
    /// The instruction that put the topmost value into its place, if that was the last one.
    fresh: Option<usize>,
    /// The bytecodes in the order of their translation, if coverage is wanted.
    executed: Option<Vec<Bytecode>>,
    /// The first instruction of the basic block.
    block: u32,
}

/// Translates the code of a method.
pub fn translate(file: &ClassFile, code: &CodeAttribute<'_>) -> Result<Code> {
    translate_noting(file, code, None)
}

/// Translates the code of a method so that it can be seen which bytecodes are executed.
pub fn translate_with_trail(file: &ClassFile, code: &CodeAttribute<'_>) -> Result<Code> {
    translate_noting(file, code, Some(Vec::new()))
}

fn translate_noting(
    file: &ClassFile,
    code: &CodeAttribute<'_>,
    executed: Option<Vec<Bytecode>>,
) -> Result<Code> {
    let length = code.code.len();
    let mut translation = Translation {
        file,
        bytes: code.code,
        max_locals: code.max_locals,
        max_stack: code.max_stack,
        insns: Vec::with_capacity(length / 2),
        bcis: Vec::with_capacity(length / 2),
        switches: Vec::new(),
        constants: Vec::new(),
        stack: Vec::new(),
        depth: 0,
        leaders: vec![false; length],
        reached: vec![false; length],
        entries: vec![None; length],
        starts: vec![u32::MAX; length],
        jumps: Vec::new(),
        pending: Vec::new(),
        bci: 0,
        fresh: None,
        executed,
        block: 0,
    };
    let registers = u32::from(code.max_locals) + u32::from(code.max_stack) + 1;
    let registers = u16::try_from(registers).map_err(|_| translation.bad("too many local variables"))?;
    translation.find_leaders()?;
    for handler in &code.handlers {
        let (start, end) = (usize::from(handler.start), usize::from(handler.end));
        if start >= end || end > length {
            return Err(translation.bad("an exception handler covers nothing"));
        }
        translation.leader(usize::from(handler.handler))?;
    }
    translation.enter(0, Vec::new())?;
    translation.drain()?;
    // A handler is entered from what it covers; where that is never reached, it has not been verified either.
    let mut waiting: Vec<_> = code.handlers.iter().collect();
    loop {
        let before = waiting.len();
        let mut rest = Vec::new();
        for handler in waiting {
            let covered = usize::from(handler.start)..usize::from(handler.end);
            if translation.reached[covered].contains(&true) {
                translation.enter(usize::from(handler.handler), vec![Type::Ref])?;
                translation.drain()?;
            } else {
                rest.push(handler);
            }
        }
        waiting = rest;
        if waiting.len() == before {
            break;
        }
    }
    translation.link()?;
    let handlers = code
        .handlers
        .iter()
        .filter(|handler| translation.starts[usize::from(handler.handler)] != u32::MAX)
        .map(|handler| Handler {
            start: handler.start,
            end: handler.end,
            target: translation.starts[usize::from(handler.handler)],
            catches: handler.catches,
            register: code.max_locals,
        })
        .collect();
    let insns = translation.insns.len();
    let executed = translation.executed.map(|bytecodes| Box::new(Executed::new(bytecodes, insns)));
    Ok(Code {
        insns: translation.insns.into_iter().map(Cell::new).collect(),
        bcis: translation.bcis.into(),
        registers,
        handlers,
        switches: translation.switches.into(),
        constants: translation.constants.into(),
        liveness: OnceCell::new(),
        executed,
    })
}

impl<'a> Translation<'a> {
    fn bad(&self, reason: &'static str) -> TranslateError {
        TranslateError::Code { at: self.bci, reason }
    }

    fn cursor(&self, at: usize) -> Result<Cursor<'a>> {
        let mut cursor = Cursor::new(self.bytes);
        cursor.seek(at)?;
        Ok(cursor)
    }

    fn leader(&mut self, target: usize) -> Result<()> {
        match self.leaders.get_mut(target) {
            Some(leader) => *leader = true,
            None => return Err(self.bad("a jump leaves the method")),
        }
        Ok(())
    }

    fn target(&self, offset: i32) -> Result<usize> {
        usize::try_from(self.bci as i64 + i64::from(offset)).map_err(|_| self.bad("a jump leaves the method"))
    }

    /// Finds where basic blocks begin.
    fn find_leaders(&mut self) -> Result<()> {
        let mut at = self.cursor(0)?;
        while at.left() > 0 {
            self.bci = at.position();
            let opcode = at.u8()?;
            match opcode {
                IFEQ..=GOTO | IFNULL | IFNONNULL => {
                    let target = self.target(i32::from(at.i16()?))?;
                    self.leader(target)?;
                }
                GOTO_W => {
                    let target = self.target(at.i32()?)?;
                    self.leader(target)?;
                }
                TABLESWITCH | LOOKUPSWITCH => {
                    at.seek((self.bci / 4 + 1) * 4)?;
                    let default = at.i32()?;
                    let target = self.target(default)?;
                    self.leader(target)?;
                    if opcode == TABLESWITCH {
                        let (low, high) = (at.i32()?, at.i32()?);
                        let count = i64::from(high) - i64::from(low) + 1;
                        if count < 0 || count > self.bytes.len() as i64 {
                            return Err(self.bad("a switch is larger than the method"));
                        }
                        for _ in 0..count {
                            let target = self.target(at.i32()?)?;
                            self.leader(target)?;
                        }
                    } else {
                        let count = at.i32()?;
                        if count < 0 || count as usize > self.bytes.len() {
                            return Err(self.bad("a switch is larger than the method"));
                        }
                        for _ in 0..count {
                            at.i32()?;
                            let target = self.target(at.i32()?)?;
                            self.leader(target)?;
                        }
                    }
                }
                JSR | RET | JSR_W => {
                    return Err(self.bad("a subroutine that was not expanded"));
                }
                WIDE => {
                    let wide = at.u8()?;
                    at.skip(if wide == IINC { 4 } else { 2 })?;
                }
                BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | NEWARRAY => at.skip(1)?,
                SIPUSH
                | LDC_W
                | LDC2_W
                | IINC
                | GETSTATIC..=INVOKESTATIC
                | NEW
                | ANEWARRAY
                | CHECKCAST
                | INSTANCEOF => at.skip(2)?,
                INVOKEINTERFACE | INVOKEDYNAMIC => at.skip(4)?,
                MULTIANEWARRAY => at.skip(3)?,
                NOP..=JSR_W => {}
                _ => return Err(self.bad("an unknown opcode")),
            }
        }
        Ok(())
    }

    /// A basic block is reached with this stack.
    fn enter(&mut self, target: usize, stack: Vec<Type>) -> Result<()> {
        match self.entries.get(target) {
            None => Err(self.bad("a jump leaves the method")),
            Some(Some(known)) if *known == stack => Ok(()),
            Some(Some(_)) => Err(self.bad("a place is reached with different stacks")),
            Some(None) => {
                self.entries[target] = Some(stack);
                self.pending.push(target);
                Ok(())
            }
        }
    }

    fn drain(&mut self) -> Result<()> {
        while let Some(start) = self.pending.pop() {
            if self.starts[start] == u32::MAX {
                self.blocks_from(start)?;
            }
        }
        Ok(())
    }

    /// Translates from a leader on, until the flow ends or meets what has been translated.
    fn blocks_from(&mut self, start: usize) -> Result<()> {
        let mut at = self.cursor(start)?;
        let types = self.entries[start].clone().unwrap_or_default();
        self.stack.clear();
        self.depth = 0;
        for kind in types {
            self.push_here(kind)?;
        }
        let mut first = true;
        loop {
            let position = at.position();
            if at.left() == 0 {
                return Err(self.bad("the code runs over its end"));
            }
            if first || self.leaders[position] {
                self.settle();
                self.fresh = None;
                if !first {
                    let types = self.types();
                    self.enter(position, types)?;
                    if self.starts[position] != u32::MAX {
                        self.jump(Op::Goto, 0, 0, position);
                        return Ok(());
                    }
                }
                self.block = self.insns.len() as u32;
                self.starts[position] = self.block;
                first = false;
            }
            self.bci = position;
            self.reached[position] = true;
            let before = self.insns.len();
            let goes_on = self.bytecode(&mut at)?;
            self.note(position, before);
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Notes for the trail what the bytecode at `position` has become, and the one after it if they became one. There
    /// were `before` instructions.
    fn note(&mut self, position: usize, before: usize) {
        let Some(executed) = &mut self.executed else { return };
        // It may have taken the place of the last instruction before it.
        let own = self.bcis.last().is_some_and(|&bci| usize::from(bci) == self.bci);
        let insn = if own { before.min(self.insns.len() - 1) } else { before };
        let opcode = |at: usize| self.bytes[if self.bytes[at] == WIDE { at + 1 } else { at }];
        executed.push(Bytecode { opcode: opcode(position), insn: insn as u32, block: self.block });
        if self.bci != position {
            executed.push(Bytecode { opcode: opcode(self.bci), insn: insn as u32, block: self.block });
        }
    }

    fn types(&self) -> Vec<Type> {
        self.stack.iter().map(|entry| entry.kind).collect()
    }

    /// Fills in the targets of jumps.
    fn link(&mut self) -> Result<()> {
        for &(insn, target) in &self.jumps {
            let start = self.starts[target];
            if start == u32::MAX {
                return Err(TranslateError::Code {
                    at: target,
                    reason: "a jump into the middle of an instruction",
                });
            }
            let too_large = TranslateError::Code { at: target, reason: "the method is too large" };
            self.insns[insn] = self.insns[insn].aimed_at(start).ok_or(too_large)?;
        }
        for switch in &mut self.switches {
            let all: Box<dyn Iterator<Item = &mut u32>> = match switch {
                Switch::Table { targets, default, .. } => Box::new(targets.iter_mut().chain([default])),
                Switch::Lookup { pairs, default } => {
                    Box::new(pairs.iter_mut().map(|pair| &mut pair.1).chain([default]))
                }
            };
            for target in all {
                let start = self.starts[*target as usize];
                if start == u32::MAX {
                    return Err(TranslateError::Code {
                        at: *target as usize,
                        reason: "a jump into the middle of an instruction",
                    });
                }
                *target = start;
            }
        }
        Ok(())
    }
}
