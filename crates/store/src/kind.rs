//! The names of the stores, as the command line spells them.

use sojourner_names::{Name, UnknownName};
use std::fmt;
use std::str::FromStr;

/// Which store to open.
///
/// As text: `compact`, `collapse`, `exact`, `none`, `bitstate`, or with settings `bitstate:bytes=64M,hashes=3`.
/// Sizes may end in K, M, G or T, in powers of 1024.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// Fingerprints of 128 bits.
    #[default]
    Compact,
    /// Components in pools, and trees of their numbers.
    Collapse,
    /// Packed states.
    Exact,
    /// A few bits for each state, in an array that does not grow. Two workers that insert one state at the same moment
    /// may both be told that it is new.
    Bitstate {
        /// The size of the array.
        bytes: u64,
        /// How many bits stand for a state.
        hashes: u32,
    },
    /// Nothing.
    None,
}

impl StoreKind {
    /// What can be written.
    pub const NAMES: [Name; 5] = [
        Name { name: "compact", about: "fingerprints of 128 bits" },
        Name { name: "collapse", about: "lossless: each component of states is kept once" },
        Name { name: "exact", about: "whole states" },
        Name {
            name: "bitstate[:bytes=64M,hashes=3]",
            about: "a few bits for each state, lossy, in a fixed size",
        },
        Name { name: "none", about: "nothing" },
    ];

    /// `bitstate` where nothing else is said: 64 MiB and 3 bits for each state.
    pub const BITSTATE: StoreKind = StoreKind::Bitstate { bytes: 64 << 20, hashes: 3 };

    /// The name without settings.
    pub const fn name(self) -> &'static str {
        match self {
            StoreKind::Compact => "compact",
            StoreKind::Collapse => "collapse",
            StoreKind::Exact => "exact",
            StoreKind::Bitstate { .. } => "bitstate",
            StoreKind::None => "none",
        }
    }
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreKind::Bitstate { bytes, hashes } => {
                write!(f, "bitstate:bytes={},hashes={hashes}", Size(*bytes))
            }
            kind => f.write_str(kind.name()),
        }
    }
}

/// Why a text does not name a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseKindError {
    /// There is no store of that name.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The store has no such setting.
    #[error("the store '{name}' has no setting '{setting}'{}", if *.name == "bitstate" { "; it has bytes and hashes" } else { "" })]
    Setting {
        /// The store.
        name: &'static str,
        /// The setting.
        setting: String,
    },
    /// The setting's value is not one it can have.
    #[error("'{value}' is not a value for {setting}: {expected}")]
    Value {
        /// The setting.
        setting: &'static str,
        /// The value.
        value: String,
        /// What it should have been.
        expected: &'static str,
    },
}

impl FromStr for StoreKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut kind = match name {
            "compact" => StoreKind::Compact,
            "collapse" => StoreKind::Collapse,
            "exact" => StoreKind::Exact,
            "bitstate" => StoreKind::BITSTATE,
            "none" => StoreKind::None,
            _ => return Err(UnknownName::new("store", name, &StoreKind::NAMES).into()),
        };
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let refused =
                |setting, expected| ParseKindError::Value { setting, value: value.to_owned(), expected };
            match (&mut kind, key) {
                (StoreKind::Bitstate { bytes, .. }, "bytes") => {
                    let size: Size =
                        value.parse().map_err(|()| refused("bytes", "a size such as 64M or 2G"))?;
                    *bytes = size.0;
                }
                (StoreKind::Bitstate { hashes, .. }, "hashes") => {
                    *hashes = value.parse().map_err(|_| refused("hashes", "a small whole number"))?;
                }
                (kind, _) => {
                    return Err(ParseKindError::Setting { name: kind.name(), setting: key.to_owned() });
                }
            }
        }
        Ok(kind)
    }
}

/// A number of bytes, written with the largest unit that divides it.
struct Size(u64);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, shift)| self.0 != 0 && self.0.trailing_zeros() >= *shift) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FromStr for Size {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let last = text.chars().last().ok_or(())?;
        let unit = UNITS.iter().find(|(unit, _)| last.eq_ignore_ascii_case(unit));
        let (digits, shift) = match unit {
            Some((_, shift)) => (&text[..text.len() - 1], *shift),
            None => (text, 0),
        };
        let count: u64 = digits.parse().map_err(|_| ())?;
        count.checked_mul(1 << shift).map(Size).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_as_it_is_written() {
        for kind in [
            StoreKind::Compact,
            StoreKind::Collapse,
            StoreKind::Exact,
            StoreKind::BITSTATE,
            StoreKind::Bitstate { bytes: 1000, hashes: 7 },
            StoreKind::None,
        ] {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!(StoreKind::BITSTATE.to_string(), "bitstate:bytes=64M,hashes=3");
    }

    #[test]
    fn every_name_that_is_listed_is_read() {
        for name in StoreKind::NAMES {
            assert_eq!(name.word().parse().map(StoreKind::name), Ok(name.word()));
        }
        let bitstate = StoreKind::NAMES[3].name.replace(['[', ']'], "");
        assert_eq!(bitstate.parse(), Ok(StoreKind::BITSTATE));
    }

    #[test]
    fn settings_may_be_left_out() {
        assert_eq!("bitstate".parse(), Ok(StoreKind::BITSTATE));
        assert_eq!("bitstate:hashes=5".parse(), Ok(StoreKind::Bitstate { bytes: 64 << 20, hashes: 5 }));
        assert_eq!("bitstate:bytes=2g".parse(), Ok(StoreKind::Bitstate { bytes: 2 << 30, hashes: 3 }));
    }

    #[test]
    fn unreadable_file_is_named() {
        let message = |text: &str| text.parse::<StoreKind>().unwrap_err().to_string();
        assert_eq!(
            message("hash"),
            "there is no store 'hash': use compact, collapse, exact, bitstate or none"
        );
        assert_eq!(message("exact:bytes=4"), "the store 'exact' has no setting 'bytes'");
        assert_eq!(
            message("bitstate:bits=4"),
            "the store 'bitstate' has no setting 'bits'; it has bytes and hashes"
        );
        assert_eq!(message("bitstate:bytes=x"), "'x' is not a value for bytes: a size such as 64M or 2G");
        assert_eq!(
            message("bitstate:bytes=99999999999T").split(':').next(),
            Some("'99999999999T' is not a value for bytes")
        );
        assert_eq!(message("bitstate:hashes"), "'' is not a value for hashes: a small whole number");
    }
}
