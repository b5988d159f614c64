//! The program's heap.
//!
//! Addresses follow from the thread that allocates and what it has allocated before, and no block is used again within an
//! execution. So equal schedules give equal addresses, and a use of a block that was freed, or of bytes outside every block, is found. New
//! memory is zero.

use crate::protocol::{DefectKind, HEAP_AT, Op, RequestedStacks, SLOT_BYTES, SLOTS, STACK_END, Space};
use crate::rt::base::layout::{BLOCK_TABLE, BLOCKS_AT, BLOCKS_BYTES, slot_at, slot_of};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::slots::Slots;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Thread, header, runtime};
use core::cell::Cell;

/// The unit of the heap, in bytes.
pub const GRAIN: u64 = 16;

/// The code that allocates: its place, and whether it is the program's own.
#[derive(Clone, Copy)]
pub struct By {
    pub place: u64,
    pub own: bool,
}

/// What is known of how a block can be reached.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Nothing yet: no way is known.
    Unknown = 0,
    /// The program can.
    Program,
    /// The program cannot, and no other block refers to it.
    Nobody,
    /// Only other blocks refer to it that the program cannot reach.
    Lost,
}

/// A block that was allocated.
#[repr(C)]
pub struct Block {
    pub start: Cell<u64>,
    pub size: Cell<u64>,
    /// Where it was allocated.
    pub allocated: Cell<u64>,
    /// While leaks are looked for: the next block to look into, or how many bytes are lost with it.
    pub next: Cell<u64>,
    pub live: Cell<bool>,
    /// Whether the program's own code allocated it, and not a library on its behalf.
    pub own: Cell<bool>,
    /// Whether it was freed in an execution: if it was there before `main`, it is there again in the next one.
    pub freed: Cell<bool>,
    /// What is known of how it can be reached.
    pub reach: Cell<Reach>,
}

impl Block {
    /// It is allocated.
    fn begin(&self, start: u64, size: u64, by: By) {
        self.start.set(start);
        self.size.set(size);
        self.allocated.set(by.place);
        self.next.set(0);
        self.live.set(true);
        self.own.set(by.own);
        self.freed.set(false);
        self.reach.set(Reach::Unknown);
    }

    /// The address behind it.
    fn end(&self) -> u64 {
        self.start.get() + self.size.get()
    }
}

/// How far a slot's heap has come.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Heap {
    /// Where the next block may begin, from the start of the heap.
    next: u64,
    /// What has been used in any execution.
    used: u64,
    blocks: u32,
}

/// The heaps of all slots, and the slots themselves.
#[repr(C)]
pub struct Heaps {
    pub slots: Slots,
    heaps: [Cell<Heap>; SLOTS as usize],
    /// How the first one stood when `main` was called.
    at_start: Cell<Heap>,
    /// Blocks that the program's own code has allocated since then and not freed.
    pub own_live: Cell<u32>,
}

/// A block, by its number in a slot.
pub fn block(slot: u32, number: u32) -> &'static Block {
    let table = BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + BLOCK_TABLE;
    // SAFETY: within the slot's table: its number is checked when the block is made. All of it lies in cells.
    unsafe { &*((table + u64::from(number - 1) * size_of::<Block>() as u64) as *const Block) }
}

/// The numbers of the blocks that the grains from an address on belong to.
fn owner(slot: u32, offset: u64) -> *mut u32 {
    (BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + offset / GRAIN * 4) as *mut u32
}

/// The block that an address lies in, or has lain in: its slot and number.
pub fn find(address: u64) -> Option<(u32, u32)> {
    let slot = slot_of(address)?;
    let offset = address - slot_at(slot);
    if offset < HEAP_AT || !runtime().heap.slots.0[slot as usize].get().is_mapped() {
        return None;
    }
    // SAFETY: every grain of a slot that is mapped has a number.
    let number = unsafe { *owner(slot, offset) };
    (number != 0).then_some((slot, number))
}

impl Heaps {
    /// From now on this is how the first heap stands at the start.
    pub fn keep(&self) -> (u64, u64) {
        self.at_start.set(self.heaps[0].get());
        (slot_at(0) + HEAP_AT, slot_at(0) + HEAP_AT + self.at_start.get().next)
    }

    /// Forgets all blocks that were allocated since then.
    pub fn restore(&self, slots: u32) {
        for slot in 0..slots {
            let mut start = Heap { next: 0, used: 0, blocks: 0 };
            if slot == 0 {
                start = self.at_start.get();
            }
            let heap = self.heaps[slot as usize].get();
            if heap.next > start.next {
                let grains = (heap.next - start.next) / GRAIN;
                // SAFETY: the numbers of the grains that were given out.
                unsafe { owner(slot, HEAP_AT + start.next).write_bytes(0, grains as usize) };
            }
            self.heaps[slot as usize].set(Heap { used: heap.used, ..start });
        }
        for number in 1..=self.at_start.get().blocks {
            let block = block(0, number);
            if block.freed.take() {
                block.live.set(true);
            }
        }
        self.own_live.set(0);
    }

    /// Forgets which block each grain belongs to that was given out since then: what is gone back to knows its own.
    pub fn forget(&self) {
        self.restore(runtime().slots.get());
    }

    /// Calls `look` with what has to be copied to come back to these heaps.
    pub fn each_part(&self, slots: u32, mut look: impl FnMut(u64, u64)) {
        for slot in 0..slots {
            let start = if slot == 0 { self.at_start.get().next } else { 0 };
            let Heap { next, blocks, .. } = self.heaps[slot as usize].get();
            if blocks == 0 {
                continue;
            }
            let at = slot_at(slot) + HEAP_AT;
            look(at + start, at + next);
            look(owner(slot, HEAP_AT + start) as u64, owner(slot, HEAP_AT + next) as u64);
            let first = block(slot, 1) as *const Block as u64;
            look(first, first + u64::from(blocks) * size_of::<Block>() as u64);
            // What has been used in any execution stays.
            let heap = self.heaps[slot as usize].as_ptr() as u64;
            let next = heap + core::mem::offset_of!(Heap, next) as u64;
            let blocks = heap + core::mem::offset_of!(Heap, blocks) as u64;
            look(next, next + size_of::<u64>() as u64);
            look(blocks, blocks + size_of::<u32>() as u64);
        }
        let from = &raw const self.own_live as u64;
        look(from, from + size_of::<u32>() as u64);
    }

    /// Calls `look` with the slot and number of each block that was allocated since `main` was called and not freed.
    pub fn each_live(&self, slots: u32, mut look: impl FnMut(u32, u32)) {
        for slot in 0..slots {
            let before = if slot == 0 { self.at_start.get().blocks } else { 0 };
            for number in before + 1..=self.heaps[slot as usize].get().blocks {
                if block(slot, number).live.get() {
                    look(slot, number);
                }
            }
        }
    }

    /// Whether a block was there when `main` was called.
    pub fn is_early(&self, slot: u32, number: u32) -> bool {
        slot == 0 && number <= self.at_start.get().blocks
    }
}

/// A block's slot and number.
pub fn identity(block: &Block) -> (u32, u32) {
    find(block.start.get()).unwrap_or((0, 0))
}

/// Makes a block. Its address, or 0 if there is no room.
pub fn make(size: u64, align: u64, by: By) -> u64 {
    let runtime = runtime();
    let slot = if runtime.running.get() { runtime.thread().slot.get() } else { 0 };
    let mut heap = runtime.heap.heaps[slot as usize].get();
    let start = (HEAP_AT + heap.next).next_multiple_of(align.max(GRAIN));
    let Some(end) = start.checked_add(size.max(1)).map(|end| end.next_multiple_of(GRAIN)) else { return 0 };
    let table_full = u64::from(heap.blocks + 1) * size_of::<Block>() as u64 > BLOCKS_BYTES - BLOCK_TABLE;
    if end + GRAIN > SLOT_BYTES || table_full {
        return 0;
    }
    heap.blocks += 1;
    let number = heap.blocks;
    // A grain between two blocks belongs to neither.
    heap.next = end + GRAIN - HEAP_AT;
    let dirty = heap.used;
    heap.used = dirty.max(heap.next);
    runtime.heap.heaps[slot as usize].set(heap);
    let address = slot_at(slot) + start;
    // SAFETY: the block was not handed out, and its grains have numbers.
    unsafe {
        let first = owner(slot, start);
        for grain in 0..((end - start) / GRAIN) as usize {
            *first.add(grain) = number;
        }
        let stale = (HEAP_AT + dirty).saturating_sub(start).min(end - start);
        core::ptr::write_bytes(address as *mut u8, 0, stale as usize);
    }
    let By { place, own } = by;
    block(slot, number).begin(address, size, by);
    runtime.heap.own_live.update(|own_live| own_live + u32::from(own));
    if number == runtime.watch.get().block && slot == runtime.watch.get().slot {
        let allocation = defect::watched(runtime, place);
        header().watched.update(|watched| RequestedStacks { allocation, ..watched });
    }
    address
}

/// Checks that an operation stays within a block that has not been freed, if it touches the heap. The block's number.
#[inline]
pub fn check(runtime: &Runtime, operation: Operation, _place: u64) -> u32 {
    let Some(slot) = slot_of(operation.object) else { return 0 };
    check_in(runtime, operation, slot)
}

fn check_in(runtime: &Runtime, operation: Operation, slot: u32) -> u32 {
    let offset = operation.object - slot_at(slot);
    if foreign_stack(runtime, operation).is_some() {
        check_stack(operation, slot);
    }
    if offset < HEAP_AT
        || !touches_memory(operation.op)
        || !runtime.heap.slots.0[slot as usize].get().is_mapped()
    {
        return 0;
    }
    // SAFETY: every grain of a slot that is mapped has a number.
    let number = unsafe { *owner(slot, offset) };
    if operation.op == Op::Free {
        return number;
    }
    if number == 0 {
        defect::memory(
            DefectKind::OutOfBounds,
            operation.object,
            None,
            b"touches memory outside every block",
        );
    }
    let block = block(slot, number);
    check_live(operation, block);
    if operation.object + u64::from(operation.size) > block.end() {
        defect::memory(
            DefectKind::OutOfBounds,
            operation.object,
            Some(block),
            b"touches memory behind the end of a block",
        );
    }
    number
}

/// Whether an operation that has an address does something with what lies there. To wake the waiters of a futex does not: the C++ library
/// wakes those of a semaphore that the woken thread has destroyed by then.
#[inline]
fn touches_memory(op: Op) -> bool {
    op != Op::FutexWake && op.space() != Space::Thread
}

/// The slot of the thread on whose stack an operation touches something, if it is not the running one.
#[inline]
pub fn foreign_stack(runtime: &Runtime, operation: Operation) -> Option<u32> {
    let slot = slot_of(operation.object)?;
    let on_stack = operation.object - slot_at(slot) < HEAP_AT && touches_memory(operation.op);
    (on_stack && slot != runtime.thread().slot.get()).then_some(slot)
}

/// Checks that the stack that an operation touches is that of a thread which has not ended. What `main` has on its stack is there
/// until it returns, also if its thread ends.
pub fn check_stack(operation: Operation, slot: u32) {
    let runtime = runtime();
    let lives = |thread: u32| !runtime.table[thread as usize].finished.get();
    if slot != runtime.table[0].slot.get() && !runtime.in_slot(slot).is_some_and(lives) {
        defect::memory(
            DefectKind::OutOfBounds,
            operation.object,
            None,
            b"touches the stack of a thread that has ended",
        );
    }
}

/// Checks that what an operation touches on a stack belongs to a function that has not returned.
#[inline]
pub fn check_depth(runtime: &Runtime, operation: Operation) {
    if let Some(slot) = slot_of(operation.object)
        && operation.object - slot_at(slot) < STACK_END
        && touches_memory(operation.op)
    {
        let owner = runtime.in_slot(slot).map(|owner| &runtime.table[owner as usize]);
        let gone = |owner: &Thread| {
            let returned = !owner.leaves.get() && operation.object < owner.in_use();
            !owner.finished.get() && (owner.was_mains(operation.object) || returned)
        };
        if owner.is_some_and(gone) {
            returned(operation.object);
        }
    }
}

/// The running thread touches a variable of a function that has returned.
#[cold]
pub fn returned(address: u64) -> ! {
    defect::memory(
        DefectKind::OutOfBounds,
        address,
        None,
        b"touches a variable of a function that has returned",
    )
}

/// Checks that the block has not been freed while the operation was put off: others may have moved in between.
#[inline]
pub fn check_again(operation: Operation, number: u32) {
    if operation.op != Op::Free
        && let Some(slot) = slot_of(operation.object)
    {
        check_live(operation, block(slot, number));
    }
}

fn check_live(operation: Operation, block: &Block) {
    if !block.live.get() {
        defect::memory(
            DefectKind::UseAfterFree,
            operation.object,
            Some(block),
            b"uses a block that has been freed",
        );
    }
}

/// The size of the block that begins at an address.
pub fn size_of_block(address: u64) -> u64 {
    find(address).map_or(0, |(slot, number)| block(slot, number).size.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::slots;
    use crate::rt::sched::state::new_state;

    /// One test, because all share the addresses of the slots. Miri has no memory at fixed addresses.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn blocks_have_fixed_addresses_and_are_not_used_again() {
        let runtime = new_state();
        slots::open(0, 0, 0);
        let by = By { place: 0x4000, own: true };
        let first = make(24, GRAIN, by);
        let second = make(8, 256, by);
        assert_eq!(first, slot_at(0) + HEAP_AT);
        assert!(second > first + 24 && second.is_multiple_of(256));
        assert_eq!((find(first), find(first + 23), find(second)), (Some((0, 1)), Some((0, 1)), Some((0, 2))));
        // Between two blocks lies a grain of no block.
        assert_eq!(find(first + 32), None);
        assert_eq!((size_of_block(first), size_of_block(second)), (24, 8));
        assert_eq!(runtime.heap.own_live.get(), 2);

        runtime.heap.keep();
        let early = block(0, 1);
        early.live.set(false);
        early.freed.set(true);
        let late = make(100, GRAIN, by);
        assert!(runtime.heap.is_early(0, 2) && !runtime.heap.is_early(0, 3));
        let mut live = 0;
        runtime.heap.each_live(1, |_, _| live += 1);
        assert_eq!(live, 1);
        // SAFETY: a block of 100 bytes.
        unsafe { *(late as *mut u8) = 7 };

        runtime.heap.restore(1);
        assert!(early.live.get() && find(late).is_none());
        assert_eq!(make(100, GRAIN, by), late);
        // SAFETY: as above.
        assert_eq!(unsafe { *(late as *const u8) }, 0);
    }
}
