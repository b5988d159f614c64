//! The options that a user has given.

use crate::option::{OnReplay, Opt, Value};
use std::ffi::{OsStr, OsString};

/// The options that a user has given, with their values in canonical form.
#[derive(Clone, Debug, Default)]
pub struct Given {
    all: Vec<(&'static Opt, OsString)>,
}

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// No table has it.
    #[error("there is no option {0}")]
    Unknown(String),
    /// It needs a value.
    #[error("{0} needs a value")]
    NoValue(&'static str),
    /// It has no value.
    #[error("{0} takes no value")]
    NeedlessValue(&'static str),
    /// The value is not one that it can have.
    #[error("'{value}' is not a value for {flag}: {why}")]
    Value {
        /// The option.
        flag: &'static str,
        /// Its value.
        value: String,
        /// What is wrong.
        why: String,
    },
}

impl Given {
    /// No options.
    pub fn none() -> Given {
        Given::default()
    }

    /// Adds an option. Fails if its value is not one that it can have.
    pub fn add(&mut self, opt: &'static Opt, value: impl Into<OsString>) -> Result<(), GivenError> {
        let value = value.into();
        let value = opt.value.read(&value).map_err(|why| GivenError::Value {
            flag: opt.flag,
            value: value.to_string_lossy().into_owned(),
            why,
        })?;
        if !opt.repeats {
            self.all.retain(|(known, _)| known.flag != opt.flag);
        }
        self.all.push((opt, value));
        Ok(())
    }

    /// Reads what [`Given::words`] gave, by the options of `tables`. Words that are no options are returned beside them: they are
    /// the further sources of the program.
    pub fn read<'t>(
        tables: impl IntoIterator<Item = &'t &'static [Opt]>,
        words: &[String],
    ) -> Result<(Given, Vec<String>), GivenError> {
        let known: Vec<&'static Opt> = tables.into_iter().flat_map(|table| table.iter()).collect();
        let (mut given, mut others) = (Given::none(), Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                others.push(word.clone());
                continue;
            }
            let find = |flag: &str| known.iter().copied().find(|opt| opt.flag == flag);
            let (opt, value) = match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => (find(flag), Some(value.to_string())),
                _ => (find(word), None),
            };
            let opt = opt.ok_or_else(|| GivenError::Unknown(word.clone()))?;
            let value = match (opt.value, value) {
                (Value::Flag, Some(_)) => return Err(GivenError::NeedlessValue(opt.flag)),
                (Value::Flag, None) => String::new(),
                (_, Some(value)) => value,
                (Value::Optional { missing, .. }, None) => missing.into(),
                (_, None) => words.next().cloned().ok_or(GivenError::NoValue(opt.flag))?,
            };
            given.add(opt, value)?;
        }
        Ok((given, others))
    }

    /// The options as they could be typed, and as a trace keeps them.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (opt, value) in &self.all {
            let value = value.to_string_lossy();
            match opt.value {
                Value::Flag => words.push(opt.flag.into()),
                // What looks like an option would be taken for one.
                Value::Rest { .. } | Value::Optional { .. } => words.push(format!("{}={value}", opt.flag)),
                Value::Word { .. } if value.starts_with('-') => words.push(format!("{}={value}", opt.flag)),
                Value::Word { .. } | Value::Path { .. } => {
                    words.extend([opt.flag.to_string(), value.into_owned()]);
                }
            }
        }
        words
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The options, each as often as it was given.
    pub fn options(&self) -> impl Iterator<Item = &'static Opt> {
        self.all.iter().map(|(opt, _)| *opt)
    }

    /// Whether that option was given.
    pub fn has(&self, flag: &str) -> bool {
        self.options().any(|opt| opt.flag == flag)
    }

    /// The values of that option.
    pub fn values<'a>(&'a self, flag: &'a str) -> impl Iterator<Item = &'a OsStr> {
        self.all.iter().filter(move |(opt, _)| opt.flag == flag).map(|(_, value)| value.as_os_str())
    }

    /// The values of that option, as text.
    pub fn texts<'a>(&'a self, flag: &'a str) -> impl Iterator<Item = String> {
        self.values(flag).map(|value| value.to_string_lossy().into_owned())
    }

    /// The value of that option, read as `T`. `None` if it was not given.
    ///
    /// # Panics
    ///
    /// If the option's own check lets values pass that `T` cannot be read from.
    pub fn get<T: std::str::FromStr>(&self, flag: &str) -> Option<T> {
        let value = self.values(flag).last()?.to_str().expect("a checked value is text");
        Some(value.parse().ok().unwrap_or_else(|| panic!("{flag} was checked to be readable: {value}")))
    }

    /// The same options, with `now` in place of those of which a replay may say so. The error is an option that it may not.
    pub fn moved(&self, now: &Given) -> Result<Given, &'static str> {
        let fixed = now.options().find(|opt| opt.on_replay == OnReplay::Fixed);
        if let Some(opt) = fixed {
            return Err(opt.flag);
        }
        let mut all = self.all.clone();
        all.retain(|(opt, _)| opt.on_replay != OnReplay::Replaced || !now.has(opt.flag));
        all.extend(now.all.iter().cloned());
        Ok(Given { all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::option::Otherwise;

    static TABLE: &[Opt] = &[
        Opt::flag("--loud", ""),
        Opt::value("--path", Value::Path { name: "PATH" }, "").repeated().on_replay(OnReplay::Replaced),
        Opt::value("--open", Value::any("NAME"), "").repeated().on_replay(OnReplay::Added),
        Opt::value("--rounds", Value::number::<u8>(), "").otherwise(Otherwise::Is("3")),
        Opt::value("--flags", Value::Rest { name: "FLAG..." }, "").repeated(),
        Opt::value("-D", Value::any("KEY"), "").repeated(),
    ];

    fn read(line: &str) -> Result<(Given, Vec<String>), GivenError> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        Given::read(&[TABLE], &words)
    }

    #[test]
    fn words_read_back() {
        let line = "b.c --loud --path a --path b --rounds 7 --flags=-O1 -D x=y";
        let (given, others) = read(line).unwrap();
        assert_eq!(others, ["b.c"]);
        assert_eq!([&others[..], &given.words()].concat().join(" "), line);
        assert_eq!(given.get("--rounds"), Some(7_u8));
        assert_eq!(given.texts("--path").collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn last_value_counts_unless_an_option_repeats() {
        let (given, _) = read("--rounds 7 --rounds 8").unwrap();
        assert_eq!(given.words(), ["--rounds", "8"]);
    }

    #[test]
    fn wrong_words_are_refused() {
        let refused = |line| read(line).unwrap_err();
        assert_eq!(refused("--quiet"), GivenError::Unknown("--quiet".into()));
        assert_eq!(refused("--rounds"), GivenError::NoValue("--rounds"));
        assert_eq!(refused("--loud=yes"), GivenError::NeedlessValue("--loud"));
        assert_eq!(
            refused("--rounds many").to_string(),
            "'many' is not a value for --rounds: 'many' is not a whole number, or it is too large"
        );
    }

    #[test]
    fn replay_may_replace_places_and_add_grants_and_nothing_else() {
        let saved = read("--path a --open x --rounds 7").unwrap().0;
        let now = read("--path b --open y").unwrap().0;
        assert_eq!(saved.moved(&now).unwrap().words().join(" "), "--open x --rounds 7 --path b --open y");
        assert_eq!(saved.moved(&read("--loud").unwrap().0).unwrap_err(), "--loud");
    }
}
