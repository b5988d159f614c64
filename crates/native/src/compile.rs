//! From sources to an executable that can be explored.
//!
//! Objects are compiled with `-fsanitize=thread` and linked without it, so that the compiler's own runtime stays out and
//! ours comes in. What the compiler leaves uninstrumented, calls of `memcpy` and its like, is renamed in the objects.

use crate::{assembly, bit_fields, dead_registers, redirected_functions, rust, spin_bounds, struct_copies};
use std::ffi::{OsStr, OsString};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The runtime, as build.rs has made it.
static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libsojourner_rt.a"));

/// Functions that programs written for verifiers define, in ways that are not meant to be run.
const REPLACED: [&str; 2] = ["__VERIFIER_assume", "assume_abort_if_not"];

/// Why there is no executable.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler has something to say about the program.
    #[error("the program does not compile")]
    DoesNotCompile {
        /// What it says.
        message: String,
    },
    /// A tool that is needed is not there.
    #[error("{tool} cannot be run: {error}")]
    Tool {
        /// The tool.
        tool: String,
        /// Why not.
        error: io::Error,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The program, or the toolchain, is one that nothing could be said of.
    #[error("{what}")]
    Unsupported {
        /// What is the matter, and what to do.
        what: String,
    },
    /// Programs can be explored on this kind of machine only.
    #[error("C and C++ programs can be explored on Linux on x86-64 only, not supported here")]
    Elsewhere,
}

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust: the file that a crate begins with.
    Rust,
}

impl Language {
    /// The language of a file, by its name.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// The compilers to use, each with arguments of its own if there are spaces in it: `ccache gcc`.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// For C.
    pub cc: String,
    /// For C++.
    pub cxx: String,
    /// For Rust.
    pub rustc: String,
    /// Is told what takes long.
    pub tell: fn(&str),
}

impl Default for Toolchain {
    /// What `CC` and `CXX` name, or gcc and g++.
    fn default() -> Toolchain {
        let named = |variable, default: &str| Toolchain::named_by(variable).unwrap_or_else(|| default.into());
        Toolchain {
            cc: named("CC", "gcc"),
            cxx: named("CXX", "g++"),
            rustc: named("RUSTC", "rustc"),
            tell: |_| {},
        }
    }
}

impl Toolchain {
    /// The compiler that a variable of the environment names. Where `CC` is `sojourner cc` itself, that is no compiler to use.
    pub fn named_by(variable: &str) -> Option<String> {
        let ourselves = std::env::current_exe().ok();
        let ourselves = ourselves.as_deref().and_then(Path::file_name).unwrap_or(OsStr::new("sojourner"));
        std::env::var(variable).ok().filter(|named| {
            let program = named.split_whitespace().next();
            program.is_some_and(|program| Path::new(program).file_name() != Some(ourselves))
        })
    }

    fn compiler(&self, language: Language) -> &str {
        match language {
            Language::C => &self.cc,
            Language::Cpp => &self.cxx,
            Language::Rust => &self.rustc,
        }
    }

    /// A command that runs the compiler of Rust.
    pub(crate) fn rustc(&self) -> Command {
        self.command(Language::Rust)
    }

    /// A command that runs the compiler.
    fn command(&self, language: Language) -> Command {
        let mut words = self.compiler(language).split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

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
fn compile_source<E: From<CompileError>>(
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

/// What C++ sources begin with: strings are then the program's own code, as vectors are, and not that of a library which nobody
/// has instrumented. libstdc++ does so by itself from C++20 on. The compiler reads it from its standard input: a file that is gone
/// when somebody makes the program again would be among those that objects depend on.
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

fn scratch() -> Result<TempDir, CompileError> {
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
/// check their room (`__memcpy_chk` for `memcpy`) nobody says what they touch; what does not fit is found here anyway.
const INSISTED: [&str; 2] = ["-fno-lto", "-U_FORTIFY_SOURCE"];

/// What is linked with, beside the objects: the runtime, which is put into the directory.
fn link_arguments(directory: &Path) -> Result<Vec<OsString>, CompileError> {
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

/// Gives calls of functions that read or write memory the names of ours, and cuts short what only spins.
pub(crate) fn adapt(object: &Path) -> Result<(), CompileError> {
    let failed = |error| CompileError::File { path: object.to_path_buf(), error };
    let bytes = std::fs::read(object).map_err(failed)?;
    let mut command = Command::new("objcopy");
    for (name, new) in redirected_functions::symbols(&bytes) {
        command.arg("--redefine-sym").arg(format!("{name}={new}"));
    }
    for name in REPLACED {
        command.arg("--weaken-symbol").arg(name);
    }
    run(command.arg(object))?;
    let mut bytes = std::fs::read(object).map_err(failed)?;
    if spin_bounds::cut(&mut bytes) {
        std::fs::write(object, bytes).map_err(failed)?;
    }
    Ok(())
}

pub(crate) fn run(command: &mut Command) -> Result<(), CompileError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| CompileError::Tool { tool, error })?;
    if output.status.success() {
        return Ok(());
    }
    Err(CompileError::DoesNotCompile { message: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// What `sojourner cc` and `sojourner c++` do: the compiler is run with the arguments that it was given and what it takes for
/// the program to be explored. The status with which to exit.
pub fn wrap(language: Language, arguments: &[OsString], toolchain: &Toolchain) -> Result<i32, CompileError> {
    if RUNTIME.is_empty() {
        return Err(CompileError::Elsewhere);
    }
    let given = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let pass = |command: &mut Command| {
        let tool = command.get_program().to_string_lossy().into_owned();
        command.status().map_err(|error| CompileError::Tool { tool, error })
    };
    let sources: Vec<&OsString> =
        arguments.iter().filter(|argument| Language::of(Path::new(argument)).is_some()).collect();
    let only_looks =
        ["-E", "-M", "-MM", "-S", "-fsyntax-only", "--version", "-v", "-dumpversion", "-dumpmachine"];
    if only_looks.iter().any(|flag| given(flag)) {
        return Ok(pass(toolchain.command(language).args(arguments))?.code().unwrap_or(1));
    }
    // What a tool ends with, if that is not 0, is what we end with.
    let mut tool = |command: &mut Command| match pass(command)?.code() {
        Some(0) => Ok(()),
        status => Err(Stopped::Status(status.unwrap_or(1))),
    };
    if given("-c") {
        let flags = flags_of(arguments);
        for (source, object) in sources.iter().zip(objects_of(arguments, &sources)) {
            let flags = [flags.clone(), dependencies(&flags, &object)].concat();
            match compile_source((toolchain, language), &flags, Path::new(source), &object, &mut tool) {
                Ok(()) => {}
                Err(Stopped::Status(status)) => return Ok(status),
                Err(Stopped::Error(error)) => return Err(error),
            }
        }
        return Ok(0);
    }
    // Sources are compiled one by one, so that only what comes of them is changed.
    let directory = scratch()?;
    let mut linked = Vec::new();
    let mut number = 0;
    let mut rest = arguments.iter();
    let mut flags = Vec::new();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            linked.extend([argument.clone(), rest.next().cloned().unwrap_or_default()]);
        } else if Language::of(Path::new(argument)).is_some() {
            linked.push(directory.path().join(format!("{number}.o")).into());
            number += 1;
        } else {
            linked.push(argument.clone());
            flags.push(argument.clone());
        }
    }
    let flags: Vec<OsString> = flags.into_iter().filter(|flag| !is_for_linking(flag)).collect();
    for (number, source) in sources.iter().enumerate() {
        let object = directory.path().join(format!("{number}.o"));
        // What depends on the source is the program, if that is named.
        let named = objects_of(arguments, &[source]);
        let more = named.first().map(|named| dependencies(&flags, named)).unwrap_or_default();
        let flags = [flags.clone(), more].concat();
        match compile_source((toolchain, language), &flags, Path::new(source), &object, &mut tool) {
            Ok(()) => {}
            Err(Stopped::Status(status)) => return Ok(status),
            Err(Stopped::Error(error)) => return Err(error),
        }
    }
    let linked = linked.iter().filter(|argument| *argument != "-fsanitize=thread" && *argument != "-pie");
    let mut command = toolchain.command(language);
    let status = pass(command.args(linked).args(link_arguments(directory.path())?))?;
    Ok(status.code().unwrap_or(1))
}

/// Why a tool that stands in for the compiler does not go on.
enum Stopped {
    Status(i32),
    Error(CompileError),
}

impl From<CompileError> for Stopped {
    fn from(error: CompileError) -> Stopped {
        Stopped::Error(error)
    }
}

/// The arguments of a compiler without the sources, without what says where the object goes, and without `-c`.
fn flags_of(arguments: &[OsString]) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            rest.next();
        } else if argument != "-c" && Language::of(Path::new(argument)).is_none() {
            flags.push(argument.clone());
        }
    }
    flags
}

/// Where `-MD` and its like put what an object depends on, and what they call it, as if the object were made at once.
fn dependencies(flags: &[OsString], object: &Path) -> Vec<OsString> {
    let has = |names: &[&str]| {
        flags.iter().any(|flag| names.iter().any(|name| flag.to_string_lossy().starts_with(name)))
    };
    let mut more = Vec::new();
    if has(&["-MD", "-MMD"]) {
        if !has(&["-MF"]) {
            more.extend(["-MF".into(), object.with_extension("d").into()]);
        }
        if !has(&["-MT", "-MQ"]) {
            more.extend(["-MT".into(), object.into()]);
        }
    }
    more
}

fn is_for_linking(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    let file = [".o", ".a", ".so"].iter().any(|end| text.ends_with(end));
    file || text.starts_with("-l") || text.starts_with("-L") || text.starts_with("-Wl,")
}

/// The objects that `-c` makes: what is named, or one beside each source.
fn objects_of(arguments: &[OsString], sources: &[&OsString]) -> Vec<PathBuf> {
    let named = arguments.iter().position(|argument| argument == "-o").and_then(|at| arguments.get(at + 1));
    match named {
        Some(named) => vec![named.into()],
        None => sources
            .iter()
            .filter_map(|source| Path::new(source).file_stem())
            .map(|stem| Path::new(stem).with_extension("o"))
            .collect(),
    }
}
