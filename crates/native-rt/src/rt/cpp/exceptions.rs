//! The exception of C++ that was not caught, when the library ends the program because of it.
//!
//! The library itself would only print the exception. The runtime asks the ABI for its type. If the library is GNU's, it asks for the
//! message by the virtual functions that catch clauses and handlers use.

use crate::rt::sched::state::runtime;
use core::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    fn dlsym(handle: usize, name: *const c_char) -> *const c_void;
}

/// The record before an exception: the part of it that handlers know begins here, with the class of the exception, whose lowest
/// byte is 1 in a record that refers to another one's exception.
const CLASS: usize = 80;
const RECORD_BYTES: usize = 112;

/// Where virtual functions stand in their tables: whether a clause for this type catches an exception, and the words of one.
const CATCHES: usize = 4;
const WHAT: usize = 2;

/// The name of the type of the exception that the running thread has last, as the compiler writes it, and the exception's own words
/// if it has any.
pub fn current() -> Option<(&'static [u8], &'static [u8])> {
    let running = runtime().running.replace(false);
    // SAFETY: only functions of the ABI are called, with what they are meant for.
    let found = unsafe { find() };
    runtime().running.set(running);
    found
}

fn symbol(name: &CStr) -> Option<*const usize> {
    // SAFETY: a name that ends in a zero; the default order of search.
    let found = unsafe { dlsym(0, name.as_ptr()) };
    (!found.is_null()).then_some(found.cast())
}

unsafe fn find() -> Option<(&'static [u8], &'static [u8])> {
    // SAFETY: the functions have these types, and what they return is as the ABI says.
    unsafe {
        let kind: extern "C" fn() -> *const usize =
            core::mem::transmute(symbol(c"__cxa_current_exception_type")?);
        let kind = kind();
        if kind.is_null() {
            return None;
        }
        // A star in front says that names are compared by address.
        let name = CStr::from_ptr(*kind.add(1) as *const c_char).to_bytes();
        let name = name.strip_prefix(b"*").unwrap_or(name);
        Some((name, words(kind).unwrap_or_default()))
    }
}

/// What the exception says of itself.
unsafe fn words(kind: *const usize) -> Option<&'static [u8]> {
    symbol(c"_ZNKSt9type_info10__do_catchEPKS_PPvj")?;
    let base = symbol(c"_ZTISt9exception")?;
    // SAFETY: as above, and the tables are those of GNU's library.
    unsafe {
        let globals: extern "C" fn() -> *const *const usize =
            core::mem::transmute(symbol(c"__cxa_get_globals")?);
        let record = *globals();
        if record.is_null() {
            return None;
        }
        let refers = *record.byte_add(CLASS) & 0xff == 1;
        let mut object = if refers { *record as *const usize } else { record.byte_add(RECORD_BYTES) };
        type Catches = extern "C" fn(*const usize, *const usize, *mut *const usize, u32) -> bool;
        let catches: Catches = core::mem::transmute(*(*base as *const usize).add(CATCHES));
        if !catches(base, kind, &raw mut object, 1) {
            return None;
        }
        let what: extern "C" fn(*const usize) -> *const c_char =
            core::mem::transmute(*(*object as *const usize).add(WHAT));
        let text = what(object);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_bytes())
    }
}
