//! What is taken for granted until a run shows otherwise: which memory is private or guarded, what atomic sections touch.

use super::{How, Space, Touch};
use core::cell::Cell;

/// Words on stacks that several threads are known to touch, and words of data that no mutex guards.
pub const MOST_SHARED: usize = 1024;

/// Positions among those words for all data.
pub const ALL_DATA: u64 = 1;

/// Positions among those words for the clocks: the program looks at one, so that they are part of its state.
pub const CLOCKS: u64 = 2;

/// Positions among those words for times that the program keeps where others can see them, so that clocks count as they are.
pub const DATES: u64 = 8;

/// Positions among those words for what takes several locks at once: it does something else in between, so that its steps are
/// those that it makes.
pub const SINGLY: u64 = 4;

/// Positions among those words for signals that are sent to the process, and not to one of its threads: a thread that waits for signals
/// waits for those.
pub const TO_PROCESS: u64 = 6;

/// Added to the address of a word: copies from and to it are made piece by piece.
pub const TORN: u64 = 1;

/// What is known of atomic sections at most.
pub const MOST_SECTION_TOUCHES: usize = 384;

/// Things that a thread may touch in an atomic section that is one step.
pub const MOST_IN_SECTION: usize = 32;

/// Positions for wherever an atomic section is entered.
pub const EVERYWHERE: u64 = 0;

/// Something that a thread touches in an atomic section; or that those which are entered there are not one step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionTouch {
    /// Where the section is entered.
    pub place: u64,
    /// The slot of the thread.
    pub slot: u32,
    /// Unused.
    pub padding: u32,
    /// What it touches. Of a block of the heap, the size is its number.
    pub touch: Touch,
}

impl SectionTouch {
    /// Sections that are entered there, by whomever, are not one step.
    pub const fn apart(place: u64) -> SectionTouch {
        let (how, space) = (How::Nothing as u8, Space::Memory as u8);
        let touch = Touch { object: 0, size: 0, how, space, lacks: 0 };
        SectionTouch { place, slot: 0, padding: 0, touch }
    }

    /// Whether that is what it says.
    pub const fn is_apart(&self) -> bool {
        self.touch.how == How::Nothing as u8
    }

    /// Whether nothing is said by another one beyond what this says.
    pub fn covers(&self, other: &SectionTouch) -> bool {
        (self.place, self.slot) == (other.place, other.slot) && self.touch.covers(&other.touch)
    }
}

/// Functions of one sort whose places the driver tells.
pub const MOST_FUNCTIONS: usize = 64;

/// Where functions of one sort begin and end.
#[repr(C)]
#[derive(Debug)]
pub struct Functions {
    /// Their number.
    pub count: Cell<u64>,
    /// The first address of each, and the one behind it.
    pub ranges: [Cell<(u64, u64)>; MOST_FUNCTIONS],
}

impl Functions {
    /// Whether an address lies in one of them.
    pub fn contain(&self, address: u64) -> bool {
        let known = &self.ranges[..(self.count.get() as usize).min(MOST_FUNCTIONS)];
        known.iter().map(Cell::get).any(|(start, end)| (start..end).contains(&address))
    }
}
