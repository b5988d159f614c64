//! Where classes come from: the JDK's image, directories, jars, and sources that are compiled on the way.
//!
//! Everything here reads what others wrote. A damaged image, jar or class is an error that names it, or a class that
//! is not found: never a panic, an endless loop or memory without bound.

mod archive;
mod class_path;
mod error;
mod grant;
mod jar;
mod jdk;
mod jimage;
mod launch;
mod outline;
mod source;
mod tree;
mod verify_classes;

pub use class_path::{ClassPath, Found};
pub use error::LibraryError;
pub use grant::Grant;
pub use jar::{Jar, Manifest};
pub use jdk::Jdk;
pub use jimage::Image;
pub use launch::{Launch, Origin, launch, launch_sources};
pub use source::compile;
pub use verify_classes::verify_class;

/// No class or resource may be larger, so that a small archive cannot fill the memory.
pub const LARGEST: u64 = 512 << 20;
