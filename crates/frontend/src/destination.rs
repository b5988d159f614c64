//! Places in a program that a guided search wants to reach.

use std::fmt;
use std::str::FromStr;

/// A place, as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A line of a source file.
    Line {
        /// The file, with or without directories.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// The start of a function: `Class.method`, or the name of a function.
    Function(String),
    /// Every place where the program reports a failure: assertions, and what throws.
    Assertions,
}

impl FromStr for Destination {
    type Err = String;

    /// `FILE:LINE`, `CLASS.METHOD` or `assertions`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "assertions" {
            return Ok(Destination::Assertions);
        }
        let error =
            || format!("'{text}' is no place: write FILE:LINE, CLASS.METHOD, a function, or assertions");
        match text.rsplit_once(':') {
            // `Class::method`, as C++ writes it, is no line.
            Some((file, _)) if file.ends_with(':') => Ok(Destination::Function(text.into())),
            Some((file, line)) => match line.parse() {
                Ok(line) if line > 0 && !file.is_empty() => Ok(Destination::Line { file: file.into(), line }),
                _ => Err(error()),
            },
            None if text.is_empty() || text.contains(char::is_whitespace) => Err(error()),
            None => Ok(Destination::Function(text.into())),
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Line { file, line } => write!(f, "{file}:{line}"),
            Destination::Function(name) => f.write_str(name),
            Destination::Assertions => f.write_str("assertions"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_and_print() {
        let line = |file: &str, line| Destination::Line { file: file.into(), line };
        assert_eq!("Main.java:18".parse(), Ok(line("Main.java", 18)));
        assert_eq!("src/queue.c:7".parse(), Ok(line("src/queue.c", 7)));
        assert_eq!("Main.run".parse(), Ok(Destination::Function("Main.run".into())));
        assert_eq!("ns::Queue::pop".parse(), Ok(Destination::Function("ns::Queue::pop".into())));
        assert_eq!("assertions".parse(), Ok(Destination::Assertions));
        for text in ["Main.java:18", "Main.run", "ns::Queue::pop", "assertions"] {
            assert_eq!(text.parse::<Destination>().unwrap().to_string(), text);
        }
        for text in ["", "Main.java:", "Main.java:0", ":3", "Main.java:x", "a b"] {
            assert!(text.parse::<Destination>().is_err(), "{text}");
        }
    }
}
