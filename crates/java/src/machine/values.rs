//! Values as slots hold them.

use crate::memory::{Ref, Registers};

/// A value that fits a slot of 64 bits. Narrow values leave the upper half zero, so that equal values are equal bits.
pub trait Bits: Copy {
    /// The bits of the value.
    fn bits(self) -> u64;
    /// The value of the bits.
    fn of(bits: u64) -> Self;
}

macro_rules! bits {
    ($($type:ty: $value:ident => $to:expr, $bits:ident => $from:expr;)*) => {$(
        impl Bits for $type {
            #[inline(always)]
            fn bits(self) -> u64 {
                let $value = self;
                $to
            }

            #[inline(always)]
            fn of($bits: u64) -> $type {
                $from
            }
        }
    )*};
}

bits! {
    i32: value => u64::from(value as u32), bits => bits as u32 as i32;
    u32: value => u64::from(value), bits => bits as u32;
    bool: value => u64::from(value), bits => bits as u32 != 0;
    i8: value => u64::from(i32::from(value) as u32), bits => bits as i8;
    u8: value => u64::from(value), bits => bits as u8;
    i16: value => u64::from(i32::from(value) as u32), bits => bits as i16;
    u16: value => u64::from(value), bits => bits as u16;
    i64: value => value as u64, bits => bits as i64;
    u64: value => value, bits => bits;
    f32: value => u64::from(value.to_bits()), bits => f32::from_bits(bits as u32);
    f64: value => value.to_bits(), bits => f64::from_bits(bits);
    Ref: value => u64::from(value.0), bits => Ref(bits as u32);
    (): _value => 0, _bits => ();
}

/// The arguments of a native method, by slot: the receiver is slot 0, and longs and doubles take two.
#[derive(Clone, Copy)]
pub struct Arguments(Registers);

impl Arguments {
    /// The arguments in registers from the first on.
    #[inline(always)]
    pub fn new(registers: Registers) -> Arguments {
        Arguments(registers)
    }

    /// The value in a slot.
    #[inline(always)]
    pub fn get<T: Bits>(self, slot: u16) -> T {
        T::of(self.0.get(slot))
    }

    /// The reference in a slot.
    #[inline(always)]
    pub fn object(self, slot: u16) -> Ref {
        self.get(slot)
    }

    /// The int in a slot.
    #[inline(always)]
    pub fn int(self, slot: u16) -> i32 {
        self.get(slot)
    }

    /// The long in a slot.
    #[inline(always)]
    pub fn long(self, slot: u16) -> i64 {
        self.get(slot)
    }

    /// The registers themselves.
    #[inline(always)]
    pub fn registers(self) -> Registers {
        self.0
    }
}
