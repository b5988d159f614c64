//! The replay token: a schedule in one line.
//!
//! `s1_0-0.1_0x5-1v2_13b64707` is the version, the identities of the threads, the schedule (`x` before a number of
//! times, `v` before a value) and a checksum. Every character stands for itself in a URL, in a shell and in
//! Markdown. Written out like this a step costs two characters, less than any byte code takes once it is encoded
//! in letters, and a person can still read it.

use crate::runs::Separators;
use crate::{Flaw, Runs, RunsError};
use sojourner_program::{Identity, Schedule, Threads};
use std::fmt;
use std::str::FromStr;

/// What tokens of this version start with.
const VERSION: &str = "s1";

const SIGNS: Separators = Separators { between: '-', value: 'v', times: 'x' };

/// A schedule with the identities of its threads: all that a replay needs, if it knows the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// The threads, by index.
    pub threads: Vec<Identity>,
    /// The choices from the start.
    pub schedule: Runs,
}

/// Why a line is not a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It has another form.
    #[error("not a replay token; one looks like `s1_0-0.1_0x5-1v2_13b64707`")]
    Foreign,
    /// It is of another version.
    #[error(
        "the replay token is of version `{found}` and this one reads `{VERSION}`; use the version of Sojourner that made it"
    )]
    Version {
        /// The version that it names.
        found: String,
    },
    /// A character was lost or changed.
    #[error("the replay token is damaged; copy it again, all of it")]
    Damaged,
    /// A thread's identity cannot be read, although the checksum is right.
    #[error("the replay token is not well formed: `{text}` is no thread identity")]
    Identity {
        /// What stands there.
        text: String,
    },
    /// The schedule cannot be read, although the checksum is right.
    #[error("the replay token is not well formed: {0}")]
    Schedule(#[from] RunsError),
    /// The schedule names a thread that is not listed.
    #[error("the replay token contradicts itself: {0}")]
    Flawed(#[from] Flaw),
}

impl Token {
    /// The schedule in the numbers of `threads`, ready to be replayed. Takes eight bytes for each step.
    pub fn choices(&self, threads: &Threads) -> Result<Schedule, Flaw> {
        self.schedule.choices(&self.threads, threads)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{VERSION}_");
        for (i, identity) in self.threads.iter().enumerate() {
            text.push_str(if i > 0 { "-" } else { "" });
            text.push_str(&identity.to_string());
        }
        text.push('_');
        self.schedule.print(SIGNS, &mut text)?;
        write!(f, "{text}_{:08x}", checksum(&text))
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = line.trim();
        let (version, _) = line.split_once('_').ok_or(TokenError::Foreign)?;
        let digits = version.strip_prefix('s').ok_or(TokenError::Foreign)?;
        if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(TokenError::Foreign);
        }
        if version != VERSION {
            return Err(TokenError::Version { found: version.to_owned() });
        }
        let (text, sum) = line.rsplit_once('_').ok_or(TokenError::Damaged)?;
        if sum != format!("{:08x}", checksum(text)) {
            return Err(TokenError::Damaged);
        }
        let mut parts = text.split('_').skip(1);
        let (Some(threads), Some(schedule), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(TokenError::Damaged);
        };
        let identity = |text: &str| {
            text.parse().map_err(|_| TokenError::Identity { text: text.chars().take(40).collect() })
        };
        let threads: Vec<Identity> = match threads {
            "" => Vec::new(),
            threads => threads.split('-').map(identity).collect::<Result<_, _>>()?,
        };
        let schedule = Runs::parse(schedule, SIGNS)?;
        schedule.check("schedule", threads.len())?;
        Ok(Token { threads, schedule })
    }
}

fn checksum(text: &str) -> u32 {
    xxhash_rust::xxh3::xxh3_64(text.as_bytes()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> Token {
        Token {
            threads: ["0", "0.1", "0.1.12"].map(|text| text.parse().unwrap()).to_vec(),
            schedule: "0*5 1:2 2:0*3".parse().unwrap(),
        }
    }

    #[test]
    fn a_token_is_one_line_that_needs_no_quotes() {
        let line = token().to_string();
        assert_eq!(line, "s1_0-0.1-0.1.12_0x5-1v2-2v0x3_92d97af9");
        assert!(line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)));
        assert_eq!(format!(" {line}\n").parse(), Ok(token()));
        assert_eq!(Token::default().to_string().parse(), Ok(Token::default()));
    }

    #[test]
    fn every_changed_or_lost_character_is_noticed() {
        let line = token().to_string();
        for at in 0..line.len() {
            let mut lost = line.clone();
            lost.remove(at);
            assert!(lost.parse::<Token>().is_err(), "{lost}");
            let mut changed = line.clone();
            changed.replace_range(at..=at, if &line[at..=at] == "7" { "8" } else { "7" });
            assert!(changed.parse::<Token>().is_err(), "{changed}");
        }
        assert_eq!(line[..line.len() - 1].parse::<Token>(), Err(TokenError::Damaged));
    }

    #[test]
    fn foreign_lines_and_other_versions_are_told_apart() {
        for foreign in ["", "hello", "trace_file.json", "s_x", "sx_0_0_0"] {
            assert_eq!(foreign.parse::<Token>(), Err(TokenError::Foreign), "{foreign}");
        }
        assert_eq!("s2_abc".parse::<Token>(), Err(TokenError::Version { found: "s2".into() }));
    }

    #[test]
    fn a_right_checksum_does_not_make_a_token_right() {
        let sealed = |text: &str| format!("{text}_{:08x}", checksum(text)).parse::<Token>();
        assert_eq!(sealed("s1_0"), Err(TokenError::Damaged));
        assert_eq!(sealed("s1_0_0_0"), Err(TokenError::Damaged));
        assert!(matches!(sealed("s1_0-x_0"), Err(TokenError::Identity { .. })));
        assert!(matches!(sealed("s1_0_0v"), Err(TokenError::Schedule(_))));
        assert!(matches!(sealed("s1_0_0x100000001"), Err(TokenError::Schedule(RunsError::TooLong))));
        assert!(matches!(sealed("s1_0_0-1"), Err(TokenError::Flawed(Flaw::Step { step: 1, thread: 1, .. }))));
    }
}
