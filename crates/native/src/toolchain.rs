//! The compilers that are used, and what happens when one of them or another tool fails.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

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

    pub(crate) fn compiler(&self, language: Language) -> &str {
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
    pub(crate) fn command(&self, language: Language) -> Command {
        let mut words = self.compiler(language).split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

/// Runs a tool. What it prints is the message of the error.
pub(crate) fn run(command: &mut Command) -> Result<(), CompileError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| CompileError::Tool { tool, error })?;
    if output.status.success() {
        return Ok(());
    }
    Err(CompileError::DoesNotCompile { message: String::from_utf8_lossy(&output.stderr).into_owned() })
}
