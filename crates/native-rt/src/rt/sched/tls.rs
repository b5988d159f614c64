//! Thread-local storage of fibers.
//!
//! Each fiber has a copy of the static block, of the C library's own record of the thread behind it, and of the vector
//! that finds the blocks of modules: so `__thread`, `thread_local`, `errno` and C++ exceptions are its own. The first
//! thread begins with what the process had when `main` was called; others with the images in the files, except that
//! the C library's own block is copied, because it would set it up in its own way.

use crate::rt::base::layout::{TEMPLATES_AT, TLS_AT, TLS_BYTES, slot_at};
use crate::rt::sched::defect;
use crate::rt::sched::state::Runtime;
use core::ffi::{c_char, c_void};

/// Room for each template, behind the snapshot of the program's memory.
const TEMPLATE_BYTES: usize = TLS_BYTES as usize;

/// Modules with thread-local storage that are there when a program starts; more would come by `dlopen`, which is refused.
const MOST_MODULES: usize = 14;

/// Keys that a program may have, and the room for the values of one thread.
pub const MOST_KEYS: usize = 1024;
/// See above.
pub const KEY_BYTES: usize = MOST_KEYS * size_of::<usize>();
/// Room for the signals of a thread, behind the values of its keys.
pub const SIGNAL_BYTES: usize = 24;

/// What is copied into the slots of threads.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Templates {
    /// Bytes below the base, and from it on.
    below: usize,
    above: usize,
    /// Entries of the vector of blocks, two before the first one included.
    vector: usize,
    /// Where the vector stands in a slot, from the base.
    vector_at: usize,
}

/// What the C library's loader says of a module.
#[repr(C)]
struct Module {
    address: u64,
    name: *const c_char,
    headers: *const Segment,
    count: u16,
    added: u64,
    removed: u64,
    tls_module: usize,
    tls_block: *const u8,
}

/// A program header.
#[repr(C)]
pub struct Segment {
    pub kind: u32,
    pub flags: u32,
    pub offset: u64,
    pub address: u64,
    pub physical: u64,
    pub in_file: u64,
    pub in_memory: u64,
    pub align: u64,
}

pub const PT_LOAD: u32 = 1;
const PT_TLS: u32 = 7;
pub const PT_GNU_STACK: u32 = 0x6474_e551;
pub const PT_GNU_RELRO: u32 = 0x6474_e552;

unsafe extern "C" {
    fn dl_iterate_phdr(
        callback: extern "C" fn(*const Module, usize, *mut c_void) -> i32,
        data: *mut c_void,
    ) -> i32;
    fn dlsym(handle: usize, name: *const c_char) -> *const c_void;
}

/// Calls `look` for every module: its address, its name, its segments, and its thread-local block.
pub fn modules(mut look: impl FnMut(u64, &[u8], &[Segment], *const u8)) {
    extern "C" fn each<F: FnMut(u64, &[u8], &[Segment], *const u8)>(
        module: *const Module,
        _: usize,
        look: *mut c_void,
    ) -> i32 {
        // SAFETY: the loader passes a module, and what was passed to it below.
        unsafe {
            let module = &*module;
            let segments = core::slice::from_raw_parts(module.headers, module.count as usize);
            let name = if module.name.is_null() { c"" } else { core::ffi::CStr::from_ptr(module.name) };
            (*(look as *mut F))(module.address, name.to_bytes(), segments, module.tls_block);
        }
        0
    }
    fn callback<F: FnMut(u64, &[u8], &[Segment], *const u8)>(
        _: &F,
    ) -> extern "C" fn(*const Module, usize, *mut c_void) -> i32 {
        each::<F>
    }
    let callback = callback(&look);
    // SAFETY: the callback is made for the data.
    unsafe { dl_iterate_phdr(callback, &raw mut look as *mut c_void) };
}

/// The size of the C library's record of a thread, as it tells debuggers; if it does not, what it has been for years.
fn record_size() -> usize {
    const USUAL: usize = 2304;
    // SAFETY: asks for a symbol by name; it is a number of four bytes.
    let size = unsafe { dlsym(0, c"_thread_db_sizeof_pthread".as_ptr()) as *const u32 };
    // SAFETY: as above.
    if size.is_null() { USUAL } else { unsafe { *size as usize } }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

impl Templates {
    /// Makes the templates from the storage of the thread that runs now.
    pub fn of(base: usize) -> Templates {
        let mut below = 0;
        modules(|_, _, segments, block| {
            for segment in segments.iter().filter(|segment| segment.kind == PT_TLS) {
                if !block.is_null() && (block as usize) < base {
                    below =
                        below.max((base - block as usize).next_multiple_of((segment.align as usize).max(16)));
                }
            }
        });
        let below = below.next_multiple_of(64);
        let above = record_size().next_multiple_of(8);
        // SAFETY: the second word of a thread's record points to its vector, whose length stands in the entry before.
        let vector = unsafe { *((base + 8) as *const *const [usize; 2]) };
        // SAFETY: as above.
        let vector_length = unsafe { (*vector.sub(1))[0] }.min(MOST_MODULES) + 2;
        let vector_at = above.next_multiple_of(64);
        let room = below + vector_at + vector_length * 16 + KEY_BYTES + SIGNAL_BYTES;
        if room > TLS_BYTES as usize || below + above > TEMPLATE_BYTES {
            defect::refuse(b"thread-local storage of more than 16 MB");
        }
        if !crate::rt::base::syscalls::map(TEMPLATES_AT, 2 * TEMPLATE_BYTES + vector_length * 16 + 4096, 3) {
            defect::refuse(b"there is not enough memory for thread-local storage");
        }
        // SAFETY: the storage of this thread, and the room that was mapped for the copies.
        unsafe {
            for template in 0..2 {
                let to = (TEMPLATES_AT + template * TEMPLATE_BYTES) as *mut u8;
                core::ptr::copy_nonoverlapping((base - below) as *const u8, to, below + above);
            }
            let kept = (TEMPLATES_AT + 2 * TEMPLATE_BYTES) as *mut [usize; 2];
            core::ptr::copy_nonoverlapping(vector.sub(1), kept, vector_length);
        }
        let fresh = TEMPLATES_AT + TEMPLATE_BYTES + below;
        modules(|address, name, segments, block| {
            let library = contains(name, b"libc.so") || contains(name, b"ld-linux");
            let segment = segments.iter().find(|segment| segment.kind == PT_TLS);
            if let Some(segment) = segment.filter(|_| !library && !block.is_null() && (block as usize) < base)
            {
                let to = (fresh - (base - block as usize)) as *mut u8;
                // SAFETY: the module's image, and its part of the copy.
                unsafe {
                    core::ptr::write_bytes(to, 0, segment.in_memory as usize);
                    let image = (address + segment.address) as *const u8;
                    core::ptr::copy_nonoverlapping(image, to, segment.in_file as usize);
                }
            }
        });
        Templates { below, above, vector: vector_length, vector_at }
    }

    /// Where in a slot the base is.
    pub fn base(&self, slot: u32) -> u64 {
        (slot_at(slot) + TLS_AT + self.below as u64).next_multiple_of(64)
    }

    /// From where to where the storage of a thread with that base goes.
    pub fn range(&self, base: usize) -> (u64, u64) {
        ((base - self.below) as u64, (base + self.above) as u64)
    }

    /// Most of the C library's record of a thread, which is hardly ever written to: where it begins, what it held when the thread began,
    /// and how long it is. The words in front of it say which thread it is.
    fn record(&self, base: usize, first: bool) -> (usize, usize, usize) {
        const NAMES: usize = 64;
        let template = TEMPLATES_AT + if first { 0 } else { TEMPLATE_BYTES };
        (base + NAMES, template + self.below + NAMES, self.above.saturating_sub(NAMES))
    }

    /// From where on that part is, and where it ends.
    pub fn record_range(&self, base: usize) -> (u64, u64) {
        let (start, _, length) = self.record(base, false);
        (start as u64, (start + length) as u64)
    }

    /// Whether that part is as it was when the thread began.
    pub fn has_fresh_record(&self, base: usize, first: bool) -> bool {
        let (start, template, length) = self.record(base, first);
        // SAFETY: the record of a thread, and the template that it was made of.
        unsafe {
            core::slice::from_raw_parts(start as *const u64, length / 8)
                == core::slice::from_raw_parts(template as *const u64, length / 8)
        }
    }

    /// Makes that part what it was when the thread began.
    pub fn renew_record(&self, base: usize, first: bool) {
        if !self.has_fresh_record(base, first) {
            let (start, template, length) = self.record(base, first);
            // SAFETY: as above; the thread does not run.
            unsafe { core::ptr::copy_nonoverlapping(template as *const u8, start as *mut u8, length) };
        }
    }

    /// Where in a slot its thread's signals are.
    pub fn signals(&self, base: usize) -> u64 {
        self.keys(base) as u64 + KEY_BYTES as u64
    }

    /// Where in a slot the values of keys are.
    pub fn keys(&self, base: usize) -> *mut usize {
        (base + self.vector_at + self.vector * 16) as *mut usize
    }
}

/// Gives the thread in a slot its storage.
pub fn fill(runtime: &Runtime, _slot: u32, base: usize, first: bool) {
    let Templates { below, above, vector, vector_at } = runtime.tls.get();
    let from = TEMPLATES_AT + if first { 0 } else { TEMPLATE_BYTES };
    let host = runtime.host_base.get();
    // SAFETY: the template, and the slot's own room.
    unsafe {
        core::ptr::copy_nonoverlapping(from as *const u8, (base - below) as *mut u8, below + above);
        let kept = (TEMPLATES_AT + 2 * TEMPLATE_BYTES) as *const [usize; 2];
        let own = (base + vector_at) as *mut [usize; 2];
        for index in 0..vector {
            let [mut block, freed] = *kept.add(index);
            if index >= 2 && block >= host - below && block < host + above {
                block = block - host + base;
            }
            *own.add(index) = [block, freed];
        }
        (*own)[0] = vector - 2;
        // The record begins with its own address, that of the vector, and its own again.
        *(base as *mut usize) = base;
        *((base + 8) as *mut usize) = base + vector_at + 16;
        *((base + 16) as *mut usize) = base;
    }
}
