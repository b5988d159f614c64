//! What tells the runtime of panics: a few functions that stand in front of the standard library's own.
//!
//! They are compiled with the program's toolchain, since they are passed what only that knows the layout of. The linker's `--wrap`
//! has every call of the functions go to them first.

use super::bitcode::Library;
use super::sysroot::Sysroot;
use crate::toolchain::{CompileError, Toolchain, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Their source, with the names of the functions left open.
pub const SOURCE: &str = include_str!("wrapped.rs");

/// How the names of the functions end, and what stands for each in the source.
const WRAPPED: [(&str, &str); 3] =
    [("rust_begin_unwind", "BEGIN"), ("__rust_start_panic", "START"), ("__rust_panic_cleanup", "CLEANUP")];

const OBJECT: &str = "panics.o";
const NAMES: &str = "panics.names";

/// The functions as they are linked into programs.
pub struct Shim {
    object: PathBuf,
    names: Vec<String>,
}

impl Shim {
    /// That of a standard library.
    pub fn of(sysroot: &Sysroot) -> Result<Shim, CompileError> {
        let path = sysroot.libraries.join(NAMES);
        let names = std::fs::read_to_string(&path).map_err(|error| CompileError::File { path, error })?;
        Ok(Shim { object: sysroot.libraries.join(OBJECT), names: names.lines().map(String::from).collect() })
    }

    /// What the linker has to be told.
    pub fn link_arguments(&self) -> Vec<OsString> {
        let wraps = self.names.iter().map(|name| OsString::from(format!("-Wl,--wrap={name}")));
        wraps.chain([self.object.clone().into()]).collect()
    }
}

/// The first release whose first thread may be asked for before `main`.
const EARLY: u32 = 85;

/// The number after the first dot in `release: 1.85.0`.
fn release(version: &str) -> Option<u32> {
    let number = version.lines().find_map(|line| line.strip_prefix("release: 1."))?;
    number.split('.').next()?.parse().ok()
}

/// Compiles the functions for the standard library in a directory. The version is what `rustc -vV` says.
pub fn make(
    toolchain: &Toolchain,
    version: &str,
    sysroot: &Path,
    libraries: &Path,
) -> Result<(), CompileError> {
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| CompileError::File { path, error }
    };
    let mut known = Vec::new();
    for entry in std::fs::read_dir(libraries).map_err(at(libraries))? {
        let path = entry.map_err(at(libraries))?.path();
        if path.extension().is_some_and(|extension| extension == "rlib")
            && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libstd-"))
        {
            known.extend(Library::symbols(&path)?);
        }
    }
    let mut source = SOURCE.to_string();
    let mut names = String::new();
    for (end, placeholder) in WRAPPED {
        let Some(name) = known.iter().find(|name| name.ends_with(end)) else {
            let what = format!("panics cannot be told of: the standard library has no function {end}");
            return Err(CompileError::Unsupported { what });
        };
        source = source.replace(placeholder, name);
        names.push_str(&format!("{name}\n"));
    }
    let file = libraries.join("panics.rs");
    std::fs::write(&file, source).map_err(at(&file))?;
    let names_file = libraries.join(NAMES);
    std::fs::write(&names_file, names).map_err(at(&names_file))?;
    let mut command = toolchain.rustc();
    command.args(["--edition", "2021", "--crate-type", "lib", "--crate-name", "sojourner_panics"]);
    command.args(["--emit", "obj", "-Copt-level=2", "-Crelocation-model=static", "-Ccodegen-units=1"]);
    if release(version).is_some_and(|release| release >= EARLY) {
        command.args(["--cfg", "early"]);
    }
    command.arg("--sysroot").arg(sysroot).arg(&file).arg("-o").arg(libraries.join(OBJECT));
    run(&mut command).map_err(|error| match error {
        CompileError::DoesNotCompile { message } => CompileError::Unsupported {
            what: format!(
                "panics cannot be told of with this toolchain, Rust 1.81 is needed at least: {message}"
            ),
        },
        error => error,
    })
}
