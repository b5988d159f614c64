//! Where the runtime's own memory lies.
//!
//! Programs are linked at low addresses and their libraries come at the top. There is ample room in between.

use crate::protocol::{HEAP_AT, REGION_BYTES, SLOT_BYTES, SLOTS, SLOTS_AT, STACK_END};

/// The region that is shared with the driver.
pub const REGION_AT: usize = 0x0600_0000_0000;
/// The state of the runtime.
pub const STATE_AT: usize = 0x0700_0000_0000;
/// Where the stubs leave the address of the registers that they save: the first word of the state.
pub const FRAME_AT: usize = STATE_AT;
/// Room for the state.
pub const STATE_BYTES: usize = 64 << 20;
/// Where the cells of the state are lent, in checked builds: the last page of that room.
pub const LOANS_AT: usize = STATE_AT + STATE_BYTES - 4096;
/// What is known of a thread that is stepped through: no part of the state that is compared then.
pub const HANG_AT: usize = LOANS_AT - 4096;
/// Copies of states that executions go on from.
pub const CHECKPOINTS_AT: usize = STATE_AT + (1 << 29);
/// The stack on which signals are handled.
pub const SIGNAL_STACK_AT: usize = STATE_AT + (1 << 30);
/// The size of that stack.
pub const SIGNAL_STACK_BYTES: usize = 256 << 10;
/// The images of thread-local storage.
pub const TEMPLATES_AT: usize = STATE_AT + (3 << 29);
/// What the program's memory held when `main` was called.
pub const SNAPSHOT_AT: usize = STATE_AT + (2 << 30);
/// Room for that.
pub const SNAPSHOT_BYTES: usize = 16 << 30;
/// What is known of the blocks of each slot's heap.
pub const BLOCKS_AT: u64 = 0x0800_0000_0000;
/// Room for that in each slot: for every 16 bytes the number of the block, then the blocks.
pub const BLOCKS_BYTES: u64 = 1 << 31;
/// Where in it the blocks begin.
pub const BLOCK_TABLE: u64 = SLOT_BYTES / 16 * 4;
/// Bytes at the lower end of a slot that are never used, so that a stack that grows too large is noticed.
pub const GUARD_BYTES: u64 = 64 << 10;
/// Where in a slot thread-local storage lies.
pub const TLS_AT: u64 = STACK_END;
/// Room for it, with the values of keys: 16 MB are the program's.
pub const TLS_BYTES: u64 = 17 << 20;
/// Where in a slot the calls that a thread is in are kept.
pub const CALLS_AT: u64 = TLS_AT + TLS_BYTES;
/// Room for them.
pub const CALLS_BYTES: u64 = 4 << 20;

/// Where in the first slot the arguments of `main` are copied to.
pub const ARGUMENTS_AT: u64 = CALLS_AT + CALLS_BYTES;
/// Room for them.
pub const ARGUMENTS_BYTES: u64 = 1 << 20;

const _: () = assert!(ARGUMENTS_AT + ARGUMENTS_BYTES <= HEAP_AT);
const _: () = assert!(REGION_AT + REGION_BYTES <= STATE_AT);
const _: () = assert!(BLOCKS_AT + SLOTS * BLOCKS_BYTES <= SLOTS_AT);

/// Where a slot begins.
pub const fn slot_at(slot: u32) -> u64 {
    SLOTS_AT + slot as u64 * SLOT_BYTES
}

/// The slot that an address lies in.
#[inline]
pub fn slot_of(address: u64) -> Option<u32> {
    let offset = address.wrapping_sub(SLOTS_AT);
    (offset < SLOTS * SLOT_BYTES).then_some((offset / SLOT_BYTES) as u32)
}
