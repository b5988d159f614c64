//! States as bytes.
//!
//! A search keeps millions of states, so a state is packed into as few bytes as its type allows, and the packing is canonical: two states
//! are equal exactly if their bytes are. The traits of a serialisation library would not pack in place. Coming back to a state must reuse
//! the memory of the value that is there, and a state of fixed width must pack in one loop without a check for each byte.

mod bits;
mod collections;
mod packed;
mod row;
mod scalars;

pub use bits::Bits;
pub use packed::{Foreign, Packed, Parts};
pub use row::Row;

use sojourner_program::Encoded;

/// A value that packs into bytes and back. Derive it; `#[derive(State)]` works for structs and enums whose fields are
/// states.
///
/// There are three ways to implement it by hand. A type whose values are numbers of at most eight bits states how many
/// as its `BITS`, has the `WIDTH` 1, and implements `bits` and `from_bits`: small fields of a struct share a byte. Any
/// other type whose values all take the same number of bytes states it as its `WIDTH` and implements `store`, `load` and
/// `read`. The rest has no `WIDTH` and implements `pack`, `unpack` and `read`; or `store` in place of `pack`, where it
/// states a `BOUND`.
///
/// Of the outermost type of a model's state, a struct, each field is a kind of component: `#[state(local)]` marks the
/// field whose elements are the local states of the processes, by which states are dealt out to partitions.
pub trait State: Sized + 'static {
    /// The number of bytes, if it is the same for every value.
    const WIDTH: Option<usize>;

    /// The most bytes that a value takes, if there is a bound that is worth making room for.
    const BOUND: Option<usize> = Self::WIDTH;

    /// The number of bits, from 1 to 8, if every value is a number that fits them; the `WIDTH` is 1 then.
    const BITS: Option<u32> = None;

    /// The names of the kinds of components, where this is the state of a model.
    const KINDS: &'static [&'static str] = &["state"];

    /// The kind of component that holds the processes' own states, where this is the state of a model.
    const LOCAL: Option<u8> = None;

    /// The value as a number of `BITS` bits. Only for types that have them.
    fn bits(&self) -> u8 {
        unreachable!("a type without bits is stored or packed");
    }

    /// The value of that number, if there is one. Only for types that have `BITS`.
    fn from_bits(bits: u8) -> Option<Self> {
        let _ = bits;
        unreachable!("a type without bits is loaded or unpacked");
    }

    /// Writes the value to the beginning of `out`, which has at least `BOUND` bytes, and gives the number of bytes that
    /// it takes, `WIDTH` if it has one. It may change what lies behind them, up to the bound. Only for types that have
    /// one.
    #[inline]
    fn store(&self, out: &mut [u8]) -> usize {
        out[0] = self.bits();
        1
    }

    /// Becomes the value that was stored in `from`, which has `WIDTH` bytes; false, with any value, if none was. Only
    /// for types of fixed width.
    #[inline]
    #[must_use]
    fn load(&mut self, from: &[u8]) -> bool {
        match Self::from_bits(from[0]) {
            Some(value) => {
                *self = value;
                true
            }
            None => false,
        }
    }

    /// Appends the value.
    #[inline]
    fn pack(&self, out: &mut Packed) {
        out.store(self, Self::BOUND.expect("a type without a bound packs itself"));
    }

    /// Becomes the value whose bytes `from` begins with, keeping memory that it has already, and takes them off. If
    /// they are foreign the value may be anything.
    #[inline]
    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        let width = Self::WIDTH.expect("a type without a fixed width unpacks itself");
        load_from(self, width, from)
    }

    /// A new value from the bytes that `from` begins with, which are taken off.
    #[inline]
    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let (&byte, rest) = from.split_first().ok_or(Foreign)?;
        *from = rest;
        Self::from_bits(byte).ok_or(Foreign)
    }

    /// Appends the value as components of one kind: one, or for a sequence one for each element.
    fn split(&self, kind: u8, out: &mut Encoded) {
        component(self, kind, out);
    }

    /// Becomes the value that was split into the next components, which must be of that kind.
    fn join(&mut self, kind: u8, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        self.unpack_all(from.next(kind).ok_or(Foreign)?)
    }

    /// Appends the value as components, where it is the state of a model.
    fn encode(&self, out: &mut Encoded) {
        self.split(0, out);
    }

    /// Becomes the value whose components are next, where it is the state of a model.
    fn decode(&mut self, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        self.join(0, from)
    }

    /// Becomes the value whose bytes `from` is, with none left over.
    #[inline]
    fn unpack_all(&mut self, mut from: &[u8]) -> Result<(), Foreign> {
        self.unpack(&mut from)?;
        if from.is_empty() { Ok(()) } else { Err(Foreign) }
    }
}

/// Loads a value of that width, the width of its type, from the bytes that `from` begins with, and takes them off.
#[inline]
pub fn load_from<T: State>(value: &mut T, width: usize, from: &mut &[u8]) -> Result<(), Foreign> {
    let (mine, rest) = from.split_at_checked(width).ok_or(Foreign)?;
    *from = rest;
    if value.load(mine) { Ok(()) } else { Err(Foreign) }
}

/// Appends the value as one component.
fn component<T: State>(value: &T, kind: u8, out: &mut Encoded) {
    out.put_with(kind, |bytes| match T::WIDTH {
        Some(width) => {
            let start = bytes.len();
            bytes.resize(start + width, 0);
            value.store(&mut bytes[start..]);
        }
        None => Packed::append(bytes, |packed| value.pack(packed)),
    });
}

/// The width of a value that is made of parts of these widths.
pub const fn total_width(parts: &[Option<usize>]) -> Option<usize> {
    let mut total = 0;
    let mut i = 0;
    while i < parts.len() {
        match parts[i] {
            Some(width) => total += width,
            None => return None,
        }
        i += 1;
    }
    Some(total)
}
