//! Sets of names that users write on the command line, each with its meaning.
//!
//! A set is written once, with [`names!`]: the names, the values behind them, and a sentence on each. Parsing, help, error
//! messages, completions, the manual and the tables of the README are made from that one place, so that they cannot differ.
//!
//! ```
//! sojourner_names::names! {
//!     /// In which order the choices of a state are taken.
//!     pub enum Order ("order") {
//!         /// by thread, then by value
//!         AsGiven = "as-given",
//!         /// shuffled by the seed
//!         Random = "random",
//!     }
//! }
//!
//! assert_eq!("random".parse(), Ok(Order::Random));
//! assert_eq!(Order::AsGiven.to_string(), "as-given");
//! assert_eq!(Order::Random.about(), "shuffled by the seed");
//! let error = "sorted".parse::<Order>().unwrap_err();
//! assert_eq!(error.to_string(), "there is no order 'sorted': use as-given or random");
//! ```
#![forbid(unsafe_code)]

use std::fmt::Display;
use std::str::FromStr;

/// One name of a set, without its value: what a table of a document shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// How it is written, with what may follow it: `bfs[:bound=N]`.
    pub name: &'static str,
    /// What it means: part of a sentence, without a full stop.
    pub about: &'static str,
}

impl Name {
    /// What must be typed: the name without what may follow it.
    pub fn word(&self) -> &'static str {
        self.name.split('[').next().unwrap_or_default()
    }
}

/// A value that has a name in a set. [`names!`] implements it.
pub trait Named: Copy + Display + FromStr<Err = UnknownName> + Send + Sync + 'static {
    /// The set, in the order in which it is shown.
    const NAMES: &'static [Name];
}

/// A word that is not in the set of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} '{word}': use {}", either(known))]
pub struct UnknownName {
    /// What the set is of, in the singular: "search order".
    pub what: &'static str,
    /// The word.
    pub word: String,
    /// The names that there are.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// `word` is not in the set `names`.
    pub fn new(what: &'static str, word: &str, names: &[Name]) -> UnknownName {
        UnknownName { what, word: word.into(), known: names.iter().map(Name::word).collect() }
    }
}

/// A list for a sentence: "a, b or c".
pub fn either(names: &[&str]) -> String {
    joined(names, "or")
}

/// A list for a sentence: "a, b and c".
pub fn all(names: &[&str]) -> String {
    joined(names, "and")
}

fn joined(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).into(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Declares an enumeration whose values have names.
///
/// The comment of a value is both its documentation and what users read of it, so it begins with a small letter and has no full
/// stop. The word in parentheses says what the set is of, for error messages. The type implements `Named`, `Display` and `FromStr`.
#[macro_export]
macro_rules! names {
    (
        $(#[$doc:meta])*
        pub enum $type:ident ($what:literal) {
            $($(#[doc = $about:literal])+ $case:ident = $name:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[doc = $about])+ $case,)+
        }

        impl $type {
            /// Every value, in the order in which they are shown.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$case,)+];

            /// How it is written.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$case => $name,)+
                }
            }

            /// What it means: part of a sentence, without a full stop.
            pub const fn about(self) -> &'static str {
                match self {
                    $($type::$case => concat!($($about),+).trim_ascii(),)+
                }
            }
        }

        impl $crate::Named for $type {
            const NAMES: &'static [$crate::Name] =
                &[$($crate::Name { name: $name, about: $type::$case.about() },)+];
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<$type, $crate::UnknownName> {
                let known = $type::ALL.into_iter().find(|known| known.name() == text);
                known.ok_or_else(|| {
                    $crate::UnknownName::new($what, text, <$type as $crate::Named>::NAMES)
                })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    names! {
        /// How something is done.
        pub enum How ("way") {
            /// at once,
            /// and without a pause
            Soon = "soon",
            /// tomorrow
            Later = "later",
        }
    }

    #[test]
    fn names_read_and_print() {
        for how in How::ALL {
            assert_eq!(how.to_string().parse(), Ok(how));
        }
    }

    #[test]
    fn comment_of_several_lines_is_one_sentence() {
        assert_eq!(How::Soon.about(), "at once, and without a pause");
    }

    #[test]
    fn unknown_name_lists_the_known_ones() {
        let error = "never".parse::<How>().unwrap_err();
        assert_eq!(error.to_string(), "there is no way 'never': use soon or later");
    }

    #[test]
    fn name_is_typed_without_its_options() {
        let name = Name { name: "bfs[:bound=N]", about: "" };
        assert_eq!(name.word(), "bfs");
        assert_eq!(either(&["a", "b", "c"]), "a, b or c");
        assert_eq!(all(&["a"]), "a");
    }
}
