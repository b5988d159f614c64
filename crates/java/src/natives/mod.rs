//! Native methods, and methods of the JDK that the machine answers itself.
//!
//! A table for each Java class; to support one more method is to add one line. Methods that are `leaf` never look at
//! frames, push one or wait, and are called without a frame of their own.

mod class;
mod cleaners;
mod concurrent;
mod entry;
mod environment;
mod files;
mod lang;
mod management;
mod math;
mod misc;
mod random;
mod references;
mod reflect;
mod stack_walker;
mod system;
mod thread;
mod thread_group;
mod throwable;
mod unsafe_access;
mod verify;

pub use random::words_of_draw;

use crate::machine::native::{Natives, Table};

/// The native methods of a machine that runs programs, or of one that explores them.
pub fn all(explores: bool) -> Natives {
    let explored: &[&[Table]] = match explores {
        true => &[
            cleaners::TABLES,
            concurrent::TABLES,
            files::TIMES,
            random::TABLES,
            thread_group::TABLES,
            unsafe_access::UPDATES,
        ],
        false => &[],
    };
    let groups = [explored, TABLES, files::TABLES, reflect::TABLES, crate::invoke::TABLES];
    Natives::new(groups.into_iter().flatten().copied().flatten())
}

/// Whether the machine has a method only to refuse it.
pub fn refuses(class: &str, name: &str, descriptor: &str) -> bool {
    let tables = files::REFUSED.iter().filter(|table| table.class == class);
    tables
        .flat_map(|table| table.methods)
        .any(|(signature, _)| signature.strip_prefix(name) == Some(descriptor))
}

const TABLES: &[&[Table]] = &[
    class::TABLES,
    environment::TABLES,
    lang::TABLES,
    management::TABLES,
    math::TABLES,
    misc::TABLES,
    references::TABLES,
    stack_walker::TABLES,
    system::TABLES,
    thread::TABLES,
    throwable::TABLES,
    unsafe_access::TABLES,
    verify::TABLES,
];
