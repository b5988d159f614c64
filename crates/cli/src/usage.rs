//! What can be wrong with what the user asked for, and what to do about it.

use miette::Diagnostic;
use sojourner_java::BootError;
use sojourner_java::library::LibraryError;
use sojourner_native::CompileError;
use sojourner_trace::{TokenError, TraceError};
use std::path::PathBuf;

/// What is wrong with what the user asked for.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Usage {
    #[error("'{0}' is not a target that can be checked")]
    #[diagnostic(help(
        "targets are model:NAME (`sojourner models` lists them); Java programs: a .java file, a .jar, a .class file, a \
         directory of classes, or the name of a class with --classpath; C and C++ programs: a .c or .cpp file, or an \
         executable that `sojourner cc` has made"
    ))]
    Target(String),
    #[error("{option} is for Java programs, and '{target}' is a model")]
    #[diagnostic(help("leave it out; `sojourner check --help` lists the options of Java programs together"))]
    ForJava { option: String, target: String },
    #[error("{option} is for C and C++ programs, and '{target}' is none")]
    #[diagnostic(help(
        "leave it out; `sojourner check --help` lists the options of C and C++ programs together"
    ))]
    ForNative { option: String, target: String },
    #[error("{option} is for Java programs, and '{target}' is a C or C++ program")]
    #[diagnostic(help("leave it out; of the options of Java programs only --races and --exit are for both"))]
    NotForNative { option: String, target: String },
    #[error("'{further}' would be a further source, and '{target}' is no source that it could belong to")]
    #[diagnostic(help("arguments of the program come after --"))]
    More { further: String, target: String },
    #[error("the executable '{0}' is not linked with the runtime that lets it be explored")]
    #[diagnostic(help(
        "compile and link it with `sojourner cc` or `sojourner c++`, or name its sources instead"
    ))]
    NotLinked(String),
    #[error("the program does not compile")]
    #[diagnostic(help("mend the source, or give the compiler what it needs with --cflags"))]
    NativeSource,
    #[error("{0}")]
    #[diagnostic(help("name a file that is there and that you may read"))]
    NativeFile(CompileError),
    #[error("{0}")]
    #[diagnostic(help(
        "gcc, g++, ar and objcopy are needed, and rustc for Rust; --cc and --cxx, or CC, CXX and RUSTC, name other compilers"
    ))]
    Compiler(CompileError),
    #[error("not supported: {0}")]
    Unsupported(CompileError),
    #[error("states of '{0}' cannot be told apart, so there is nothing to compare")]
    #[diagnostic(help("`sojourner diff-states` is for models and Java programs"))]
    WithoutStates(String),
    #[error("'{0}' is a model, and models are not run")]
    #[diagnostic(help("`sojourner check {0}` explores it; `sojourner run` is for Java, C and C++ programs"))]
    ModelToRun(String),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("the program does not compile")]
    #[diagnostic(help("mend the source, or name what it needs with --classpath"))]
    Source,
    #[error("{0}")]
    #[diagnostic(help(
        "a property is a static method without parameters that gives a boolean, as in org.example.Main.holds, or a class \
         that implements sojourner.Property"
    ))]
    Property(String),
    #[error(transparent)]
    Boot(#[from] BootError),
    #[error("'{target}' is not the program of this command, which checks {own}")]
    Foreign { target: String, own: &'static str },
    #[error("{0}")]
    Arguments(String),
    #[error("{0}")]
    #[diagnostic(help("`sojourner models` lists the models and their parameters"))]
    Model(String),
    #[error("{0}")]
    #[diagnostic(help("`sojourner check --help` shows which options go together"))]
    Settings(String),
    #[error("the file {path} cannot be written: {why}")]
    #[diagnostic(help("give a path in a directory that exists and that you may write to"))]
    Unwritable { path: PathBuf, why: String },
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("{0}")]
    #[diagnostic(help("`sojourner replay --help` shows how a trace or a token is given"))]
    Replay(String),
    #[error("there is no command '{name}'; there are {known}")]
    #[diagnostic(help(
        "`sojourner man COMMAND` prints the page of a command, `sojourner man` the first page"
    ))]
    Command { name: String, known: String },
    #[error("{what} cannot be written: {why}")]
    Output { what: String, why: String },
}
