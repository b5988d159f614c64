//! `java.lang.invoke`, done by the machine: dynamic calls, method handles and variable handles.
//!
//! The JDK's own implementation spins classes and runs thousands of instructions for each call site. Here a call site is
//! linked to a small method in the machine's own form.

mod adapt;
mod bootstrap;
mod combinators;
mod concat;
mod convert;
mod direct;
mod dynamic;
mod editor;
mod forge;
mod lambda;
mod member_name;
mod method_handle;
mod method_type;
mod records;
mod tables;
mod var_handle;

pub use tables::Handles;

use crate::class::MethodId;
use crate::natives::Table;

/// Native methods.
pub const TABLES: &[&[Table]] = &[
    combinators::TABLES,
    convert::TABLES,
    direct::TABLES,
    editor::TABLES,
    member_name::TABLES,
    method_type::TABLES,
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
