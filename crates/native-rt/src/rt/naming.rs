//! Names of threads, which a program may give and ask for.

use super::context::{Frame, export};
use super::errno;
use super::state::runtime;
use core::ffi::{CStr, c_char};

export! {
    pthread_setname_np => set;
    pthread_getname_np => get;
}

/// The bytes of a name, with the one that ends it.
const BYTES: usize = 16;

/// What a thread is called.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Name([u8; BYTES]);

impl Name {
    /// That of a new thread.
    pub const OF_NEW_THREAD: Name = Name(*b"thread\0\0\0\0\0\0\0\0\0\0");
}

extern "C" fn set(handle: u64, name: *const c_char) -> i32 {
    Frame::here();
    // SAFETY: the program passes a string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if name.len() > BYTES {
        return errno::ERANGE;
    }
    let runtime = runtime();
    match runtime.by_base(handle).filter(|_| runtime.running.get()) {
        Some(index) => {
            runtime.table[index as usize].name.update(|mut known| {
                known.0[..name.len()].copy_from_slice(name);
                known
            });
            0
        }
        None => errno::ESRCH,
    }
}

extern "C" fn get(handle: u64, to: *mut u8, size: usize) -> i32 {
    let frame = Frame::here();
    let runtime = runtime();
    let Some(index) = runtime.by_base(handle).filter(|_| runtime.running.get()) else { return errno::ESRCH };
    let name = runtime.table[index as usize].name.get().0;
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(BYTES - 1) + 1;
    if length > size {
        return errno::ERANGE;
    }
    super::ranges::place(frame, to, &name[..length]);
    0
}
