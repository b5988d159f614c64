//! Numbers of errors, and the thread's own variable that holds the last one.

pub const EPERM: i32 = 1;
pub const ENOENT: i32 = 2;
pub const ESRCH: i32 = 3;
pub const EINTR: i32 = 4;
pub const EBADF: i32 = 9;
pub const EAGAIN: i32 = 11;
pub const ENOMEM: i32 = 12;
pub const EBUSY: i32 = 16;
pub const EEXIST: i32 = 17;
pub const EINVAL: i32 = 22;
pub const ERANGE: i32 = 34;
pub const EDEADLK: i32 = 35;
pub const EOVERFLOW: i32 = 75;
pub const ETIMEDOUT: i32 = 110;
pub const EOWNERDEAD: i32 = 130;
pub const ENOTRECOVERABLE: i32 = 131;

/// Sets `errno` of the running thread.
pub fn set(number: i32) {
    unsafe extern "C" {
        fn __errno_location() -> *mut i32;
    }
    // SAFETY: the C library gives an address in the running thread's own storage.
    unsafe { *__errno_location() = number };
}
