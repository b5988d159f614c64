//! The slots of a thread's frames.

use super::reserve::Reserve;

/// One thread's slots, of 64 bits each. Frames overlap: the arguments of a call are the first slots of the callee.
pub struct Stack {
    reserve: Reserve,
    slots: usize,
}

impl Stack {
    /// A stack of that many slots; `None` if there is no address space left.
    pub fn new(slots: usize) -> Option<Stack> {
        Some(Stack { reserve: Reserve::new(slots * 8)?, slots })
    }

    /// Gives the memory back. There are no slots any more.
    pub fn release(&mut self) {
        self.slots = 0;
        self.reserve = Reserve::empty();
    }

    /// The address of a slot, for the interpreter's loop.
    #[inline(always)]
    pub fn slot(&self, index: usize) -> *mut u64 {
        debug_assert!(index < self.slots);
        self.reserve.base().cast::<u64>().wrapping_add(index)
    }

    /// The values of slots that lie one behind the other.
    #[inline(always)]
    pub fn slots(&self, first: usize, count: usize) -> &[u64] {
        assert!(first <= self.slots && count <= self.slots - first);
        // SAFETY: the slots lie within the reserve, whose memory is zero until it is written.
        unsafe { std::slice::from_raw_parts(self.slot(first), count) }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn slots_mut(&mut self, first: usize, count: usize) -> &mut [u64] {
        assert!(first <= self.slots && count <= self.slots - first);
        // SAFETY: as above, and `&mut self` has the slots to itself.
        unsafe { std::slice::from_raw_parts_mut(self.slot(first), count) }
    }

    /// The value of a slot.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u64 {
        assert!(index < self.slots);
        // SAFETY: the slot lies within the reserve.
        unsafe { *self.slot(index) }
    }

    /// Sets a slot.
    #[inline(always)]
    pub fn set(&mut self, index: usize, value: u64) {
        assert!(index < self.slots);
        // SAFETY: the slot lies within the reserve.
        unsafe { *self.slot(index) = value };
    }
}
