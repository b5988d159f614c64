//! The program's heap.
//!
//! Addresses follow from the thread that allocates and what it has allocated before, and no block is used again within an
//! execution. So equal schedules give equal addresses, and whoever uses a block that was freed, or bytes outside every
//! block, is found. New memory is zero.

use super::context::{Frame, export};
use super::layout::{BLOCK_TABLE, BLOCKS_AT, BLOCKS_BYTES, slot_at, slot_of};
use super::schedule::Operation;
use super::slots::Slots;
use super::state::runtime;
use super::{Runtime, defect, errno};
use crate::protocol::{DefectKind, HEAP_AT, How, Op, SLOT_BYTES, SLOTS, Space};

export! {
    malloc => allocate;
    calloc => allocate_zeroed;
    realloc => reallocate;
    reallocarray => reallocate_array;
    free => release;
    posix_memalign => aligned_into;
    aligned_alloc => aligned;
    memalign => aligned;
    valloc => page;
    malloc_usable_size => usable;
    // The operators of C++: new, new[], delete and delete[] in their forms.
    _Znwm => allocate_or_end;
    _Znam => allocate_or_end;
    _ZnwmRKSt9nothrow_t => allocate;
    _ZnamRKSt9nothrow_t => allocate;
    _ZnwmSt11align_val_t => aligned_new;
    _ZnamSt11align_val_t => aligned_new;
    _ZdlPv => release;
    _ZdaPv => release;
    _ZdlPvm => release;
    _ZdaPvm => release;
    _ZdlPvSt11align_val_t => release;
    _ZdaPvSt11align_val_t => release;
    _ZdlPvmSt11align_val_t => release;
    _ZdaPvmSt11align_val_t => release;
    _ZdlPvRKSt9nothrow_t => release;
    _ZdaPvRKSt9nothrow_t => release;
}

unsafe extern "C" {
    /// `malloc` as programs call it, for those of ours that are not called by the program itself.
    #[cfg(sojourner_rt)]
    #[link_name = "malloc"]
    pub fn by_name(size: usize) -> *mut u8;
}

#[cfg(not(sojourner_rt))]
pub unsafe fn by_name(_: usize) -> *mut u8 {
    core::ptr::null_mut()
}

const GRAIN: u64 = 16;

/// A block that was allocated.
#[repr(C)]
pub struct Block {
    pub start: u64,
    pub size: u64,
    /// Where it was allocated and, if it was, freed.
    pub allocated: u64,
    pub freed: u64,
    pub freed_by: u32,
    pub live: bool,
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
    heaps: [Heap; SLOTS as usize],
    /// How the first one stood when `main` was called.
    at_start: Heap,
}

fn block(slot: u32, number: u32) -> &'static mut Block {
    let table = BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + BLOCK_TABLE;
    // SAFETY: within the slot's table: its number is checked when the block is made.
    unsafe { &mut *((table + u64::from(number - 1) * size_of::<Block>() as u64) as *mut Block) }
}

/// The numbers of the blocks that the grains from an address on belong to.
fn owner(slot: u32, offset: u64) -> *mut u32 {
    (BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + offset / GRAIN * 4) as *mut u32
}

/// The block that an address lies in, or has lain in: its slot and number.
fn find(address: u64) -> Option<(u32, u32)> {
    let slot = slot_of(address)?;
    let offset = address - slot_at(slot);
    if offset < HEAP_AT || !runtime().heap.slots.0[slot as usize].is_mapped() {
        return None;
    }
    // SAFETY: every grain of a slot that is mapped has a number.
    let number = unsafe { *owner(slot, offset) };
    (number != 0).then_some((slot, number))
}

impl Heaps {
    /// From now on this is how the first heap stands at the start.
    pub fn keep(&mut self) -> (u64, u64) {
        self.at_start = self.heaps[0];
        (slot_at(0) + HEAP_AT, slot_at(0) + HEAP_AT + self.at_start.next)
    }

    /// Forgets all blocks that were allocated since then.
    pub fn restore(&mut self, slots: u32) {
        for slot in 0..slots {
            let mut start = Heap { next: 0, used: 0, blocks: 0 };
            if slot == 0 {
                start = self.at_start;
            }
            let heap = &mut self.heaps[slot as usize];
            if heap.next > start.next {
                let grains = (heap.next - start.next) / GRAIN;
                // SAFETY: the numbers of the grains that were given out.
                unsafe { owner(slot, HEAP_AT + start.next).write_bytes(0, grains as usize) };
            }
            (heap.next, heap.blocks) = (start.next, start.blocks);
        }
        for number in 1..=self.at_start.blocks {
            block(0, number).live |= block(0, number).freed_by != u32::MAX;
        }
    }
}

fn make(size: u64, align: u64, place: u64) -> u64 {
    super::prepare_once();
    let runtime = runtime();
    let slot = if runtime.running { runtime.thread().slot } else { 0 };
    let heap = &mut runtime.heap.heaps[slot as usize];
    let start = (HEAP_AT + heap.next).next_multiple_of(align.max(GRAIN));
    let Some(end) = start.checked_add(size.max(1)).map(|end| end.next_multiple_of(GRAIN)) else { return 0 };
    let table_full = u64::from(heap.blocks + 1) * size_of::<Block>() as u64 > BLOCKS_BYTES - BLOCK_TABLE;
    if end + GRAIN > SLOT_BYTES || table_full {
        return 0;
    }
    heap.blocks += 1;
    let number = heap.blocks;
    // A grain between two blocks belongs to nobody.
    heap.next = end + GRAIN - HEAP_AT;
    let dirty = heap.used;
    heap.used = dirty.max(heap.next);
    let address = slot_at(slot) + start;
    // SAFETY: the block was given to nobody, and its grains have numbers.
    unsafe {
        let first = owner(slot, start);
        for grain in 0..((end - start) / GRAIN) as usize {
            *first.add(grain) = number;
        }
        let stale = (HEAP_AT + dirty).saturating_sub(start).min(end - start);
        core::ptr::write_bytes(address as *mut u8, 0, stale as usize);
    }
    *block(slot, number) =
        Block { start: address, size, allocated: place, freed: 0, freed_by: 0, live: true };
    address
}

fn place() -> u64 {
    let frame = Frame::here();
    let runtime = runtime();
    if runtime.running { runtime.place(frame) } else { 0 }
}

fn or_errno(address: u64) -> u64 {
    if address == 0 {
        errno::set(errno::ENOMEM);
    }
    address
}

extern "C" fn allocate(size: u64) -> u64 {
    super::prepare_once();
    or_errno(make(size, GRAIN, place()))
}

extern "C" fn allocate_zeroed(count: u64, size: u64) -> u64 {
    super::prepare_once();
    match count.checked_mul(size) {
        Some(bytes) => or_errno(make(bytes, GRAIN, place())),
        None => or_errno(0),
    }
}

/// What `new` does. The exception for too little memory would have to come from the C++ library: it is a refusal.
extern "C" fn allocate_or_end(size: u64) -> u64 {
    super::prepare_once();
    match make(size, GRAIN, place()) {
        0 => defect::refuse(b"operator new with more memory than there is"),
        address => address,
    }
}

extern "C" fn aligned_new(size: u64, align: u64) -> u64 {
    super::prepare_once();
    match make(size, align, place()) {
        0 => defect::refuse(b"operator new with more memory than there is"),
        address => address,
    }
}

extern "C" fn reallocate(address: u64, size: u64) -> u64 {
    super::prepare_once();
    grow(Frame::here(), address, size)
}

extern "C" fn reallocate_array(address: u64, count: u64, size: u64) -> u64 {
    super::prepare_once();
    match count.checked_mul(size) {
        Some(bytes) => grow(Frame::here(), address, bytes),
        None => or_errno(0),
    }
}

fn grow(frame: &Frame, address: u64, size: u64) -> u64 {
    let runtime = runtime();
    let place = if runtime.running { runtime.place(frame) } else { 0 };
    if address == 0 {
        return or_errno(make(size, GRAIN, place));
    }
    let old = match find(address) {
        Some((slot, number)) if block(slot, number).start == address && block(slot, number).live => {
            block(slot, number).size
        }
        _ => {
            give_back(frame, address);
            return 0;
        }
    };
    let new = make(size, GRAIN, place);
    if new != 0 {
        // SAFETY: two blocks of at least that many bytes.
        unsafe {
            core::ptr::copy_nonoverlapping(address as *const u8, new as *mut u8, old.min(size) as usize);
        };
        give_back(frame, address);
    }
    or_errno(new)
}

extern "C" fn aligned(align: u64, size: u64) -> u64 {
    super::prepare_once();
    if !align.is_power_of_two() {
        errno::set(errno::EINVAL);
        return 0;
    }
    or_errno(make(size, align, place()))
}

extern "C" fn aligned_into(out: *mut u64, align: u64, size: u64) -> i32 {
    super::prepare_once();
    if !align.is_power_of_two() || align < 8 {
        return errno::EINVAL;
    }
    match make(size, align, place()) {
        0 => errno::ENOMEM,
        address => {
            // SAFETY: the program passes where the address goes.
            unsafe { *out = address };
            0
        }
    }
}

extern "C" fn page(size: u64) -> u64 {
    super::prepare_once();
    or_errno(make(size, 4096, place()))
}

extern "C" fn usable(address: u64) -> u64 {
    find(address).map_or(0, |(slot, number)| block(slot, number).size)
}

extern "C" fn release(address: u64) {
    super::prepare_once();
    if address != 0 {
        give_back(Frame::here(), address);
    }
}

fn give_back(frame: &Frame, address: u64) {
    let runtime = runtime();
    let Some((slot, number)) = find(address) else {
        if runtime.running {
            defect::memory(DefectKind::BadFree, address, None, b"frees what was not allocated");
        }
        return;
    };
    let before = block(slot, number);
    if before.start != address {
        defect::memory(DefectKind::BadFree, address, Some(before), b"frees an address within a block");
    }
    // Of a free within a library nobody else can be told: the library may hold a lock of its own.
    let own = frame.place >= runtime.text.0 && frame.place < runtime.text.1;
    if runtime.running && own {
        Operation::new(Op::Free, How::Write, address, 0).take(frame);
    }
    let runtime = super::state::runtime();
    let before = block(slot, number);
    if !before.live {
        defect::memory(DefectKind::BadFree, address, Some(before), b"frees a block that has been freed");
    }
    before.live = false;
    (before.freed, before.freed_by) =
        if runtime.running { (runtime.place(frame), runtime.current) } else { (0, u32::MAX) };
}

/// Checks that an operation stays within a block that has not been freed, if it touches the heap. The block's number.
#[inline]
pub fn check(runtime: &mut Runtime, operation: Operation, _place: u64) -> u32 {
    let Some(slot) = slot_of(operation.object) else { return 0 };
    check_in(runtime, operation, slot)
}

fn check_in(runtime: &mut Runtime, operation: Operation, slot: u32) -> u32 {
    let offset = operation.object - slot_at(slot);
    if offset < HEAP_AT
        || matches!(operation.op.space(), Space::Thread)
        || !runtime.heap.slots.0[slot as usize].is_mapped()
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
    if !block.live {
        defect::memory(
            DefectKind::UseAfterFree,
            operation.object,
            Some(block),
            b"uses a block that has been freed",
        );
    }
    if operation.object + u64::from(operation.size) > block.start + block.size {
        defect::memory(
            DefectKind::OutOfBounds,
            operation.object,
            Some(block),
            b"touches memory behind the end of a block",
        );
    }
    number
}

/// The size of the block that begins at an address.
pub fn size_of_block(address: u64) -> u64 {
    find(address).map_or(0, |(slot, number)| block(slot, number).size)
}
