//! Results that become ready when their thread ends: `set_value_at_thread_exit` and `make_ready_at_thread_exit` of C++.
//!
//! The library keeps a list of them for each thread. When the thread ends, code of the library, which is not instrumented, makes them
//! ready. The threads that wait for a result are instrumented. So the runtime makes the results ready in the library's place, by
//! the atomic operations that instrumented code would use. Otherwise nothing would order the result before the thread that gets it.

use crate::rt::base::cell::Restored;
use crate::rt::hooks::atomics;
use crate::rt::sched::context::{Frame, export};
use core::cell::Cell;
use core::ffi::{CStr, c_char, c_void};

export! {
    _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv => at_thread_exit;
}

/// The library's entry in its list: what it calls at the thread's end, and a weak pointer to what is shared with the future.
#[repr(C)]
struct Entry {
    next: usize,
    call: extern "C" fn(*mut Entry),
    state: u64,
    owners: u64,
}

/// What the library itself would call: the same for all entries.
static CALLED: Restored<Cell<Option<extern "C" fn(*mut Entry)>>> = Restored::new(Cell::new(None));

/// Where the shared state has its status; the status of one that is ready, and the bit that says that a thread waits.
const STATUS: u64 = 16;
const READY: u32 = 1;
const WAITED_FOR: u32 = 1 << 31;

/// Where the record of owners counts those that share and those that only watch.
const SHARING: u64 = 8;
const WATCHING: u64 = 12;
/// Where its virtual functions stand in their table that end the state, and the record itself.
const DISPOSE: usize = 2;
const DESTROY: usize = 3;

const RELAXED: i32 = 0;
const RELEASE: i32 = 3;
const BOTH: i32 = 4;

type Stub = unsafe extern "C" fn();

/// A function of the C++ library, behind the one of that name that is ours.
fn library(name: &CStr) -> *const c_void {
    const NEXT: usize = usize::MAX;
    unsafe extern "C" {
        fn dlsym(handle: usize, name: *const c_char) -> *const c_void;
    }
    // SAFETY: a name that ends in a zero. The library has it: its own headers call it.
    unsafe { dlsym(NEXT, name.as_ptr()) }
}

extern "C" fn at_thread_exit(entry: *mut Entry) {
    Frame::here();
    // SAFETY: the function has this type, and puts the entry into the list of the running thread, which alone reads it.
    unsafe {
        let set: extern "C" fn(*mut Entry) =
            core::mem::transmute(library(c"_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"));
        set(entry);
        CALLED.set(Some(core::mem::replace(&mut (*entry).call, make_ready)));
    }
}

/// At the end of the thread.
extern "C" fn make_ready(entry: *mut Entry) {
    // SAFETY: the library calls this with an entry of its list, which it has been told of above.
    unsafe {
        let (state, owners) = ((*entry).state, (*entry).owners);
        if owners != 0 {
            if share(owners) {
                store(state + STATUS);
                give_back(owners, SHARING, DISPOSE);
            }
            give_back(owners, WATCHING, DESTROY);
            ((*entry).state, (*entry).owners) = (0, 0);
        }
    }
    // The library frees the entry, and finds nothing else to be done.
    if let Some(called) = CALLED.get() {
        called(entry);
    }
}

/// Becomes an owner of what is shared, if there still is one.
unsafe fn share(owners: u64) -> bool {
    // SAFETY: the stubs are called with the arguments of the functions behind them.
    unsafe {
        let load: extern "C" fn(u64, i32) -> u32 =
            core::mem::transmute(atomics::__tsan_atomic32_load as Stub);
        let replace: extern "C" fn(u64, *mut u32, u32, i32, i32) -> bool =
            core::mem::transmute(atomics::__tsan_atomic32_compare_exchange_strong as Stub);
        let mut count = load(owners + SHARING, RELAXED);
        while count != 0 {
            if replace(owners + SHARING, &raw mut count, count + 1, BOTH, RELAXED) {
                return true;
            }
        }
        false
    }
}

/// Makes the state ready, and wakes the threads that wait for it.
unsafe fn store(status: u64) {
    // SAFETY: as above; the library's function is given what it waits at.
    unsafe {
        let exchange: extern "C" fn(u64, u32, i32) -> u32 =
            core::mem::transmute(atomics::__tsan_atomic32_exchange as Stub);
        if exchange(status, READY, RELEASE) & WAITED_FOR != 0 {
            let wake: extern "C" fn(u64) =
                core::mem::transmute(library(c"_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj"));
            wake(status);
        }
    }
}

/// One owner less. The last one calls what is to be done then; those that share watch together, as one.
unsafe fn give_back(owners: u64, count: u64, last: usize) {
    // SAFETY: as above; the record begins with the address of its table of virtual functions.
    unsafe {
        let subtract: extern "C" fn(u64, u32, i32) -> u32 =
            core::mem::transmute(atomics::__tsan_atomic32_fetch_sub as Stub);
        if subtract(owners + count, 1, BOTH) == 1 {
            let end: extern "C" fn(u64) = core::mem::transmute(*(*(owners as *const *const usize)).add(last));
            end(owners);
            if count == SHARING {
                give_back(owners, WATCHING, DESTROY);
            }
        }
    }
}
