//! Builds the runtime that is linked into programs, with the compiler that builds this crate, and leaves it where the crate
//! takes its bytes from.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let runtime = Path::new("../native-rt/src");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", runtime.display());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("libsojourner_rt.a");
    let target = std::env::var("TARGET").expect("cargo sets it");
    let here = target.starts_with("x86_64-") && target.contains("-linux-");
    if !here {
        // There is nothing to link elsewhere; the crate says so when it is asked to.
        std::fs::write(out, []).expect("the directory for output can be written to");
        return;
    }
    let rustc = std::env::var_os("RUSTC").expect("cargo sets it");
    let built = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "staticlib", "--crate-name", "sojourner_rt"])
        .args(["--target", &target, "--cfg", "sojourner_rt", "-Awarnings"])
        .args(["-C", "panic=abort", "-C", "opt-level=3", "-C", "codegen-units=1", "-C", "lto=fat"])
        .args(["-C", "relocation-model=static", "-C", "strip=debuginfo"])
        .arg(runtime.join("lib.rs"))
        .arg("-o")
        .arg(out)
        .status();
    match built {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("the runtime does not compile: rustc ended with {status}"),
        Err(error) => panic!("rustc cannot be run: {error}"),
    }
}
