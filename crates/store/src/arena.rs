//! Byte strings, kept once and for ever.
//!
//! A string is kept in words: its length and its first four bytes in the first, then eight bytes to a word. Atomic
//! words instead of bytes make the arena safe code that Loom can follow, and comparing goes eight bytes at a time.

use crate::chunks::Chunks;
use crate::memory::Budget;
use crate::sync::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The bytes that share a word with the length.
const HEAD: usize = 4;

pub(crate) struct Arena {
    words: Chunks,
    entries: AtomicU64,
}

impl Arena {
    pub(crate) fn new(budget: &Arc<Budget>) -> Self {
        Arena { words: Chunks::new(budget), entries: AtomicU64::new(0) }
    }

    /// Keeps `bytes` and says where, below `limit`; nothing if there is no room. Others may read them once they learn
    /// of the position by a release and an acquire.
    pub(crate) fn push(&self, bytes: &[u8], limit: u64) -> Option<u64> {
        u32::try_from(bytes.len()).ok()?;
        let start = self.words.extend(length(bytes.len()), limit)?;
        let mut words = words(bytes).peekable();
        let mut at = start;
        while words.peek().is_some() {
            let run = self.words.run(at);
            at += run.len() as u64;
            // The run is the first of the two so that its end does not swallow a word.
            for (slot, word) in run.iter().zip(&mut words) {
                slot.store(word, Ordering::Relaxed);
            }
        }
        self.entries.fetch_add(1, Ordering::Relaxed);
        Some(start)
    }

    /// Whether `bytes` are what is kept at `at`.
    pub(crate) fn is(&self, mut at: u64, bytes: &[u8]) -> bool {
        let mut words = words(bytes).peekable();
        while words.peek().is_some() {
            let run = self.words.run(at);
            at += run.len() as u64;
            // The length is in the first word, so a string of another length ends the comparison there.
            if run.iter().zip(&mut words).any(|(slot, word)| slot.load(Ordering::Relaxed) != word) {
                return false;
            }
        }
        true
    }

    /// Appends what is kept at `at`.
    pub(crate) fn read(&self, at: u64, out: &mut Vec<u8>) {
        let head = self.words.at(at).load(Ordering::Relaxed);
        let mut left = head as u32 as usize;
        let mut take = |bytes: &[u8]| {
            let count = left.min(bytes.len());
            out.extend_from_slice(&bytes[..count]);
            left -= count;
        };
        take(&(head >> 32).to_le_bytes()[..HEAD]);
        for at in at + 1..at + length(head as u32 as usize) {
            take(&self.words.at(at).load(Ordering::Relaxed).to_le_bytes());
        }
    }

    /// How many strings are kept.
    pub(crate) fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.words.bytes()
    }
}

/// How many words keep a string of `bytes` bytes.
fn length(bytes: usize) -> u64 {
    1 + bytes.saturating_sub(HEAD).div_ceil(8) as u64
}

/// The words that keep `bytes`.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (head, tail) = bytes.split_at(bytes.len().min(HEAD));
    let first = little_endian(head) << 32 | bytes.len() as u64;
    std::iter::once(first).chain(tail.chunks(8).map(little_endian))
}

fn little_endian(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(whole) => u64::from_le_bytes(whole),
        Err(_) => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_read_back_and_equal_only_themselves(
            strings in prop::collection::vec(prop::collection::vec(0u8..3, 0..40), 1..60),
        ) {
            let arena = Arena::new(&Budget::new(None));
            let kept: Vec<u64> = strings.iter().map(|bytes| arena.push(bytes, u64::MAX).unwrap()).collect();
            for (bytes, &at) in strings.iter().zip(&kept) {
                let mut back = Vec::new();
                arena.read(at, &mut back);
                prop_assert_eq!(&back, bytes);
                for other in &strings {
                    prop_assert_eq!(arena.is(at, other), bytes == other);
                }
            }
        }
    }

    #[test]
    fn a_string_may_be_longer_than_a_chunk() {
        let arena = Arena::new(&Budget::new(None));
        let long: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
        let at = arena.push(&long, u64::MAX).unwrap();
        let mut back = Vec::new();
        arena.read(at, &mut back);
        assert!(back == long && arena.is(at, &long) && !arena.is(at, &long[1..]));
    }
}
