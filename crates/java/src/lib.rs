//! Java programs: class files and jars on the class library of an installed JDK, run by a machine of our own that can
//! be rewound.

pub mod bytes;
mod class;
pub mod classfile;
pub mod code;
pub mod doctor;
pub mod explain;
pub mod explore;
pub mod front_end;
mod invoke;
pub mod library;
mod machine;
mod memory;
mod natives;
pub mod verify;

pub use machine::{
    BootError, Choices, Console, Coverage, Ended, Library, Machine, Options, RoundRobin, Seeded,
};
