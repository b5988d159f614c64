//! The functions by which programs allocate and free memory.

use crate::protocol::{DefectKind, How, Op, RequestedStacks};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::heap::{By, GRAIN, block, find, make};
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{header, runtime};
use core::cell::Cell;

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
            core::arch::naked_asm!(crate::rt::base::symbols::listed!($name), concat!("jmp ", $to))
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

static PROGRAMS: Restored<Cell<Option<Programs>>> = Restored::new(Cell::new(None));

/// The functions that the program defines itself. Asked before `main` is called, so that no execution has to look for them.
pub fn programs() -> Programs {
    let replaced = |name: &[u8], now: *const ()| crate::rt::base::symbols::own(name) != Some(now as usize);
    if let Some(known) = PROGRAMS.get() {
        return known;
    }
    let programs = {
        let (malloc, free, new) = (malloc as *const (), free as *const (), _Znwm as *const ());
        // SAFETY: what has these names has these types.
        unsafe {
            Programs {
                malloc: replaced(b"malloc", malloc).then(|| core::mem::transmute(malloc)),
                free: replaced(b"free", free).then(|| core::mem::transmute(free)),
                new: replaced(b"_Znwm", new).then(|| core::mem::transmute(new)),
            }
        }
    };
    PROGRAMS.set(Some(programs));
    programs
}

/// The code that calls a function of this file.
fn caller() -> By {
    by(Frame::here())
}

fn by(frame: &Frame) -> By {
    let runtime = runtime();
    if !runtime.running.get() {
        return By { place: 0, own: false };
    }
    By { place: runtime.place(frame), own: runtime.is_own(frame.place) }
}

/// A block that the runtime needs on its own account: the program need not free it.
pub fn allocate_own(size: u64) -> u64 {
    crate::rt::prepare_once();
    make(size, GRAIN, By { place: 0, own: false })
}

/// A block for another function of ours, which the program has called. Where the program has a `malloc` of its own, the C library
/// would call that, and the program's `free` expects it.
pub fn allocate_for(frame: &Frame, size: u64) -> u64 {
    match programs().malloc {
        Some(malloc) => malloc(size),
        None => {
            crate::rt::prepare_once();
            or_errno(make(size, GRAIN, by(frame)))
        }
    }
}

fn or_errno(address: u64) -> u64 {
    if address == 0 {
        errno::set(errno::ENOMEM);
    }
    address
}

extern "C" fn allocate(size: u64) -> u64 {
    crate::rt::prepare_once();
    or_errno(make(size, GRAIN, caller()))
}

extern "C" fn allocate_zeroed(count: u64, size: u64) -> u64 {
    crate::rt::prepare_once();
    match count.checked_mul(size) {
        Some(bytes) => or_errno(make(bytes, GRAIN, caller())),
        None => or_errno(0),
    }
}

/// What `new` does. The exception for too little memory would have to come from the C++ library: it is a refusal.
extern "C" fn new(size: u64) -> u64 {
    crate::rt::prepare_once();
    match allocate_for(Frame::here(), size) {
        0 => defect::refuse(b"operator new with more memory than there is"),
        address => address,
    }
}

extern "C" fn new_or_null(size: u64) -> u64 {
    crate::rt::prepare_once();
    match programs().new {
        Some(new) => new(size),
        None => allocate_for(Frame::here(), size),
    }
}

extern "C" fn aligned_new(size: u64, align: u64) -> u64 {
    crate::rt::prepare_once();
    match make(size, align, caller()) {
        0 => defect::refuse(b"operator new with more memory than there is"),
        address => address,
    }
}

extern "C" fn reallocate(address: u64, size: u64) -> u64 {
    crate::rt::prepare_once();
    grow(Frame::here(), address, size)
}

extern "C" fn reallocate_array(address: u64, count: u64, size: u64) -> u64 {
    crate::rt::prepare_once();
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
        Some((slot, number))
            if block(slot, number).start.get() == address && block(slot, number).live.get() =>
        {
            block(slot, number).size.get()
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
    crate::rt::prepare_once();
    if !align.is_power_of_two() {
        errno::set(errno::EINVAL);
        return 0;
    }
    or_errno(make(size, align, caller()))
}

extern "C" fn aligned_into(out: *mut u64, align: u64, size: u64) -> i32 {
    crate::rt::prepare_once();
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
    crate::rt::prepare_once();
    or_errno(make(size, 4096, caller()))
}

extern "C" fn usable(address: u64) -> u64 {
    find(address).map_or(0, |(slot, number)| block(slot, number).size.get())
}

extern "C" fn release(address: u64) {
    crate::rt::prepare_once();
    if address != 0 {
        give_back(Frame::here(), address);
    }
}

extern "C" fn delete(address: u64) {
    crate::rt::prepare_once();
    match programs().free {
        Some(free) => free(address),
        None => release(address),
    }
}

/// What was aligned is a block of ours, unless the program has a `free` that takes it.
extern "C" fn delete_aligned(address: u64) {
    crate::rt::prepare_once();
    match (programs().free, find(address)) {
        (Some(free), None) => free(address),
        _ => release(address),
    }
}

fn give_back(frame: &Frame, address: u64) {
    let runtime = runtime();
    let Some((slot, number)) = find(address) else {
        if runtime.running.get() {
            defect::memory(DefectKind::BadFree, address, None, b"frees what was not allocated");
        }
        return;
    };
    let before = block(slot, number);
    if before.start.get() != address {
        defect::memory(DefectKind::BadFree, address, Some(before), b"frees an address within a block");
    }
    // A free within a library is not announced: the library may hold a lock of its own.
    if runtime.running.get() && runtime.is_own(frame.place) {
        Operation::new(Op::Free, How::Write, address, 0).take(frame);
    }
    if !before.live.get() {
        defect::memory(DefectKind::BadFree, address, Some(before), b"frees a block that has been freed");
    }
    before.live.set(false);
    before.freed.set(runtime.running.get());
    runtime.heap.own_live.update(|own_live| own_live - u32::from(before.own.get()));
    if (slot, number) == (runtime.watch.get().slot, runtime.watch.get().block) {
        let release = defect::watched(runtime, runtime.place(frame));
        header().watched.update(|watched| RequestedStacks { release, ..watched });
    }
}
