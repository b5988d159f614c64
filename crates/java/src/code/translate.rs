//! From bytecode to instructions.
//!
//! The operand stack is simulated: an entry is a value in its own place of the stack, or a local variable or constant
//! that nobody has needed in a register yet. At the borders of basic blocks every entry is in its place.

use super::{Code, Handler, Insn, Op, Switch};
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
}

/// Translates the code of a method.
pub fn translate(file: &ClassFile, code: &CodeAttribute<'_>) -> Result<Code> {
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
        entries: vec![None; length],
        starts: vec![u32::MAX; length],
        jumps: Vec::new(),
        pending: Vec::new(),
        bci: 0,
        fresh: None,
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
    for handler in &code.handlers {
        translation.enter(usize::from(handler.handler), vec![Type::Ref])?;
        translation.drain()?;
    }
    translation.link()?;
    let handlers = code
        .handlers
        .iter()
        .map(|handler| Handler {
            start: handler.start,
            end: handler.end,
            target: translation.starts[usize::from(handler.handler)],
            catches: handler.catches,
            register: code.max_locals,
        })
        .collect();
    Ok(Code {
        insns: translation.insns.into_iter().map(Cell::new).collect(),
        bcis: translation.bcis.into(),
        registers,
        handlers,
        switches: translation.switches.into(),
        constants: translation.constants.into(),
        liveness: OnceCell::new(),
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
                153..=167 | 198 | 199 => {
                    let target = self.target(i32::from(at.i16()?))?;
                    self.leader(target)?;
                }
                200 => {
                    let target = self.target(at.i32()?)?;
                    self.leader(target)?;
                }
                170 | 171 => {
                    at.seek((self.bci / 4 + 1) * 4)?;
                    let default = at.i32()?;
                    let target = self.target(default)?;
                    self.leader(target)?;
                    if opcode == 170 {
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
                168 | 169 | 201 => {
                    return Err(self.bad("jsr and ret are not supported: recompile for Java 6 or later"));
                }
                196 => {
                    let wide = at.u8()?;
                    at.skip(if wide == 132 { 4 } else { 2 })?;
                }
                16 | 18 | 21..=25 | 54..=58 | 188 => at.skip(1)?,
                17 | 19 | 20 | 132 | 178..=184 | 187 | 189 | 192 | 193 => at.skip(2)?,
                185 | 186 => at.skip(4)?,
                197 => at.skip(3)?,
                0..=201 => {}
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
                self.starts[position] = self.insns.len() as u32;
                first = false;
            }
            self.bci = position;
            if !self.bytecode(&mut at)? {
                return Ok(());
            }
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
            0 => {}
            1 => self.emit_push(Op::ConstNull, 0, 0, Ref)?,
            2..=8 => {
                self.push(Value::Int(i32::from(opcode) - 3), Int)?;
            }
            9 | 10 => self.bits(u64::from(opcode - 9), Long)?,
            11..=13 => self.bits(u64::from(f32::from(opcode - 11).to_bits()), Float)?,
            14 | 15 => self.bits(f64::from(opcode - 14).to_bits(), Double)?,
            16 => {
                let value = at.i8()?;
                self.push(Value::Int(i32::from(value)), Int)?;
            }
            17 => {
                let value = at.i16()?;
                self.push(Value::Int(i32::from(value)), Int)?;
            }
            18 => {
                let index = at.u8()?;
                self.constant(u16::from(index), false)?;
            }
            19 | 20 => {
                let index = at.u16()?;
                self.constant(index, opcode == 20)?;
            }
            21..=25 => {
                let index = at.u8()?;
                self.load(usize::from(index), LOCAL_TYPES[usize::from(opcode - 21)])?;
            }
            26..=45 => {
                let code = usize::from(opcode - 26);
                self.load(code % 4, LOCAL_TYPES[code / 4])?;
            }
            46..=53 => {
                let (op, kind) = ARRAY_LOADS[usize::from(opcode - 46)];
                let index = self.pop(Int)?;
                let array = self.pop_register(Ref)?;
                let index = self.register(index);
                self.emit_push(op, array, index, kind)?;
            }
            54..=58 => {
                let index = at.u8()?;
                self.store(usize::from(index), LOCAL_TYPES[usize::from(opcode - 54)])?;
            }
            59..=78 => {
                let code = usize::from(opcode - 59);
                self.store(code % 4, LOCAL_TYPES[code / 4])?;
            }
            79..=86 => {
                let (op, kind) = ARRAY_STORES[usize::from(opcode - 79)];
                let (value, index) = (self.pop(kind)?, self.pop(Int)?);
                let array = self.pop_register(Ref)?;
                let index = self.register(index);
                let value = self.register(value);
                self.emit(Insn::new(op, array, index, value));
            }
            87 | 88 => {
                let mut slots = u16::from(opcode - 86);
                while slots > 0 {
                    let width = self.pop_any()?.kind.width();
                    slots = slots.checked_sub(width).ok_or_else(|| self.bad("half of a value is dropped"))?;
                }
            }
            89 => self.duplicate(1, 0)?,
            90 => self.duplicate(1, 1)?,
            91 => self.duplicate(1, 2)?,
            92 => self.duplicate(2, 0)?,
            93 => self.duplicate(2, 1)?,
            94 => self.duplicate(2, 2)?,
            95 => self.swap()?,
            96..=115 => {
                let (kind, op) = (usize::from(opcode - 96) % 4, usize::from(opcode - 96) / 4);
                let kind_type = LOCAL_TYPES[kind];
                self.binary(ARITHMETIC[kind][op], kind_type, kind_type, kind_type)?;
            }
            116..=119 => {
                let kind = usize::from(opcode - 116);
                self.unary(
                    [Op::INeg, Op::LNeg, Op::FNeg, Op::DNeg][kind],
                    LOCAL_TYPES[kind],
                    LOCAL_TYPES[kind],
                )?;
            }
            120..=125 => {
                let (long, op) = ((opcode - 120) % 2 == 1, usize::from(opcode - 120) / 2);
                let kind = if long { Long } else { Int };
                self.binary(SHIFTS[usize::from(long)][op], kind, Int, kind)?;
            }
            126..=131 => {
                let (long, op) = ((opcode - 126) % 2 == 1, usize::from(opcode - 126) / 2);
                let kind = if long { Long } else { Int };
                self.binary(LOGIC[usize::from(long)][op], kind, kind, kind)?;
            }
            132 => {
                let (index, by) = (at.u8()?, at.i8()?);
                self.increment(usize::from(index), i16::from(by))?;
            }
            133..=147 => {
                let (op, from, to) = CONVERSIONS[usize::from(opcode - 133)];
                self.unary(op, from, to)?;
            }
            148 => self.long_compare(at)?,
            149 => self.binary(Op::FCmpL, Float, Float, Int)?,
            150 => self.binary(Op::FCmpG, Float, Float, Int)?,
            151 => self.binary(Op::DCmpL, Double, Double, Int)?,
            152 => self.binary(Op::DCmpG, Double, Double, Int)?,
            153..=158 => {
                let offset = at.i16()?;
                let index = usize::from(opcode - 153);
                self.compare_zero(index, Int, IF_ZERO[index], i32::from(offset))?;
            }
            159..=164 => {
                let offset = at.i16()?;
                self.compare(usize::from(opcode - 159), Int, i32::from(offset))?;
            }
            165 | 166 => {
                let target = self.target(i32::from(at.i16()?))?;
                let right = self.pop_register(Ref)?;
                let left = self.pop_register(Ref)?;
                self.branch(if opcode == 165 { Op::IfSame } else { Op::IfNotSame }, left, right, target)?;
            }
            167 | 200 => {
                let offset = if opcode == 167 { i32::from(at.i16()?) } else { at.i32()? };
                let target = self.target(offset)?;
                self.branch(Op::Goto, 0, 0, target)?;
                return Ok(false);
            }
            170 | 171 => {
                self.switch(opcode == 170)?;
                return Ok(false);
            }
            172..=176 => {
                let kind = LOCAL_TYPES[usize::from(opcode - 172)];
                let register = self.pop_register(kind)?;
                self.emit(Insn::new(
                    if kind == Ref { Op::ReturnRef } else { Op::ReturnValue },
                    register,
                    0,
                    0,
                ));
                return Ok(false);
            }
            177 => {
                self.emit(Insn::new(Op::Return, 0, 0, 0));
                return Ok(false);
            }
            178 => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                self.emit_push(Op::GetStatic, index, 0, kind)?;
            }
            179 => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let value = self.pop_register(kind)?;
                self.emit(Insn::new(Op::PutStatic, value, index, 0));
            }
            180 => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let object = self.pop_register(Ref)?;
                self.emit_push(Op::GetField, object, index, kind)?;
            }
            181 => {
                let index = at.u16()?;
                let kind = self.field_type(index)?;
                let value = self.pop(kind)?;
                let object = self.pop_register(Ref)?;
                let value = self.register(value);
                self.emit(Insn::new(Op::PutField, object, index, value));
            }
            182..=184 => {
                let index = at.u16()?;
                let op = [Op::InvokeVirtual, Op::InvokeSpecial, Op::InvokeStatic][usize::from(opcode - 182)];
                self.invoke(op, index)?;
            }
            185 | 186 => {
                let index = at.u16()?;
                at.skip(2)?;
                self.invoke(if opcode == 185 { Op::InvokeInterface } else { Op::InvokeDynamic }, index)?;
            }
            187 => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                self.emit_push(Op::New, index, 0, Ref)?;
            }
            188 => {
                let kind = at.u8()?;
                if !(4..=11).contains(&kind) {
                    return Err(self.bad("an array of an unknown kind"));
                }
                let length = self.pop_register(Int)?;
                self.emit_push(Op::NewPrimitives, length, u16::from(kind) - 4, Ref)?;
            }
            189 => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let length = self.pop_register(Int)?;
                self.emit_push(Op::NewArray, length, index, Ref)?;
            }
            190 => {
                let array = self.pop_register(Ref)?;
                self.emit_push(Op::ArrayLength, array, 0, Int)?;
            }
            191 => {
                let register = self.pop_register(Ref)?;
                self.emit(Insn::new(Op::Throw, register, 0, 0));
                return Ok(false);
            }
            192 => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let entry = *self.stack.last().ok_or_else(|| self.bad("the stack is empty"))?;
                if entry.kind != Ref {
                    return Err(self.bad("a value of another kind is needed"));
                }
                let register = self.register(entry);
                self.emit(Insn::new(Op::CheckCast, register, index, 0));
            }
            193 => {
                let index = at.u16()?;
                self.file.pool.class_name(index)?;
                let register = self.pop_register(Ref)?;
                self.emit_push(Op::InstanceOf, register, index, Int)?;
            }
            194 | 195 => {
                let register = self.pop_register(Ref)?;
                self.emit(Insn::new(
                    if opcode == 194 { Op::MonitorEnter } else { Op::MonitorExit },
                    register,
                    0,
                    0,
                ));
            }
            196 => self.wide(at)?,
            197 => {
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
            198 | 199 => {
                let offset = at.i16()?;
                let op = if opcode == 198 { Op::IfNull } else { Op::IfNonNull };
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
            21..=25 => self.load(index, LOCAL_TYPES[usize::from(opcode - 21)]),
            54..=58 => self.store(index, LOCAL_TYPES[usize::from(opcode - 54)]),
            132 => {
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
        if !(153..=158).contains(&jump) || self.leaders.get(next).copied().unwrap_or(true) {
            return self.binary(Op::LCmp, Type::Long, Type::Long, Type::Int);
        }
        let right = self.pop_register(Type::Long)?;
        let left = self.pop_register(Type::Long)?;
        at.skip(1)?;
        let offset = at.i16()?;
        self.bci = next;
        let target = self.target(i32::from(offset))?;
        self.branch(IF_LONG[usize::from(jump - 153)], left, right, target)
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
