//! A copy of the toolchain's libraries in which the standard library is instrumented.
//!
//! Making it takes some seconds, so it is kept in the user's cache: one copy for each toolchain and each way of making it. A new copy is
//! made in another directory and renamed when it is complete, so every copy in the cache is complete. A lock makes processes
//! wait that want the same copy at the same time.

use super::bitcode::Library;
use super::output_of;
use super::shim;
use crate::redirected_functions;
use crate::toolchain::{CompileError, Toolchain};
use std::fs::File;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// What this module and those that it uses do to libraries. Raised with every change of that.
const RECIPE: u32 = 3;

/// Libraries that no program has in it, as their names begin.
const LEFT_OUT: [&str; 2] = ["libproc_macro-", "librustc-"];
/// Libraries without which nothing could be said of a program.
const NEEDED: [&str; 3] = ["libstd-", "libcore-", "liballoc-"];

/// An instrumented standard library.
pub struct Sysroot {
    /// What `--sysroot` is to name.
    pub directory: PathBuf,
    /// Where the libraries are.
    pub libraries: PathBuf,
}

/// The libraries of a toolchain, instrumented. They are made if they are not there.
pub fn instrumented(toolchain: &Toolchain) -> Result<Sysroot, CompileError> {
    let version = output_of(toolchain.rustc().arg("-vV"))?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or_else(|| unsupported("rustc -vV does not name its host".into()))?;
    let original = PathBuf::from(output_of(toolchain.rustc().args(["--print", "sysroot"]))?.trim());
    let below = Path::new("lib/rustlib").join(host);
    let cache = cache()?;
    let key = format!("{RECIPE} {version} {} {}", original.display(), redirected_functions::table());
    let name = format!("rust-{:016x}", xxh3_64(format!("{key} {}", shim::SOURCE).as_bytes()));
    let directory = cache.join(&name);
    let sysroot = Sysroot { libraries: directory.join(&below).join("lib"), directory };
    if sysroot.directory.is_dir() {
        return Ok(sysroot);
    }
    let lock = cache.join(format!("{name}.lock"));
    let failed = |error| CompileError::File { path: lock.clone(), error };
    // Closing the file gives the lock back.
    let held = File::create(&lock).map_err(failed)?;
    held.lock().map_err(failed)?;
    if !sysroot.directory.is_dir() {
        let release = version.lines().next().unwrap_or("this toolchain");
        (toolchain.tell)(&format!("instrumenting the standard library of {release}, once"));
        make((toolchain, &version), &original.join(&below), &below, &cache, &sysroot)?;
    }
    Ok(sysroot)
}

fn unsupported(what: String) -> CompileError {
    CompileError::Unsupported { what }
}

/// The directory for what is kept.
fn cache() -> Result<PathBuf, CompileError> {
    let named = |variable| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_CACHE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    let cache = base.join("sojourner");
    std::fs::create_dir_all(&cache).map_err(|error| CompileError::File { path: cache.clone(), error })?;
    Ok(cache)
}

/// Makes the libraries, in a directory that takes its name when it is complete.
fn make(
    (toolchain, version): (&Toolchain, &str),
    original: &Path,
    below: &Path,
    cache: &Path,
    sysroot: &Sysroot,
) -> Result<(), CompileError> {
    let lld = original.join("bin/rust-lld");
    if !lld.is_file() {
        return Err(unsupported(format!(
            "the standard library cannot be instrumented: there is no {}. Use a toolchain that rustup has installed \
             (`rustup toolchain install stable`), and name its compiler in RUSTC",
            lld.display()
        )));
    }
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| CompileError::File { path, error }
    };
    let new = tempfile::Builder::new().prefix("new-").tempdir_in(cache).map_err(at(cache))?;
    let whole = new.path().join("sysroot");
    let libraries = whole.join(below).join("lib");
    std::fs::create_dir_all(&libraries).map_err(at(&libraries))?;
    std::os::unix::fs::symlink(original.join("bin"), whole.join(below).join("bin")).map_err(at(&whole))?;
    let originals = original.join("lib");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&originals).map_err(at(&originals))? {
        found.push(entry.map_err(at(&originals))?.path());
    }
    found.sort();
    for path in &found {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (left_out, needed) = (
            LEFT_OUT.iter().any(|start| name.starts_with(start)),
            NEEDED.iter().any(|start| name.starts_with(start)),
        );
        if name.ends_with(".so") {
            continue;
        }
        if name.ends_with(".rlib") && !left_out {
            let library = Library::read(path)?;
            if library.has_bitcode() {
                let room = new.path().join(&name);
                std::fs::create_dir(&room).map_err(at(&room))?;
                library.instrument(&lld, &room, &libraries.join(&name))?;
                continue;
            }
            if needed {
                return Err(unsupported(format!(
                    "the standard library cannot be instrumented: {} has no bitcode in it. Use a toolchain that rustup has \
                     installed (`rustup toolchain install stable`), and name its compiler in RUSTC",
                    path.display()
                )));
            }
        }
        std::os::unix::fs::symlink(path, libraries.join(&name)).map_err(at(&libraries))?;
    }
    if let Some(missing) = NEEDED.iter().find(|start| {
        !found
            .iter()
            .any(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(**start)))
    }) {
        return Err(unsupported(format!(
            "the standard library cannot be instrumented: there is no {missing}*.rlib in {}",
            originals.display()
        )));
    }
    shim::make(toolchain, version, &whole, &libraries)?;
    std::fs::rename(&whole, &sysroot.directory).map_err(at(&sysroot.directory))
}
