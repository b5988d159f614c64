//! The heap in pieces of one size, as components of states: see `machine::collapse`.

use super::{Heap, Ref};

/// The words of a piece.
pub const PIECE: usize = 32;

impl Heap {
    /// The number of pieces behind the permanent objects, the last of which may not be full. `None` if the heap ends in the
    /// middle of it.
    pub fn pieces(&self) -> Option<usize> {
        let pieces = ((self.top - self.split) as usize).div_ceil(PIECE);
        (self.split as usize + pieces * PIECE <= self.limit as usize).then_some(pieces)
    }

    /// The piece that a word lies in, which may be in use only from there on; `None` if it is one of a permanent object.
    pub fn piece_of(&self, unit: u32) -> Option<usize> {
        unit.checked_sub(self.split).map(|unit| unit as usize / PIECE)
    }

    /// The words of a piece; those that are not in use are 0.
    pub fn piece(&self, index: usize) -> &[u64] {
        let start = self.address(Ref(self.split), 0).cast::<u64>().wrapping_add(index * PIECE);
        // SAFETY: the callers ask for pieces that there are, and the heap ends behind all of them.
        unsafe { std::slice::from_raw_parts(start, PIECE) }
    }

    /// Replaces the words of a piece. Nothing is recorded.
    pub fn set_piece(&mut self, index: usize, words: &[u64]) {
        debug_assert_eq!(words.len(), PIECE);
        let start = self.address(Ref(self.split), 0).cast::<u64>().wrapping_add(index * PIECE);
        // SAFETY: as above, and the words are not the heap's own, which is borrowed to be changed.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), start, PIECE) };
    }

    /// Replaces a word of a permanent object that executions change. Nothing is recorded.
    pub fn set_changed(&mut self, index: usize, value: u64) {
        let changed = self.journal.changed[index];
        let at = self.address(changed.object, changed.offset).cast::<u64>();
        // SAFETY: the word was read at the same place when it was first changed.
        unsafe { at.write(value) };
    }

    /// Is in use up to a unit, with so many objects allocated so far, and nothing can be taken back.
    pub fn begin_at(&mut self, top: u32, allocated: u32) {
        (self.top, self.allocated) = (top, allocated);
        self.journal.overwritten.clear();
        self.begin_transition();
    }
}
