//! Which instruction a bytecode of a family stands for.

use super::Type;
use crate::code::Op;

/// The form with a small constant.
pub(super) fn immediate(op: Op) -> Option<Op> {
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

pub(super) const LOCAL_TYPES: [Type; 5] = [Type::Int, Type::Long, Type::Float, Type::Double, Type::Ref];

pub(super) const ARRAY_LOADS: [(Op, Type); 8] = [
    (Op::Load32, Type::Int),
    (Op::Load64, Type::Long),
    (Op::Load32, Type::Float),
    (Op::Load64, Type::Double),
    (Op::LoadRef, Type::Ref),
    (Op::LoadI8, Type::Int),
    (Op::LoadU16, Type::Int),
    (Op::LoadI16, Type::Int),
];

pub(super) const ARRAY_STORES: [(Op, Type); 8] = [
    (Op::Store32, Type::Int),
    (Op::Store64, Type::Long),
    (Op::Store32, Type::Float),
    (Op::Store64, Type::Double),
    (Op::StoreRef, Type::Ref),
    (Op::Store8, Type::Int),
    (Op::Store16, Type::Int),
    (Op::Store16, Type::Int),
];

pub(super) const ARITHMETIC: [[Op; 5]; 4] = [
    [Op::IAdd, Op::ISub, Op::IMul, Op::IDiv, Op::IRem],
    [Op::LAdd, Op::LSub, Op::LMul, Op::LDiv, Op::LRem],
    [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem],
    [Op::DAdd, Op::DSub, Op::DMul, Op::DDiv, Op::DRem],
];

pub(super) const SHIFTS: [[Op; 3]; 2] = [[Op::IShl, Op::IShr, Op::IUshr], [Op::LShl, Op::LShr, Op::LUshr]];
pub(super) const LOGIC: [[Op; 3]; 2] = [[Op::IAnd, Op::IOr, Op::IXor], [Op::LAnd, Op::LOr, Op::LXor]];

pub(super) const CONVERSIONS: [(Op, Type, Type); 15] = [
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

pub(super) const IF_ZERO: [Op; 6] = [Op::IfEq, Op::IfNe, Op::IfLt, Op::IfGe, Op::IfGt, Op::IfLe];
pub(super) const IF_INT: [Op; 6] = [Op::IfIEq, Op::IfINe, Op::IfILt, Op::IfIGe, Op::IfIGt, Op::IfILe];
pub(super) const IF_INT_IMMEDIATE: [Op; 6] =
    [Op::IfIImmEq, Op::IfIImmNe, Op::IfIImmLt, Op::IfIImmGe, Op::IfIImmGt, Op::IfIImmLe];
pub(super) const IF_LONG: [Op; 6] = [Op::IfLEq, Op::IfLNe, Op::IfLLt, Op::IfLGe, Op::IfLGt, Op::IfLLe];
