//! From addresses to objects.
//!
//! An object must be the same thing in every execution and in every worker. Addresses in the program's data are; those
//! in the slots of threads become the thread's number and an offset. Bytes are put together into *cells*: what
//! is always touched together is one object, and an access that overlaps several touches each of them. Cells are known by
//! their first byte. That one must be cut can show late, when footprints with the old one are about already: then the
//! search begins again, and goes by what was learned.

use hashbrown::HashMap;
use sojourner_native_rt::protocol::{HEAP_AT, SLOT_BYTES, SLOTS, SLOTS_AT, STACK_END, Space};
use sojourner_program::{ObjectId, ThreadId};
use std::sync::RwLock;

const GRAIN: u64 = 8;

/// Which bytes of each grain begin a cell, one bit each.
#[derive(Default)]
pub struct Cells {
    cuts: RwLock<HashMap<u64, u8, foldhash::fast::FixedState>>,
}

/// The same as far as one program has seen it.
#[derive(Default)]
pub struct LocalCells {
    cuts: HashMap<u64, u8, foldhash::fast::FixedState>,
}

/// Cuts that are needed for an access: where it begins, and behind its end.
fn needed(first: u64, last: u64) -> u8 {
    let end = if last < GRAIN { 1u8 << last } else { 0 };
    (1u8 << first) | end
}

impl Cells {
    /// The same, of its own.
    pub fn copy(&self) -> Cells {
        Cells { cuts: RwLock::new(self.cuts.read().expect("no holder panics").clone()) }
    }

    /// Calls `touch` with the first byte of each cell that the bytes overlap. `false`: a cell that a thread has touched had to be cut.
    #[inline]
    pub fn each(&self, known: &mut LocalCells, address: u64, size: u64, mut touch: impl FnMut(u64)) -> bool {
        let end = address + size;
        let mut grain = address & !(GRAIN - 1);
        let mut sound = true;
        while grain < end {
            let first = address.max(grain) - grain;
            let last = end.min(grain + GRAIN) - grain;
            let needed = needed(first, last);
            let cuts = match known.cuts.get(&grain) {
                Some(&cuts) if cuts & needed == needed => cuts,
                _ => {
                    let (cuts, was_whole) = self.cut(grain, needed);
                    known.cuts.insert(grain, cuts);
                    sound &= was_whole;
                    cuts
                }
            };
            for byte in first..last {
                if cuts >> byte & 1 != 0 {
                    touch(grain + byte);
                }
            }
            grain += GRAIN;
        }
        sound
    }

    /// Adds cuts to a grain. All its cuts, and whether no cell had to be cut that had been touched.
    #[cold]
    fn cut(&self, grain: u64, needed: u8) -> (u8, bool) {
        let mut table = self.cuts.write().expect("no holder panics");
        match table.get_mut(&grain) {
            None => {
                // The first access to a grain makes its cells. A cell more, which begins with the first byte, does no harm.
                table.insert(grain, needed | 1);
                (needed | 1, true)
            }
            Some(cuts) if *cuts & needed == needed => (*cuts, true),
            Some(cuts) => {
                *cuts |= needed;
                (*cuts, false)
            }
        }
    }
}

/// How many bits say what an object is.
const KIND: u32 = 60;
/// The bit that says that an object lies in the slot of a thread.
const IN_SLOT: u64 = 1 << 59;

/// The object of a kind at a place.
pub fn object(space: Space, place: u64) -> ObjectId {
    ObjectId((space as u64) << KIND | place)
}

/// Stands for the thread of a slot that no thread of a state has: one that was created by a step which failed.
pub const NO_THREAD: ThreadId = ThreadId((1 << 24) - 1);

/// An address as it is the same in every worker: in a slot, the thread and the offset.
#[inline]
pub fn place(address: u64, slots: &[Option<ThreadId>]) -> u64 {
    let offset = address.wrapping_sub(SLOTS_AT);
    if offset >= SLOTS * SLOT_BYTES {
        return address & ((1 << 48) - 1);
    }
    let thread = slots.get((offset / SLOT_BYTES) as usize).copied().flatten().unwrap_or(NO_THREAD);
    IN_SLOT | (u64::from(thread.0) & ((1 << 24) - 1)) << 32 | (offset % SLOT_BYTES)
}

/// The object that a thread's end is.
pub fn thread(thread: ThreadId) -> ObjectId {
    object(Space::Thread, IN_SLOT | (u64::from(thread.0) & ((1 << 24) - 1)) << 32)
}

/// What an object is, taken apart again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// In the program's data.
    Data(u64),
    /// On a thread's stack, or thread-local.
    Stack(ThreadId, u64),
    /// On the part of the heap that a thread allocates from.
    Heap(ThreadId, u64),
    /// A block that a thread has allocated, by number.
    Block(ThreadId, u64),
    /// A thread.
    Thread(ThreadId),
}

/// Takes an object apart.
pub fn thing(object: ObjectId) -> Thing {
    let kind = object.0 >> KIND;
    let rest = object.0 & ((1 << KIND) - 1);
    if rest & IN_SLOT == 0 {
        return Thing::Data(rest);
    }
    let thread = ThreadId((rest >> 32) as u32 & ((1 << 24) - 1));
    let offset = rest & (SLOT_BYTES - 1);
    match kind {
        kind if kind == Space::Block as u64 => Thing::Block(thread, offset),
        kind if kind == Space::Thread as u64 || kind == Space::Wake as u64 => Thing::Thread(thread),
        _ if offset < HEAP_AT => Thing::Stack(thread, STACK_END.saturating_sub(offset)),
        _ => Thing::Heap(thread, offset - HEAP_AT),
    }
}

/// The object that stands for a block not being freed: the slot's thread, and the block's number.
pub fn block(address: u64, number: u32, slots: &[Option<ThreadId>]) -> ObjectId {
    let slot = place(address, slots) & !(SLOT_BYTES - 1);
    object(Space::Block, slot | u64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &Cells, known: &mut LocalCells, address: u64, size: u64) -> (Vec<u64>, bool) {
        let mut out = Vec::new();
        let sound = cells.each(known, address, size, |cell| out.push(cell));
        (out, sound)
    }

    #[test]
    fn neighbours_in_a_word_are_two_cells() {
        let (all, mut known) = (Cells::default(), LocalCells::default());
        assert_eq!(cells(&all, &mut known, 0x100, 4), (vec![0x100], true));
        assert_eq!(cells(&all, &mut known, 0x104, 4), (vec![0x104], true));
        assert_eq!(cells(&all, &mut known, 0x100, 8), (vec![0x100, 0x104], true));
    }

    #[test]
    fn a_cell_that_is_cut_late_is_noticed_once() {
        let (all, mut known) = (Cells::default(), LocalCells::default());
        assert_eq!(cells(&all, &mut known, 0x100, 8), (vec![0x100], true));
        assert_eq!(cells(&all, &mut known, 0x102, 1), (vec![0x102], false));
        assert_eq!(cells(&all, &mut known, 0x100, 8), (vec![0x100, 0x102, 0x103], true));
        let mut other = LocalCells::default();
        assert_eq!(cells(&all, &mut other, 0x102, 1), (vec![0x102], true));
    }

    #[test]
    fn accesses_that_cross_words_touch_both() {
        let (all, mut known) = (Cells::default(), LocalCells::default());
        assert_eq!(cells(&all, &mut known, 0x106, 4).0, vec![0x106, 0x108]);
    }
}
