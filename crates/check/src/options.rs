//! What a check is asked to do.

use crate::preemptions::Preemptions;
use sojourner_distance::Unit;
use sojourner_frontend::{Destination, Time};
use sojourner_names::{Name, UnknownName, names};
use sojourner_program::Kind;
use sojourner_search::{Backtracking, Effort, Heuristic, OrderKind, Shape, StrategyError, Winner};
use sojourner_store::StoreKind;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What a check is asked to do. The default is what `sojourner check` does without options.
///
/// ```
/// use sojourner_check::Options;
/// use std::time::Duration;
///
/// let options = Options::default().search("bfs".parse()?).time(Duration::from_secs(60)).jobs(1);
/// assert_eq!(options.search.to_string(), "bfs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// Which searches run.
    pub search: Search,
    /// In which order the choices of a state are taken.
    pub order: OrderKind,
    /// What a best-first search, and the order by heuristic, go by.
    pub heuristic: Heuristic,
    /// The places from which a heuristic by distance goes, if it is one. None: any failure that the program names.
    pub destinations: Vec<Destination>,
    /// When a depth-first search turns back early, if ever.
    pub backtrack: Option<Backtracking>,
    /// How many copies of the search run side by side, with seeds of their own.
    pub swarm: Option<usize>,
    /// Which of several searches side by side counts.
    pub winner: Winner,
    /// Where random numbers start.
    pub seed: u64,
    /// What is remembered of states. `None`: what fits the program.
    pub store: Option<StoreKind>,
    /// Threads to search on. `None`: all cores.
    pub jobs: Option<usize>,
    /// How many branches a worker of a reduction keeps for itself before it gives one away.
    pub soft_limit: usize,
    /// Whether the search goes on after a finding and reports one of each defect.
    pub all: bool,
    /// Which executions that never end are findings.
    pub livelocks: Livelocks,
    /// Explore only schedules with at most so many preemptions, in rounds if there are several bounds.
    pub preemptions: Option<Preemptions>,
    /// Explore only schedules of at most so many steps.
    pub depth: Option<u32>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Stop when so many bytes are in use, by this process and those that run the program. `None`: three quarters of what the
    /// machine, or the container, has.
    pub memory: Option<u64>,
    /// Stop after so many states.
    pub states: Option<u64>,
    /// Stop after so many executions of a search that samples, or of a reduction.
    pub executions: Option<u64>,
    /// What may be spent on short schedules.
    pub shorten: Shorten,
    /// Where traces of findings are saved.
    pub traces: Traces,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: Search::Auto,
            order: OrderKind::AsGiven,
            heuristic: Heuristic::default(),
            destinations: Vec::new(),
            backtrack: None,
            swarm: None,
            winner: Winner::Time,
            seed: 0,
            store: None,
            jobs: None,
            soft_limit: 1,
            all: false,
            livelocks: Livelocks::Hangs,
            preemptions: None,
            depth: None,
            time: None,
            memory: None,
            states: None,
            executions: None,
            shorten: Shorten::AsLongAsTheSearch,
            traces: Traces::NotSaved,
        }
    }
}

impl Options {
    /// The same with another search.
    pub fn search(self, search: Search) -> Options {
        Options { search, ..self }
    }

    /// The same with another seed.
    pub fn seed(self, seed: u64) -> Options {
        Options { seed, ..self }
    }

    /// The same with a best-first search, and the order by heuristic, that go by this.
    pub fn heuristic(self, heuristic: Heuristic) -> Options {
        Options { heuristic, ..self }
    }

    /// The same on so many threads.
    pub fn jobs(self, jobs: usize) -> Options {
        Options { jobs: Some(jobs), ..self }
    }

    /// The same with that store.
    pub fn store(self, store: StoreKind) -> Options {
        Options { store: Some(store), ..self }
    }

    /// The same, but the search goes on after a finding.
    pub fn all(self) -> Options {
        Options { all: true, ..self }
    }

    /// The same with at most so many preemptions.
    pub fn preemptions(self, preemptions: u32) -> Options {
        Options { preemptions: Some(Preemptions::at_most(preemptions)), ..self }
    }

    /// The same with at most so many steps.
    pub fn depth(self, depth: u32) -> Options {
        Options { depth: Some(depth), ..self }
    }

    /// The same for at most that time.
    pub fn time(self, time: Duration) -> Options {
        Options { time: Some(time), ..self }
    }

    /// The same with traces saved there.
    pub fn traces(self, traces: Traces) -> Options {
        Options { traces, ..self }
    }
}

impl Options {
    /// Whether anything goes by the heuristic.
    pub(crate) fn is_guided(&self) -> bool {
        let best_first = matches!(self.search, Search::Auto | Search::One(Shape::BestFirst(_)));
        best_first || self.order == OrderKind::Heuristic
    }

    /// What distances count. A rank to which the length of the path is added counts what the path does.
    pub(crate) fn unit(&self) -> Unit {
        match self.search {
            Search::One(Shape::BestFirst(queueing)) if queueing.adds_depth => Unit::Operations,
            _ => Unit::Instructions,
        }
    }
}

/// Which searches run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// A portfolio: one exhaustive search, and randomised ones beside it.
    Auto,
    /// One strategy.
    One(Shape),
}

/// The portfolio, as it is written.
const AUTO: Name = Name {
    name: "auto",
    about: "one exhaustive search, with sampling, bounded, randomised and guided ones beside it",
};

impl Search {
    /// What can be written: `auto`, and the strategies.
    pub const NAMES: [Name; 1 + Shape::NAMES.len()] = {
        let mut names = [AUTO; 1 + Shape::NAMES.len()];
        let mut at = 0;
        while at < Shape::NAMES.len() {
            names[at + 1] = Shape::NAMES[at];
            at += 1;
        }
        names
    };
}

impl FromStr for Search {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Search, StrategyError> {
        if text == AUTO.name {
            return Ok(Search::Auto);
        }
        text.parse().map(Search::One).map_err(|error| match error {
            StrategyError::Name(_) => StrategyError::Name(UnknownName::new("search", text, &Search::NAMES)),
            error => error,
        })
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Search::Auto => f.write_str(AUTO.name),
            Search::One(shape) => shape.fmt(f),
        }
    }
}

names! {
    /// Which executions that never end are findings.
    pub enum Livelocks ("treatment of livelocks") {
        /// threads keep running and none of them can ever finish
        Hangs = "hangs",
        /// also cycles that threads could leave under another fair schedule; visits all states twice; not for C, C++ and
        /// Rust programs
        All = "all",
        /// nothing: for programs that are meant to run for ever
        Off = "off",
    }
}

/// What may be spent on making the schedules of findings short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorten {
    /// As much time as the search took, and at least 200 ms.
    AsLongAsTheSearch,
    /// Nothing: schedules are shown as they were found.
    Not,
    /// So many states in each search for a shorter one.
    States(u64),
    /// So much time, for all findings together.
    Time(Duration),
}

/// The least time without an option of the user. Most schedules are short by then.
const LEAST: Duration = Duration::from_millis(200);

impl fmt::Display for Shorten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shorten::AsLongAsTheSearch => f.write_str("as long as the search took"),
            Shorten::Not => f.write_str("0"),
            Shorten::States(states) => states.fmt(f),
            Shorten::Time(time) => Time(*time).fmt(f),
        }
    }
}

impl FromStr for Shorten {
    type Err = String;

    /// `0`, a number of states, or a time with its unit.
    fn from_str(text: &str) -> Result<Shorten, String> {
        match text.parse() {
            Ok(0) => Ok(Shorten::Not),
            Ok(states) => Ok(Shorten::States(states)),
            Err(_) => text.parse().map(|Time(time)| Shorten::Time(time)).map_err(|_: String| {
                format!("'{text}' is not a time (10s, 500ms), a number of states, or 0 to leave schedules as they are")
            }),
        }
    }
}

impl Shorten {
    /// The effort for all findings of a search that took `elapsed` of the `budget`, which has room for `memory` bytes.
    pub(crate) fn effort(
        self,
        elapsed: Duration,
        budget: Option<Duration>,
        memory: Option<u64>,
    ) -> Option<Effort> {
        let all = Effort { memory, ..Effort::default() };
        match self {
            Shorten::Not => None,
            Shorten::States(states) => Some(Effort { states, ..all }),
            Shorten::Time(time) => Some(Effort { steps: u64::MAX, states: u64::MAX, time, ..all }),
            Shorten::AsLongAsTheSearch => {
                let left = budget.map_or(Duration::MAX, |budget| budget.saturating_sub(elapsed));
                Some(Effort { time: elapsed.min(left).max(LEAST), ..all })
            }
        }
    }
}

/// Where traces of findings are saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Traces {
    /// Nowhere: they are in the result.
    NotSaved,
    /// In files `STEM-KIND.trace.json`, `STEM-KIND-2.trace.json` and so on. The stem may begin with a directory.
    Named(String),
    /// The first in that file, the others beside it.
    File(PathBuf),
}

impl Traces {
    /// The file of the trace of the finding of that number, from 0.
    pub(crate) fn path(&self, kind: Kind, nth: usize) -> Option<PathBuf> {
        match self {
            Traces::NotSaved => None,
            Traces::File(path) if nth == 0 => Some(path.clone()),
            Traces::File(path) => Some(path.with_extension(format!("{}.json", nth + 1))),
            Traces::Named(stem) if nth == 0 => Some(format!("{stem}-{kind}.trace.json").into()),
            Traces::Named(stem) => Some(format!("{stem}-{kind}-{}.trace.json", nth + 1).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn searches_read_and_print() {
        for name in Search::NAMES {
            assert!(name.word().parse::<Search>().is_ok(), "{}", name.name);
        }
        assert_eq!("auto".parse::<Search>().unwrap(), Search::Auto);
        let error = "dsf".parse::<Search>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no search 'dsf': use auto, dfs, bfs, best-first, beam, dpor, walk, pct, pos or surw"
        );
    }

    #[test]
    fn times_have_units_and_numbers_count_states() {
        assert_eq!("0".parse(), Ok(Shorten::Not));
        assert_eq!("5000".parse(), Ok(Shorten::States(5000)));
        assert_eq!("500ms".parse(), Ok(Shorten::Time(SECOND / 2)));
        assert!("-1".parse::<Shorten>().is_err() && "5x".parse::<Shorten>().is_err());
    }

    #[test]
    fn shortening_takes_at_most_as_long_as_the_search() {
        let time = |elapsed, budget| Shorten::AsLongAsTheSearch.effort(elapsed, budget, None).unwrap().time;
        assert_eq!(time(SECOND / 100, None), LEAST);
        assert_eq!(time(SECOND * 7, None), SECOND * 7);
        // What the user gave for the search is not exceeded.
        assert_eq!(time(SECOND * 7, Some(SECOND * 8)), SECOND);
        assert_eq!(time(SECOND * 7, Some(SECOND * 7)), LEAST);
    }

    #[test]
    fn more_is_spent_if_asked_for() {
        let effort = |how: Shorten| how.effort(SECOND, None, None);
        assert_eq!(effort(Shorten::Not), None);
        assert_eq!(effort(Shorten::Time(SECOND * 20)).unwrap().time, SECOND * 20);
        assert_eq!(effort(Shorten::States(5)).unwrap(), Effort { states: 5, ..Effort::default() });
    }

    #[test]
    fn traces_have_files_of_their_own() {
        let named = Traces::Named("dir/phil".into());
        assert_eq!(named.path(Kind::Deadlock, 0), Some("dir/phil-deadlock.trace.json".into()));
        assert_eq!(named.path(Kind::Race, 1), Some("dir/phil-race-2.trace.json".into()));
        let file = Traces::File("t.json".into());
        assert_eq!(file.path(Kind::Race, 0), Some("t.json".into()));
        assert_eq!(file.path(Kind::Race, 2), Some("t.3.json".into()));
        assert_eq!(Traces::NotSaved.path(Kind::Race, 0), None);
    }
}
