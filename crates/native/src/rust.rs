//! Rust programs through the same runtime, on the stable toolchain.
//!
//! rustc runs LLVM's own passes for ThreadSanitizer over the program if it is asked to (`-C passes`). The standard library comes
//! compiled, without instrumentation, so that its reads and writes would be no steps: [`sysroot`] makes a copy of it that is
//! instrumented, from the bitcode that comes with it. [`shim`] tells the runtime of panics.

mod bitcode;
mod inline;
mod shim;
mod shortcuts;
mod sysroot;

use crate::redirected_functions;
use crate::toolchain::{CompileError, Toolchain, run};
use shim::Shim;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of LLVM: which functions are instrumented, and that a read stays one if a write follows it.
const LLVM: [&str; 3] = [
    "-force-attribute=sanitize_thread",
    "-tsan-instrument-read-before-write=1",
    "-tsan-distinguish-volatile=1",
];

/// Compiles and links a crate for the runtime, with further flags of the user.
pub fn compile(
    toolchain: &Toolchain,
    source: &Path,
    flags: &[String],
    link: &[OsString],
    directory: &Path,
) -> Result<PathBuf, CompileError> {
    refuse(flags)?;
    let sysroot = sysroot::instrumented(toolchain)?;
    let shim = Shim::of(&sysroot)?;
    let name = source.file_stem().unwrap_or(OsStr::new("program"));
    let executable = directory.join(name).with_extension("exe");
    let mut command = toolchain.rustc();
    command.args(["-g", "-Copt-level=0", "-Cpasses=forceattrs tsan"]);
    command.arg(format!("-Cllvm-args={}", LLVM.join(" ")));
    command.arg("--sysroot").arg(&sysroot.directory);
    command.args(["-Crelocation-model=static", "-Cforce-frame-pointers=yes"]);
    command.arg("-Clinker-flavor=gcc").arg(option("-Clinker=", linker(directory)?.as_os_str()));
    // The runtime brings its own copies of a few functions that every Rust program has: those of the program are taken.
    command.arg("-Clink-arg=-Wl,--allow-multiple-definition");
    // The runtime refers to its table of names only by where that begins and ends.
    command.arg("-Clink-arg=-Wl,-z,nostart-stop-gc");
    for argument in shim.link_arguments().iter().chain(link) {
        command.arg(option("-Clink-arg=", argument));
    }
    if !flags.iter().any(|flag| flag.starts_with("--edition")) {
        command.args(["--edition", "2024"]);
    }
    let assembly = directory.join("program.s");
    command
        .arg(option("--emit=asm=", assembly.as_os_str()))
        .arg(option("--emit=link=", executable.as_os_str()));
    // What comes into being on the way goes there, too.
    run(command.arg("--out-dir").arg(directory).args(flags).arg(source))?;
    inline::stop(&assembly, &executable)?;
    // What of the standard library is generic or inlined is compiled with the program.
    shortcuts::take_in(&executable)?;
    Ok(executable)
}

fn option(name: &str, value: &OsStr) -> OsString {
    let mut option = OsString::from(name);
    option.push(value);
    option
}

/// Refuses flags under which code would be linked that is not instrumented.
fn refuse(flags: &[String]) -> Result<(), CompileError> {
    let joined = flags.join(" ");
    let bare = joined.replace("-C ", "-C");
    let refused = [
        ("--extern", "a crate that was compiled before is not instrumented; make it a module of the program"),
        ("-Clto", "the instrumented standard library has no bitcode left to optimise"),
        ("-Cprefer-dynamic", "the shared standard library is not instrumented"),
        ("--sysroot", "the standard library is the instrumented one"),
        ("--target", "programs are explored on the machine that they are compiled on"),
    ];
    match refused.into_iter().find(|(flag, _)| bare.split(' ').any(|given| given.starts_with(flag))) {
        Some((flag, why)) => {
            Err(CompileError::Unsupported { what: format!("{flag} for a Rust program: {why}") })
        }
        None => Ok(()),
    }
}

/// Writes what rustc takes for the linker: calls of functions that touch memory get the names of ours in the program's objects, as
/// those of C programs do, before they are linked.
fn linker(directory: &Path) -> Result<PathBuf, CompileError> {
    let (names, script) = (directory.join("names"), directory.join("link.sh"));
    let written = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| CompileError::File { path: path.to_path_buf(), error })
    };
    written(&names, &redirected_functions::table())?;
    let text = format!(
        "#!/bin/sh\nfor file in \"$@\"; do\n  case \"$file\" in\n    *.rcgu.o) objcopy --redefine-syms='{}' \"$file\" || exit 1 ;;\n  \
         esac\ndone\nexec gcc \"$@\"\n",
        names.display()
    );
    written(&script, &text)?;
    let mut permissions = std::fs::metadata(&script)
        .map_err(|error| CompileError::File { path: script.clone(), error })?
        .permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o700);
    std::fs::set_permissions(&script, permissions)
        .map_err(|error| CompileError::File { path: script.clone(), error })?;
    Ok(script)
}

/// What a command prints on its standard output.
fn output_of(command: &mut Command) -> Result<String, CompileError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| CompileError::Tool { tool: tool.clone(), error })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(CompileError::Unsupported { what: format!("{tool} failed: {}", said.trim()) });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
