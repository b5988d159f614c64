//! Types of fields and methods, as descriptors name them.

use super::{ClassFileError, Result};

/// The kind of a value: how it is kept and what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
    Reference,
    Void,
}

impl Kind {
    /// The primitive kinds and void.
    pub const PRIMITIVES: [Kind; 9] = [
        Kind::Boolean,
        Kind::Char,
        Kind::Float,
        Kind::Double,
        Kind::Byte,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Void,
    ];

    /// The kind that a descriptor begins with.
    pub fn of(descriptor: u8) -> Option<Kind> {
        Some(match descriptor {
            b'Z' => Kind::Boolean,
            b'C' => Kind::Char,
            b'F' => Kind::Float,
            b'D' => Kind::Double,
            b'B' => Kind::Byte,
            b'S' => Kind::Short,
            b'I' => Kind::Int,
            b'J' => Kind::Long,
            b'L' | b'[' => Kind::Reference,
            b'V' => Kind::Void,
            _ => return None,
        })
    }

    /// The bytes that it takes in an object.
    pub fn size(self) -> u32 {
        match self {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float | Kind::Reference => 4,
            Kind::Long | Kind::Double => 8,
            Kind::Void => 0,
        }
    }

    /// The slots that it takes in a frame.
    pub fn slots(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Void => 0,
            _ => 1,
        }
    }

    /// The letter of its descriptor; `L` for references.
    pub fn letter(self) -> char {
        match self {
            Kind::Boolean => 'Z',
            Kind::Char => 'C',
            Kind::Float => 'F',
            Kind::Double => 'D',
            Kind::Byte => 'B',
            Kind::Short => 'S',
            Kind::Int => 'I',
            Kind::Long => 'J',
            Kind::Reference => 'L',
            Kind::Void => 'V',
        }
    }

    /// The name of a primitive type in the language.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Char => "char",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Byte => "byte",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Reference => "reference",
            Kind::Void => "void",
        }
    }
}

/// The kind of a field.
pub fn field_kind(descriptor: &str) -> Result<Kind> {
    let kind = descriptor.bytes().next().and_then(Kind::of);
    kind.filter(|&kind| kind != Kind::Void).ok_or_else(|| bad(descriptor))
}

fn bad(descriptor: &str) -> ClassFileError {
    ClassFileError::Malformed(format!("{descriptor:?} is not a descriptor"))
}

/// The type of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// The descriptors of its parameters, as in `Ljava/lang/String;`.
    pub parameters: Vec<String>,
    /// The descriptor of its result.
    pub result: String,
    /// The kinds of its parameters.
    pub kinds: Vec<Kind>,
    /// The kind of its result.
    pub returns: Kind,
    /// The slots that its parameters take.
    pub slots: u16,
}

impl Descriptor {
    /// Takes a descriptor apart, as in `(ILjava/lang/String;)V`.
    pub fn parse(text: &str) -> Result<Descriptor> {
        let inner = text.strip_prefix('(').ok_or_else(|| bad(text))?;
        let (mut parameters, mut kinds, mut rest, mut slots) = (Vec::new(), Vec::new(), inner, 0u16);
        while !rest.starts_with(')') {
            let length = type_length(rest).ok_or_else(|| bad(text))?;
            let kind = field_kind(&rest[..length])?;
            slots = slots.saturating_add(kind.slots());
            parameters.push(rest[..length].to_string());
            kinds.push(kind);
            rest = &rest[length..];
        }
        let result = &rest[1..];
        if slots > 255 || type_length(result) != Some(result.len()) {
            return Err(bad(text));
        }
        let returns = Kind::of(result.as_bytes()[0]).ok_or_else(|| bad(text))?;
        Ok(Descriptor { parameters, result: result.to_string(), kinds, returns, slots })
    }
}

/// The length of the type that a text begins with.
fn type_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&byte| byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'L' => text[dimensions..].find(';').filter(|&end| end > 1).map(|end| dimensions + end + 1),
        b'V' if dimensions > 0 => None,
        &letter => Kind::of(letter).map(|_| dimensions + 1),
    }
}

/// The slots of a method's parameters and the kind of its result.
pub fn method_shape(descriptor: &str) -> Option<(u16, Kind)> {
    let bytes = descriptor.as_bytes();
    if bytes.first() != Some(&b'(') {
        return None;
    }
    let (mut at, mut slots) = (1, 0u16);
    while *bytes.get(at)? != b')' {
        let mut array = false;
        while *bytes.get(at)? == b'[' {
            array = true;
            at += 1;
        }
        let kind = Kind::of(bytes[at])?;
        if bytes[at] == b'L' {
            at += bytes[at..].iter().position(|&byte| byte == b';')?;
        }
        at += 1;
        slots = slots.checked_add(if array { 1 } else { kind.slots() })?;
    }
    Some((slots, Kind::of(*bytes.get(at + 1)?)?))
}
