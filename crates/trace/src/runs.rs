//! A schedule with indexes for threads and with counted repetitions.
//!
//! Schedules of depth-first searches are long and monotonous: a thread runs on until something makes it stop. Equal
//! choices in a row are therefore kept as one run, in memory as in the file, and a run length in a foreign file
//! costs nothing until a caller asks for the choices one by one.

use crate::Flaw;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sojourner_program::{Choice, Identity, Schedule, ThreadId, Threads};
use std::fmt;

/// The longest schedule that a trace can hold. Its choices take eight bytes each once they are spread out.
pub const MAX_STEPS: u64 = 100_000_000;

/// One choice of a schedule: a thread, by its index in the trace, and the outcome of its data choice if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The index of the thread that moves.
    pub thread: u32,
    /// The outcome of its data choice, below `u32::MAX`.
    pub value: Option<u32>,
}

/// The choices from the start, in order, with equal ones in a row kept as one. Written as `0*5 1:2 3`: thread 0
/// five times, thread 1 with the outcome 2, thread 3.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Runs {
    runs: Vec<(Move, u32)>,
    len: u64,
}

/// Why a schedule is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunsError {
    /// A part of the text is not a choice.
    #[error(
        "choice {index} of the schedule, `{text}`, is not of the form THREAD, THREAD:VALUE or either with *TIMES"
    )]
    Choice {
        /// Which part, from 0.
        index: usize,
        /// Its text, cut if it is long.
        text: String,
    },
    /// There are too many steps.
    #[error("the schedule has more than {MAX_STEPS} steps")]
    TooLong,
}

/// The three signs of a written schedule.
#[derive(Clone, Copy)]
pub(crate) struct Separators {
    pub between: char,
    pub value: char,
    pub times: char,
}

/// The signs of the trace file.
pub(crate) const PLAIN: Separators = Separators { between: ' ', value: ':', times: '*' };

impl Runs {
    /// An empty schedule.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a choice. Fails if the schedule is full or the value is `u32::MAX`, and leaves it as it was.
    pub fn push(&mut self, step: Move) -> Result<(), RunsError> {
        self.extend(step, 1)
    }

    /// The number of choices.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no choice.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The runs: each choice, and how often it is taken in a row.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = (Move, u32)> {
        self.runs.iter().copied()
    }

    /// The choices one by one.
    pub fn iter(&self) -> impl Iterator<Item = Move> {
        self.iter_from(0)
    }

    /// The choices one by one, without the first `start`. Skips whole runs, so it is cheap near the end.
    pub fn iter_from(&self, start: u64) -> impl Iterator<Item = Move> {
        let mut skip = start;
        self.runs.iter().flat_map(move |&(step, times)| {
            let skipped = skip.min(u64::from(times));
            skip -= skipped;
            std::iter::repeat_n(step, times as usize - skipped as usize)
        })
    }

    /// How often another thread than before moves on.
    pub fn context_switches(&self) -> u64 {
        self.runs.windows(2).filter(|pair| pair[0].0.thread != pair[1].0.thread).count() as u64
    }

    /// The schedule in the numbers of `table`, where the nth of `identities` is thread n. Numbers are given to
    /// identities that the table does not know yet. Takes eight bytes for each step.
    pub fn choices<'a>(
        &self,
        identities: impl IntoIterator<Item = &'a Identity>,
        table: &Threads,
    ) -> Result<Schedule, Flaw> {
        let numbers: Vec<ThreadId> = identities
            .into_iter()
            .enumerate()
            .map(|(index, identity)| table.number(identity).ok_or(Flaw::NoIdentity { index }))
            .collect::<Result<_, _>>()?;
        self.check("schedule", numbers.len())?;
        let mut choices = Vec::with_capacity(self.len as usize);
        for &(step, times) in &self.runs {
            let thread = numbers[step.thread as usize];
            let choice = step.value.map_or(Choice::run(thread), |value| Choice::pick(thread, value));
            choices.extend(std::iter::repeat_n(choice, times as usize));
        }
        Ok(choices)
    }

    /// Whether every thread is below `threads`. `place` names the schedule in the error.
    pub(crate) fn check(&self, place: &'static str, threads: usize) -> Result<(), Flaw> {
        let mut at = 0;
        for &(step, times) in &self.runs {
            if step.thread as usize >= threads {
                return Err(Flaw::Step { place, step: at, thread: step.thread, threads });
            }
            at += u64::from(times);
        }
        Ok(())
    }

    /// Appends a choice `times` times.
    pub(crate) fn extend(&mut self, step: Move, times: u32) -> Result<(), RunsError> {
        let refuse = |text| Err(RunsError::Choice { index: self.runs.len(), text });
        if step.value == Some(u32::MAX) {
            return refuse(format!("{}:{}", step.thread, u32::MAX));
        }
        if times == 0 {
            return refuse(format!("{}*0", step.thread));
        }
        if self.len + u64::from(times) > MAX_STEPS {
            return Err(RunsError::TooLong);
        }
        self.len += u64::from(times);
        match self.runs.last_mut() {
            Some((last, count)) if *last == step => *count += times,
            _ => self.runs.push((step, times)),
        }
        Ok(())
    }

    /// Reads a schedule written with `signs`.
    pub(crate) fn parse(text: &str, signs: Separators) -> Result<Runs, RunsError> {
        let mut runs = Runs::new();
        let parts = text.split(signs.between).filter(|part| !part.is_empty());
        for (index, part) in parts.enumerate() {
            let read = || {
                let (choice, times) = part.split_once(signs.times).unwrap_or((part, "1"));
                let (thread, value) = match choice.split_once(signs.value) {
                    None => (choice, None),
                    Some((thread, value)) => (thread, Some(number(value)?)),
                };
                Some((Move { thread: number(thread)?, value }, number(times)?))
            };
            let bad = || RunsError::Choice { index, text: part.chars().take(40).collect() };
            let (step, times) = read().ok_or_else(bad)?;
            runs.extend(step, times).map_err(|error| match error {
                RunsError::TooLong => error,
                RunsError::Choice { .. } => bad(),
            })?;
        }
        Ok(runs)
    }

    /// Writes the schedule with `signs`.
    pub(crate) fn print(&self, signs: Separators, out: &mut impl fmt::Write) -> fmt::Result {
        for (i, (step, times)) in self.runs.iter().enumerate() {
            if i > 0 {
                out.write_char(signs.between)?;
            }
            write!(out, "{}", step.thread)?;
            if let Some(value) = step.value {
                write!(out, "{}{value}", signs.value)?;
            }
            if *times > 1 {
                write!(out, "{}{times}", signs.times)?;
            }
        }
        Ok(())
    }
}

/// A decimal number without a sign, which `str::parse` would allow.
fn number(text: &str) -> Option<u32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(PLAIN, f)
    }
}

impl fmt::Debug for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl std::str::FromStr for Runs {
    type Err = RunsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Runs::parse(text, PLAIN)
    }
}

impl Serialize for Runs {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Runs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a schedule such as \"0*5 1:2 3\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Runs, E> {
                text.parse().map_err(E::custom)
            }
        }
        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_choices_in_a_row_become_one_run() {
        let runs: Runs = "0 0 1:2 1:2*2  1".parse().unwrap();
        assert_eq!(runs.to_string(), "0*2 1:2*3 1");
        assert_eq!((runs.len(), runs.runs().len(), runs.context_switches()), (6, 3, 1));
    }

    #[test]
    fn skipping_gives_the_rest() {
        let runs: Runs = "0*3 1 2*2".parse().unwrap();
        let all: Vec<u32> = runs.iter().map(|step| step.thread).collect();
        for start in 0..8 {
            let rest: Vec<u32> = runs.iter_from(start).map(|step| step.thread).collect();
            assert_eq!(rest, all[all.len().min(start as usize)..]);
        }
    }

    #[test]
    fn only_choices_are_read() {
        for text in
            ["x", "0*", "*2", "0*0", ":1", "0:4294967295", "+1", "-1", "4294967296", "0*2*2", "0:1:2", "1,2"]
        {
            assert!(matches!(text.parse::<Runs>(), Err(RunsError::Choice { index: 0, .. })), "{text}");
        }
        assert_eq!("0*99999999 1*2".parse::<Runs>(), Err(RunsError::TooLong));
    }
}
