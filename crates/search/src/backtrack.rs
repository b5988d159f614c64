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
    /// The least depth at which the search may turn back early.
    pub threshold: usize,
    /// How far it goes back.
    pub jump: Jump,
    /// How likely it goes on instead.
    pub ratio: Ratio,
}

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
}

impl TurnBack {
    /// Decides as `how` says, by the numbers of `random`.
    pub fn new(how: Backtrack, random: Random) -> Self {
        TurnBack { how, random, jumps: 0 }
    }

    /// Whether to turn back at `depth` although choices are left. Asked before each of them.
    pub fn early(&mut self, depth: usize) -> bool {
        depth >= self.how.threshold && self.random.unit() > self.how.ratio.at(depth)
    }

    /// How many transitions to go back from a state at `depth`.
    pub fn length(&mut self, depth: usize) -> usize {
        if depth < self.how.threshold {
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
        Backtrack { threshold: 50, jump: Jump::Random, ratio: Ratio::Constant(0.9) }
    }
}

/// The options of backtracking, as they are written with commas between them.
pub const BACKTRACK: [Name; 3] = [
    Name { name: "threshold=N", about: "turn back early only at a depth of at least N" },
    Name { name: "strategy=fixed|random|luby", about: "how far to go back" },
    Name { name: "ratio=R", about: "go on with probability R, from 0 to 1; or 1-d/C at depth d" },
];

/// What is wrong with the text of a backtrack option.
#[derive(Debug, thiserror::Error)]
#[error("{0}: write threshold=N,strategy=fixed|random|luby,ratio=R with R from 0 to 1, or ratio=1-d/C")]
pub struct BacktrackError(String);

impl FromStr for Backtrack {
    type Err = BacktrackError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut how = Backtrack::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let bad = || BacktrackError(format!("'{part}' is not understood"));
            let (name, value) = part.split_once('=').ok_or_else(bad)?;
            match name {
                "threshold" => how.threshold = value.parse().map_err(|_| bad())?,
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
        write!(f, "threshold={},strategy={},ratio=", self.threshold, self.jump)?;
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
        let how = Backtrack { threshold: 10, jump: Jump::Luby, ratio: Ratio::Constant(0.0) };
        let mut turn = TurnBack::new(how, Random::new(1));
        assert!((0..10).all(|depth| !turn.early(depth) && turn.length(depth) == 1));
        assert!(turn.early(10));
        let jumps: Vec<usize> = (0..7).map(|_| turn.length(10)).collect();
        assert_eq!(jumps, [1, 1, 2, 1, 1, 2, 4]);
    }

    #[test]
    fn random_jumps_are_geometric() {
        let how = Backtrack { threshold: 0, jump: Jump::Random, ratio: Ratio::Constant(1.0) };
        let mut turn = TurnBack::new(how, Random::new(1));
        let jumps: Vec<usize> = (0..8000).map(|_| turn.length(0)).collect();
        let ones = jumps.iter().filter(|&&jump| jump == 1).count();
        let mean = jumps.iter().sum::<usize>() as f64 / 8000.0;
        assert!((3800..4200).contains(&ones) && (1.9..2.1).contains(&mean), "{ones} {mean}");
        assert!(!turn.early(1_000_000), "ratio 1 never turns back");
    }

    #[test]
    fn the_option_reads_and_prints() {
        for text in ["threshold=50,strategy=random,ratio=0.9", "threshold=5,strategy=luby,ratio=1-d/20"] {
            assert_eq!(text.parse::<Backtrack>().unwrap().to_string(), text);
        }
        for text in ["threshold=x", "strategy=far", "ratio=2", "ratio=1-d/0", "nonsense"] {
            assert!(text.parse::<Backtrack>().is_err(), "{text}");
        }
    }
}
