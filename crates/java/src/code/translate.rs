//! From bytecode to instructions.
//!
//! The operand stack is simulated: an entry is a value in its own place of the stack, or a local variable or constant
//! that nobody has needed in a register yet. At the borders of basic blocks every entry is in its place.

use super::trail::Bytecode;
use super::{Code, Handler, Insn, Op, Switch, Trail};
use crate::classfile::opcode::*;
use crate::classfile::{
    ClassFile, ClassFileError, CodeAttribute, Constant, Cursor, Kind, field_kind, method_shape,
};
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
    /// The bytecodes in the order of their translation, if somebody wants to know which are executed.
    trail: Option<Vec<Bytecode>>,
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
    trail: Option<Vec<Bytecode>>,
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
        trail,
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
    // A handler is entered from what it covers; where that is never reached, nobody has verified it either.
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
    let trail = translation.trail.map(|bytecodes| Box::new(Trail::new(bytecodes, insns)));
    Ok(Code {
        insns: translation.insns.into_iter().map(Cell::new).collect(),
        bcis: translation.bcis.into(),
        registers,
        handlers,
        switches: translation.switches.into(),
        constants: translation.constants.into(),
        liveness: OnceCell::new(),
        trail,
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
                    return Err(self.bad("jsr and ret are not supported: recompile for Java 6 or later"));
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
        let Some(trail) = &mut self.trail else { return };
        // It may have taken the place of the last instruction before it.
        let own = self.bcis.last().is_some_and(|&bci| usize::from(bci) == self.bci);
        let insn = if own { before.min(self.insns.len() - 1) } else { before };
        let opcode = |at: usize| self.bytes[if self.bytes[at] == WIDE { at + 1 } else { at }];
        trail.push(Bytecode { opcode: opcode(position), insn: insn as u32, block: self.block });
        if self.bci != position {
            trail.push(Bytecode { opcode: opcode(self.bci), insn: insn as u32, block: self.block });
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
            let jump = &mut self.insns[insn];
            match jump.op {
                Op::IfEq
                | Op::IfNe
                | Op::IfLt
                | Op::IfGe
                | Op::IfGt
                | Op::IfLe
                | Op::IfNull
                | Op::IfNonNull
                | Op::Goto => *jump = Insn::wide(jump.op, jump.a, start),
                _ => {
                    jump.c = u16::try_from(start).map_err(|_| TranslateError::Code {
                        at: target,
                        reason: "the method is too large",
                    })?;
                }
            }
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

    // The stack.

    fn place(&self, entry: Entry) -> u16 {
        self.max_locals + entry.at
    }

    fn push(&mut self, value: Value, kind: Type) -> Result<u16> {
        let entry = Entry { value, kind, at: self.depth };
        self.depth += kind.width();
        if self.depth > self.max_stack {
            return Err(self.bad("the stack overflows"));
        }
        self.stack.push(entry);
        Ok(self.place(entry))
    }

    fn push_here(&mut self, kind: Type) -> Result<u16> {
        self.push(Value::Here, kind)
    }

    fn pop_any(&mut self) -> Result<Entry> {
        let entry = self.stack.pop().ok_or_else(|| self.bad("the stack is empty"))?;
        self.depth = entry.at;
        Ok(entry)
    }

    fn pop(&mut self, kind: Type) -> Result<Entry> {
        let entry = self.pop_any()?;
        if entry.kind == kind { Ok(entry) } else { Err(self.bad("a value of another kind is needed")) }
    }

    /// The register that has the value of an entry.
    fn register(&mut self, entry: Entry) -> u16 {
        match entry.value {
            Value::Here => self.place(entry),
            Value::Local(local) => local,
            Value::Int(value) => {
                let place = self.place(entry);
                self.emit(Insn::wide(Op::ConstInt, place, value as u32));
                place
            }
        }
    }

    fn pop_register(&mut self, kind: Type) -> Result<u16> {
        let entry = self.pop(kind)?;
        Ok(self.register(entry))
    }

    /// Puts an entry's value into its own place.
    fn materialise(&mut self, index: usize) {
        let entry = self.stack[index];
        let place = self.place(entry);
        match entry.value {
            Value::Here => return,
            Value::Local(local) => self.emit(Insn::new(Op::Move, place, local, 0)),
            Value::Int(value) => self.emit(Insn::wide(Op::ConstInt, place, value as u32)),
        }
        self.stack[index].value = Value::Here;
    }

    /// Puts all values into their places.
    fn settle(&mut self) {
        for index in 0..self.stack.len() {
            self.materialise(index);
        }
    }

    /// A local variable is about to change: whoever still refers to it takes its value now.
    fn save_local(&mut self, local: u16) {
        for index in 0..self.stack.len() {
            if self.stack[index].value == Value::Local(local) {
                self.materialise(index);
            }
        }
    }

    // Instructions.

    fn emit(&mut self, insn: Insn) {
        self.insns.push(insn);
        self.bcis.push(self.bci as u16);
        self.fresh = None;
    }

    /// An instruction whose first operand is the place of the value that it pushes.
    fn emit_push(&mut self, op: Op, b: u16, c: u16, kind: Type) -> Result<()> {
        let place = self.push_here(kind)?;
        self.emit(Insn::new(op, place, b, c));
        self.fresh = Some(self.insns.len() - 1);
        Ok(())
    }

    fn jump(&mut self, op: Op, a: u16, b: u16, target: usize) {
        self.jumps.push((self.insns.len(), target));
        self.emit(Insn::new(op, a, b, 0));
    }

    fn local(&self, index: usize, kind: Type) -> Result<u16> {
        if index + usize::from(kind.width()) > usize::from(self.max_locals) {
            return Err(self.bad("a local variable that the method does not have"));
        }
        Ok(index as u16)
    }

    fn load(&mut self, index: usize, kind: Type) -> Result<()> {
        let local = self.local(index, kind)?;
        self.push(Value::Local(local), kind)?;
        Ok(())
    }

    fn store(&mut self, index: usize, kind: Type) -> Result<()> {
        let local = self.local(index, kind)?;
        let entry = self.pop(kind)?;
        let before = self.insns.len();
        self.save_local(local);
        if kind.width() == 2 {
            self.save_local(local + 1);
        }
        match entry.value {
            Value::Int(value) => self.emit(Insn::wide(Op::ConstInt, local, value as u32)),
            Value::Local(other) if other == local => {}
            Value::Local(other) => self.emit(Insn::new(Op::Move, local, other, 0)),
            Value::Here => {
                let place = self.place(entry);
                match self.fresh {
                    // What has just computed the value puts it into the local variable at once.
                    Some(last)
                        if before == self.insns.len()
                            && last + 1 == before
                            && self.insns[last].a == place =>
                    {
                        self.insns[last].a = local;
                    }
                    _ => self.emit(Insn::new(Op::Move, local, place, 0)),
                }
            }
        }
        self.fresh = None;
        Ok(())
    }

    fn binary(&mut self, op: Op, left: Type, right: Type, result: Type) -> Result<()> {
        let (right, left) = (self.pop(right)?, self.pop(left)?);
        if let (Value::Int(value), Some(immediate)) = (right.value, immediate(op)) {
            let value = if op == Op::ISub { value.checked_neg() } else { Some(value) };
            if let Some(value) = value.and_then(|value| i16::try_from(value).ok()) {
                let left = self.register(left);
                return self.emit_push(immediate, left, value as u16, result);
            }
        }
        let left = self.register(left);
        let right = self.register(right);
        self.emit_push(op, left, right, result)
    }

    fn unary(&mut self, op: Op, from: Type, to: Type) -> Result<()> {
        let register = self.pop_register(from)?;
        self.emit_push(op, register, 0, to)
    }

    /// A jump on a condition: the rest of the stack goes into its places first.
    fn branch(&mut self, op: Op, a: u16, b: u16, target: usize) -> Result<()> {
        self.settle();
        let types = self.types();
        self.enter(target, types)?;
        self.jump(op, a, b, target);
        Ok(())
    }

    fn compare_zero(&mut self, index: usize, kind: Type, op: Op, offset: i32) -> Result<()> {
        let target = self.target(offset)?;
        let _ = index;
        let register = self.pop_register(kind)?;
        self.branch(op, register, 0, target)
    }

    fn compare(&mut self, index: usize, kind: Type, offset: i32) -> Result<()> {
        let target = self.target(offset)?;
        let (right, left) = (self.pop(kind)?, self.pop(kind)?);
        if let Value::Int(value) = right.value
            && let Ok(value) = i16::try_from(value)
        {
            let left = self.register(left);
            return self.branch(IF_INT_IMMEDIATE[index], left, value as u16, target);
        }
        let left = self.register(left);
        let right = self.register(right);
        self.branch(IF_INT[index], left, right, target)
    }

    /// Copies the `count` topmost slots to below the `below` slots under them.
    fn duplicate(&mut self, count: u16, below: u16) -> Result<()> {
        let (mut top, mut under) = (Vec::new(), Vec::new());
        let mut slots = 0;
        while slots < count {
            let entry = self.pop_any()?;
            slots += entry.kind.width();
            top.push(entry);
        }
        let mut under_slots = 0;
        while under_slots < below {
            let entry = self.pop_any()?;
            under_slots += entry.kind.width();
            under.push(entry);
        }
        if slots != count || under_slots != below {
            return Err(self.bad("half of a value is copied"));
        }
        // Everything moves up by `count`, the topmost first, and then the topmost is copied to where there is room.
        let bottom = self.depth;
        let mut moved: Vec<Entry> = Vec::new();
        for entry in top.iter().chain(&under) {
            let new = Entry { at: entry.at + count, ..*entry };
            if entry.value == Value::Here {
                self.emit(Insn::new(Op::Move, self.place(new), self.place(*entry), 0));
            }
            moved.push(new);
        }
        let mut copies: Vec<Entry> = Vec::new();
        let mut at = bottom;
        for entry in moved[..top.len()].iter().rev() {
            let copy = Entry { at, ..*entry };
            if entry.value == Value::Here {
                self.emit(Insn::new(Op::Move, self.place(copy), self.place(*entry), 0));
            }
            at += entry.kind.width();
            copies.push(copy);
        }
        self.stack.extend(copies);
        self.stack.extend(moved.into_iter().rev());
        self.depth = bottom + 2 * count + below;
        if self.depth > self.max_stack {
            return Err(self.bad("the stack overflows"));
        }
        Ok(())
    }

    fn swap(&mut self) -> Result<()> {
        let (top, under) = (self.pop_any()?, self.pop_any()?);
        if top.kind.width() != 1 || under.kind.width() != 1 {
            return Err(self.bad("half of a value is moved"));
        }
        let (a, b) = (Entry { at: under.at, ..top }, Entry { at: top.at, ..under });
        let spare = self.max_locals + self.max_stack;
        if top.value == Value::Here {
            self.emit(Insn::new(Op::Move, spare, self.place(top), 0));
        }
        if under.value == Value::Here {
            self.emit(Insn::new(Op::Move, self.place(b), self.place(under), 0));
        }
        if top.value == Value::Here {
            self.emit(Insn::new(Op::Move, self.place(a), spare, 0));
        }
        self.stack.extend([a, b]);
        self.depth = b.at + 1;
        Ok(())
    }

    fn constant(&mut self, index: u16, wide: bool) -> Result<()> {
        let constant = self.file.pool.get(index)?;
        match (constant, wide) {
            (Constant::Integer(value), false) => {
                self.push(Value::Int(value), Type::Int)?;
                Ok(())
            }
            (Constant::Float(bits), false) => self.bits(u64::from(bits), Type::Float),
            (Constant::Long(value), true) => self.bits(value as u64, Type::Long),
            (Constant::Double(bits), true) => self.bits(bits, Type::Double),
            (
                Constant::String(_)
                | Constant::Class(_)
                | Constant::MethodHandle { .. }
                | Constant::MethodType(_),
                false,
            ) => self.emit_push(Op::Load, index, 0, Type::Ref),
            (Constant::Dynamic { .. }, _) => {
                let (_, _, descriptor) = self.file.pool.dynamic(index)?;
                let kind =
                    Type::of(field_kind(descriptor)?).ok_or_else(|| self.bad("a constant of type void"))?;
                if (kind.width() == 2) != wide {
                    return Err(self.bad("a constant of another width"));
                }
                self.emit_push(if kind == Type::Ref { Op::Load } else { Op::LoadDynamic }, index, 0, kind)
            }
            _ => Err(self.bad("a constant that cannot be loaded")),
        }
    }

    fn bits(&mut self, bits: u64, kind: Type) -> Result<()> {
        if let (Ok(small), Type::Long | Type::Double | Type::Float) = (u32::try_from(bits), kind) {
            // Narrow constants need no table: the upper half of the register is zero.
            let place = self.push_here(kind)?;
            self.emit(Insn::wide(Op::ConstInt, place, small));
        } else {
            let index = self.constants.len() as u32;
            self.constants.push(bits);
            let place = self.push_here(kind)?;
            self.emit(Insn::wide(Op::ConstWide, place, index));
        }
        self.fresh = Some(self.insns.len() - 1);
        Ok(())
    }

    fn field_type(&self, index: u16) -> Result<Type> {
        if !matches!(self.file.pool.get(index)?, Constant::Field { .. }) {
            return Err(ClassFileError::Constant { index, wanted: "field" }.into());
        }
        let (_, _, descriptor) = self.file.pool.member(index)?;
        Type::of(field_kind(descriptor)?).ok_or_else(|| self.bad("a field of type void"))
    }

    fn invoke(&mut self, op: Op, index: u16) -> Result<()> {
        let descriptor = match (op, self.file.pool.get(index)?) {
            (Op::InvokeDynamic, Constant::InvokeDynamic { .. }) => self.file.pool.dynamic(index)?.2,
            (Op::InvokeDynamic, _) => {
                return Err(ClassFileError::Constant { index, wanted: "dynamic call" }.into());
            }
            (_, Constant::Method { .. }) => self.file.pool.member(index)?.2,
            _ => return Err(ClassFileError::Constant { index, wanted: "method" }.into()),
        };
        let (slots, result) =
            method_shape(descriptor).ok_or_else(|| self.bad("a method with a bad descriptor"))?;
        let receiver = !matches!(op, Op::InvokeStatic | Op::InvokeDynamic);
        let slots = slots + u16::from(receiver);
        let mut first = self.stack.len();
        let mut taken = 0;
        while taken < slots {
            first = first.checked_sub(1).ok_or_else(|| self.bad("the stack is empty"))?;
            taken += self.stack[first].kind.width();
        }
        if taken != slots {
            return Err(self.bad("half of a value is an argument"));
        }
        for index in first..self.stack.len() {
            self.materialise(index);
        }
        self.stack.truncate(first);
        self.depth -= slots;
        let base = self.max_locals + self.depth;
        self.emit(Insn::new(op, base, index, 0));
        if let Some(kind) = Type::of(result) {
            self.push_here(kind)?;
        }
        Ok(())
    }

    /// Translates one bytecode; whether the flow goes on behind it.
    fn bytecode(&mut self, at: &mut Cursor<'a>) -> Result<bool> {
        use Type::{Double, Float, Int, Long, Ref};
        let opcode = at.u8()?;
        match opcode {
            NOP => {}
            ACONST_NULL => self.emit_push(Op::ConstNull, 0, 0, Ref)?,
            ICONST_M1..=ICONST_5 => {
                self.push(Value::Int(i32::from(opcode) - i32::from(ICONST_0)), Int)?;
            }
            LCONST_0 | LCONST_1 => self.bits(u64::from(opcode - LCONST_0), Long)?,
            FCONST_0..=FCONST_2 => self.bits(u64::from(f32::from(opcode - FCONST_0).to_bits()), Float)?,
            DCONST_0 | DCONST_1 => self.bits(f64::from(opcode - DCONST_0).to_bits(), Double)?,
            BIPUSH => {
                let value = at.i8()?;
                self.push(Value::Int(i32::from(value)), Int)?;
            }
            SIPUSH => {
                let value = at.i16()?;
                self.push(Value::Int(i32::from(value)), Int)?;
            }
            LDC => {
                let index = at.u8()?;
                self.constant(u16::from(index), false)?;
            }
            LDC_W | LDC2_W => {
                let index = at.u16()?;
                self.constant(index, opcode == LDC2_W)?;
            }
            ILOAD..=ALOAD => {
                let index = at.u8()?;
                self.load(usize::from(index), LOCAL_TYPES[usize::from(opcode - ILOAD)])?;
            }
            ILOAD_0..=ALOAD_3 => {
                let code = usize::from(opcode - ILOAD_0);
                self.load(code % 4, LOCAL_TYPES[code / 4])?;
            }
            IALOAD..=SALOAD => {
                let (op, kind) = ARRAY_LOADS[usize::from(opcode - IALOAD)];
                let index = self.pop(Int)?;
                let array = self.pop_register(Ref)?;
                let index = self.register(index);
                self.emit_push(op, array, index, kind)?;
            }
            ISTORE..=ASTORE => {
                let index = at.u8()?;
                self.store(usize::from(index), LOCAL_TYPES[usize::from(opcode - ISTORE)])?;
            }
            ISTORE_0..=ASTORE_3 => {
                let code = usize::from(opcode - ISTORE_0);
                self.store(code % 4, LOCAL_TYPES[code / 4])?;
            }
            IASTORE..=SASTORE => {
                let (op, kind) = ARRAY_STORES[usize::from(opcode - IASTORE)];
                let (value, index) = (self.pop(kind)?, self.pop(Int)?);
                let array = self.pop_register(Ref)?;
                let index = self.register(index);
                let value = self.register(value);
                self.emit(Insn::new(op, array, index, value));
            }
            POP | POP2 => {
                let mut slots = u16::from(opcode - POP + 1);
                while slots > 0 {
                    let width = self.pop_any()?.kind.width();
                    slots = slots.checked_sub(width).ok_or_else(|| self.bad("half of a value is dropped"))?;
                }
            }
            DUP => self.duplicate(1, 0)?,
            DUP_X1 => self.duplicate(1, 1)?,
            DUP_X2 => self.duplicate(1, 2)?,
            DUP2 => self.duplicate(2, 0)?,
            DUP2_X1 => self.duplicate(2, 1)?,
            DUP2_X2 => self.duplicate(2, 2)?,
            SWAP => self.swap()?,
            IADD..=DREM => {
                let (kind, op) = (usize::from(opcode - IADD) % 4, usize::from(opcode - IADD) / 4);
                let kind_type = LOCAL_TYPES[kind];
                self.binary(ARITHMETIC[kind][op], kind_type, kind_type, kind_type)?;
            }
            INEG..=DNEG => {
                let kind = usize::from(opcode - INEG);
                self.unary(
                    [Op::INeg, Op::LNeg, Op::FNeg, Op::DNeg][kind],
                    LOCAL_TYPES[kind],
                    LOCAL_TYPES[kind],
                )?;
            }
            ISHL..=LUSHR => {
                let (long, op) = ((opcode - ISHL) % 2 == 1, usize::from(opcode - ISHL) / 2);
                let kind = if long { Long } else { Int };
                self.binary(SHIFTS[usize::from(long)][op], kind, Int, kind)?;
            }
            IAND..=LXOR => {
                let (long, op) = ((opcode - IAND) % 2 == 1, usize::from(opcode - IAND) / 2);
                let kind = if long { Long } else { Int };
                self.binary(LOGIC[usize::from(long)][op], kind, kind, kind)?;
            }
            IINC => {
                let (index, by) = (at.u8()?, at.i8()?);
                self.increment(usize::from(index), i16::from(by))?;
            }
            I2L..=I2S => {
                let (op, from, to) = CONVERSIONS[usize::from(opcode - I2L)];
                self.unary(op, from, to)?;
            }
            LCMP => self.long_compare(at)?,
            FCMPL => self.binary(Op::FCmpL, Float, Float, Int)?,
            FCMPG => self.binary(Op::FCmpG, Float, Float, Int)?,
            DCMPL => self.binary(Op::DCmpL, Double, Double, Int)?,
            DCMPG => self.binary(Op::DCmpG, Double, Double, Int)?,
            IFEQ..=IFLE => {
                let offset = at.i16()?;
                let index = usize::from(opcode - IFEQ);
                self.compare_zero(index, Int, IF_ZERO[index], i32::from(offset))?;
            }
            IF_ICMPEQ..=IF_ICMPLE => {
                let offset = at.i16()?;
                self.compare(usize::from(opcode - IF_ICMPEQ), Int, i32::from(offset))?;
            }
            IF_ACMPEQ | IF_ACMPNE => {
                let target = self.target(i32::from(at.i16()?))?;
                let right = self.pop_register(Ref)?;
                let left = self.pop_register(Ref)?;
                self.branch(
                    if opcode == IF_ACMPEQ { Op::IfSame } else { Op::IfNotSame },
                    left,
                    right,
                    target,
                )?;
            }
            GOTO | GOTO_W => {
                let offset = if opcode == GOTO { i32::from(at.i16()?) } else { at.i32()? };
                let target = self.target(offset)?;
                self.branch(Op::Goto, 0, 0, target)?;
                return Ok(false);
            }
            TABLESWITCH | LOOKUPSWITCH => {
                self.switch(opcode == TABLESWITCH)?;
                return Ok(false);
            }
            IRETURN..=ARETURN => {
                let kind = LOCAL_TYPES[usize::from(opcode - IRETURN)];
                let register = self.pop_register(kind)?;
                self.emit(Insn::new(
                    if kind == Ref { Op::ReturnRef } else { Op::ReturnValue },
                    register,
                    0,
                    0,
                ));
                return Ok(false);
            }
            RETURN => {
                self.emit(Insn::new(Op::Return, 0, 0, 0));
                return Ok(false);
            }
            GETSTATIC => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                self.emit_push(Op::GetStatic, index, 0, kind)?;
            }
            PUTSTATIC => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let value = self.pop_register(kind)?;
                self.emit(Insn::new(Op::PutStatic, value, index, 0));
            }
            GETFIELD => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let object = self.pop_register(Ref)?;
                self.emit_push(Op::GetField, object, index, kind)?;
            }
            PUTFIELD => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let value = self.pop(kind)?;
                let object = self.pop_register(Ref)?;
                let value = self.register(value);
                self.emit(Insn::new(Op::PutField, object, index, value));
            }
            INVOKEVIRTUAL..=INVOKESTATIC => {
                let index = at.u16()?;
                let op = [Op::InvokeVirtual, Op::InvokeSpecial, Op::InvokeStatic]
                    [usize::from(opcode - INVOKEVIRTUAL)];
                self.invoke(op, index)?;
            }
            INVOKEINTERFACE | INVOKEDYNAMIC => {
                let index = at.u16()?;
                at.skip(2)?;
                self.invoke(
                    if opcode == INVOKEINTERFACE { Op::InvokeInterface } else { Op::InvokeDynamic },
                    index,
                )?;
            }
            NEW => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                self.emit_push(Op::New, index, 0, Ref)?;
            }
            NEWARRAY => {
                let kind = at.u8()?;
                if !(4..=11).contains(&kind) {
                    return Err(self.bad("an array of an unknown kind"));
                }
                let length = self.pop_register(Int)?;
                self.emit_push(Op::NewPrimitives, length, u16::from(kind) - 4, Ref)?;
            }
            ANEWARRAY => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let length = self.pop_register(Int)?;
                self.emit_push(Op::NewArray, length, index, Ref)?;
            }
            ARRAYLENGTH => {
                let array = self.pop_register(Ref)?;
                self.emit_push(Op::ArrayLength, array, 0, Int)?;
            }
            ATHROW => {
                let register = self.pop_register(Ref)?;
                self.emit(Insn::new(Op::Throw, register, 0, 0));
                return Ok(false);
            }
            CHECKCAST => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let entry = *self.stack.last().ok_or_else(|| self.bad("the stack is empty"))?;
                if entry.kind != Ref {
                    return Err(self.bad("a value of another kind is needed"));
                }
                let register = self.register(entry);
                self.emit(Insn::new(Op::CheckCast, register, index, 0));
            }
            INSTANCEOF => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let register = self.pop_register(Ref)?;
                self.emit_push(Op::InstanceOf, register, index, Int)?;
            }
            MONITORENTER | MONITOREXIT => {
                let register = self.pop_register(Ref)?;
                self.emit(Insn::new(
                    if opcode == MONITORENTER { Op::MonitorEnter } else { Op::MonitorExit },
                    register,
                    0,
                    0,
                ));
            }
            WIDE => self.wide(at)?,
            MULTIANEWARRAY => {
                let (index, dimensions) = (at.u16()?, at.u8()?);
                self.file.pool.class_name(index)?;
                let first = self.stack.len().checked_sub(usize::from(dimensions));
                let first = first.filter(|_| dimensions > 0).ok_or_else(|| self.bad("the stack is empty"))?;
                for index in first..self.stack.len() {
                    if self.stack[index].kind != Int {
                        return Err(self.bad("a value of another kind is needed"));
                    }
                    self.materialise(index);
                }
                self.depth -= u16::from(dimensions);
                self.stack.truncate(first);
                // The lengths begin where the result goes, so it cannot go elsewhere.
                let place = self.push_here(Ref)?;
                self.emit(Insn::new(Op::NewArrays, place, index, u16::from(dimensions)));
            }
            IFNULL | IFNONNULL => {
                let offset = at.i16()?;
                let op = if opcode == IFNULL { Op::IfNull } else { Op::IfNonNull };
                self.compare_zero(0, Ref, op, i32::from(offset))?;
            }
            _ => return Err(self.bad("an unknown opcode")),
        }
        Ok(true)
    }

    fn increment(&mut self, index: usize, by: i16) -> Result<()> {
        let local = self.local(index, Type::Int)?;
        self.save_local(local);
        self.emit(Insn::new(Op::IAddImm, local, local, by as u16));
        Ok(())
    }

    fn wide(&mut self, at: &mut Cursor<'a>) -> Result<()> {
        let opcode = at.u8()?;
        let index = usize::from(at.u16()?);
        match opcode {
            ILOAD..=ALOAD => self.load(index, LOCAL_TYPES[usize::from(opcode - ILOAD)]),
            ISTORE..=ASTORE => self.store(index, LOCAL_TYPES[usize::from(opcode - ISTORE)]),
            IINC => {
                let by = at.i16()?;
                self.increment(index, by)
            }
            _ => Err(self.bad("a bytecode that cannot be wide")),
        }
    }

    /// A comparison of longs, together with the jump that nearly always follows.
    fn long_compare(&mut self, at: &mut Cursor<'a>) -> Result<()> {
        let next = at.position();
        let jump = self.bytes.get(next).copied().unwrap_or(0);
        if !(IFEQ..=IFLE).contains(&jump) || self.leaders.get(next).copied().unwrap_or(true) {
            return self.binary(Op::LCmp, Type::Long, Type::Long, Type::Int);
        }
        let right = self.pop_register(Type::Long)?;
        let left = self.pop_register(Type::Long)?;
        at.skip(1)?;
        let offset = at.i16()?;
        self.bci = next;
        let target = self.target(i32::from(offset))?;
        self.branch(IF_LONG[usize::from(jump - IFEQ)], left, right, target)
    }

    fn switch(&mut self, table: bool) -> Result<()> {
        let register = self.pop_register(Type::Int)?;
        self.settle();
        let types = self.types();
        let mut at = self.cursor((self.bci / 4 + 1) * 4)?;
        let default = self.target(at.i32()?)?;
        self.enter(default, types.clone())?;
        let switch = if table {
            let (low, high) = (at.i32()?, at.i32()?);
            let count = (i64::from(high) - i64::from(low) + 1).max(0);
            let mut targets = Vec::new();
            for _ in 0..count {
                let target = self.target(at.i32()?)?;
                self.enter(target, types.clone())?;
                targets.push(target as u32);
            }
            Switch::Table { low, targets: targets.into(), default: default as u32 }
        } else {
            let count = at.i32()?;
            let mut pairs = Vec::new();
            for _ in 0..count {
                let key = at.i32()?;
                let target = self.target(at.i32()?)?;
                self.enter(target, types.clone())?;
                pairs.push((key, target as u32));
            }
            if !pairs.is_sorted_by_key(|pair| pair.0) {
                return Err(self.bad("the keys of a switch are not sorted"));
            }
            Switch::Lookup { pairs: pairs.into(), default: default as u32 }
        };
        let index = self.switches.len() as u32;
        self.switches.push(switch);
        self.emit(Insn::wide(Op::Switch, register, index));
        Ok(())
    }
}

/// The form with a small constant.
fn immediate(op: Op) -> Option<Op> {
    Some(match op {
        Op::IAdd | Op::ISub => Op::IAddImm,
        Op::IAnd => Op::IAndImm,
        Op::IShl => Op::IShlImm,
        Op::IShr => Op::IShrImm,
        Op::IUshr => Op::IUshrImm,
        Op::IMul => Op::IMulImm,
        _ => return None,
    })
}

const LOCAL_TYPES: [Type; 5] = [Type::Int, Type::Long, Type::Float, Type::Double, Type::Ref];

const ARRAY_LOADS: [(Op, Type); 8] = [
    (Op::Load32, Type::Int),
    (Op::Load64, Type::Long),
    (Op::Load32, Type::Float),
    (Op::Load64, Type::Double),
    (Op::LoadRef, Type::Ref),
    (Op::LoadI8, Type::Int),
    (Op::LoadU16, Type::Int),
    (Op::LoadI16, Type::Int),
];

const ARRAY_STORES: [(Op, Type); 8] = [
    (Op::Store32, Type::Int),
    (Op::Store64, Type::Long),
    (Op::Store32, Type::Float),
    (Op::Store64, Type::Double),
    (Op::StoreRef, Type::Ref),
    (Op::Store8, Type::Int),
    (Op::Store16, Type::Int),
    (Op::Store16, Type::Int),
];

const ARITHMETIC: [[Op; 5]; 4] = [
    [Op::IAdd, Op::ISub, Op::IMul, Op::IDiv, Op::IRem],
    [Op::LAdd, Op::LSub, Op::LMul, Op::LDiv, Op::LRem],
    [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem],
    [Op::DAdd, Op::DSub, Op::DMul, Op::DDiv, Op::DRem],
];

const SHIFTS: [[Op; 3]; 2] = [[Op::IShl, Op::IShr, Op::IUshr], [Op::LShl, Op::LShr, Op::LUshr]];
const LOGIC: [[Op; 3]; 2] = [[Op::IAnd, Op::IOr, Op::IXor], [Op::LAnd, Op::LOr, Op::LXor]];

const CONVERSIONS: [(Op, Type, Type); 15] = [
    (Op::I2L, Type::Int, Type::Long),
    (Op::I2F, Type::Int, Type::Float),
    (Op::I2D, Type::Int, Type::Double),
    (Op::L2I, Type::Long, Type::Int),
    (Op::L2F, Type::Long, Type::Float),
    (Op::L2D, Type::Long, Type::Double),
    (Op::F2I, Type::Float, Type::Int),
    (Op::F2L, Type::Float, Type::Long),
    (Op::F2D, Type::Float, Type::Double),
    (Op::D2I, Type::Double, Type::Int),
    (Op::D2L, Type::Double, Type::Long),
    (Op::D2F, Type::Double, Type::Float),
    (Op::I2B, Type::Int, Type::Int),
    (Op::I2C, Type::Int, Type::Int),
    (Op::I2S, Type::Int, Type::Int),
];

const IF_ZERO: [Op; 6] = [Op::IfEq, Op::IfNe, Op::IfLt, Op::IfGe, Op::IfGt, Op::IfLe];
const IF_INT: [Op; 6] = [Op::IfIEq, Op::IfINe, Op::IfILt, Op::IfIGe, Op::IfIGt, Op::IfILe];
const IF_INT_IMMEDIATE: [Op; 6] =
    [Op::IfIImmEq, Op::IfIImmNe, Op::IfIImmLt, Op::IfIImmGe, Op::IfIImmGt, Op::IfIImmLe];
const IF_LONG: [Op; 6] = [Op::IfLEq, Op::IfLNe, Op::IfLLt, Op::IfLGe, Op::IfLGt, Op::IfLLe];
