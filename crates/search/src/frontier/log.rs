//! How states were reached, where the frontier is no path: for each opened state its parent and the choice
//! between. Frontier entries carry a number into this log instead of a path.

use crate::memory::capacity;
use sojourner_program::{Choice, Schedule};

/// The number of an opened state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StateNumber(u64);

impl StateNumber {
    /// Of the first state.
    pub const START: StateNumber = StateNumber(u64::MAX);

    /// Of the `index`th state of a block.
    pub fn in_block(block: usize, index: usize) -> StateNumber {
        debug_assert!(index < BLOCK);
        StateNumber((block * BLOCK + index) as u64)
    }
}

/// States in a block: what workers hand over at a time.
pub(super) const BLOCK: usize = 256;

/// A state's parent and the choice that led from there.
pub(super) type Entry = (StateNumber, Choice);

/// How every opened state was reached.
#[derive(Default)]
pub(super) struct Log {
    blocks: Vec<Vec<Entry>>,
    /// Entries that the blocks have room for.
    entries: u64,
}

impl Log {
    /// Adds a block of at most [`BLOCK`] states and returns its number.
    pub fn add(&mut self, block: Vec<Entry>) -> usize {
        debug_assert!(block.len() <= BLOCK);
        self.entries += block.capacity() as u64;
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// Adds one state.
    pub fn push(&mut self, entry: Entry) -> StateNumber {
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.entries += BLOCK as u64;
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        block.push(entry);
        StateNumber::in_block(number, block.len() - 1)
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        // All blocks but the last have been filled, or were cut where a level ended.
        capacity(&self.blocks) + self.entries * size_of::<Entry>() as u64
    }

    /// The schedule from the start to a state.
    pub fn path(&self, mut mark: StateNumber) -> Schedule {
        let mut path = Vec::new();
        while mark != StateNumber::START {
            let (parent, choice) = self.blocks[mark.0 as usize / BLOCK][mark.0 as usize % BLOCK];
            path.push(choice);
            mark = parent;
        }
        path.reverse();
        path
    }
}
