//! Initialisers of the program that create threads.
//!
//! Constructors of C++ objects, and functions with the attribute `constructor`, run before `main` is called. The C library runs them once
//! for all executions, outside the schedule. If one of them creates a thread, the process starts itself again. It then keeps the C
//! library from calling the program's own initialisers, and each execution begins with them.

use crate::rt::base::cell::Restored;
use crate::rt::base::layout::CHECKPOINTS_AT;
use crate::rt::base::syscalls;
use crate::rt::sched::restore;
use crate::rt::sched::tls;
use core::cell::Cell;
use core::ffi::{CStr, c_char};

/// What the environment says to a process that was started again.
const LATER: &CStr = c"SOJOURNER_INITIALISERS=later";

/// The arguments and the environment of the process, null pointers at their ends.
type Texts = *const *const c_char;

/// Those that the process was started with.
static STARTED_WITH: Restored<Cell<(Texts, Texts)>> =
    Restored::new(Cell::new((core::ptr::null(), core::ptr::null())));
/// Whether executions begin with the initialisers.
static ARE_LATER: Restored<Cell<bool>> = Restored::new(Cell::new(false));

/// Called before the initialisers of all modules.
pub extern "C" fn prepare(_count: i32, arguments: Texts, environment: Texts) {
    crate::rt::prepare_once();
    STARTED_WITH.set((arguments, environment));
    // SAFETY: the environment is a list of strings.
    let later = texts(environment).any(|text| unsafe { CStr::from_ptr(text) } == LATER);
    ARE_LATER.set(later && leave_out());
}

fn texts(list: Texts) -> impl Iterator<Item = *const c_char> {
    // SAFETY: a null pointer ends the list.
    (0..).map(move |nth| unsafe { *list.add(nth) }).take_while(|text| !text.is_null())
}

/// Has the loader believe that the program has no initialisers. Whether it will.
fn leave_out() -> bool {
    const DYNAMIC: u32 = 2;
    const ARRAY_BYTES: u64 = 27;
    let mut table = None;
    tls::modules(|address, name, segments, _| {
        if name.is_empty() && table.is_none() {
            let found = segments.iter().find(|segment| segment.kind == DYNAMIC);
            table = found.map(|segment| (address + segment.address, segment.in_memory));
        }
    });
    let Some((start, bytes)) = table else { return false };
    let page = start as usize & !(restore::PAGE - 1);
    // SAFETY: the loader's table of the program, which it reads again before it calls the initialisers; entries are two words.
    unsafe {
        let writable = syscalls::protect(
            page,
            start as usize - page + bytes as usize,
            syscalls::PROT_READ | syscalls::PROT_WRITE,
        );
        let entries = core::slice::from_raw_parts_mut(start as *mut [u64; 2], bytes as usize / 16);
        match entries.iter_mut().find(|[tag, _]| *tag == ARRAY_BYTES) {
            Some(entry) if writable => entry[1] = 0,
            _ => return false,
        }
    }
    true
}

/// Starts the process again, if it has not been. Does not return if that is possible.
pub fn put_off() {
    const EXECUTE: usize = 59;
    let (arguments, environment) = STARTED_WITH.get();
    if arguments.is_null() || ARE_LATER.get() {
        return;
    }
    let count = texts(environment).count();
    // Nothing else lies there yet.
    if !syscalls::map(CHECKPOINTS_AT, (count + 2) * 8, syscalls::PROT_READ | syscalls::PROT_WRITE) {
        return;
    }
    let list = CHECKPOINTS_AT as *mut *const c_char;
    // SAFETY: there is room for one more than there are, and for a null pointer.
    unsafe {
        texts(environment).chain([LATER.as_ptr()]).enumerate().for_each(|(nth, text)| *list.add(nth) = text);
        let path = c"/proc/self/exe".as_ptr() as usize;
        syscalls::call(EXECUTE, [path, arguments as usize, list as usize, 0, 0, 0]);
    }
}

/// Runs the initialisers, if that is how executions begin.
#[cfg(sojourner_rt)]
pub fn run() {
    type Initialiser = extern "C" fn(i32, Texts, Texts);
    unsafe extern "C" {
        static __init_array_start: [Initialiser; 0];
        static __init_array_end: [Initialiser; 0];
    }
    if !ARE_LATER.get() {
        return;
    }
    let (arguments, environment) = STARTED_WITH.get();
    let count = texts(arguments).count() as i32;
    // SAFETY: the linker puts their addresses between the two.
    unsafe {
        let mut at = (&raw const __init_array_start).cast::<Initialiser>();
        let end = (&raw const __init_array_end).cast::<Initialiser>();
        while at < end {
            (*at)(count, arguments, environment);
            at = at.add(1);
        }
    }
}

#[cfg(not(sojourner_rt))]
pub fn run() {}
