//! Options as tables: what the command line, its help, the manual and the documents are made from.

use sojourner_names::{Name, Named};
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::str::FromStr;

/// An option of a check or of a front-end, as users write it.
#[derive(Debug)]
pub struct Opt {
    /// How it is written, with its dashes: `--reduce`, `-D`.
    pub flag: &'static str,
    /// One letter that stands for it.
    pub short: Option<char>,
    /// Another way to write it.
    pub alias: Option<&'static str>,
    /// What follows it.
    pub value: Value,
    /// The names that its value can have, if they are a closed set.
    pub names: &'static [Name],
    /// What holds if it is not given.
    pub otherwise: Otherwise,
    /// Whether it may be given more than once.
    pub repeats: bool,
    /// From which command on it has a meaning.
    pub stage: Stage,
    /// What becomes of it when a saved trace is followed.
    pub on_replay: OnReplay,
    /// Whether help leaves it out.
    pub hidden: bool,
    /// What it does, in the imperative, in whole sentences.
    pub help: &'static str,
}

/// What follows an option.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Nothing.
    Flag,
    /// A word. The function gives its canonical form, or says what is wrong with it.
    Word {
        /// What stands for it in help.
        name: &'static str,
        /// Reads it.
        read: fn(&str) -> Result<String, String>,
    },
    /// The same, and the word may be left out.
    Optional {
        /// What stands for it in help.
        name: &'static str,
        /// Reads it.
        read: fn(&str) -> Result<String, String>,
        /// The word that is meant if it is left out.
        missing: &'static str,
    },
    /// A path, or several with colons between them, which need not be text.
    Path {
        /// What stands for it in help.
        name: &'static str,
    },
    /// All words up to `--`.
    Rest {
        /// What stands for it in help.
        name: &'static str,
    },
}

impl Value {
    /// A word that `T` can be read from.
    pub const fn of<T: FromStr<Err: Display> + Display>(name: &'static str) -> Value {
        Value::Word { name, read: read::<T> }
    }

    /// A whole number that `T` holds.
    pub const fn number<T: FromStr + Display>() -> Value {
        Value::Word { name: "N", read: read_number::<T> }
    }

    /// A whole number from 1.
    pub const fn positive() -> Value {
        Value::Word { name: "N", read: read_positive }
    }

    /// Any word.
    pub const fn any(name: &'static str) -> Value {
        Value::Word { name, read: |text| Ok(text.into()) }
    }

    /// The canonical form of a value, or what is wrong with it.
    pub fn read(&self, value: &OsStr) -> Result<OsString, String> {
        match self {
            Value::Word { read, .. } | Value::Optional { read, .. } => {
                let text = value.to_str().ok_or_else(|| "the value is not text in UTF-8".to_string())?;
                read(text).map(OsString::from)
            }
            Value::Flag | Value::Path { .. } | Value::Rest { .. } => Ok(value.into()),
        }
    }
}

/// Reads a value of that type, and writes it as the type does.
pub fn read<T: FromStr<Err: Display> + Display>(text: &str) -> Result<String, String> {
    text.parse::<T>().map(|value| value.to_string()).map_err(|error| error.to_string())
}

fn read_number<T: FromStr + Display>(text: &str) -> Result<String, String> {
    let number = text.parse::<T>().map(|number| number.to_string());
    number.map_err(|_| format!("'{text}' is not a whole number, or it is too large"))
}

fn read_positive(text: &str) -> Result<String, String> {
    let number = text.parse::<usize>().ok().filter(|&n| n > 0);
    number.map(|n| n.to_string()).ok_or_else(|| format!("'{text}' is not a number from 1"))
}

/// What holds if an option is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// That it is not given.
    Nothing,
    /// A value that could be written.
    Is(&'static str),
    /// What that sentence says.
    Says(&'static str),
}

/// From which command on an option has a meaning. Each command takes the options of those before it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Where the program is: all commands that look at it.
    Find,
    /// What it runs on: `run` and `check`.
    Run,
    /// How it is explored: `check`.
    Explore,
}

/// What becomes of an option when a saved trace is followed, which has the options of its check in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReplay {
    /// It is as it was.
    Fixed,
    /// It may be given again and then replaces what it was: files may lie elsewhere now.
    Replaced,
    /// It may be given again and is then added.
    Added,
}

impl Opt {
    /// An option of `check` that is on or off.
    pub const fn flag(flag: &'static str, help: &'static str) -> Opt {
        Opt {
            flag,
            short: None,
            alias: None,
            value: Value::Flag,
            names: &[],
            otherwise: Otherwise::Nothing,
            repeats: false,
            stage: Stage::Explore,
            on_replay: OnReplay::Fixed,
            hidden: false,
            help,
        }
    }

    /// An option of `check` with a value.
    pub const fn value(flag: &'static str, value: Value, help: &'static str) -> Opt {
        Opt { value, ..Opt::flag(flag, help) }
    }

    /// An option of `check` whose value is a name of the set `T`.
    pub const fn named<T: Named>(flag: &'static str, otherwise: Otherwise, help: &'static str) -> Opt {
        Opt { value: Value::of::<T>("NAME"), names: T::NAMES, otherwise, ..Opt::flag(flag, help) }
    }

    /// The same, with what holds if it is not given.
    pub const fn otherwise(self, otherwise: Otherwise) -> Opt {
        Opt { otherwise, ..self }
    }

    /// The same, but it may be given more than once.
    pub const fn repeated(self) -> Opt {
        Opt { repeats: true, ..self }
    }

    /// The same from another command on.
    pub const fn from(self, stage: Stage) -> Opt {
        Opt { stage, ..self }
    }

    /// The same, but help leaves it out.
    pub const fn hide(self) -> Opt {
        Opt { hidden: true, ..self }
    }

    /// The same, with another fate in a replay.
    pub const fn on_replay(self, on_replay: OnReplay) -> Opt {
        Opt { on_replay, ..self }
    }
}
