//! Functions that the program asks the loader for by name: it gets those of the runtime.

use crate::rt::base::symbols::own;
use crate::rt::libc::memory_functions::string;
use crate::rt::sched::context::{Frame, export};
use core::ffi::{c_char, c_void};

export! {
    __sojourner_dlsym => look_up;
}

extern "C" fn look_up(handle: usize, name: *const c_char) -> *const c_void {
    unsafe extern "C" {
        fn dlsym(handle: usize, name: *const c_char) -> *const c_void;
    }
    let bytes = string(Frame::here(), name);
    match own(bytes.strip_suffix(b"\0").unwrap_or(bytes)) {
        Some(stub) => stub as *const c_void,
        // SAFETY: the program asks for this.
        None => unsafe { dlsym(handle, name) },
    }
}
