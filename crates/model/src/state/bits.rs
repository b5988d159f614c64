//! Small values side by side in one byte.

use super::State;

/// A byte that small values are put into, the first in the lowest bits, or taken from in the same order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bits {
    byte: u8,
    /// The number of bits put in, or taken out.
    at: u32,
}

impl Bits {
    /// The number of bits of a value that is made of parts of so many bits, if all have them and they fit a byte.
    pub const fn total(parts: &[Option<u32>]) -> Option<u32> {
        let mut total = 0;
        let mut i = 0;
        while i < parts.len() {
            match parts[i] {
                Some(bits) => total += bits,
                None => return None,
            }
            i += 1;
        }
        if total == 0 || total > 8 { None } else { Some(total) }
    }

    /// A byte to take values from.
    #[inline]
    pub fn of(byte: u8) -> Self {
        Bits { byte, at: 0 }
    }

    /// Adds a value, for which there must be room.
    #[inline]
    pub fn put<T: State>(&mut self, value: &T) {
        self.byte |= value.bits() << self.at;
        self.at += const { T::BITS }.expect("a small value");
    }

    /// Takes the next value out; none if its bits are foreign.
    #[inline]
    pub fn take<T: State>(&mut self) -> Option<T> {
        let bits = const { T::BITS }?;
        let value = u32::from(self.byte) >> self.at & ((1 << bits) - 1);
        self.at += bits;
        T::from_bits(value as u8)
    }

    /// The byte with all values.
    #[inline]
    pub fn byte(self) -> u8 {
        self.byte
    }

    /// Whether there is nothing beyond the values that have been taken.
    #[inline]
    pub fn is_spent(self) -> bool {
        u32::from(self.byte) >> self.at == 0
    }
}
