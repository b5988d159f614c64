//! An array that grows while it is being read, and never moves.
//!
//! Its memory comes in chunks, four to every doubling, so at most a quarter of it waits to be used and a position
//! leads to its chunk by its highest bits alone.

use crate::memory::{Budget, Zeroed};
use crate::sync::{AtomicU64, Ordering, Padded};
use std::sync::{Arc, OnceLock};

/// The words up to the first doubling.
const FIRST: u64 = 1 << FIRST_BITS;
const FIRST_BITS: u32 = if cfg!(loom) { 3 } else { 8 };
/// Positions have fewer bits than this.
const POSITION_BITS: u32 = 40;
const CHUNKS: usize = 4 * (POSITION_BITS - FIRST_BITS + 1) as usize;

/// An append-only array of words.
///
/// A word is written once, by the worker that appends it. The worker then makes the position known to others by a release,
/// so the words themselves need no ordering.
pub(crate) struct Chunks {
    /// A chunk that was refused stays refused: positions behind it are never handed out.
    chunks: Box<[OnceLock<Option<Zeroed<AtomicU64>>>]>,
    next: Padded<AtomicU64>,
    budget: Arc<Budget>,
}

impl Chunks {
    pub(crate) fn new(budget: &Arc<Budget>) -> Self {
        let chunks = (0..CHUNKS).map(|_| OnceLock::new()).collect();
        Chunks { chunks, next: Padded::default(), budget: budget.clone() }
    }

    /// Appends `count` words of 0 and says where they start, or nothing if there is no memory for them or they would
    /// end behind `limit`.
    pub(crate) fn extend(&self, count: u64, limit: u64) -> Option<u64> {
        let start = self.next.0.fetch_add(count, Ordering::Relaxed);
        let end = start.checked_add(count).filter(|&end| end <= limit.min(1 << POSITION_BITS))?;
        let last = position(end.max(1) - 1).chunk;
        for chunk in position(start).chunk..=last {
            let words = || Zeroed::new(size(chunk), &self.budget);
            self.chunks[chunk].get_or_init(words).as_ref()?;
        }
        Some(start)
    }

    /// The words from `at` to the end of its chunk. `at` must be a position that `extend` has handed out.
    #[inline]
    pub(crate) fn run(&self, at: u64) -> &[AtomicU64] {
        let position = position(at);
        let chunk = self.chunks[position.chunk].get().and_then(Option::as_ref);
        &chunk.expect("the position was handed out")[position.offset..]
    }

    /// The word at a position that `extend` has handed out.
    #[inline]
    pub(crate) fn at(&self, at: u64) -> &AtomicU64 {
        &self.run(at)[0]
    }

    /// How many words were appended, those that were refused included.
    pub(crate) fn len(&self) -> u64 {
        self.next.0.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.chunks.iter().filter_map(|chunk| chunk.get()?.as_ref()).map(Zeroed::bytes).sum()
    }
}

struct Position {
    chunk: usize,
    offset: usize,
}

/// Counted from `FIRST`, a position's highest bit tells its doubling and the next two bits its chunk in there.
#[inline(always)]
fn position(at: u64) -> Position {
    let at = at + FIRST;
    let quarter = at.ilog2() - 2;
    let chunk = (quarter + 2 - FIRST_BITS) as usize * 4 + (at >> quarter & 3) as usize;
    Position { chunk, offset: (at & ((1 << quarter) - 1)) as usize }
}

fn size(chunk: usize) -> usize {
    1 << (FIRST_BITS - 2 + chunk as u32 / 4)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn positions_fill_chunk_after_chunk() {
        let (mut chunk, mut offset) = (0, 0);
        for at in 0..100_000 {
            if offset == size(chunk) {
                (chunk, offset) = (chunk + 1, 0);
            }
            let position = position(at);
            assert_eq!((position.chunk, position.offset), (chunk, offset), "position {at}");
            offset += 1;
        }
        assert!(position((1 << POSITION_BITS) - 1).chunk < CHUNKS);
    }

    #[test]
    fn words_stay_where_they_are() {
        let budget = Budget::new(None);
        let chunks = Chunks::new(&budget);
        for i in 0..5000u64 {
            let at = chunks.extend(i % 3, u64::MAX).unwrap();
            for word in 0..i % 3 {
                chunks.at(at + word).store(i, Ordering::Relaxed);
            }
        }
        let kept: Vec<u64> = (0..chunks.len()).map(|at| chunks.at(at).load(Ordering::Relaxed)).collect();
        let expected: Vec<u64> = (0..5000).flat_map(|i| vec![i; i as usize % 3]).collect();
        assert_eq!(kept, expected);
        assert_eq!(budget.used(), chunks.bytes());
        assert!(chunks.bytes() <= kept.len() as u64 * 8 * 5 / 4 + FIRST * 8);
    }

    #[test]
    fn a_limit_is_kept() {
        let chunks = Chunks::new(&Budget::new(Some(10_000)));
        assert!((0..10_000).any(|_| chunks.extend(1, u64::MAX).is_none()));
        assert!((7500..=10_000).contains(&chunks.bytes()), "{}", chunks.bytes());
        let chunks = Chunks::new(&Budget::new(None));
        assert_eq!(chunks.extend(3, 4), Some(0));
        assert_eq!(chunks.extend(3, 4), None);
    }
}
