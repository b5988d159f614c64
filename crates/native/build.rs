//! Builds the runtime that is linked into programs, with the compiler that builds this crate, and leaves it where the crate
//! takes its bytes from. Its names are made weak: a program that defines one of them itself links, and its own definition wins,
//! as it does with the C library.

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
    // A driver that is built for development, or for its tests, has a runtime that checks how its state is used.
    let checks: &[&str] = match std::env::var("PROFILE").as_deref() {
        Ok("release") => &[],
        _ => &["--cfg", "sojourner_checks"],
    };
    let built = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "staticlib", "--crate-name", "sojourner_rt"])
        .args(["--target", &target, "--cfg", "sojourner_rt"])
        .args([
            "--check-cfg",
            "cfg(sojourner_rt)",
            "--check-cfg",
            "cfg(sojourner_checks)",
            "--check-cfg",
            "cfg(test)",
        ])
        .args(checks)
        .args(["-C", "panic=abort", "-C", "opt-level=3", "-C", "codegen-units=1", "-C", "lto=fat"])
        .args(["-C", "relocation-model=static", "-C", "strip=debuginfo"])
        .arg(runtime.join("lib.rs"))
        .arg("-o")
        .arg(&out)
        .output();
    match built {
        Ok(built) if built.status.success() => {
            for line in String::from_utf8_lossy(&built.stderr).lines() {
                println!("cargo::warning={line}");
            }
            let mut archive = std::fs::read(&out).expect("rustc has just written it");
            weaken(&mut archive);
            std::fs::write(out, archive).expect("the directory for output can be written to");
        }
        Ok(built) => panic!("the runtime does not compile:\n{}", String::from_utf8_lossy(&built.stderr)),
        Err(error) => panic!("rustc cannot be run: {error}"),
    }
}

/// Names that programs written for verifiers define in ways that are not meant to be run: ours win.
const STRONG: [&[u8]; 2] = [b"__VERIFIER_assume", b"assume_abort_if_not"];

/// Makes the names weak that the objects of an archive define.
fn weaken(archive: &mut [u8]) {
    const MAGIC: usize = 8;
    const HEADER: usize = 60;
    let mut at = MAGIC;
    while at + HEADER <= archive.len() {
        let size = std::str::from_utf8(&archive[at + 48..at + 58]).expect("a header of an archive is text");
        let size: usize = size.trim().parse().expect("a header of an archive has a size");
        at += HEADER;
        let member = &mut archive[at..at + size];
        if member.starts_with(b"\x7fELF") {
            weaken_object(member);
        }
        at += size.next_multiple_of(2);
    }
}

/// The same for one object: ELF, of 64 bits, the least significant byte first.
fn weaken_object(object: &mut [u8]) {
    const SYMBOL_TABLE: u64 = 2;
    const SYMBOL: usize = 24;
    const GLOBAL: u8 = 1;
    const WEAK: u8 = 2;
    let number = |object: &[u8], at: usize, bytes: usize| {
        object[at..at + bytes].iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte))
    };
    let sections = number(object, 40, 8) as usize;
    let section = |nth: u64| sections + nth as usize * 64;
    for nth in 0..number(object, 60, 2) {
        let table = section(nth);
        if number(object, table + 4, 4) != SYMBOL_TABLE {
            continue;
        }
        let (start, size) = (number(object, table + 24, 8) as usize, number(object, table + 32, 8) as usize);
        let texts = number(object, section(number(object, table + 40, 4)) + 24, 8) as usize;
        for symbol in (start..start + size).step_by(SYMBOL) {
            let text = texts + number(object, symbol, 4) as usize;
            let name = object[text..].split(|byte| *byte == 0).next().unwrap_or_default();
            let (info, defined) = (object[symbol + 4], number(object, symbol + 6, 2) != 0);
            if defined && info >> 4 == GLOBAL && !STRONG.contains(&name) {
                object[symbol + 4] = WEAK << 4 | info & 0xf;
            }
        }
    }
}
