//! How much may be spent on making the schedule of a finding short.

use crate::units;
use sojourner_search::Effort;
use std::time::Duration;

/// What the user allows for making schedules short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorten {
    /// Nothing: schedules are shown as they were found.
    Not,
    /// So many states in each search for a shorter one.
    States(u64),
    /// So much time, for all findings together.
    Time(Duration),
}

/// The time that there is at least, if the user says nothing: most schedules are short by then.
const LEAST: Duration = Duration::from_millis(200);

impl Shorten {
    /// Reads `0`, a number of states, or a time with its unit.
    pub fn parse(text: &str) -> Result<Shorten, String> {
        match text.parse() {
            Ok(0) => Ok(Shorten::Not),
            Ok(states) => Ok(Shorten::States(states)),
            Err(_) => units::time(text).map(Shorten::Time).map_err(|_| {
                format!(
                    "'{text}' is neither a time (10s, 500ms) nor a number of states, nor 0 for not at all"
                )
            }),
        }
    }

    /// The effort for all findings of a search that took `elapsed` of the `budget`, which has room for `memory` bytes.
    pub fn effort(
        this: Option<Shorten>,
        elapsed: Duration,
        budget: Option<Duration>,
        memory: Option<u64>,
    ) -> Option<Effort> {
        let all = Effort { memory, ..Effort::default() };
        match this {
            Some(Shorten::Not) => None,
            Some(Shorten::States(states)) => Some(Effort { states, ..all }),
            Some(Shorten::Time(time)) => Some(Effort { steps: u64::MAX, states: u64::MAX, time, ..all }),
            None => {
                let left = budget.map_or(Duration::MAX, |budget| budget.saturating_sub(elapsed));
                Some(Effort { time: elapsed.min(left).max(LEAST), ..all })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn times_have_units_and_numbers_count_states() {
        assert_eq!(Shorten::parse("0"), Ok(Shorten::Not));
        assert_eq!(Shorten::parse("5000"), Ok(Shorten::States(5000)));
        assert_eq!(Shorten::parse("500ms"), Ok(Shorten::Time(SECOND / 2)));
        assert!(Shorten::parse("-1").is_err() && Shorten::parse("5x").is_err());
    }

    #[test]
    fn shortening_takes_at_most_as_long_as_the_search() {
        let time = |elapsed, budget| Shorten::effort(None, elapsed, budget, None).unwrap().time;
        assert_eq!(time(SECOND / 100, None), LEAST);
        assert_eq!(time(SECOND * 7, None), SECOND * 7);
        // What the user gave for the search is not exceeded.
        assert_eq!(time(SECOND * 7, Some(SECOND * 8)), SECOND);
        assert_eq!(time(SECOND * 7, Some(SECOND * 7)), LEAST);
    }

    #[test]
    fn more_is_spent_if_asked_for() {
        let effort = |how| Shorten::effort(Some(how), SECOND, None, None);
        assert_eq!(effort(Shorten::Not), None);
        assert_eq!(effort(Shorten::Time(SECOND * 20)).unwrap().time, SECOND * 20);
        assert_eq!(effort(Shorten::States(5)).unwrap(), Effort { states: 5, ..Effort::default() });
    }
}
