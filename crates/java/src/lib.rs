//! Java programs: class files and jars on the class library of an installed JDK, run by a machine of our own that can
//! be rewound.

pub mod bytes;
pub mod classfile;
pub mod explain;
pub mod library;
pub mod verify;
