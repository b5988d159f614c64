//! What each bytecode becomes.

use super::tables::*;
use super::{Result, Translation, Type, Value};
use crate::classfile::Cursor;
use crate::classfile::opcode::*;
use crate::code::{Insn, Op, Switch};

impl<'a> Translation<'a> {
    /// Translates one bytecode; whether the flow goes on behind it.
    pub(super) fn bytecode(&mut self, at: &mut Cursor<'a>) -> Result<bool> {
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
                self.compare_zero(Int, IF_ZERO[index], i32::from(offset))?;
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
                self.compare_zero(Ref, op, i32::from(offset))?;
            }
            _ => return Err(self.bad("an unknown opcode")),
        }
        Ok(true)
    }

    pub(super) fn increment(&mut self, index: usize, by: i16) -> Result<()> {
        let local = self.local(index, Type::Int)?;
        self.save_local(local);
        self.emit(Insn::new(Op::IAddImm, local, local, by as u16));
        Ok(())
    }

    pub(super) fn wide(&mut self, at: &mut Cursor<'a>) -> Result<()> {
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
    pub(super) fn long_compare(&mut self, at: &mut Cursor<'a>) -> Result<()> {
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

    pub(super) fn switch(&mut self, table: bool) -> Result<()> {
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
