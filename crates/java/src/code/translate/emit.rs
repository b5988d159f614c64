//! Instructions, put together from what the stack has.

use super::tables::{IF_INT, IF_INT_IMMEDIATE, immediate};
use super::{Result, Translation, Type, Value};
use crate::classfile::{ClassFileError, Constant, field_kind, method_shape};
use crate::code::{Insn, Op};

impl Translation<'_> {
    pub(super) fn emit(&mut self, insn: Insn) {
        self.insns.push(insn);
        self.bcis.push(self.bci as u16);
        self.fresh = None;
    }

    /// An instruction whose first operand is the place of the value that it pushes.
    pub(super) fn emit_push(&mut self, op: Op, b: u16, c: u16, kind: Type) -> Result<()> {
        let place = self.push_here(kind)?;
        self.emit(Insn::new(op, place, b, c));
        self.fresh = Some(self.insns.len() - 1);
        Ok(())
    }

    pub(super) fn jump(&mut self, op: Op, a: u16, b: u16, target: usize) {
        self.jumps.push((self.insns.len(), target));
        self.emit(Insn::new(op, a, b, 0));
    }

    pub(super) fn local(&self, index: usize, kind: Type) -> Result<u16> {
        if index + usize::from(kind.width()) > usize::from(self.max_locals) {
            return Err(self.bad("a local variable that the method does not have"));
        }
        Ok(index as u16)
    }

    pub(super) fn load(&mut self, index: usize, kind: Type) -> Result<()> {
        let local = self.local(index, kind)?;
        self.push(Value::Local(local), kind)?;
        Ok(())
    }

    pub(super) fn store(&mut self, index: usize, kind: Type) -> Result<()> {
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

    pub(super) fn binary(&mut self, op: Op, left: Type, right: Type, result: Type) -> Result<()> {
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

    pub(super) fn unary(&mut self, op: Op, from: Type, to: Type) -> Result<()> {
        let register = self.pop_register(from)?;
        self.emit_push(op, register, 0, to)
    }

    /// A jump on a condition: the rest of the stack goes into its places first.
    pub(super) fn branch(&mut self, op: Op, a: u16, b: u16, target: usize) -> Result<()> {
        self.settle();
        let types = self.types();
        self.enter(target, types)?;
        self.jump(op, a, b, target);
        Ok(())
    }

    pub(super) fn compare_zero(&mut self, kind: Type, op: Op, offset: i32) -> Result<()> {
        let target = self.target(offset)?;
        let register = self.pop_register(kind)?;
        self.branch(op, register, 0, target)
    }

    pub(super) fn compare(&mut self, index: usize, kind: Type, offset: i32) -> Result<()> {
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

    pub(super) fn constant(&mut self, index: u16, wide: bool) -> Result<()> {
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

    pub(super) fn bits(&mut self, bits: u64, kind: Type) -> Result<()> {
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

    pub(super) fn field_type(&self, index: u16) -> Result<Type> {
        if !matches!(self.file.pool.get(index)?, Constant::Field { .. }) {
            return Err(ClassFileError::Constant { index, wanted: "field" }.into());
        }
        let (_, _, descriptor) = self.file.pool.member(index)?;
        Type::of(field_kind(descriptor)?).ok_or_else(|| self.bad("a field of type void"))
    }

    pub(super) fn invoke(&mut self, op: Op, index: u16) -> Result<()> {
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
}
