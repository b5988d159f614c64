//! The runtime that is linked into C, C++ and Rust programs under test.
//!
//! The crate is internal: `sojourner-native` compiles it, links it and talks to it. Programs are compiled with `-fsanitize=thread`,
//! which puts a call before every access to memory that another thread could notice. They are linked with this library in place
//! of the compiler's own. All threads of a program are fibers on one thread of the operating system. At each visible operation
//! the schedule decides which fiber continues. One process runs the program many times: between two executions, its memory
//! is put back to what it was when `main` was called.
//!
//! The library uses nothing of the C library that has a state of its own: no `malloc`, no streams, no thread-local storage, no
//! locks. Its own data lies at fixed addresses outside the program's memory, so that restoring that memory does not touch it.
//!
//! As an ordinary crate it exports only [`protocol`]: the driver reads what the runtime writes. `cfg(sojourner_rt)` builds the
//! library that is linked.
#![cfg_attr(not(test), no_std)]
// The functions that take the places of those of the C library are called by programs, not by us.
#![cfg_attr(not(sojourner_rt), allow(dead_code))]
#![allow(non_snake_case)]

pub mod protocol;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod rt;

#[cfg(all(sojourner_rt, not(test)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    rt::broken_at(info.location())
}
