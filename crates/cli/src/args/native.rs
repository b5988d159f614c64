//! The options of C and C++ programs.

use clap::{Args, Parser};
use sojourner_native::{Leaks, Signal, Toolchain};

/// How a C or C++ program is compiled and explored.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Native {
    /// Which waiter a signal of a condition variable wakes: any (each is tried), or fifo (the one that has waited longest).
    #[arg(long, value_parser = signal, value_name = "WHICH")]
    pub signal: Option<Signal>,
    /// What memory is that nobody has freed and nothing refers to when the program ends: warn (something to warn of; the
    /// default), fail (a finding), off.
    #[arg(long, value_parser = leaks, value_name = "HOW")]
    pub leaks: Option<Leaks>,
    /// Give each execution a process of its own, for programs that change what is not put back between executions: mappings, the
    /// working directory, limits. It takes ten times as long or more, and is done without asking where it shows to be needed.
    #[arg(long)]
    pub isolate: bool,
    /// The compiler for C sources: gcc, clang or one that is called like them, with words of its own if need be ('ccache clang').
    /// The default is what the variable CC of the environment names, or gcc.
    #[arg(long, value_name = "COMPILER")]
    pub cc: Option<String>,
    /// The compiler for C++ sources. The default is what the variable CXX of the environment names, or g++.
    #[arg(long, value_name = "COMPILER")]
    pub cxx: Option<String>,
    /// Flags for the compiler, up to the end of the line or to --: -O1 -DN=3 -I include.
    #[arg(long, allow_hyphen_values = true, value_name = "FLAG...")]
    pub cflags: Vec<String>,
}

fn signal(text: &str) -> Result<Signal, String> {
    match text {
        "any" => Ok(Signal::Any),
        "fifo" => Ok(Signal::Fifo),
        _ => Err(format!("'{text}' is neither any nor fifo")),
    }
}

fn leaks(text: &str) -> Result<Leaks, String> {
    let found = LEAKS.iter().find(|(name, _)| *name == text);
    found.map(|(_, leaks)| *leaks).ok_or_else(|| format!("'{text}' is none of warn, fail, off"))
}

const LEAKS: [(&str, Leaks); 3] = [("warn", Leaks::Warn), ("fail", Leaks::Fail), ("off", Leaks::Off)];

impl Native {
    /// The compilers to use.
    pub fn toolchain(&self) -> Toolchain {
        let Toolchain { cc, cxx, rustc, .. } = Toolchain::default();
        Toolchain {
            cc: self.cc.clone().unwrap_or(cc),
            cxx: self.cxx.clone().unwrap_or(cxx),
            rustc,
            tell: |what| crate::say(&format!("sojourner: {what}\n")),
        }
    }

    /// The same options with the compilers that the environment names written out: another time it may name others.
    pub fn with_compilers(&self) -> Native {
        let named =
            |given: &Option<String>, variable| given.clone().or_else(|| Toolchain::named_by(variable));
        Native { cc: named(&self.cc, "CC"), cxx: named(&self.cxx, "CXX"), ..self.clone() }
    }

    /// The options that were given, as they could be typed.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(signal) = self.signal {
            let name = if signal == Signal::Fifo { "fifo" } else { "any" };
            words.extend(["--signal".to_string(), name.to_string()]);
        }
        for (name, _) in LEAKS.iter().filter(|(_, leaks)| Some(*leaks) == self.leaks) {
            words.extend(["--leaks".to_string(), name.to_string()]);
        }
        words.extend(self.isolate.then(|| "--isolate".to_string()));
        for (option, compiler) in [("--cc", &self.cc), ("--cxx", &self.cxx)] {
            words.extend(compiler.iter().flat_map(|compiler| [option.to_string(), compiler.clone()]));
        }
        words.extend(self.cflags.iter().map(|flag| format!("--cflags={flag}")));
        words
    }
}

/// Everything that a trace keeps of how a C or C++ program was checked, and nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
pub struct NativeLine {
    /// Further sources.
    pub more: Vec<String>,
    /// How it was compiled and explored.
    #[command(flatten)]
    pub native: Native,
    /// The options that it shares with Java programs.
    #[command(flatten)]
    pub java: super::Java,
}

impl NativeLine {
    /// What [`NativeLine::from_words`] reads.
    pub fn words(more: &[String], java: &super::Java, native: &Native) -> Vec<String> {
        let mut words = more.to_vec();
        words.extend(java.words());
        words.extend(native.words());
        words
    }

    /// Reads what [`NativeLine::words`] gave.
    pub fn from_words(words: &[String]) -> Result<NativeLine, clap::Error> {
        NativeLine::try_parse_from(words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Java;
    use super::*;

    #[test]
    fn what_was_given_can_be_written_down_and_read_back() {
        let line = "b.c c.c --races fail --signal fifo --leaks fail --isolate --cc clang --cxx clang++ --cflags=-O1 --cflags=-DX=1 --cflags=-I --cflags=include";
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let read = NativeLine::from_words(&words).map_err(|error| error.to_string()).unwrap();
        assert_eq!(read.more, ["b.c", "c.c"]);
        assert_eq!(NativeLine::words(&read.more, &read.java, &read.native), words);
        assert!(NativeLine::words(&[], &Java::default(), &Native::default()).is_empty());
    }
}
