//! What belongs to one thread: values of keys, and destructors of thread-local objects.

use crate::protocol::{How, Op};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sched::tls::MOST_KEYS;
use core::cell::Cell;

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

/// Rounds of destructors, which may set values anew.
const ROUNDS: usize = 4;

/// The keys that there are.
struct Keys {
    used: [Cell<bool>; MOST_KEYS],
    destructors: [Cell<usize>; MOST_KEYS],
    count: Cell<usize>,
}

static KEYS: Restored<Keys> = Restored::new(Keys {
    used: [const { Cell::new(false) }; MOST_KEYS],
    destructors: [const { Cell::new(0) }; MOST_KEYS],
    count: Cell::new(0),
});

/// What the first thread has set and made before `main` was called.
struct Early {
    values: [Cell<usize>; MOST_KEYS],
    count: Cell<u32>,
    destructors: Cell<usize>,
}

static EARLY: Restored<Early> = Restored::new(Early {
    values: [const { Cell::new(0) }; MOST_KEYS],
    count: Cell::new(0),
    destructors: Cell::new(0),
});

/// The value of a key in the running thread. Values that were never set are zero.
fn value(key: usize) -> &'static Cell<usize> {
    let runtime = runtime();
    let (values, known) = if runtime.running.get() {
        let thread = runtime.thread();
        (runtime.tls.get().keys(thread.base.get()) as *const Cell<usize>, &thread.keys)
    } else {
        (EARLY.values.as_ptr(), &EARLY.count)
    };
    // SAFETY: the thread's own room.
    unsafe {
        while (known.get() as usize) <= key {
            (*values.add(known.get() as usize)).set(0);
            known.update(|known| known + 1);
        }
        &*values.add(key)
    }
}

/// Gives the first thread what was set before `main` was called.
pub fn take_over() {
    for key in 0..EARLY.count.get() as usize {
        value(key).set(EARLY.values[key].get());
    }
}

pub extern "C" fn create(key: *mut u32, destructor: usize) -> i32 {
    let frame = Frame::here();
    if runtime().running.get() {
        Operation::new(Op::Key, How::Write, &raw const KEYS as u64, 0).take(frame);
    }
    let keys = &KEYS;
    // The key 0 goes last: Rust does not take it, and would ask for another one.
    let free = keys.used.iter().skip(1).position(|used| !used.get()).map(|free| free + 1);
    let Some(free) = free.or((!keys.used[0].get()).then_some(0)) else { return errno::EAGAIN };
    keys.used[free].set(true);
    keys.destructors[free].set(destructor);
    keys.count.update(|count| count.max(free + 1));
    // SAFETY: the program passes where the key goes.
    unsafe { *key = free as u32 };
    0
}

extern "C" fn delete(key: u32) -> i32 {
    let frame = Frame::here();
    if runtime().running.get() {
        Operation::new(Op::Key, How::Write, &raw const KEYS as u64, 0).take(frame);
    }
    match KEYS.used.get(key as usize) {
        Some(used) if used.get() => {
            used.set(false);
            0
        }
        _ => errno::EINVAL,
    }
}

fn is_used(key: u32) -> bool {
    KEYS.used.get(key as usize).is_some_and(Cell::get)
}

extern "C" fn get(key: u32) -> usize {
    if is_used(key) { value(key as usize).get() } else { 0 }
}

extern "C" fn set(key: u32, new: usize) -> i32 {
    if !is_used(key) {
        return errno::EINVAL;
    }
    value(key as usize).set(new);
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
        for key in 0..runtime().thread().keys.get() as usize {
            let destructor = KEYS.destructors[key].get();
            let old = value(key).replace(0);
            if old != 0 && destructor != 0 && KEYS.used[key].get() {
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

fn list() -> &'static Cell<usize> {
    let runtime = runtime();
    if runtime.running.get() { &runtime.thread().destructors } else { &EARLY.destructors }
}

extern "C" fn at_thread_exit(function: usize, object: usize, _module: usize) -> i32 {
    let entry = crate::rt::memory::allocator::allocate_own(size_of::<Destructor>() as u64) as *mut Destructor;
    if entry.is_null() {
        defect::refuse(b"more memory than there is");
    }
    let list = list();
    // SAFETY: a block of that size.
    unsafe { *entry = Destructor { function, object, next: list.get() } };
    list.set(entry as usize);
    0
}

/// Destroys the running thread's thread-local objects, the last one first.
pub fn run_thread_local_destructors() {
    let thread = runtime().thread();
    let early = &EARLY.destructors;
    // A page that is not written to need not be put back.
    if thread.slot.get() == 0 && thread.destructors.get() == 0 && early.get() != 0 {
        thread.destructors.set(early.take());
    }
    loop {
        let list = list();
        if list.get() == 0 {
            break;
        }
        // SAFETY: made above.
        let Destructor { function, object, next } =
            unsafe { core::ptr::read(list.get() as *const Destructor) };
        list.set(next);
        // SAFETY: the compiler asked for this call.
        let function: extern "C" fn(usize) = unsafe { core::mem::transmute(function) };
        function(object);
    }
}
