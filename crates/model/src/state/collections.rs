//! Collections that allocate. They pack into their length and their elements; unpacking keeps the memory that a
//! sequence has already. Maps and sets are built anew.

use super::packed::take_length;
use super::{Foreign, Packed, Parts, State, component};
use sojourner_program::Encoded;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Foreign bytes could name any length, so elements must take bytes for the loop over them to end.
const fn takes_bytes<T: State>() {
    assert!(!matches!(T::WIDTH, Some(0)), "elements without content: keep their number instead");
}

macro_rules! sequences {
    ($($sequence:ident $push:ident)*) => {$(
        impl<T: State> State for $sequence<T> {
            const WIDTH: Option<usize> = None;

            fn pack(&self, out: &mut Packed) {
                out.length(self.len());
                self.iter().for_each(|item| item.pack(out));
            }

            fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
                const { takes_bytes::<T>() };
                let len = take_length(from)?;
                self.truncate(len);
                self.iter_mut().try_for_each(|item| item.unpack(from))?;
                while self.len() < len {
                    self.$push(T::read(from)?);
                }
                Ok(())
            }

            fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
                let mut items = $sequence::new();
                items.unpack(from)?;
                Ok(items)
            }

            fn split(&self, kind: u8, out: &mut Encoded) {
                self.iter().for_each(|item| component(item, kind, out));
            }

            fn join(&mut self, kind: u8, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
                self.clear();
                while let Some(mut bytes) = from.next(kind) {
                    self.$push(T::read(&mut bytes)?);
                    if !bytes.is_empty() {
                        return Err(Foreign);
                    }
                }
                Ok(())
            }
        }
    )*};
}

sequences! { Vec push VecDeque push_back }

impl State for String {
    const WIDTH: Option<usize> = None;

    fn pack(&self, out: &mut Packed) {
        out.length(self.len());
        out.put(self.as_bytes());
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        let len = take_length(from)?;
        let (mine, rest) = from.split_at_checked(len).ok_or(Foreign)?;
        *from = rest;
        self.clear();
        self.push_str(std::str::from_utf8(mine).map_err(|_| Foreign)?);
        Ok(())
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let mut text = String::new();
        text.unpack(from)?;
        Ok(text)
    }
}

impl<K: State + Ord, V: State> State for BTreeMap<K, V> {
    const WIDTH: Option<usize> = None;

    fn pack(&self, out: &mut Packed) {
        out.length(self.len());
        for (key, value) in self {
            key.pack(out);
            value.pack(out);
        }
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        const { takes_bytes::<K>() };
        self.clear();
        for _ in 0..take_length(from)? {
            let key = K::read(from)?;
            // Only the one order that packing gives, so that equal maps have equal bytes.
            if self.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(Foreign);
            }
            self.insert(key, V::read(from)?);
        }
        Ok(())
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let mut map = BTreeMap::new();
        map.unpack(from)?;
        Ok(map)
    }
}

impl<T: State + Ord> State for BTreeSet<T> {
    const WIDTH: Option<usize> = None;

    fn pack(&self, out: &mut Packed) {
        out.length(self.len());
        self.iter().for_each(|item| item.pack(out));
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        const { takes_bytes::<T>() };
        self.clear();
        for _ in 0..take_length(from)? {
            let item = T::read(from)?;
            if self.last().is_some_and(|last| *last >= item) {
                return Err(Foreign);
            }
            self.insert(item);
        }
        Ok(())
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let mut set = BTreeSet::new();
        set.unpack(from)?;
        Ok(set)
    }
}
