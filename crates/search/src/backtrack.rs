//! When a depth-first search turns back: never early, or at random (Parizek & Lhotak 2011, Figure 2).
//!
//! The paper's figure lets every return from a state go on to a longer jump. In its Table 5, thresholds beyond the depth of the error equal
//! plain depth-first search. That requires another reading, which is the one here: a jump may start only at a depth of at least the
//! threshold. Once started it may cross the threshold, or end the search.

use sojourner_names::{Name, names};
use sojourner_program::Random;
use std::fmt;
use std::str::FromStr;

/// How randomised backtracking decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backtrack {
    /// Where the search may turn back early.
    pub threshold: Threshold,
    /// How far it goes back.
    pub jump: Jump,
    /// How likely it goes on instead.
    pub ratio: Ratio,
}

/// The least depth at which a search may turn back early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// That depth.
    At(usize),
    /// Half the depth at which paths end: the median of the first ones, during which the search does not turn back early. The
    /// paper has no rule. Too small a threshold keeps the search from the defect, and one beyond all paths does nothing.
    Auto,
}

/// The paths by which the threshold is set.
const FIRST_PATHS: usize = 8;

names! {
    /// How many transitions a backtrack jump goes back.
    pub enum Jump ("backtracking strategy") {
        /// one transition
        Fixed = "fixed",
        /// a random number: n with probability 2^-n, 2 on average, without a bound
        Random = "random",
        /// the next number of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...
        Luby = "luby",
    }
}

/// How likely the search takes another choice of a state rather than turn back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratio {
    /// Always this likely.
    Constant(f64),
    /// `1 - d/c` at depth `d`.
    Falling(u32),
}

impl Ratio {
    fn at(self, depth: usize) -> f64 {
        match self {
            Ratio::Constant(ratio) => ratio,
            Ratio::Falling(c) => 1.0 - depth as f64 / f64::from(c),
        }
    }
}

/// The state of the decision during one search.
#[derive(Clone, Debug)]
pub struct TurnBack {
    how: Backtrack,
    random: Random,
    jumps: u64,
    /// Where it may turn back early, as soon as that is known.
    threshold: Option<usize>,
    /// The depths at which the first paths ended, and where the present one is after the step that is taken now.
    ends: Vec<usize>,
    ahead: Option<usize>,
}

impl TurnBack {
    /// Decides as `how` says, by the numbers of `random`.
    pub fn new(how: Backtrack, random: Random) -> Self {
        let threshold = match how.threshold {
            Threshold::At(depth) => Some(depth),
            Threshold::Auto => None,
        };
        TurnBack { how, random, jumps: 0, threshold, ends: Vec::new(), ahead: None }
    }

    /// Whether to turn back at `depth` although choices are left. Asked before each of them.
    pub fn early(&mut self, depth: usize) -> bool {
        let may = self.threshold.is_some_and(|threshold| depth >= threshold);
        let turns = may && self.random.unit() > self.how.ratio.at(depth);
        if !turns {
            self.ahead = Some(depth + 1);
        }
        turns
    }

    /// How many transitions to go back from a state at `depth`.
    pub fn length(&mut self, depth: usize) -> usize {
        if let (None, Some(end)) = (self.threshold, self.ahead.take()) {
            self.path_ended(end);
        }
        if self.threshold.is_none_or(|threshold| depth < threshold) {
            return 1;
        }
        self.jumps += 1;
        match self.how.jump {
            Jump::Fixed => 1,
            Jump::Random => 1 + self.random.bits().trailing_ones() as usize,
            Jump::Luby => luby(self.jumps) as usize,
        }
    }
}

impl TurnBack {
    /// One of the first paths has ended at that depth.
    fn path_ended(&mut self, depth: usize) {
        self.ends.push(depth);
        if self.ends.len() == FIRST_PATHS {
            self.ends.sort_unstable();
            self.threshold = Some((self.ends[FIRST_PATHS / 2] / 2).max(1));
        }
    }
}

/// The `i`th number of Luby's sequence, from 1.
pub fn luby(mut i: u64) -> u64 {
    loop {
        // 2^(n-1) <= i < 2^n
        let n = u64::BITS - i.leading_zeros();
        if i == u64::MAX >> (64 - n) {
            return 1 << (n - 1);
        }
        i -= (1 << (n - 1)) - 1;
    }
}

impl Default for Backtrack {
    fn default() -> Backtrack {
        Backtrack { threshold: Threshold::At(50), jump: Jump::Random, ratio: Ratio::Constant(0.9) }
    }
}

/// One way to turn back early, or several to try side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backtracking {
    /// One.
    One(Backtrack),
    /// What the paper recommends: the strategy random and the ratio 0.9 with each of its thresholds (its section 5).
    Portfolio,
}

/// The thresholds of the paper.
const THRESHOLDS: [usize; 5] = [5, 10, 20, 50, 100];

/// How the portfolio is written.
const PORTFOLIO: &str = "portfolio";

impl Backtracking {
    /// All that are to be tried.
    pub fn all(self) -> Vec<Backtrack> {
        match self {
            Backtracking::One(how) => vec![how],
            Backtracking::Portfolio => {
                let with =
                    |&depth: &usize| Backtrack { threshold: Threshold::At(depth), ..Backtrack::default() };
                THRESHOLDS.iter().map(with).collect()
            }
        }
    }
}

impl FromStr for Backtracking {
    type Err = BacktrackError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == PORTFOLIO { Ok(Backtracking::Portfolio) } else { text.parse().map(Backtracking::One) }
    }
}

impl fmt::Display for Backtracking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Backtracking::One(how) => how.fmt(f),
            Backtracking::Portfolio => f.write_str(PORTFOLIO),
        }
    }
}

/// The options of backtracking, as they are written with commas between them.
pub const BACKTRACK: [Name; 4] = [
    Name {
        name: "threshold=N|auto",
        about: "turn back early only at a depth of at least N; auto: half the median depth at which the first 8 paths end",
    },
    Name { name: "strategy=fixed|random|luby", about: "how far to go back" },
    Name { name: "ratio=R", about: "go on with probability R, from 0 to 1; or 1-d/C at depth d" },
    Name { name: "portfolio", about: "instead of these: the thresholds 5, 10, 20, 50 and 100 side by side" },
];

/// What is wrong with the text of a backtrack option.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0}: write threshold=N or threshold=auto,strategy=fixed|random|luby,ratio=R with R from 0 to 1, or ratio=1-d/C; or portfolio"
)]
pub struct BacktrackError(String);

impl FromStr for Backtrack {
    type Err = BacktrackError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut how = Backtrack::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let bad = || BacktrackError(format!("'{part}' is not understood"));
            let (name, value) = part.split_once('=').ok_or_else(bad)?;
            match name {
                "threshold" if value == "auto" => how.threshold = Threshold::Auto,
                "threshold" => how.threshold = Threshold::At(value.parse().map_err(|_| bad())?),
                "strategy" => how.jump = value.parse().map_err(|_| bad())?,
                "ratio" => {
                    how.ratio = match value.strip_prefix("1-d/") {
                        Some(c) => Ratio::Falling(c.parse().ok().filter(|&c: &u32| c > 0).ok_or_else(bad)?),
                        None => Ratio::Constant(
                            value.parse().ok().filter(|r| (0.0..=1.0).contains(r)).ok_or_else(bad)?,
                        ),
                    }
                }
                _ => return Err(bad()),
            }
        }
        Ok(how)
    }
}

impl fmt::Display for Backtrack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.threshold {
            Threshold::At(depth) => write!(f, "threshold={depth}")?,
            Threshold::Auto => write!(f, "threshold=auto")?,
        }
        write!(f, ",strategy={},ratio=", self.jump)?;
        match self.ratio {
            Ratio::Constant(ratio) => write!(f, "{ratio}"),
            Ratio::Falling(c) => write!(f, "1-d/{c}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luby_is_the_sequence_of_the_paper() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(luby((1 << 40) - 1), 1 << 39);
    }

    #[test]
    fn a_jump_is_one_transition_below_the_threshold() {
        let how = Backtrack { threshold: Threshold::At(10), jump: Jump::Luby, ratio: Ratio::Constant(0.0) };
        let mut turn = TurnBack::new(how, Random::new(1));
        assert!((0..10).all(|depth| !turn.early(depth) && turn.length(depth) == 1));
        assert!(turn.early(10));
        let jumps: Vec<usize> = (0..7).map(|_| turn.length(10)).collect();
        assert_eq!(jumps, [1, 1, 2, 1, 1, 2, 4]);
    }

    #[test]
    fn the_ratio_decides_how_often_a_search_goes_on() {
        for (ratio, depth, expected) in [
            (Ratio::Constant(0.9), 60, 0.9),
            (Ratio::Constant(0.5), 60, 0.5),
            (Ratio::Falling(100), 60, 0.4),
            (Ratio::Falling(20), 60, 0.0),
        ] {
            let how = Backtrack { threshold: Threshold::At(50), jump: Jump::Fixed, ratio };
            let mut turn = TurnBack::new(how, Random::new(3));
            let goes_on = (0..10_000).filter(|_| !turn.early(depth)).count() as f64 / 10_000.0;
            // Four standard deviations.
            assert!((goes_on - expected).abs() <= 0.02, "{how}: {goes_on}");
            assert!(!turn.early(49) && turn.length(60) == 1);
        }
    }

    #[test]
    fn a_threshold_is_half_the_depth_at_which_the_first_paths_end() {
        let how = Backtrack { threshold: Threshold::Auto, jump: Jump::Fixed, ratio: Ratio::Constant(0.0) };
        let mut turn = TurnBack::new(how, Random::new(1));
        for end in [40, 10, 22, 20, 24, 22, 90, 30] {
            assert!((0..end).all(|depth| !turn.early(depth)));
            // Going back over several states is one end.
            assert_eq!((turn.length(end), turn.length(end - 1)), (1, 1));
        }
        // Sorted: 10, 20, 22, 22, 24, 30, 40, 90.
        assert!(!turn.early(11) && turn.early(12));
    }

    #[test]
    fn random_jumps_are_geometric() {
        let how = Backtrack { threshold: Threshold::At(0), jump: Jump::Random, ratio: Ratio::Constant(1.0) };
        let mut turn = TurnBack::new(how, Random::new(1));
        let jumps: Vec<usize> = (0..8000).map(|_| turn.length(0)).collect();
        let ones = jumps.iter().filter(|&&jump| jump == 1).count();
        let mean = jumps.iter().sum::<usize>() as f64 / 8000.0;
        assert!((3800..4200).contains(&ones) && (1.9..2.1).contains(&mean), "{ones} {mean}");
        assert!(!turn.early(1_000_000), "ratio 1 never turns back");
    }

    #[test]
    fn the_portfolio_is_what_the_paper_recommends() {
        let all = "portfolio".parse::<Backtracking>().unwrap().all();
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        let expected = [5, 10, 20, 50, 100].map(|n| format!("threshold={n},strategy=random,ratio=0.9"));
        assert_eq!(names, expected);
        assert_eq!("threshold=7".parse::<Backtracking>().unwrap().all().len(), 1);
    }

    #[test]
    fn the_option_reads_and_prints() {
        for text in [
            "threshold=50,strategy=random,ratio=0.9",
            "threshold=5,strategy=luby,ratio=1-d/20",
            "threshold=auto,strategy=fixed,ratio=1",
        ] {
            assert_eq!(text.parse::<Backtrack>().unwrap().to_string(), text);
        }
        for text in ["threshold=x", "strategy=far", "ratio=2", "ratio=1-d/0", "nonsense"] {
            assert!(text.parse::<Backtrack>().is_err(), "{text}");
        }
    }
}
