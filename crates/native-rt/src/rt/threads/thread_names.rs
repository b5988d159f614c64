//! Names of threads, which a program may give and ask for.

use crate::rt::base::errno;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::state::runtime;
use crate::rt::sched::thread_records::NAME_BYTES;
use core::ffi::{CStr, c_char};

export! {
    pthread_setname_np => set;
    pthread_getname_np => get;
}

extern "C" fn set(handle: u64, name: *const c_char) -> i32 {
    Frame::here();
    // SAFETY: the program passes a string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if name.len() > NAME_BYTES {
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
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(NAME_BYTES - 1) + 1;
    if length > size {
        return errno::ERANGE;
    }
    crate::rt::libc::memory_functions::place(frame, to, &name[..length]);
    0
}
