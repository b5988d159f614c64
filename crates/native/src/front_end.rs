//! C, C++ and Rust programs as a front-end: how they are named, which options they have, how they are opened for a check.

use crate::exploration::{Exploration, Leaks, Signal};
use crate::{CompileError, Compiled, Language, NativeProgram, Toolchain, compile};
use sojourner_frontend::shared::{self, Races};
use sojourner_frontend::{FrontEnd, Given, OpenError, Opt, Otherwise, Request, Stage, States, Value, Visit};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of C, C++ and Rust programs.
pub static OPTIONS: &[Opt] = &[
    Opt::named::<Signal>("--signal", Otherwise::Is("any"), "Choose which waiter a signal of a condition variable wakes.")
        .from(Stage::Run),
    Opt::named::<Leaks>(
        "--leaks",
        Otherwise::Is("warn"),
        "Choose how to report memory that is neither freed nor reachable when the program ends.",
    )
    .from(Stage::Run),
    Opt::flag(
        "--isolate",
        "Run each execution in a process of its own. This takes at least ten times as long. It is for programs that change \
         what outlasts an execution: mappings, the working directory, limits. Programs that are seen to need it get it \
         without this option.",
    )
    .from(Stage::Run),
    Opt::value("--cc", Value::any("COMPILER"), "Compile C sources with this compiler, gcc or clang: 'ccache clang'.")
        .otherwise(Otherwise::Says("the variable CC, or gcc"))
        .from(Stage::Run),
    Opt::value("--cxx", Value::any("COMPILER"), "Compile C++ sources with this compiler, g++ or clang++.")
        .otherwise(Otherwise::Says("the variable CXX, or g++"))
        .from(Stage::Run),
    Opt::value(
        "--cflags",
        Value::Rest { name: "FLAG..." },
        "Pass all words up to the end of the line, or up to --, to the compiler: -O1 -DN=3 -I include.",
    )
    .repeated()
    .from(Stage::Run),
];

/// The front-end of C, C++ and Rust programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl FrontEnd for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn kind(&self) -> &'static str {
        "a C, C++ or Rust program"
    }

    fn programs(&self) -> &'static str {
        "C, C++ and Rust programs"
    }

    fn targets(&self) -> &'static str {
        "a .c or .cpp file, the .rs file that a crate begins with, or an executable that `sojourner cc` has made"
    }

    fn options(&self) -> &'static [Opt] {
        OPTIONS
    }

    fn takes_shared(&self) -> bool {
        true
    }

    fn states(&self) -> States {
        States::Hashed
    }

    fn recognises(&self, target: &str) -> bool {
        is_source(target) || is_executable(Path::new(target))
    }

    fn stem(&self, target: &str) -> String {
        let stem = Path::new(target).file_stem();
        stem.map_or("program".into(), |stem| stem.to_string_lossy().into_owned())
    }

    /// With the compilers that the environment names written out: another time it may name others.
    fn words(&self, request: &Request<'_>) -> Vec<String> {
        let mut given = request.options.clone();
        if is_source(request.target) {
            for (flag, variable) in [("--cc", "CC"), ("--cxx", "CXX")] {
                let opt = OPTIONS.iter().find(|opt| opt.flag == flag).expect("it is in the table");
                if let (false, Some(named)) = (given.has(flag), Toolchain::named_by(variable)) {
                    given.add(opt, named).expect("any word is a compiler");
                }
            }
        }
        [request.more, &given.words()].concat()
    }

    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError> {
        Ok(visit.visit(&open(request)?))
    }
}

/// The program that is asked for, compiled if it is given by its sources.
pub fn open(request: &Request<'_>) -> Result<NativeProgram, OpenError> {
    let Request { target, arguments, options: given, .. } = *request;
    let content = build(request)?;
    let executable = content.compiled.as_ref().map_or(Path::new(target), |compiled| &compiled.executable);
    let executable = std::fs::canonicalize(executable).unwrap_or_else(|_| executable.to_path_buf());
    let subject = NativeProgram::new(&executable, arguments.to_vec(), exploration(given));
    if !subject.is_linked() {
        return Err(OpenError::refused_with(
            format!("the executable '{target}' is not linked with the runtime of sojourner"),
            "compile and link it with `sojourner cc` or `sojourner c++`, or name its sources instead",
        ));
    }
    Ok(subject.with_content(content))
}

/// How the program is explored, as the user has asked.
fn exploration(given: &Given) -> Exploration {
    let default = Exploration::default();
    Exploration {
        signal: given.get("--signal").unwrap_or(default.signal),
        timeouts: given.get(shared::TIMEOUTS).unwrap_or(default.timeouts),
        // A race is undefined behaviour.
        races: given.get(shared::RACES).unwrap_or(Races::Last),
        leaks: given.get("--leaks").unwrap_or(default.leaks),
        isolate: given.has("--isolate"),
        exit: given.has(shared::EXIT),
        ..default
    }
}

/// What a program was made of: what its content hash is of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    /// Its sources, or the executable.
    pub files: Vec<PathBuf>,
    /// The flags with which they were compiled.
    pub flags: Vec<String>,
    /// What was compiled, which goes away with the last that has it.
    pub compiled: Option<Arc<Compiled>>,
}

/// Whether a target is a source.
fn is_source(target: &str) -> bool {
    Language::of(Path::new(target)).is_some()
}

fn is_executable(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

fn build(request: &Request<'_>) -> Result<Content, OpenError> {
    let Request { target, more, options: given, tell, .. } = *request;
    let files: Vec<PathBuf> =
        std::iter::once(target).chain(more.iter().map(String::as_str)).map(PathBuf::from).collect();
    let flags: Vec<String> = given.texts("--cflags").collect();
    if !is_source(target) {
        let option = ["--cflags", "--cc", "--cxx"].into_iter().find(|flag| given.has(flag));
        return match (more, option) {
            ([], None) => Ok(Content { files, ..Content::default() }),
            ([], Some(option)) => Err(OpenError::refused_with(
                format!("{option} is for sources; '{target}' is an executable, which is compiled already"),
                "leave it out, or name the sources",
            )),
            ([further, ..], _) => Err(OpenError::refused_with(
                format!(
                    "'{further}' cannot be combined with the executable '{target}': only sources can be several"
                ),
                "write arguments of the program after --",
            )),
        };
    }
    let Toolchain { cc, cxx, rustc, .. } = Toolchain::default();
    let toolchain = Toolchain {
        cc: given.get("--cc").unwrap_or(cc),
        cxx: given.get("--cxx").unwrap_or(cxx),
        rustc,
        tell,
    };
    match compile(&files, &flags, &toolchain) {
        Ok(compiled) => Ok(Content { files, flags, compiled: Some(Arc::new(compiled)) }),
        Err(error) => Err(refused(error)),
    }
}

/// An error of the compiler, or of what it needs.
pub fn refused(error: CompileError) -> OpenError {
    match error {
        CompileError::DoesNotCompile { message } => OpenError::DoesNotCompile {
            output: message,
            help: "correct the source, or pass the compiler what it needs with --cflags",
        },
        CompileError::Unsupported { what } => OpenError::Unsupported(what),
        error @ CompileError::File { .. } => {
            OpenError::refused_with(error, "name a file that exists and that you may read")
        }
        error => OpenError::refused_with(
            error,
            "install gcc, g++, ar and objcopy, and rustc for Rust; or name other compilers with --cc and --cxx, or with \
             the variables CC, CXX and RUSTC",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_frontend::shared::Timeouts;

    fn given(line: &str) -> (Given, Vec<String>) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let (given, others) = Given::read(&[OPTIONS, shared::OPTIONS], &words).unwrap();
        assert_eq!([&others[..], &given.words()].concat(), words);
        (given, others)
    }

    #[test]
    fn options_are_written_down_and_read_back() {
        let (given, others) = given(
            "b.c c.c --races fail --timeouts last --signal fifo --leaks fail --isolate --cc clang --cxx clang++ \
             --cflags=-O1 --cflags=-DX=1 --cflags=-I --cflags=include",
        );
        assert_eq!(others, ["b.c", "c.c"]);
        let exploration = exploration(&given);
        assert_eq!((exploration.races, exploration.timeouts), (Races::Fail, Timeouts::Last));
        assert_eq!((exploration.signal, exploration.leaks), (Signal::Fifo, Leaks::Fail));
        assert!(exploration.isolate && !exploration.exit);
        assert_eq!(given.texts("--cflags").collect::<Vec<_>>(), ["-O1", "-DX=1", "-I", "include"]);
    }

    #[test]
    fn defaults_are_those_of_the_exploration_except_for_races() {
        let expected = Exploration { races: Races::Last, ..Exploration::default() };
        assert_eq!(exploration(&Given::none()), expected);
        assert_eq!(given("").0.words(), [""; 0]);
    }

    #[test]
    fn sources_and_executables_are_recognised() {
        for target in ["main.c", "a/b.cpp", "lib.rs"] {
            assert!(Native.recognises(target), "{target}");
        }
        for target in ["Main.java", "model:phil", "main", "a.o"] {
            assert!(!Native.recognises(target), "{target}");
        }
        assert_eq!((Native.stem("a/main.c"), Native.stem("/tmp/prog")), ("main".into(), "prog".into()));
    }
}
