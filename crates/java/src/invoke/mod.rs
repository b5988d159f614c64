//! `java.lang.invoke`, done by the machine: dynamic calls, method handles and variable handles.
//!
//! The JDK's own implementation spins classes and runs thousands of instructions for each call site. Here a call site is
//! linked to a small method in the machine's own form.

mod adapt;
mod concat;
mod dynamic;
mod lambda;
mod records;

use crate::class::{ClassId, MethodId};
use crate::machine::{Machine, Run, Trouble};
use crate::memory::{Ref, Registers};
use crate::natives::Table;

pub const TABLES: &[Table] = &[];

/// Classes whose static initialisers do not run.
pub const SUPPRESSED: &[&str] = &[
    "java/lang/invoke/MethodHandles",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/VarHandle",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodHandleNatives",
];

/// What a call of a signature-polymorphic method has come to.
pub enum Polymorphic {
    /// It is done, with this result.
    Done(u64),
    /// It is done and has no result.
    Void,
    /// This method is to be called with the same arguments.
    Call(MethodId),
}

impl Machine {
    pub(crate) fn dynamic_constant(&mut self, from: ClassId, index: u16) -> Run<u64> {
        let _ = (from, index);
        Err(Trouble::unsupported("dynamic constants"))
    }

    pub(crate) fn method_type(&mut self, from: ClassId, descriptor: &str) -> Run<Ref> {
        let _ = (from, descriptor);
        Err(Trouble::unsupported("method types"))
    }

    pub(crate) fn method_handle_constant(&mut self, from: ClassId, kind: u8, reference: u16) -> Run<Ref> {
        let _ = (from, kind, reference);
        Err(Trouble::unsupported("method handles"))
    }

    pub(crate) fn call_polymorphic(&mut self, site: u32, arguments: Registers) -> Run<Polymorphic> {
        let _ = (site, arguments);
        Err(Trouble::unsupported("method handles"))
    }
}
