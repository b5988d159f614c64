//! The constant pool.

use super::{ClassFileError, Cursor, Result, Span, text};
use crate::bytes::Bytes;
use std::borrow::Cow;

/// A constant, with the indices of those that it is made of.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Constant {
    /// The second half of a long or double, or index 0.
    Unusable,
    Utf8(Span),
    Integer(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    String(u16),
    Field {
        class: u16,
        name_and_type: u16,
    },
    Method {
        class: u16,
        name_and_type: u16,
        of_interface: bool,
    },
    NameAndType {
        name: u16,
        descriptor: u16,
    },
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType(u16),
    Dynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    InvokeDynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    Module(u16),
    Package(u16),
}

/// The constants of a class.
#[derive(Debug)]
pub struct Pool {
    bytes: Bytes,
    constants: Vec<Constant>,
}

impl Pool {
    pub(super) fn parse(bytes: &Bytes, at: &mut Cursor<'_>) -> Result<Pool> {
        let count = usize::from(at.u16()?);
        let mut constants = Vec::with_capacity(count);
        constants.push(Constant::Unusable);
        while constants.len() < count {
            let constant = match at.u8()? {
                1 => {
                    let length = usize::from(at.u16()?);
                    let start = at.position();
                    at.skip(length)?;
                    Constant::Utf8(Span { start: start as u32, end: (start + length) as u32 })
                }
                3 => Constant::Integer(at.i32()?),
                4 => Constant::Float(at.u32()?),
                tag @ (5 | 6) => {
                    let bits = u64::from(at.u32()?) << 32 | u64::from(at.u32()?);
                    constants.push(if tag == 5 {
                        Constant::Long(bits as i64)
                    } else {
                        Constant::Double(bits)
                    });
                    Constant::Unusable
                }
                7 => Constant::Class(at.u16()?),
                8 => Constant::String(at.u16()?),
                9 => Constant::Field { class: at.u16()?, name_and_type: at.u16()? },
                tag @ (10 | 11) => {
                    Constant::Method { class: at.u16()?, name_and_type: at.u16()?, of_interface: tag == 11 }
                }
                12 => Constant::NameAndType { name: at.u16()?, descriptor: at.u16()? },
                15 => Constant::MethodHandle { kind: at.u8()?, reference: at.u16()? },
                16 => Constant::MethodType(at.u16()?),
                17 => Constant::Dynamic { bootstrap: at.u16()?, name_and_type: at.u16()? },
                18 => Constant::InvokeDynamic { bootstrap: at.u16()?, name_and_type: at.u16()? },
                19 => Constant::Module(at.u16()?),
                20 => Constant::Package(at.u16()?),
                tag => {
                    return Err(ClassFileError::Malformed(format!(
                        "constant {} has the unknown tag {tag}",
                        constants.len()
                    )));
                }
            };
            constants.push(constant);
        }
        Ok(Pool { bytes: bytes.clone(), constants })
    }

    /// The number of indices, the unusable ones included.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// Whether there are no constants at all.
    pub fn is_empty(&self) -> bool {
        self.constants.len() <= 1
    }

    /// The constant of that index.
    pub fn get(&self, index: u16) -> Result<Constant> {
        let constant = self.constants.get(usize::from(index)).copied();
        constant.ok_or(ClassFileError::Constant { index, wanted: "constant" })
    }

    /// The raw bytes of a text: what Java calls modified UTF-8.
    pub fn raw(&self, index: u16) -> Result<&[u8]> {
        match self.get(index)? {
            Constant::Utf8(span) => Ok(&self.bytes[span.start as usize..span.end as usize]),
            _ => Err(ClassFileError::Constant { index, wanted: "text" }),
        }
    }

    /// A text that is a name or a descriptor. Names that are not ordinary UTF-8 are refused: no compiler writes them.
    pub fn utf8(&self, index: u16) -> Result<&str> {
        std::str::from_utf8(self.raw(index)?)
            .map_err(|_| ClassFileError::Constant { index, wanted: "readable name" })
    }

    /// A text for people.
    pub fn text(&self, index: u16) -> Result<Cow<'_, str>> {
        Ok(match self.utf8(index) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(String::from_utf16_lossy(&text::decode(self.raw(index)?))),
        })
    }

    /// The name of a class.
    pub fn class_name(&self, index: u16) -> Result<&str> {
        match self.get(index)? {
            Constant::Class(name) => self.utf8(name),
            _ => Err(ClassFileError::Constant { index, wanted: "class" }),
        }
    }

    /// A name with its descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<(&str, &str)> {
        match self.get(index)? {
            Constant::NameAndType { name, descriptor } => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(ClassFileError::Constant { index, wanted: "name with a type" }),
        }
    }

    /// The class, name and descriptor of a field or method.
    pub fn member(&self, index: u16) -> Result<(&str, &str, &str)> {
        match self.get(index)? {
            Constant::Field { class, name_and_type } | Constant::Method { class, name_and_type, .. } => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok((self.class_name(class)?, name, descriptor))
            }
            _ => Err(ClassFileError::Constant { index, wanted: "field or method" }),
        }
    }

    /// The bootstrap method, name and descriptor of a dynamic constant or call.
    pub fn dynamic(&self, index: u16) -> Result<(u16, &str, &str)> {
        match self.get(index)? {
            Constant::Dynamic { bootstrap, name_and_type }
            | Constant::InvokeDynamic { bootstrap, name_and_type } => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok((bootstrap, name, descriptor))
            }
            _ => Err(ClassFileError::Constant { index, wanted: "dynamic constant or call" }),
        }
    }
}
