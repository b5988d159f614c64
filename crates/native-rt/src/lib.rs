//! The runtime that is linked into C and C++ programs under test.
//!
//! Programs are compiled with `-fsanitize=thread`, which puts a call before every access that another thread could
//! notice, and linked with this library in place of the compiler's own. All their threads are fibers on one thread of the
//! operating system; at each visible operation the schedule says who goes on. One process runs the program again and
//! again: between two executions its memory is put back to what it was when `main` was called.
//!
//! The library uses nothing of the C library that has a state of its own: no `malloc`, no streams, no thread-local storage,
//! no locks. What it keeps lies at fixed addresses outside the program's memory, so that putting that back does not touch it.
//!
//! Built as an ordinary crate it exports nothing and only [`protocol`] is of use: the driver reads what the runtime
//! writes. `cfg(sojourner_rt)` makes the library.
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
