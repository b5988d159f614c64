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
mod handle_code;
mod lambda;
mod member_name;
mod method_handle;
mod method_type;
mod records;
mod var_handle;

use crate::machine::native::Table;

/// Native methods.
pub const TABLES: &[&[Table]] = &[
    combinators::TABLES,
    convert::TABLES,
    direct::TABLES,
    editor::TABLES,
    member_name::TABLES,
    method_type::TABLES,
];
