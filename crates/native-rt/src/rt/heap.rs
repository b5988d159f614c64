//! The program's heap.
//!
//! Addresses follow from the thread that allocates and what it has allocated before, and no block is used again within an
//! execution. So equal schedules give equal addresses, and whoever uses a block that was freed, or bytes outside every
//! block, is found. New memory is zero.

use super::context::{Frame, export};
use super::kept::Kept;
use super::layout::{BLOCK_TABLE, BLOCKS_AT, BLOCKS_BYTES, slot_at, slot_of};
use super::leaks::Reach;
use super::schedule::Operation;
use super::slots::Slots;
use super::state::{Thread, header, runtime};
use super::{Runtime, defect, errno};
use crate::protocol::{DefectKind, HEAP_AT, How, Op, SLOT_BYTES, SLOTS, STACK_END, Space};

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
    // The operators of C++: new and delete, as far as they do not call each other.
    _Znwm => new;
    _ZnwmRKSt9nothrow_t => new_or_null;
    _ZnwmSt11align_val_t => aligned_new;
    _ZdlPv => delete;
    _ZdlPvSt11align_val_t => delete_aligned;
}

/// The other operators of C++, in terms of those above or of what the program defines in their place.
macro_rules! forwarded {
    ($($name:ident => $to:literal;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(super::names::listed!($name), concat!("jmp ", $to))
        }
    )* };
}

forwarded! {
    _Znam => "_Znwm";
    _ZnamRKSt9nothrow_t => "_ZnwmRKSt9nothrow_t";
    _ZnamSt11align_val_t => "_ZnwmSt11align_val_t";
    _ZdaPv => "_ZdlPv";
    _ZdlPvm => "_ZdlPv";
    _ZdaPvm => "_ZdaPv";
    _ZdlPvRKSt9nothrow_t => "_ZdlPv";
    _ZdaPvRKSt9nothrow_t => "_ZdaPv";
    _ZdaPvSt11align_val_t => "_ZdlPvSt11align_val_t";
    _ZdlPvmSt11align_val_t => "_ZdlPvSt11align_val_t";
    _ZdaPvmSt11align_val_t => "_ZdaPvSt11align_val_t";
}

/// Functions that the program may define in place of ours, and that others of ours call.
#[derive(Clone, Copy)]
pub struct Programs {
    malloc: Option<extern "C" fn(u64) -> u64>,
    free: Option<extern "C" fn(u64)>,
    new: Option<extern "C" fn(u64) -> u64>,
}

static PROGRAMS: Kept<Option<Programs>> = Kept::new(None);

/// The functions that the program defines itself. Asked before `main` is called, so that no execution has to look for them.
pub fn programs() -> Programs {
    let replaced = |name: &[u8], now: *const ()| super::names::own(name) != Some(now as usize);
    *PROGRAMS.get().get_or_insert_with(|| {
        let (malloc, free, new) = (malloc as *const (), free as *const (), _Znwm as *const ());
        // SAFETY: what has these names has these types.
        unsafe {
            Programs {
                malloc: replaced(b"malloc", malloc).then(|| core::mem::transmute(malloc)),
                free: replaced(b"free", free).then(|| core::mem::transmute(free)),
                new: replaced(b"_Znwm", new).then(|| core::mem::transmute(new)),
            }
        }
    })
}

const GRAIN: u64 = 16;

/// A block that was allocated.
#[repr(C)]
pub struct Block {
    pub start: u64,
    pub size: u64,
    /// Where it was allocated.
    pub allocated: u64,
    /// While leaks are looked for: the next block to look into, or how many bytes are lost with it.
    pub next: u64,
    pub live: bool,
    /// Whether the program's own code allocated it, and not a library on its behalf.
    pub own: bool,
    /// Whether it was freed in an execution: if it was there before `main`, it is there again in the next one.
    freed: bool,
    /// What is known of who can reach it.
    pub reach: super::leaks::Reach,
}

/// Who allocates.
#[derive(Clone, Copy)]
struct By {
    place: u64,
    own: bool,
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
    /// Blocks that the program's own code has allocated since then and nobody has freed.
    pub own_live: u32,
}

pub fn block(slot: u32, number: u32) -> &'static mut Block {
    let table = BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + BLOCK_TABLE;
    // SAFETY: within the slot's table: its number is checked when the block is made.
    unsafe { &mut *((table + u64::from(number - 1) * size_of::<Block>() as u64) as *mut Block) }
}

/// The numbers of the blocks that the grains from an address on belong to.
fn owner(slot: u32, offset: u64) -> *mut u32 {
    (BLOCKS_AT + u64::from(slot) * BLOCKS_BYTES + offset / GRAIN * 4) as *mut u32
}

/// The block that an address lies in, or has lain in: its slot and number.
pub fn find(address: u64) -> Option<(u32, u32)> {
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
            let block = block(0, number);
            block.live |= core::mem::take(&mut block.freed);
        }
        self.own_live = 0;
    }

    /// Forgets which block each grain belongs to that was given out since then: what is gone back to knows its own.
    pub fn forget(&mut self) {
        self.restore(runtime().slots);
    }

    /// Calls `look` with what has to be copied to come back to these heaps.
    pub fn each_part(&self, slots: u32, mut look: impl FnMut(u64, u64)) {
        for slot in 0..slots {
            let start = if slot == 0 { self.at_start.next } else { 0 };
            let Heap { next, blocks, .. } = self.heaps[slot as usize];
            if blocks == 0 {
                continue;
            }
            let at = slot_at(slot) + HEAP_AT;
            look(at + start, at + next);
            look(owner(slot, HEAP_AT + start) as u64, owner(slot, HEAP_AT + next) as u64);
            let first = block(slot, 1) as *const Block as u64;
            look(first, first + u64::from(blocks) * size_of::<Block>() as u64);
            // What has been used in any execution stays.
            let heap = &self.heaps[slot as usize];
            let (next, blocks) = (&raw const heap.next as u64, &raw const heap.blocks as u64);
            look(next, next + size_of::<u64>() as u64);
            look(blocks, blocks + size_of::<u32>() as u64);
        }
        let from = &raw const self.own_live as u64;
        look(from, from + size_of::<u32>() as u64);
    }

    /// Calls `look` with the slot and number of each block that was allocated since `main` was called and not freed.
    pub fn each_live(&self, slots: u32, mut look: impl FnMut(u32, u32)) {
        for slot in 0..slots {
            let before = if slot == 0 { self.at_start.blocks } else { 0 };
            for number in before + 1..=self.heaps[slot as usize].blocks {
                if block(slot, number).live {
                    look(slot, number);
                }
            }
        }
    }

    /// Whether a block was there when `main` was called.
    pub fn is_early(&self, slot: u32, number: u32) -> bool {
        slot == 0 && number <= self.at_start.blocks
    }
}

/// A block's slot and number.
pub fn identity(block: &Block) -> (u32, u32) {
    find(block.start).unwrap_or((0, 0))
}

fn make(size: u64, align: u64, by: By) -> u64 {
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
    let By { place, own } = by;
    let reach = Reach::Unknown;
    *block(slot, number) =
        Block { start: address, size, allocated: place, next: 0, live: true, own, freed: false, reach };
    runtime.heap.own_live += u32::from(own);
    if number == runtime.watch.block && slot == runtime.watch.slot {
        header().watched.allocation = defect::watched(runtime, place);
    }
    address
}

/// Who calls a function of this file.
fn caller() -> By {
    by(Frame::here())
}

fn by(frame: &Frame) -> By {
    let runtime = runtime();
    if !runtime.running {
        return By { place: 0, own: false };
    }
    By { place: runtime.place(frame), own: runtime.is_own(frame.place) }
}

/// A block that the runtime needs on its own account: nobody has to free it.
pub fn allocate_own(size: u64) -> u64 {
    make(size, GRAIN, By { place: 0, own: false })
}

/// A block for another function of ours, which the program has called. Where the program has a `malloc` of its own, the C library
/// would call that, and the program's `free` expects it.
pub fn allocate_for(frame: &Frame, size: u64) -> u64 {
    match programs().malloc {
        Some(malloc) => malloc(size),
        None => or_errno(make(size, GRAIN, by(frame))),
    }
}

fn or_errno(address: u64) -> u64 {
    if address == 0 {
        errno::set(errno::ENOMEM);
    }
    address
}

extern "C" fn allocate(size: u64) -> u64 {
    super::prepare_once();
    or_errno(make(size, GRAIN, caller()))
}

extern "C" fn allocate_zeroed(count: u64, size: u64) -> u64 {
    super::prepare_once();
    match count.checked_mul(size) {
        Some(bytes) => or_errno(make(bytes, GRAIN, caller())),
        None => or_errno(0),
    }
}

/// What `new` does. The exception for too little memory would have to come from the C++ library: it is a refusal.
extern "C" fn new(size: u64) -> u64 {
    super::prepare_once();
    match allocate_for(Frame::here(), size) {
        0 => defect::refuse(b"operator new with more memory than there is"),
        address => address,
    }
}

extern "C" fn new_or_null(size: u64) -> u64 {
    super::prepare_once();
    match programs().new {
        Some(new) => new(size),
        None => allocate_for(Frame::here(), size),
    }
}

extern "C" fn aligned_new(size: u64, align: u64) -> u64 {
    super::prepare_once();
    match make(size, align, caller()) {
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
    if address == 0 {
        return or_errno(make(size, GRAIN, by(frame)));
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
    let new = make(size, GRAIN, by(frame));
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
    or_errno(make(size, align, caller()))
}

extern "C" fn aligned_into(out: *mut u64, align: u64, size: u64) -> i32 {
    super::prepare_once();
    if !align.is_power_of_two() || align < 8 {
        return errno::EINVAL;
    }
    match make(size, align, caller()) {
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
    or_errno(make(size, 4096, caller()))
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

extern "C" fn delete(address: u64) {
    super::prepare_once();
    match programs().free {
        Some(free) => free(address),
        None => release(address),
    }
}

/// What was aligned is a block of ours, unless the program has a `free` that takes it.
extern "C" fn delete_aligned(address: u64) {
    super::prepare_once();
    match (programs().free, find(address)) {
        (Some(free), None) => free(address),
        _ => release(address),
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
    if runtime.running && runtime.is_own(frame.place) {
        Operation::new(Op::Free, How::Write, address, 0).take(frame);
    }
    let runtime = super::state::runtime();
    let before = block(slot, number);
    if !before.live {
        defect::memory(DefectKind::BadFree, address, Some(before), b"frees a block that has been freed");
    }
    (before.live, before.freed) = (false, runtime.running);
    runtime.heap.own_live -= u32::from(before.own);
    if (slot, number) == (runtime.watch.slot, runtime.watch.block) {
        header().watched.release = defect::watched(runtime, runtime.place(frame));
    }
}

/// Checks that an operation stays within a block that has not been freed, if it touches the heap. The block's number.
#[inline]
pub fn check(runtime: &mut Runtime, operation: Operation, _place: u64) -> u32 {
    let Some(slot) = slot_of(operation.object) else { return 0 };
    check_in(runtime, operation, slot)
}

fn check_in(runtime: &mut Runtime, operation: Operation, slot: u32) -> u32 {
    let offset = operation.object - slot_at(slot);
    if foreign_stack(runtime, operation).is_some() {
        check_stack(operation, slot);
    }
    if offset < HEAP_AT || !touches_memory(operation.op) || !runtime.heap.slots.0[slot as usize].is_mapped() {
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

/// Whether an operation that has an address does something with what lies there. Who wakes the waiters of a futex does not: the
/// C++ library wakes those of a semaphore that whoever was let through has destroyed by then.
#[inline]
fn touches_memory(op: Op) -> bool {
    op != Op::FutexWake && op.space() != Space::Thread
}

/// The slot of the thread on whose stack an operation touches something, if it is not the running one.
#[inline]
pub fn foreign_stack(runtime: &mut Runtime, operation: Operation) -> Option<u32> {
    let slot = slot_of(operation.object)?;
    let on_stack = operation.object - slot_at(slot) < HEAP_AT && touches_memory(operation.op);
    (on_stack && slot != runtime.thread().slot).then_some(slot)
}

/// Checks that the stack that an operation touches is that of a thread which has not ended. What `main` has on its stack is there
/// until it returns, also if its thread ends.
pub fn check_stack(operation: Operation, slot: u32) {
    let runtime = runtime();
    let threads = &runtime.table[..runtime.threads as usize];
    if slot != threads[0].slot && !threads.iter().any(|thread| thread.slot == slot && !thread.finished) {
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
        let threads = &runtime.table[..runtime.threads as usize];
        let owner = threads.iter().find(|thread| thread.slot == slot && !thread.finished);
        let gone = |owner: &Thread| {
            owner.was_mains(operation.object) || !owner.leaves && operation.object < owner.in_use()
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
    if !block.live {
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
    find(address).map_or(0, |(slot, number)| block(slot, number).size)
}
