//! The buffer that states are packed into, and what they are read from.

use super::State;
use sojourner_program::Encoded;

/// Bytes that are not what a state packs into: of another model, or damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not a state of this model")]
pub struct Foreign;

/// Bytes to append to.
///
/// Unlike a `Vec` it keeps what lies behind its end ready to be written, so that making room costs a comparison and
/// no filling.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes that it takes, with the room for more.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Appends room for `n` bytes and gives it. It holds arbitrary bytes: fill all of it.
    #[inline]
    pub fn room(&mut self, n: usize) -> &mut [u8] {
        let start = self.len;
        if self.bytes.len() - start < n {
            self.grow(n);
        }
        self.len = start + n;
        // Cut so that the compiler knows the length of what it gives where it knows `n`.
        &mut self.bytes[start..][..n]
    }

    /// Appends a value that takes at most `bound` bytes, the bound of its type.
    #[inline]
    pub fn store<T: State>(&mut self, value: &T, bound: usize) {
        let start = self.len;
        self.len = start + value.store(self.room(bound));
    }

    /// Appends the bytes.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends a length, seven bits to a byte, the low ones first.
    pub fn length(&mut self, mut n: usize) {
        while n >= 0x80 {
            self.put(&[n as u8 | 0x80]);
            n >>= 7;
        }
        self.put(&[n as u8]);
    }

    /// What has been appended.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The number of bytes appended.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing has been appended.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Drops all but the first `len` bytes.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Lets `write` append to a `Vec`.
    pub fn append(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Packed)) {
        let mut packed = Packed { len: bytes.len(), bytes: std::mem::take(bytes) };
        write(&mut packed);
        packed.bytes.truncate(packed.len);
        *bytes = packed.bytes;
    }

    #[cold]
    fn grow(&mut self, n: usize) {
        // By doubling, at least: a search goes a million states deep one state at a time.
        let enough = (self.len + n).max(2 * self.bytes.len());
        self.bytes.resize(enough, 0);
    }
}

/// Takes a length off that [`Packed::length`] wrote. No other way of writing the same number is taken for it.
pub(super) fn take_length(from: &mut &[u8]) -> Result<usize, Foreign> {
    let mut n = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = from.split_first().ok_or(Foreign)?;
        *from = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            let shortest = byte > 0 || shift == 0;
            return if shortest { usize::try_from(n).map_err(|_| Foreign) } else { Err(Foreign) };
        }
    }
    Err(Foreign)
}

/// The components of an encoded state that are still to be read.
pub struct Parts<'i, 'a> {
    next: Option<(u8, &'a [u8])>,
    rest: &'i mut dyn Iterator<Item = (u8, &'a [u8])>,
}

impl<'a> Parts<'_, 'a> {
    /// Lets `read` take the components of `state`, all of them.
    pub fn of(
        state: &'a Encoded,
        read: impl FnOnce(&mut Parts<'_, 'a>) -> Result<(), Foreign>,
    ) -> Result<(), Foreign> {
        let mut rest = state.components();
        let mut parts = Parts { next: rest.next(), rest: &mut rest };
        read(&mut parts)?;
        if parts.next.is_none() { Ok(()) } else { Err(Foreign) }
    }

    /// The next component, if it is of that kind.
    pub fn next(&mut self, kind: u8) -> Option<&'a [u8]> {
        let (_, bytes) = self.next.filter(|part| part.0 == kind)?;
        self.next = self.rest.next();
        Some(bytes)
    }
}
