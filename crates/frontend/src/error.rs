//! Why a program cannot be opened.

use sojourner_program::Location;
use std::path::Path;

/// Why a program cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No front-end takes the target.
    #[error("'{target}' is not a program that can be checked")]
    UnknownTarget {
        /// What the user named.
        target: String,
        /// What each front-end takes, a sentence each.
        expected: Vec<String>,
    },
    /// An option is for programs of another kind.
    #[error("{option} is for {programs}; '{target}' is {kind}")]
    OptionOfOther {
        /// The option.
        option: String,
        /// The programs that it is for, in the plural.
        programs: String,
        /// What the user named.
        target: String,
        /// What that is, in the singular.
        kind: &'static str,
    },
    /// A compiler rejects the program.
    #[error("the program does not compile")]
    DoesNotCompile {
        /// What the compiler says, laid out in its own lines.
        output: String,
        /// What to do.
        help: &'static str,
    },
    /// The program does something that cannot be modelled, which shows before it runs.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The program, or what it needs, is missing or makes no sense.
    #[error("{message}")]
    Refused {
        /// What is wrong.
        message: String,
        /// What to do, where the message does not say it.
        help: Option<&'static str>,
    },
}

/// An error that a compiler reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// Where.
    pub location: Location,
    /// What is wrong.
    pub message: String,
}

impl OpenError {
    /// Something is wrong, and the message says what to do.
    pub fn refused(message: impl ToString) -> OpenError {
        OpenError::Refused { message: message.to_string(), help: None }
    }

    /// Something is wrong; `help` says what to do.
    pub fn refused_with(message: impl ToString, help: &'static str) -> OpenError {
        OpenError::Refused { message: message.to_string(), help: Some(help) }
    }

    /// What to do.
    pub fn help(&self) -> Option<String> {
        match self {
            OpenError::UnknownTarget { expected, .. } => {
                Some(format!("name one of these\n{}", expected.join("\n")))
            }
            OpenError::OptionOfOther { .. } => {
                Some("leave it out; `sojourner check --help` groups the options by kind of program".into())
            }
            OpenError::DoesNotCompile { help, .. } => Some((*help).into()),
            OpenError::Unsupported(_) => None,
            OpenError::Refused { help, .. } => help.map(String::from),
        }
    }

    /// The errors that a compiler reports, with their places. Empty for other errors.
    pub fn source_errors(&self) -> Vec<SourceError> {
        match self {
            OpenError::DoesNotCompile { output, .. } => source_errors(output),
            _ => Vec::new(),
        }
    }
}

/// Reads `FILE:LINE: error: WHAT` and `FILE:LINE:COLUMN: error: WHAT`, which javac, gcc and clang print, and the two lines
/// `error[CODE]: WHAT` and `--> FILE:LINE:COLUMN` of rustc.
fn source_errors(output: &str) -> Vec<SourceError> {
    let mut errors = Vec::new();
    let mut pending = None;
    for line in output.lines() {
        if let Some((place, message)) =
            line.split_once(" fatal error: ").or_else(|| line.split_once(" error: "))
            && let Some(location) = location(place.trim_end_matches(':'))
        {
            errors.push(SourceError { location, message: message.into() });
        } else if line.starts_with("error") {
            pending = line.split_once(": ").map(|(_, message)| message.to_string());
        } else if let Some(place) = line.trim_start().strip_prefix("--> ")
            && let Some(message) = pending.take()
            && let Some(location) = location(place)
        {
            errors.push(SourceError { location, message });
        }
    }
    errors
}

/// Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
fn location(place: &str) -> Option<Location> {
    let number = |text: &str| text.parse::<u32>().ok();
    let (rest, last) = place.rsplit_once(':')?;
    let last = number(last)?;
    let (file, line) = match rest.rsplit_once(':') {
        Some((file, line)) if number(line).is_some() => (file, number(line)?),
        _ => (rest, last),
    };
    let file = Path::new(file).to_string_lossy().into_owned();
    Some(Location { file, line, function: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(output: &str) -> Vec<(String, u32, String)> {
        let error = OpenError::DoesNotCompile { output: output.into(), help: "" };
        let errors = error.source_errors().into_iter();
        errors.map(|error| (error.location.file, error.location.line, error.message)).collect()
    }

    #[test]
    fn errors_of_every_compiler_have_places() {
        let javac = "Main.java:3: error: ';' expected\n        int i\n             ^\n1 error\n";
        assert_eq!(errors(javac), [("Main.java".into(), 3, "';' expected".into())]);
        let gcc = "a.c: In function 'main':\na.c:7:5: error: 'x' undeclared\n    7 |     x;\n";
        assert_eq!(errors(gcc), [("a.c".into(), 7, "'x' undeclared".into())]);
        let header = "b.c:1:10: fatal error: no.h: No such file or directory\n";
        assert_eq!(errors(header), [("b.c".into(), 1, "no.h: No such file or directory".into())]);
        let rustc = "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n";
        assert_eq!(errors(rustc), [("src/main.rs".into(), 2, "cannot find value `x` in this scope".into())]);
    }

    #[test]
    fn other_lines_are_no_errors() {
        assert_eq!(errors("note: something\nerror: aborting\nMain.java uses deprecated API\n"), []);
    }
}
