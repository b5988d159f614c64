//! Pools: each value is kept once, and known by its number.

use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    foldhash::fast::FixedState::default().hash_one(value)
}

/// Values of one type. Numbers are given in order, from 0.
pub(super) struct Values<T> {
    values: Vec<T>,
    index: HashTable<u32>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Values { values: Vec::new(), index: HashTable::new() }
    }
}

impl<T: Hash + Eq> Values<T> {
    /// The number of a value.
    pub fn number(&mut self, value: T) -> u32 {
        let Values { values, index } = self;
        let hash_of = |&number: &u32| hash(&values[number as usize]);
        let entry = index.entry(hash(&value), |&number| values[number as usize] == value, hash_of);
        let number = *entry.or_insert(values.len() as u32).get();
        if number as usize == values.len() {
            values.push(value);
        }
        number
    }

    /// The value of a number.
    pub fn of(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// The memory that is used, in bytes.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.index.allocation_size()
    }
}

/// Sequences of words. Numbers are given in order, from 0.
#[derive(Default)]
pub(super) struct Sequences {
    words: Vec<u64>,
    /// Where each ends; it begins where the one before it ends.
    ends: Vec<usize>,
    index: HashTable<u32>,
}

impl Sequences {
    /// The number of a sequence.
    pub fn number(&mut self, sequence: &[u64]) -> u32 {
        let Sequences { words, ends, index } = self;
        let of = |number: u32| between(words, ends, number);
        let entry = index.entry(hash(sequence), |&number| of(number) == sequence, |&number| hash(of(number)));
        let number = *entry.or_insert(ends.len() as u32).get();
        if number as usize == ends.len() {
            words.extend_from_slice(sequence);
            ends.push(words.len());
        }
        number
    }

    /// The sequence of a number.
    pub fn of(&self, number: u32) -> &[u64] {
        between(&self.words, &self.ends, number)
    }

    /// The memory that is used, in bytes.
    pub fn bytes(&self) -> usize {
        (self.words.capacity() + self.ends.capacity()) * size_of::<u64>() + self.index.allocation_size()
    }
}

fn between<'a>(words: &'a [u64], ends: &[usize], number: u32) -> &'a [u64] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &words[start..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_one_number() {
        let mut pool = Sequences::default();
        let numbers: Vec<u32> =
            (0..1000u64).map(|n| pool.number(&[n % 7, n % 3][..n as usize % 3])).collect();
        for (n, &number) in (0..1000u64).zip(&numbers) {
            assert_eq!(pool.of(number), &[n % 7, n % 3][..n as usize % 3]);
            assert_eq!(pool.number(&[n % 7, n % 3][..n as usize % 3]), number);
        }
        let distinct: std::collections::BTreeSet<u32> = numbers.into_iter().collect();
        assert_eq!(distinct.len(), 1 + 7 + 7);
    }

    #[test]
    fn equal_values_have_one_number() {
        let mut pool = Values::default();
        assert_eq!([5, 6, 5].map(|value| pool.number(value)), [0, 1, 0]);
        assert_eq!((*pool.of(0), *pool.of(1)), (5, 6));
    }
}
