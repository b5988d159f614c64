//! The variables of the environment: one list for all threads. A thread that sets a variable may move the list.

use crate::rt::base::cell::Restored;
use crate::rt::libc::memory_functions::string;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use core::cell::Cell;
use core::ffi::c_char;

export! {
    __sojourner_getenv => look_up;
    __sojourner_setenv => set;
    __sojourner_unsetenv => unset;
    __sojourner_putenv => put;
}

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *mut c_char;
    fn setenv(name: *const c_char, value: *const c_char, replaces: i32) -> i32;
    fn unsetenv(name: *const c_char) -> i32;
    fn putenv(text: *mut c_char) -> i32;
}

/// Positions for the list, which is the library's.
#[cfg_attr(sojourner_rt, unsafe(export_name = "__sojourner_environment"))]
#[allow(non_upper_case_globals)] // The name is the one by which a race is told of.
static environment: Restored<Cell<u64>> = Restored::new(Cell::new(0));

fn list(frame: &Frame, writes: bool) {
    range(frame, &raw const environment as u64, 8, writes);
}

extern "C" fn look_up(name: *const c_char) -> *mut c_char {
    let frame = Frame::here();
    string(frame, name);
    list(frame, false);
    // SAFETY: the program asks for this.
    unsafe { getenv(name) }
}

extern "C" fn set(name: *const c_char, value: *const c_char, replaces: i32) -> i32 {
    let frame = Frame::here();
    string(frame, name);
    string(frame, value);
    list(frame, true);
    // SAFETY: as above.
    unsafe { setenv(name, value, replaces) }
}

extern "C" fn unset(name: *const c_char) -> i32 {
    let frame = Frame::here();
    string(frame, name);
    list(frame, true);
    // SAFETY: as above.
    unsafe { unsetenv(name) }
}

/// The text itself becomes part of the environment.
extern "C" fn put(text: *mut c_char) -> i32 {
    let frame = Frame::here();
    string(frame, text);
    list(frame, true);
    // SAFETY: as above.
    unsafe { putenv(text) }
}
