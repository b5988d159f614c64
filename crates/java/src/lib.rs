//! Java programs: class files and jars on the class library of an installed JDK, run by a machine of our own that can take
//! steps back.
//!
//! The command line and `bench` use this crate. It has two doors:
//!
//! - [`Machine`] runs one schedule of a program, as `java` does.
//! - [`explore::JavaProgram`] makes a program under test of it, for the searches of `sojourner-search`.
//!
//! ```no_run
//! use sojourner_java::library::{ClassPath, Jdk, launch};
//! use sojourner_java::{Ended, Library, Machine, Options};
//! use std::rc::Rc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let jdk = Jdk::find(None)?;
//! let launch = launch("Counter.java", &[], &jdk)?;
//! let class_path = ClassPath::open(&launch.class_path)?;
//! let library = Rc::new(Library { jdk, class_path });
//! let mut machine = Machine::boot(library, Options::default())?;
//! machine.start(&launch.main_class, &[])?;
//! assert_eq!(machine.run(), Ended::Exit(0));
//! # Ok(())
//! # }
//! ```
//!
//! # Layers
//!
//! Each folder names only folders in its own line and in lines above. `scripts/check-modules` refuses a cycle.
//!
//! | layer | folders | hold |
//! |---|---|---|
//! | class files | `bytes`, `classfile`, `verify`, `explain`, `code`, `library` | reading, verifying and translating classes; where they come from |
//! | memory | `memory`, `files` | the heap and stacks; the files that a program has changed |
//! | machine | `machine` | classes, threads, instructions, visible operations, taking steps back |
//! | native methods | `invoke`, `natives`, `boot` | what the machine does in place of methods of the JDK; the start of a machine |
//! | call graphs | `doctor` | what a program can call, and which of it is not supported |
//! | distances | `distance` | how far threads are from places in the code |
//! | programs | `explore` | programs under test, states, findings |
//!
//! The machine knows nothing of searches and states. It defines the visible operations (`machine::visible`), stops threads before
//! them, and records what a transition does. `explore` sets up that record and reads it.

mod boot;
pub mod bytes;
pub mod classfile;
pub mod code;
mod distance;
pub mod doctor;
pub mod explain;
pub mod explore;
mod files;
pub mod front_end;
mod invoke;
pub mod library;
mod machine;
mod memory;
mod natives;
pub mod verify;

pub use boot::BootError;
pub use machine::{Choices, Console, Coverage, Ended, Library, Machine, Options, RoundRobin, Seeded};
