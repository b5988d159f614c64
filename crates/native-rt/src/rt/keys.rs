//! What belongs to one thread: values of keys, and destructors of thread-local objects.

use super::context::{Frame, export};
use super::kept::Kept;
use super::schedule::Operation;
use super::state::runtime;
use super::{defect, errno};
use crate::protocol::{How, Op};

export! {
    pthread_key_create => create;
    pthread_key_delete => delete;
    pthread_getspecific => get;
    pthread_setspecific => set;
    tss_get => get;
    tss_set => set_c11;
    tss_delete => delete;
    __cxa_thread_atexit_impl => at_thread_exit;
    __cxa_thread_atexit => at_thread_exit;
}

const MOST: usize = 1024;
/// Room for the values of a thread.
pub const BYTES: usize = MOST * 8;
/// Rounds of destructors, which may set values anew.
const ROUNDS: usize = 4;

/// The keys that there are.
struct Keys {
    used: [bool; MOST],
    destructors: [usize; MOST],
    count: usize,
}

static KEYS: Kept<Keys> = Kept::new(Keys { used: [false; MOST], destructors: [0; MOST], count: 0 });

/// What the first thread has set and made before `main` was called.
struct Early {
    values: [usize; MOST],
    count: u32,
    destructors: usize,
}

static EARLY: Kept<Early> = Kept::new(Early { values: [0; MOST], count: 0, destructors: 0 });

/// The value of a key in the running thread. Values that were never set are zero.
fn value(key: usize) -> &'static mut usize {
    let runtime = runtime();
    let (values, known) = if runtime.running {
        let base = runtime.thread().base;
        (runtime.tls.keys(base), &mut runtime.thread().keys)
    } else {
        let early = EARLY.get();
        (early.values.as_mut_ptr(), &mut early.count)
    };
    // SAFETY: the thread's own room.
    unsafe {
        while (*known as usize) <= key {
            *values.add(*known as usize) = 0;
            *known += 1;
        }
        &mut *values.add(key)
    }
}

/// Gives the first thread what was set before `main` was called.
pub fn take_over() {
    for key in 0..EARLY.get().count as usize {
        *value(key) = EARLY.get().values[key];
    }
}

pub extern "C" fn create(key: *mut u32, destructor: usize) -> i32 {
    let frame = Frame::here();
    if runtime().running {
        Operation::new(Op::Key, How::Write, &raw const KEYS as u64, 0).take(frame);
    }
    let keys = KEYS.get();
    // The key 0 goes last: Rust does not take it, and would ask for another one.
    let free = keys.used.iter().skip(1).position(|used| !used).map(|free| free + 1);
    let Some(free) = free.or((!keys.used[0]).then_some(0)) else { return errno::EAGAIN };
    keys.used[free] = true;
    keys.destructors[free] = destructor;
    keys.count = keys.count.max(free + 1);
    // SAFETY: the program passes where the key goes.
    unsafe { *key = free as u32 };
    0
}

extern "C" fn delete(key: u32) -> i32 {
    let frame = Frame::here();
    if runtime().running {
        Operation::new(Op::Key, How::Write, &raw const KEYS as u64, 0).take(frame);
    }
    match KEYS.get().used.get_mut(key as usize) {
        Some(used) if *used => {
            *used = false;
            0
        }
        _ => errno::EINVAL,
    }
}

extern "C" fn get(key: u32) -> usize {
    if KEYS.get().used.get(key as usize) == Some(&true) { *value(key as usize) } else { 0 }
}

extern "C" fn set(key: u32, new: usize) -> i32 {
    if KEYS.get().used.get(key as usize) != Some(&true) {
        return errno::EINVAL;
    }
    *value(key as usize) = new;
    0
}

extern "C" fn set_c11(key: u32, new: usize) -> i32 {
    const ERROR: i32 = 2;
    if set(key, new) == 0 { 0 } else { ERROR }
}

/// Calls the destructors of the running thread's values.
pub fn run_destructors() {
    run_thread_local_destructors();
    for _ in 0..ROUNDS {
        let mut any = false;
        for key in 0..runtime().thread().keys as usize {
            let keys = KEYS.get();
            let destructor = keys.destructors[key];
            let old = core::mem::replace(value(key), 0);
            if old != 0 && destructor != 0 && keys.used[key] {
                any = true;
                // SAFETY: the program passed it to `pthread_key_create`.
                let destructor: extern "C" fn(usize) = unsafe { core::mem::transmute(destructor) };
                destructor(old);
            }
        }
        if !any {
            break;
        }
    }
}

/// An object whose destructor is to be called at the end of a thread. The list lies on the program's heap.
#[repr(C)]
struct Destructor {
    function: usize,
    object: usize,
    next: usize,
}

fn list() -> &'static mut usize {
    let runtime = runtime();
    if runtime.running { &mut runtime.thread().destructors } else { &mut EARLY.get().destructors }
}

extern "C" fn at_thread_exit(function: usize, object: usize, _module: usize) -> i32 {
    let entry = super::heap::allocate_own(size_of::<Destructor>() as u64) as *mut Destructor;
    if entry.is_null() {
        defect::refuse(b"more memory than there is");
    }
    let list = list();
    // SAFETY: a block of that size.
    unsafe { *entry = Destructor { function, object, next: *list } };
    *list = entry as usize;
    0
}

/// Destroys the running thread's thread-local objects, the last one first.
pub fn run_thread_local_destructors() {
    let thread = runtime().thread();
    let early = &mut EARLY.get().destructors;
    // A page that nobody writes to need not be put back.
    if thread.slot == 0 && thread.destructors == 0 && *early != 0 {
        thread.destructors = core::mem::take(early);
    }
    loop {
        let list = list();
        if *list == 0 {
            break;
        }
        // SAFETY: made above.
        let Destructor { function, object, next } = unsafe { core::ptr::read(*list as *const Destructor) };
        *list = next;
        // SAFETY: the compiler asked for this call.
        let function: extern "C" fn(usize) = unsafe { core::mem::transmute(function) };
        function(object);
    }
}
