//! Native methods, and methods of the JDK that the machine answers itself.
//!
//! A table for each Java class; to support one more method is to add one line. Methods that are `leaf` never look at
//! frames, push one or wait, and are called without a frame of their own.

mod class;
mod cleaners;
mod concurrent;
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

pub use files::{Archives, Files, Layer};
pub use random::words_of_draw;
pub use reflect::Modules;
pub use thread::{end_failed_program, end_program, end_thread, handler_failed, main_leaves, thread_is_over};
pub use verify::verify_class;

use crate::machine::{Arguments, Machine, Run};
use hashbrown::HashMap;

/// A function in the place of a method: its result as bits, zero if there is none.
pub type Function = fn(&mut Machine, Arguments) -> Run<u64>;

/// A native method.
#[derive(Clone, Copy)]
pub struct Native {
    /// What is called.
    pub function: Function,
    /// Whether it needs no frame.
    pub leaf: bool,
    /// Whether it stands before the method's own code, which it may still call: see `Machine::call_original`.
    pub wraps: bool,
}

/// The native methods of a Java class: name with descriptor, and what is called.
pub struct Table {
    /// The class.
    pub class: &'static str,
    /// Its methods.
    pub methods: &'static [(&'static str, Native)],
}

/// A method that needs a frame.
pub const fn framed(function: Function) -> Native {
    Native { function, leaf: false, wraps: false }
}

/// A method that needs none.
pub const fn leaf(function: Function) -> Native {
    Native { function, leaf: true, wraps: false }
}

/// A method that looks at each call first and leaves the rest to the JDK's own code.
pub const fn wrapping(function: Function) -> Native {
    Native { function, leaf: false, wraps: true }
}

/// A method that does nothing.
pub const NOTHING: Native = leaf(|_, _| Ok(0));

/// All native methods, by class.
pub struct Natives {
    classes: HashMap<&'static str, Vec<(&'static str, Native)>, foldhash::fast::FixedState>,
}

impl Natives {
    /// Those of a machine that runs programs, or of one that explores them.
    pub fn new(explores: bool) -> Natives {
        let mut classes: HashMap<_, Vec<_>, _> = HashMap::default();
        let more: &[&[Table]] = match explores {
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
        // The first of several for one method counts.
        let groups = [more, TABLES, files::TABLES, reflect::TABLES, crate::invoke::TABLES];
        for table in groups.into_iter().flatten().copied().flatten() {
            classes.entry(table.class).or_default().extend_from_slice(table.methods);
        }
        Natives { classes }
    }

    /// What is called for a method, if it is one of ours.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Native> {
        if descriptor == "()V" && matches!(name, "registerNatives" | "initIDs" | "initNative") {
            return Some(NOTHING);
        }
        let methods = self.classes.get(class)?;
        let found = methods.iter().find(|(signature, _)| {
            signature.len() == name.len() + descriptor.len()
                && signature.starts_with(name)
                && signature.ends_with(descriptor)
        });
        found.map(|&(_, native)| native)
    }

    /// Whether the machine has a method only to refuse it.
    pub fn refuses(class: &str, name: &str, descriptor: &str) -> bool {
        let tables = files::REFUSED.iter().filter(|table| table.class == class);
        tables
            .flat_map(|table| table.methods)
            .any(|(signature, _)| signature.strip_prefix(name) == Some(descriptor))
    }
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
