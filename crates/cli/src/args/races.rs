//! What a data race is, as the user says it.

use sojourner_java::explore::Races as OfJava;
use sojourner_native::Races as OfNative;
use std::fmt;

/// What a data race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Races {
    /// A finding, if there is nothing worse: the search goes on for a while. Not of Java programs.
    Last,
    /// A finding that ends the execution.
    Fail,
    /// Something to warn of.
    Warn,
    /// Nothing.
    Off,
}

const NAMES: [(&str, Races); 4] =
    [("last", Races::Last), ("fail", Races::Fail), ("warn", Races::Warn), ("off", Races::Off)];

impl Races {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Races, String> {
        let known = NAMES.iter().find(|(name, _)| *name == text);
        known
            .map(|(_, races)| *races)
            .ok_or_else(|| format!("unknown treatment of races '{text}'; there are last, fail, warn, off"))
    }

    /// The same of a Java program, whose races have defined behaviour: there is none that comes last.
    pub fn of_java(self) -> Option<OfJava> {
        match self {
            Races::Last => None,
            Races::Fail => Some(OfJava::Fail),
            Races::Warn => Some(OfJava::Warn),
            Races::Off => Some(OfJava::Off),
        }
    }

    /// The same of a C, C++ or Rust program.
    pub fn of_native(self) -> OfNative {
        match self {
            Races::Last => OfNative::Last,
            Races::Fail => OfNative::Fail,
            Races::Warn => OfNative::Warn,
            Races::Off => OfNative::Off,
        }
    }
}

impl fmt::Display for Races {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, races)| races == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}
