//! Functions of the C library that have the system fill in memory of the program: see [`crate::rt::libc::memory_functions`].
//!
//! Pages that the program has not written to in an execution are protected, so that it is noticed when it does
//! ([`crate::rt::sched::restore`]). The system notices nothing: it refuses to write there. So it is said beforehand.

use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::state::runtime;

/// The system is about to fill in that many bytes.
pub fn fill(frame: &Frame, to: usize, length: usize) {
    if to != 0 {
        range(frame, to as u64, length as u64, true);
        runtime().memory.about_to_write(to, length);
    }
}

/// Functions, what the system fills in, how large that is, and what the library calls them.
macro_rules! filled {
    ($($name:ident => $function:ident($($argument:ident: $type:ty),*) -> $result:ty, $out:ident, $size:expr, $real:ident;)*) => {
        unsafe extern "C" { $( fn $real($($argument: $type),*) -> $result; )* }
        $( extern "C" fn $function($($argument: $type),*) -> $result {
            fill(Frame::here(), $out, $size);
            // SAFETY: the program asks for this.
            unsafe { $real($($argument),*) }
        } )*
        export! { $( $name => $function; )* }
    };
}

// Sizes of the system's records.
const STATUS: usize = 144;
const FILE_SYSTEM: usize = 120;
const NAMES: usize = 390;
const USAGE: usize = 144;
const TIMES: usize = 32;
const SYSTEM: usize = 112;
const LIMITS: usize = 16;
const RESOLUTION: usize = 16;
const PRIORITY: usize = 4;
/// No request of a device that programs use fills in more.
const ANSWER: usize = 256;

filled! {
    __sojourner_stat => status(path: usize, out: usize) -> i32, out, STATUS, stat;
    __sojourner_stat64 => status_64(path: usize, out: usize) -> i32, out, STATUS, stat64;
    __sojourner_lstat => status_of_link(path: usize, out: usize) -> i32, out, STATUS, lstat;
    __sojourner_lstat64 => status_of_link_64(path: usize, out: usize) -> i32, out, STATUS, lstat64;
    __sojourner_fstat => status_of(descriptor: i32, out: usize) -> i32, out, STATUS, fstat;
    __sojourner_fstat64 => status_of_64(descriptor: i32, out: usize) -> i32, out, STATUS, fstat64;
    __sojourner_fstatat => status_at(directory: i32, path: usize, out: usize, flags: i32) -> i32, out, STATUS, fstatat;
    __sojourner_statfs => system_at(path: usize, out: usize) -> i32, out, FILE_SYSTEM, statfs;
    __sojourner_fstatfs => system_of(descriptor: i32, out: usize) -> i32, out, FILE_SYSTEM, fstatfs;
    __sojourner_uname => names(out: usize) -> i32, out, NAMES, uname;
    __sojourner_getcwd => directory(out: usize, room: usize) -> usize, out, room, getcwd;
    __sojourner_readlink => link(path: usize, out: usize, room: usize) -> isize, out, room, readlink;
    __sojourner_readlinkat => link_at(directory: i32, path: usize, out: usize, room: usize) -> isize, out, room, readlinkat;
    __sojourner_getrusage => usage(who: i32, out: usize) -> i32, out, USAGE, getrusage;
    __sojourner_getrlimit => limits(which: i32, out: usize) -> i32, out, LIMITS, getrlimit;
    __sojourner_times => elapsed(out: usize) -> i64, out, TIMES, times;
    __sojourner_sysinfo => system(out: usize) -> i32, out, SYSTEM, sysinfo;
    __sojourner_clock_getres => resolution(clock: i32, out: usize) -> i32, out, RESOLUTION, clock_getres;
    __sojourner_sched_getparam => priority(process: i32, out: usize) -> i32, out, PRIORITY, sched_getparam;
    __sojourner_sched_getaffinity => processors(process: i32, size: usize, out: usize) -> i32, out, size, sched_getaffinity;
    __sojourner_pthread_getaffinity_np => processors_of(thread: usize, size: usize, out: usize) -> i32, out, size,
        pthread_getaffinity_np;
}

unsafe extern "C" {
    fn ioctl(descriptor: i32, request: usize, argument: usize) -> i32;
}

export! {
    __sojourner_ioctl => ask_device;
}

/// What a request reads, and what it fills in, only the device knows; where nothing of the program lies, nothing is unprotected.
extern "C" fn ask_device(descriptor: i32, request: usize, argument: usize) -> i32 {
    Frame::here();
    runtime().memory.about_to_write(argument, ANSWER);
    // SAFETY: the program asks for this.
    unsafe { ioctl(descriptor, request, argument) }
}
