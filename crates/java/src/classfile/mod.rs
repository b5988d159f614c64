//! Class files, as far as the machine needs them: the constant pool, members, and attributes by name.
//!
//! Parsing checks the structure and remembers where things lie; what a class does not use is never decoded. A reader of
//! our own, because the machine keeps the file for the life of the class, wants indices rather than borrowed views, and
//! must say for any garbage what is wrong with it.

mod attributes;
mod cursor;
mod descriptor;
pub(crate) mod instruction;
pub mod opcode;
mod pool;
pub(crate) mod subroutines;
pub mod text;

pub use attributes::{Attribute, Bootstrap, CodeAttribute, ExceptionRange, InnerClass};
pub use cursor::Cursor;
pub use descriptor::{Descriptor, Kind, field_kind, method_shape};
pub use pool::{Constant, Pool};

use crate::bytes::Bytes;

/// The newest class file version that the machine executes: Java 17.
pub const NEWEST: u16 = 61;

/// Flags of classes, fields and methods, as in the class file.
pub mod access {
    #![allow(missing_docs)]
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const SUPER: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;
}

/// What is wrong with a class file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassFileError {
    /// The file ends in the middle of something.
    #[error("the file ends in the middle of something, at byte {0}")]
    Truncated(usize),
    /// It is no class file.
    #[error("it does not begin as class files do")]
    Magic,
    /// A version that the machine does not execute.
    #[error("class file version {0} is not supported: Java 17 has {NEWEST}")]
    Version(u16),
    /// A constant that is not there, or is something else.
    #[error("constant {index} is not a {wanted}")]
    Constant {
        /// Its index.
        index: u16,
        /// What it should be.
        wanted: &'static str,
    },
    /// Anything else.
    #[error("{0}")]
    Malformed(String),
}

/// Shorthand for results of this module.
pub type Result<T> = std::result::Result<T, ClassFileError>;

/// A part of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last one.
    pub end: u32,
}

/// A field or a method.
#[derive(Clone, Debug)]
pub struct Member {
    /// Flags, see [`access`].
    pub access: u16,
    /// Index of the name.
    pub name: u16,
    /// Index of the descriptor.
    pub descriptor: u16,
    /// Where its attributes lie.
    pub attributes: Span,
}

/// A class file whose structure has been checked.
#[derive(Debug)]
pub struct ClassFile {
    bytes: Bytes,
    /// The major version.
    pub major: u16,
    /// The constants.
    pub pool: Pool,
    /// Flags, see [`access`].
    pub access: u16,
    /// Index of this class.
    pub this_class: u16,
    /// Index of its superclass; 0 for `java.lang.Object`.
    pub super_class: u16,
    /// Indices of its interfaces.
    pub interfaces: Vec<u16>,
    /// Its fields.
    pub fields: Vec<Member>,
    /// Its methods.
    pub methods: Vec<Member>,
    /// Where the attributes of the class lie.
    pub attributes: Span,
}

impl ClassFile {
    /// Checks the structure of a class file, and expands its subroutines if it is old enough to have any.
    pub fn parse(bytes: Bytes) -> Result<ClassFile> {
        ClassFile::parse_as_is(bytes).map(subroutines::expanded)
    }

    fn parse_as_is(bytes: Bytes) -> Result<ClassFile> {
        let all: &[u8] = &bytes;
        let mut at = Cursor::new(all);
        if at.u32()? != 0xCAFE_BABE {
            return Err(ClassFileError::Magic);
        }
        let (_minor, major) = (at.u16()?, at.u16()?);
        if !(45..=NEWEST).contains(&major) {
            return Err(ClassFileError::Version(major));
        }
        let pool = Pool::parse(&bytes, &mut at)?;
        let (access, this_class, super_class) = (at.u16()?, at.u16()?, at.u16()?);
        let count = at.u16()?;
        let interfaces = (0..count).map(|_| at.u16()).collect::<Result<Vec<u16>>>()?;
        let fields = members(&mut at)?;
        let methods = members(&mut at)?;
        let attributes = attribute_span(&mut at)?;
        pool.class_name(this_class)?;
        if super_class != 0 {
            pool.class_name(super_class)?;
        }
        for &interface in &interfaces {
            pool.class_name(interface)?;
        }
        for member in fields.iter().chain(&methods) {
            pool.utf8(member.name)?;
            pool.utf8(member.descriptor)?;
        }
        Ok(ClassFile {
            bytes,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// The name, as in `java/lang/String`.
    pub fn name(&self) -> &str {
        self.pool.class_name(self.this_class).unwrap_or("?")
    }

    /// The bytes of a part of the file.
    pub fn part(&self, span: Span) -> &[u8] {
        self.bytes.get(span.start as usize..span.end as usize).unwrap_or(&[])
    }
}

fn members(at: &mut Cursor<'_>) -> Result<Vec<Member>> {
    let count = at.u16()?;
    let mut members = Vec::with_capacity(usize::from(count).min(at.left() / 8));
    for _ in 0..count {
        let (access, name, descriptor) = (at.u16()?, at.u16()?, at.u16()?);
        members.push(Member { access, name, descriptor, attributes: attribute_span(at)? });
    }
    Ok(members)
}

/// Passes over a table of attributes.
fn attribute_span(at: &mut Cursor<'_>) -> Result<Span> {
    let start = at.position();
    let count = at.u16()?;
    for _ in 0..count {
        at.u16()?;
        let length = at.u32()?;
        at.skip(length as usize)?;
    }
    Ok(Span { start: start as u32, end: at.position() as u32 })
}
