//! Rust programs through the same runtime.
//!
//! rustc instruments as the compilers of C do, but only with a switch that its makers keep for themselves (`RUSTC_BOOTSTRAP`): it
//! concerns nothing but the program under test. The standard library comes as it was compiled, without instrumentation. What of it
//! is generic or inlined is compiled with the program, which is most of what threads share: `Arc`, the fast path of `Mutex`,
//! atomics, channels. The rest is seen where it sleeps and wakes.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Adds what makes rustc compile and link a crate for the runtime, with further flags of the user.
pub fn arguments<'a>(
    command: &'a mut Command,
    source: &Path,
    flags: &[String],
    link: &[OsString],
) -> &'a mut Command {
    command
        .env("RUSTC_BOOTSTRAP", "1")
        // A panic that nobody catches is an error; that of a thread ends the program where it happens.
        .args(["-g", "-Copt-level=0", "-Cpanic=abort"])
        .args(["-Zsanitizer=thread", "-Zexternal-clangrt", "-Cunsafe-allow-abi-mismatch=sanitizer"])
        .args(["-Crelocation-model=static", "-Clinker=gcc"])
        // Names that are read back as those of C++ are.
        .args(["-Zunstable-options", "-Csymbol-mangling-version=legacy"])
        // The runtime has a few functions in it that every Rust program has: those of the program are taken.
        .arg("-Clink-arg=-Wl,--allow-multiple-definition");
    for argument in link {
        let mut option = OsString::from("-Clink-arg=");
        option.push(argument);
        command.arg(option);
    }
    if !flags.iter().any(|flag| flag.starts_with("--edition")) {
        command.args(["--edition", "2024"]);
    }
    command.args(flags).arg(source)
}
