//! Which instruction reads or writes a field of a kind.

use super::Op;
use crate::classfile::Kind;

impl Op {
    /// Reads a field of an instance.
    pub fn get(kind: Kind) -> Op {
        match kind {
            Kind::Boolean => Op::GetU8,
            Kind::Byte => Op::GetI8,
            Kind::Char => Op::GetU16,
            Kind::Short => Op::GetI16,
            Kind::Int | Kind::Float => Op::Get32,
            Kind::Long | Kind::Double => Op::Get64,
            Kind::Reference | Kind::Void => Op::GetRef,
        }
    }

    /// Writes a field of an instance.
    pub fn put(kind: Kind) -> Op {
        match kind {
            Kind::Boolean | Kind::Byte => Op::Put8,
            Kind::Char | Kind::Short => Op::Put16,
            Kind::Int | Kind::Float => Op::Put32,
            Kind::Long | Kind::Double => Op::Put64,
            Kind::Reference | Kind::Void => Op::PutRef,
        }
    }

    /// Reads a static field.
    pub fn get_static(kind: Kind) -> Op {
        match kind {
            Kind::Boolean => Op::GetStaticU8,
            Kind::Byte => Op::GetStaticI8,
            Kind::Char => Op::GetStaticU16,
            Kind::Short => Op::GetStaticI16,
            Kind::Int | Kind::Float => Op::GetStatic32,
            Kind::Long | Kind::Double => Op::GetStatic64,
            Kind::Reference | Kind::Void => Op::GetStaticRef,
        }
    }

    /// Writes a static field.
    pub fn put_static(kind: Kind) -> Op {
        match kind {
            Kind::Boolean | Kind::Byte => Op::PutStatic8,
            Kind::Char | Kind::Short => Op::PutStatic16,
            Kind::Int | Kind::Float => Op::PutStatic32,
            Kind::Long | Kind::Double => Op::PutStatic64,
            Kind::Reference | Kind::Void => Op::PutStaticRef,
        }
    }
}
