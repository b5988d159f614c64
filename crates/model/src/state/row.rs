//! Sequences that lie in the state itself: arrays, and rows whose length is known only when the model is made.

use super::{Foreign, Packed, Parts, State, component, load_from};
use sojourner_program::Encoded;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// At most `N` elements, in place: the way to have as many processes as the user asks for without memory to
/// allocate. It packs into its length, one byte, and its elements.
#[derive(Clone, Copy)]
pub struct Row<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Copy + Default, const N: usize> Row<T, N> {
    const FITS: () = assert!(N <= 255, "the length of a row is one byte");

    /// A row without elements.
    pub fn new() -> Self {
        let () = Self::FITS;
        Row { items: [T::default(); N], len: 0 }
    }

    /// `len` equal elements. Panics if there is no room for them.
    pub fn filled(len: usize, item: T) -> Self {
        let mut row = Self::new();
        row.items[..len].fill(item);
        row.len = len as u8;
        row
    }

    /// Appends an element. Panics if there is no room for it.
    pub fn push(&mut self, item: T) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    /// Takes the last element off.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Takes the `i`th element out and closes the gap. Panics if there is none.
    pub fn remove(&mut self, i: usize) -> T {
        let item = self[i];
        self.copy_within(i + 1.., i);
        self.len -= 1;
        item
    }
}

impl<T: Copy + Default, const N: usize> Default for Row<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Row<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut row = Self::new();
        items.into_iter().for_each(|item| row.push(item));
        row
    }
}

impl<T, const N: usize> Deref for Row<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for Row<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Row<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Row<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Row<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: State + Copy + Default, const N: usize> State for Row<T, N> {
    const WIDTH: Option<usize> = None;
    const BOUND: Option<usize> = match T::WIDTH {
        Some(width) => Some(1 + N * width),
        None => None,
    };

    #[inline]
    fn store(&self, out: &mut [u8]) -> usize {
        let width = const { T::WIDTH }.expect("a fixed width");
        let (length, out) = out.split_at_mut(1);
        length[0] = self.len;
        if const { size_of::<T>() == 1 && T::BITS.is_some() && N <= 64 } {
            // All, also what lies behind the end: a copy of known size takes a few instructions, where a loop over those
            // in use takes some for each. By way of a value, for the compiler to see that they do not overlap.
            let bytes: [u8; N] = std::array::from_fn(|i| self.items[i].bits());
            out[..N].copy_from_slice(&bytes);
        } else {
            let places = out[..N * width].chunks_exact_mut(width.max(1));
            for (i, (item, out)) in self.items.iter().zip(places).enumerate() {
                if i == usize::from(self.len) {
                    break;
                }
                item.store(out);
            }
        }
        1 + usize::from(self.len) * width
    }

    #[inline]
    fn pack(&self, out: &mut Packed) {
        match Self::BOUND {
            Some(bound) => out.store(self, bound),
            None => {
                out.put(&[self.len]);
                self.iter().for_each(|item| item.pack(out));
            }
        }
    }

    #[inline]
    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        let (&len, rest) = from.split_first().ok_or(Foreign)?;
        *from = rest;
        let items = self.items.get_mut(..usize::from(len)).ok_or(Foreign)?;
        self.len = len;
        match T::WIDTH {
            Some(width) => {
                let (mine, rest) = from.split_at_checked(items.len() * width).ok_or(Foreign)?;
                *from = rest;
                if load_all(items, mine) { Ok(()) } else { Err(Foreign) }
            }
            None => items.iter_mut().try_for_each(|item| item.unpack(from)),
        }
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let mut row = Self::new();
        row.unpack(from)?;
        Ok(row)
    }

    fn split(&self, kind: u8, out: &mut Encoded) {
        self.iter().for_each(|item| component(item, kind, out));
    }

    fn join(&mut self, kind: u8, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        let mut len = 0;
        while let Some(component) = from.next(kind) {
            self.items.get_mut(len).ok_or(Foreign)?.unpack_all(component)?;
            len += 1;
        }
        self.len = len as u8;
        Ok(())
    }
}

impl<T: State, const N: usize> State for [T; N] {
    const WIDTH: Option<usize> = match T::WIDTH {
        Some(width) => Some(N * width),
        None => None,
    };

    #[inline]
    fn store(&self, out: &mut [u8]) -> usize {
        let width = const { Self::WIDTH }.expect("a fixed width");
        store_all(self, &mut out[..width]);
        width
    }

    #[inline]
    fn load(&mut self, from: &[u8]) -> bool {
        load_all(self, from)
    }

    #[inline]
    fn pack(&self, out: &mut Packed) {
        match Self::WIDTH {
            Some(width) => out.store(self, width),
            None => self.iter().for_each(|item| item.pack(out)),
        }
    }

    #[inline]
    fn unpack(&mut self, from: &mut &[u8]) -> Result<(), Foreign> {
        match Self::WIDTH {
            Some(width) => load_from(self, width, from),
            None => self.iter_mut().try_for_each(|item| item.unpack(from)),
        }
    }

    fn read(from: &mut &[u8]) -> Result<Self, Foreign> {
        let items: Vec<T> = (0..N).map(|_| T::read(from)).collect::<Result<_, _>>()?;
        items.try_into().map_err(|_| Foreign)
    }

    fn split(&self, kind: u8, out: &mut Encoded) {
        self.iter().for_each(|item| component(item, kind, out));
    }

    fn join(&mut self, kind: u8, from: &mut Parts<'_, '_>) -> Result<(), Foreign> {
        self.iter_mut().try_for_each(|item| item.unpack_all(from.next(kind).ok_or(Foreign)?))
    }
}

/// Stores elements of fixed width side by side. The width is a constant, so that the compiler drops the checks and
/// copies single bytes as vectors.
#[inline]
fn store_all<T: State>(items: &[T], out: &mut [u8]) {
    match const { T::WIDTH } {
        Some(0) | None => {}
        Some(width) => items.iter().zip(out.chunks_exact_mut(width)).for_each(|(item, out)| {
            item.store(out);
        }),
    }
}

/// Loads what [`store_all`] stored. Every element is loaded, good or not: a branch for each would cost more.
#[inline]
fn load_all<T: State>(items: &mut [T], from: &[u8]) -> bool {
    match const { T::WIDTH } {
        Some(0) | None => true,
        Some(width) => items
            .iter_mut()
            .zip(from.chunks_exact(width))
            .fold(true, |all, (item, from)| all & item.load(from)),
    }
}
