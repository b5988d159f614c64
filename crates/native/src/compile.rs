//! From sources to an executable that can be explored.
//!
//! Objects are compiled with `-fsanitize=thread` and linked without it, so that the compiler's own runtime stays out and
//! ours comes in. What the compiler leaves uninstrumented, calls of `memcpy` and its like, is renamed in the objects.

use crate::objects::adapt;
use crate::toolchain::{CompileError, Language, Toolchain, run};
use crate::{assembly, bit_fields, dead_registers, redirected_functions, rust, struct_copies};
use std::ffi::{OsStr, OsString};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The runtime, as build.rs has made it.
pub(crate) static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libsojourner_rt.a"));

/// An executable, in a directory that goes away with it.
#[derive(Debug)]
pub struct Compiled {
    /// The executable.
    pub executable: PathBuf,
    _directory: TempDir,
}

/// Compiles and links sources with further flags of the user.
pub fn compile(
    sources: &[PathBuf],
    flags: &[String],
    toolchain: &Toolchain,
) -> Result<Compiled, CompileError> {
    if RUNTIME.is_empty() {
        return Err(CompileError::Elsewhere);
    }
    let directory = scratch()?;
    if let [source] = sources
        && Language::of(source) == Some(Language::Rust)
    {
        let link = link_arguments(directory.path())?;
        let executable = rust::compile(toolchain, source, flags, &link, directory.path())?;
        return Ok(Compiled { executable, _directory: directory });
    }
    if sources.iter().any(|source| Language::of(source) == Some(Language::Rust)) {
        let message = "a Rust program is given by the one file that its crate begins with".into();
        return Err(CompileError::DoesNotCompile { message });
    }
    let mut objects = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        if let Err(error) = std::fs::File::open(source) {
            return Err(CompileError::File { path: source.clone(), error });
        }
        let language = Language::of(source).unwrap_or(Language::C);
        let object = directory.path().join(format!("{number}.o"));
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        compile_source((toolchain, language), &flags, source, &object, &mut run)?;
        objects.push(object);
    }
    let language = if sources.iter().any(|source| Language::of(source) == Some(Language::Cpp)) {
        Language::Cpp
    } else {
        Language::C
    };
    let name = sources.first().and_then(|source| source.file_stem()).unwrap_or(OsStr::new("program"));
    let executable = directory.path().join(name).with_extension("exe");
    let mut command = toolchain.command(language);
    // Libraries that the user names come behind the objects that need them, and before the runtime: what they define is the
    // program's own.
    command.args(&objects);
    command.args(flags.iter().filter(|flag| flag.starts_with("-l") || flag.starts_with("-L")));
    command.args(link_arguments(directory.path())?);
    run(command.arg("-o").arg(&executable))?;
    Ok(Compiled { executable, _directory: directory })
}

/// Compiles one source to an object, with a look at its assembly. `run` runs a tool.
pub(crate) fn compile_source<E: From<CompileError>>(
    (toolchain, language): (&Toolchain, Language),
    flags: &[OsString],
    source: &Path,
    object: &Path,
    run: &mut impl FnMut(&mut Command) -> Result<(), E>,
) -> Result<(), E> {
    let assembly = object.with_extension("sojourner.s");
    let (to_assembler, to_compiler): (Vec<_>, Vec<_>) =
        flags.iter().partition(|flag| flag.to_string_lossy().starts_with("-Wa,"));
    let mut command = toolchain.command(language);
    if language == Language::Cpp {
        command.stdin(own_strings()?).args(["-include", "/dev/stdin"]);
    }
    command.args(compile_arguments(toolchain.compiler(language))).args(to_compiler).args(INSISTED);
    if has_sections(source) {
        command.args(if is_clang(toolchain.compiler(language)) { &KEPT_APART[..1] } else { &KEPT_APART });
    }
    command.arg("-S").arg(source);
    let compiled = run(command.arg("-o").arg(&assembly)).and_then(|()| {
        guard(&assembly, is_clang(toolchain.compiler(language)))?;
        let mut command = toolchain.command(language);
        run(command.arg("-c").args(to_assembler).arg(&assembly).arg("-o").arg(object))
    });
    let _ = std::fs::remove_file(&assembly);
    compiled?;
    Ok(adapt(object)?)
}

/// Functions are what the source says they are, whatever the program's own flags say: none is put into its caller (the
/// first flag), and no two that are alike become one.
const KEPT_APART: [&str; 2] = ["-fno-inline", "-fno-ipa-icf"];

/// Whether a source has functions that are atomic sections by their names.
fn has_sections(source: &Path) -> bool {
    const NAME: &[u8] = b"__VERIFIER_atomic_";
    std::fs::read(source).is_ok_and(|text| text.windows(NAME.len()).any(|window| window == NAME))
}

/// What C++ sources begin with: strings are then the program's own code, as vectors are, and not that of a library that is not
/// instrumented. libstdc++ does so by itself from C++20 on. The compiler reads it from its standard input. A file would be among those that
/// objects depend on, and it would be gone when the user makes the program again.
fn own_strings() -> Result<std::fs::File, CompileError> {
    const TEXT: &[u8] =
        b"#if defined __has_include\n#if __has_include(<bits/c++config.h>)\n#include <bits/c++config.h>\n\
        #undef _GLIBCXX_EXTERN_TEMPLATE\n#define _GLIBCXX_EXTERN_TEMPLATE -1\n#endif\n#endif\n";
    let written = tempfile::tempfile().and_then(|mut file| {
        file.write_all(TEXT)?;
        file.rewind()?;
        Ok(file)
    });
    written.map_err(|error| CompileError::File { path: std::env::temp_dir(), error })
}

/// Puts stops into assembly that the program itself has, has the runtime tell the time, and announces what the compiler has not:
/// reads of words around bit fields, and structures that are passed by value.
fn guard(assembly: &Path, by_clang: bool) -> Result<(), CompileError> {
    let error = |error| CompileError::File { path: assembly.to_path_buf(), error };
    let bytes = std::fs::read(assembly).map_err(error)?;
    let text = String::from_utf8_lossy(&bytes);
    let guarded = assembly::guarded(&text);
    let parted = bit_fields::parted(&guarded);
    let timed = assembly::timed(&parted);
    let told = if by_clang {
        timed
    } else {
        dead_registers::cleared(&struct_copies::announced(&timed)).into_owned().into()
    };
    if *told == *text { Ok(()) } else { std::fs::write(assembly, &*told).map_err(error) }
}

/// A directory for what is made on the way.
pub(crate) fn scratch() -> Result<TempDir, CompileError> {
    tempfile::Builder::new()
        .prefix("sojourner-")
        .tempdir()
        .map_err(|error| CompileError::File { path: std::env::temp_dir(), error })
}

/// What is compiled with. Without optimisation unless the user asks for it: at -O1 compilers leave out reads, and an
/// assertion that can fail no longer does.
fn compile_arguments(compiler: &str) -> Vec<&'static str> {
    let mut arguments = vec![
        "-fsanitize=thread",
        "-U__SANITIZE_THREAD__",
        "-O0",
        "-g",
        "-fno-omit-frame-pointer",
        "-fno-pie",
    ];
    arguments.extend(redirected_functions::CALLED);
    if is_clang(compiler) {
        arguments.extend([
            "-mllvm",
            "-tsan-instrument-read-before-write=1",
            "-mllvm",
            "-tsan-distinguish-volatile=1",
        ]);
    } else {
        // After a call no register holds what the call may change: `values` goes by that.
        arguments.extend(["--param", "tsan-distinguish-volatile=1", "-fno-ipa-ra", "-w"]);
    }
    arguments
}

/// What is called neither like clang nor like gcc is taken for gcc.
fn is_clang(compiler: &str) -> bool {
    compiler.contains("clang")
}

/// What holds whatever the program's own flags say. What the linker would compile is not instrumented, and of functions that
/// check their room (`__memcpy_chk` for `memcpy`) the runtime learns nothing; what does not fit is found here anyway.
const INSISTED: [&str; 2] = ["-fno-lto", "-U_FORTIFY_SOURCE"];

/// What is linked with, beside the objects: the runtime, which is put into the directory.
pub(crate) fn link_arguments(directory: &Path) -> Result<Vec<OsString>, CompileError> {
    let runtime = directory.join("libsojourner_rt.a");
    std::fs::write(&runtime, RUNTIME).map_err(|error| CompileError::File { path: runtime.clone(), error })?;
    let mut arguments: Vec<OsString> =
        ["-no-pie", "-Wl,--wrap=main", "-Wl,-z,now", "-Wl,--undefined=__wrap_main"]
            .map(OsString::from)
            .into();
    arguments.push(runtime.into());
    arguments.extend(["-lpthread", "-ldl", "-lm"].map(OsString::from));
    Ok(arguments)
}
