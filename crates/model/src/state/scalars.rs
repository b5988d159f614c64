//! Numbers, truth values, characters, and what is made of a fixed set of parts.

use super::{Bits, Foreign, Packed, Parts, State, load_from, total_width};
use sojourner_program::Encoded;
use std::marker::PhantomData;

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl State for $number {
            const WIDTH: Option<usize> = Some(size_of::<$number>());

            #[inline]
            fn store(&self, out: &mut [u8]) -> usize {
                let bytes = self.to_le_bytes();
                out[..bytes.len()].copy_from_slice(&bytes);
                bytes.len()
            }

            #[inline]
            fn load(&mut self, from: &[u8]) -> bool {
                let mut bytes = [0; size_of::<$number>()];
                bytes.copy_from_slice(from);
                *self = <$number>::from_le_bytes(bytes);
                true
            }

            #[inline]
            fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
                let mut value = 0;
                value.unpack(from)?;
                Ok(value)
            }
        }
    )*};
}

numbers!(u16 u32 u64 u128 i16 i32 i64 i128);

macro_rules! bytes {
    ($($number:ty)*) => {$(
        impl State for $number {
            const WIDTH: Option<usize> = Some(1);
            const BITS: Option<u32> = Some(8);

            #[inline]
            fn bits(&self) -> u8 {
                *self as u8
            }

            #[inline]
            fn from_bits(bits: u8) -> Option<Self> {
                Some(bits as $number)
            }
        }
    )*};
}

bytes!(u8 i8);

impl State for bool {
    const WIDTH: Option<usize> = Some(1);
    const BITS: Option<u32> = Some(1);

    #[inline]
    fn bits(&self) -> u8 {
        u8::from(*self)
    }

    #[inline]
    fn from_bits(bits: u8) -> Option<Self> {
        if bits < 2 { Some(bits == 1) } else { None }
    }
}

macro_rules! through {
    ($($value:ty as $number:ty: $from:expr, $default:expr;)*) => {$(
        impl State for $value {
            const WIDTH: Option<usize> = Some(size_of::<$number>());

            #[inline]
            fn store(&self, out: &mut [u8]) -> usize {
                (*self as $number).store(out)
            }

            #[inline]
            fn load(&mut self, from: &[u8]) -> bool {
                let mut number: $number = 0;
                let loaded = number.load(from);
                let value: Option<$value> = $from(number);
                *self = value.unwrap_or($default);
                loaded & value.is_some()
            }

            #[inline]
            fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
                let mut value = $default;
                value.unpack(from)?;
                Ok(value)
            }
        }
    )*};
}

// Sizes take eight bytes on every machine, so that fingerprints agree.
through! {
    char as u32: char::from_u32, '\0';
    usize as u64: |n| usize::try_from(n).ok(), 0;
    isize as i64: |n| isize::try_from(n).ok(), 0;
}

macro_rules! tuples {
    ($(($($part:ident $i:tt)*))*) => {$(
        impl<$($part: State),*> State for ($($part,)*) {
            const WIDTH: Option<usize> = match Self::BITS {
                Some(_) => Some(1),
                None => total_width(&[$($part::WIDTH),*]),
            };
            const BOUND: Option<usize> = match Self::BITS {
                Some(_) => Some(1),
                None => total_width(&[$($part::BOUND),*]),
            };
            const BITS: Option<u32> = Bits::total(&[$($part::BITS),*]);

            #[inline]
            #[allow(unused_mut)]
            fn bits(&self) -> u8 {
                let mut bits = Bits::default();
                $(bits.put(&self.$i);)*
                bits.byte()
            }

            #[inline]
            #[allow(unused_mut)]
            fn from_bits(bits: u8) -> Option<Self> {
                let mut bits = Bits::of(bits);
                let value = ($(bits.take::<$part>()?,)*);
                if bits.is_spent() { Some(value) } else { None }
            }

            #[inline]
            #[allow(unused_variables, unused_mut)]
            fn store(&self, out: &mut [u8]) -> usize {
                if Self::BITS.is_some() {
                    out[0] = self.bits();
                    return 1;
                }
                let mut at = 0;
                $(at += self.$i.store(&mut out[at..]);)*
                at
            }

            #[inline]
            #[allow(unused_variables, unused_assignments, unused_mut)]
            fn load(&mut self, mut from: &[u8]) -> bool {
                if Self::BITS.is_some() {
                    return Self::from_bits(from[0]).map(|value| *self = value).is_some();
                }
                let mut loaded = true;
                $(
                    let (mine, rest) = from.split_at(const { $part::WIDTH }.expect("a fixed width"));
                    loaded &= self.$i.load(mine);
                    from = rest;
                )*
                loaded
            }

            #[inline]
            fn pack(&self, out: &mut Packed) {
                match Self::BOUND {
                    Some(bound) => out.store(self, bound),
                    None => { $(self.$i.pack(out);)* }
                }
            }

            #[inline]
            #[allow(unused_variables)]
            fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
                if let Some(width) = Self::WIDTH {
                    return load_from(self, width, from);
                }
                $(self.$i.unpack(from)?;)*
                Ok(())
            }

            #[allow(unused_variables)]
            fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
                if Self::BITS.is_some() {
                    return Self::from_bits(u8::read(from)?).ok_or(Foreign);
                }
                Ok(($($part::read(from)?,)*))
            }
        }
    )*};
}

tuples! { () (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5) }

impl<T: 'static> State for PhantomData<T> {
    const WIDTH: Option<usize> = Some(0);

    fn store(&self, _out: &mut [u8]) -> usize {
        0
    }

    fn load(&mut self, _from: &[u8]) -> bool {
        true
    }

    fn read(_from: &mut &[u8]) -> Result<Self, Foreign> {
        Ok(PhantomData)
    }
}

/// One bit that tells which, and the value, where it is small. Otherwise one byte that tells which, and the value; room
/// is kept for a value of fixed width, zero where there is none.
impl<T: State> State for Option<T> {
    const WIDTH: Option<usize> = match Self::BITS {
        Some(_) => Some(1),
        None => total_width(&[Some(1), T::WIDTH]),
    };
    const BOUND: Option<usize> = match Self::BITS {
        Some(_) => Some(1),
        None => total_width(&[Some(1), T::BOUND]),
    };
    const BITS: Option<u32> = Bits::total(&[Some(1), T::BITS]);

    #[inline]
    fn bits(&self) -> u8 {
        self.as_ref().map_or(0, |value| 1 | value.bits() << 1)
    }

    #[inline]
    fn from_bits(bits: u8) -> Option<Self> {
        match bits {
            0 => Some(None),
            _ if bits & 1 == 1 => T::from_bits(bits >> 1).map(Some),
            _ => None,
        }
    }

    #[inline]
    fn store(&self, out: &mut [u8]) -> usize {
        if Self::BITS.is_some() {
            out[0] = self.bits();
            return 1;
        }
        out[0] = u8::from(self.is_some());
        match (self, const { T::WIDTH }) {
            (Some(value), _) => 1 + value.store(&mut out[1..]),
            (None, Some(width)) => {
                out[1..][..width].fill(0);
                1 + width
            }
            (None, None) => 1,
        }
    }

    #[inline]
    fn load(&mut self, from: &[u8]) -> bool {
        if Self::BITS.is_some() {
            return Self::from_bits(from[0]).map(|value| *self = value).is_some();
        }
        match (from[0], &mut *self) {
            (0, _) => {
                *self = None;
                from[1..].iter().all(|&byte| byte == 0)
            }
            (1, Some(value)) => value.load(&from[1..]),
            (1, None) => {
                *self = T::read(&mut &from[1..]).ok();
                self.is_some()
            }
            _ => false,
        }
    }

    #[inline]
    fn pack(&self, out: &mut Packed) {
        if let Some(bound) = Self::BOUND {
            return out.store(self, bound);
        }
        out.put(&[u8::from(self.is_some())]);
        if let Some(value) = self {
            value.pack(out);
        }
    }

    #[inline]
    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        if let Some(width) = Self::WIDTH {
            return load_from(self, width, from);
        }
        match (u8::read(from)?, &mut *self) {
            (0, _) => *self = None,
            (1, Some(value)) => value.unpack(from)?,
            (1, None) => *self = Some(T::read(from)?),
            _ => return Err(Foreign),
        }
        Ok(())
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let mut value = None;
        value.unpack(from)?;
        Ok(value)
    }
}

/// As its content.
impl<T: State> State for Box<T> {
    const WIDTH: Option<usize> = T::WIDTH;
    const BOUND: Option<usize> = T::BOUND;
    const BITS: Option<u32> = T::BITS;
    const KINDS: &'static [&'static str] = T::KINDS;
    const LOCAL: Option<u8> = T::LOCAL;

    fn bits(&self) -> u8 {
        (**self).bits()
    }

    fn from_bits(bits: u8) -> Option<Self> {
        T::from_bits(bits).map(Box::new)
    }

    fn store(&self, out: &mut [u8]) -> usize {
        (**self).store(out)
    }

    fn load(&mut self, from: &[u8]) -> bool {
        (**self).load(from)
    }

    fn pack(&self, out: &mut Packed) {
        (**self).pack(out);
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        (**self).unpack(from)
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        T::read(from).map(Box::new)
    }

    fn split(&self, kind: u8, out: &mut Encoded) {
        (**self).split(kind, out);
    }

    fn join(&mut self, kind: u8, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        (**self).join(kind, from)
    }

    fn encode(&self, out: &mut Encoded) {
        (**self).encode(out);
    }

    fn decode(&mut self, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        (**self).decode(from)
    }
}
