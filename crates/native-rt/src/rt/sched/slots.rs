//! Slots: where the memory of threads lies.
//!
//! A thread's slot follows from the thread that created it and from how many that one had created before, not from the order in which
//! threads happen to be created. So addresses are the same in every execution.

use crate::protocol::{HEAP_AT, SLOT_BYTES, SLOTS};
use crate::rt::base::layout::{
    ARGUMENTS_AT, ARGUMENTS_BYTES, BLOCK_TABLE, BLOCKS_AT, BLOCKS_BYTES, CALLS_AT, GUARD_BYTES, TLS_AT,
    slot_at,
};
use crate::rt::base::syscalls;
use crate::rt::sched::defect;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::runtime;
use crate::rt::sched::tls;
use core::cell::Cell;

/// Children of the first thread that have slots by number; those of others are spread over the rest.
const DIRECT: u32 = 512;

/// What is known of a slot.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Slot {
    /// Whether there is memory.
    mapped: bool,
    /// Whose it is: the parent's slot plus one, and which child.
    parent: u32,
    nth: u32,
    /// The least stack pointer that the last thread here has had; 0 if there was none.
    low: u64,
    /// The last thread here.
    thread: u32,
}

impl Slot {
    /// Whether there is memory.
    pub fn is_mapped(&self) -> bool {
        self.mapped
    }

    /// The last thread that had it.
    pub fn thread(&self) -> u32 {
        self.thread
    }
}

/// The slots.
#[repr(C)]
pub struct Slots(pub [Cell<Slot>; SLOTS as usize]);

/// The slot of the `nth` child of the thread in `parent`.
pub fn find(parent: u32, nth: u32) -> u32 {
    if parent == 0 && nth < DIRECT {
        let slot = nth + 1;
        return open(slot, 1, nth);
    }
    let room = SLOTS as u32 - DIRECT - 1;
    let mixed = u64::from(parent) << 32 | u64::from(nth);
    let mut slot = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32 % room;
    for _ in 0..room {
        let candidate = runtime().heap.slots.0[(DIRECT + 1 + slot) as usize].get();
        if !candidate.mapped || (candidate.parent, candidate.nth) == (parent + 1, nth) {
            return open(DIRECT + 1 + slot, parent + 1, nth);
        }
        slot = (slot + 1) % room;
    }
    defect::refuse(b"more different threads than there is room for")
}

/// Maps the memory of a slot if there is none.
pub fn open(slot: u32, parent: u32, nth: u32) -> u32 {
    let runtime = runtime();
    let entry = &runtime.heap.slots.0[slot as usize];
    if entry.get().mapped {
        return slot;
    }
    entry.set(Slot { mapped: true, parent, nth, low: 0, thread: 0 });
    let at = slot_at(slot) as usize;
    let blocks = (BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES) as usize;
    let all = syscalls::PROT_READ | syscalls::PROT_WRITE;
    let stack = if runs_on_stacks() { all | syscalls::PROT_EXEC } else { all };
    let calls_end = (ARGUMENTS_AT + ARGUMENTS_BYTES) as usize;
    let heap = HEAP_AT as usize;
    let mapped = syscalls::map(at, GUARD_BYTES as usize, syscalls::PROT_NONE)
        && syscalls::map(at + GUARD_BYTES as usize, calls_end - GUARD_BYTES as usize, stack)
        && syscalls::map(at + calls_end, heap - calls_end, syscalls::PROT_NONE)
        && syscalls::map(at + heap, SLOT_BYTES as usize - heap, all)
        && syscalls::map(blocks, BLOCKS_BYTES as usize, all);
    if !mapped {
        defect::refuse(b"there is not enough address space for the memory of the program's threads");
    }
    runtime.slots.set(runtime.slots.get().max(slot + 1));
    slot
}

/// Whether the program has code on its stacks, as it says itself: GNU C puts some there where the address of a function within
/// another one is taken.
fn runs_on_stacks() -> bool {
    let mut says_so = false;
    tls::modules(|_, name, segments, _| {
        let executable = |segment: &tls::Segment| segment.kind == tls::PT_GNU_STACK && segment.flags & 1 != 0;
        says_so |= name.is_empty() && segments.iter().any(executable);
    });
    says_so
}

/// The least stack pointer that the last thread in a slot has had.
pub fn low(slot: u32) -> u64 {
    let entry = &runtime().heap.slots.0[slot as usize];
    entry.replace(Slot { low: 0, ..entry.get() }).low
}

/// A slot is that of a thread now.
pub fn give(runtime: &Runtime, slot: u32, thread: u32) {
    runtime.heap.slots.0[slot as usize].update(|entry| Slot { thread, ..entry });
}

/// Notes how far the stack of the running thread went.
pub fn left(runtime: &Runtime, thread: u32) {
    let low = if thread == runtime.current.get() {
        runtime.low.get()
    } else {
        runtime.table[thread as usize].low.get()
    };
    let slot = runtime.table[thread as usize].slot.get();
    runtime.heap.slots.0[slot as usize].update(|entry| {
        let low = if entry.low == 0 { low } else { entry.low.min(low) };
        Slot { low, ..entry }
    });
}

const _: () = assert!(TLS_AT < CALLS_AT && BLOCK_TABLE < BLOCKS_BYTES);
