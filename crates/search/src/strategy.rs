//! Strategies by name, and what they are put together from.

use crate::backtrack::Backtrack;
use crate::dpor::Reduction;
use crate::frontier::{Queueing, Ties};
use crate::heuristic::Heuristic;
use sojourner_names::{Name, UnknownName, names};
use std::fmt;
use std::str::FromStr;

/// One strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What comes next.
    pub shape: Shape,
    /// In which order the choices of a state are taken. Searches that sample have an order of their own.
    pub order: OrderKind,
    /// What a guided search, and the order by heuristic, go by.
    pub heuristic: Heuristic,
    /// When a depth-first search turns back early, if ever.
    pub backtrack: Option<Backtrack>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The deepest state first.
    DepthFirst,
    /// The states nearest to the start first, with at most that many in a level.
    BreadthFirst(Option<usize>),
    /// The state of the best rank first.
    BestFirst(Queueing),
    /// Executions with every choice equally likely.
    Walk,
    /// Executions by probabilistic concurrency testing, for defects of that depth, or of one depth after the other.
    Pct(Option<usize>),
    /// Executions by partial order sampling.
    Pos,
    /// Executions by the selectively uniform random walk.
    Surw {
        /// Whether every execution is uniform over all events, not over the accesses to a few objects.
        all: bool,
    },
    /// One execution of each kind: those that differ only in the order of independent steps are run once.
    Dpor(Reduction),
}

names! {
    /// In which order the choices of a state are taken.
    pub enum OrderKind ("order") {
        /// by thread, then by value
        AsGiven = "as-given",
        /// shuffled by the seed
        Random = "random",
        /// other threads than the last one first
        Interleave = "interleave",
        /// steps first that conflict with a recent step of another thread; for dfs
        Interference = "interference",
        /// by the rank that the heuristic gives the state behind them
        Heuristic = "heuristic",
    }
}

/// The states that a beam search keeps of each level, if nothing else is said.
const BEAM: usize = 100;

impl Shape {
    /// What can be written.
    pub const NAMES: [Name; 9] = [
        Name { name: "dfs", about: "depth-first" },
        Name { name: "bfs[:bound=N]", about: "breadth-first, with at most N states in a level" },
        Name {
            name: "best-first[:ties=age|random,best=N,bound=N,astar]",
            about: "the state with the best rank first; ties by age, at random, or any of the N best; at most N states waiting; \
                    with astar, the length of the path is added to the rank",
        },
        Name {
            name: "beam[:width=N,ties=age|random]",
            about: "breadth-first by rank: only the N best states of each level, 100 by default",
        },
        Name {
            name: "dpor[:optimal|source|eager|classic]",
            about: "dynamic partial order reduction: one execution of all that differ only in the order of independent steps",
        },
        Name { name: "walk", about: "random executions, every choice equally likely" },
        Name {
            name: "pct[:depth=N]",
            about: "probabilistic concurrency testing, for defects of depth N, or of 1 to 5 in turn",
        },
        Name { name: "pos", about: "partial order sampling" },
        Name {
            name: "surw[:all]",
            about: "selectively uniform random walk: all orders of the accesses to a few shared objects equally likely, \
                    or of all steps",
        },
    ];

    /// A guided search with room for all states.
    pub const fn best_first(ties: Ties) -> Shape {
        Shape::BestFirst(Queueing { ties, bound: None, adds_depth: false, by_levels: false })
    }

    /// A beam search that keeps so many states of each level.
    pub const fn beam(width: usize, ties: Ties) -> Shape {
        Shape::BestFirst(Queueing { ties, bound: Some(width), adds_depth: false, by_levels: true })
    }

    /// The names of the searches that have a property, in the order of [`Shape::NAMES`].
    pub fn names_of(has: impl Fn(Shape) -> bool) -> Vec<&'static str> {
        let words = Self::NAMES.iter().map(Name::word);
        words.filter(|word| word.parse::<Shape>().is_ok_and(&has)).collect()
    }

    /// Whether it samples executions, so that it never ends by itself.
    pub fn samples(self) -> bool {
        matches!(self, Shape::Walk | Shape::Pct(_) | Shape::Pos | Shape::Surw { .. })
    }

    /// Whether it goes from execution to execution and never asks whether a state was seen before.
    pub fn stateless(self) -> bool {
        self.samples() || matches!(self, Shape::Dpor(_))
    }
}

impl Strategy {
    /// The strategy of that shape with nothing special.
    pub fn plain(shape: Shape) -> Self {
        let heuristic = Heuristic::default();
        Strategy { shape, order: OrderKind::AsGiven, heuristic, backtrack: None }
    }

    /// Depth-first with choices shuffled.
    pub fn random_dfs() -> Self {
        Strategy { order: OrderKind::Random, ..Strategy::plain(Shape::DepthFirst) }
    }
}

/// What is wrong with the name of a strategy.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// No such strategy.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// No such option, or not of that strategy.
    #[error("the search {name} has no option '{option}': {}", if known.is_empty() { "it has none".into() } else { format!("write {known}") })]
    Option {
        /// The strategy.
        name: String,
        /// The option.
        option: String,
        /// What can be written.
        known: &'static str,
    },
}

impl FromStr for Shape {
    type Err = StrategyError;

    /// `NAME` or `NAME:OPTION=VALUE,...`, as on the command line.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut options = Options { name, rest: options.split(',').filter(|o| !o.is_empty()).collect() };
        let shape = match name {
            "dfs" => Shape::DepthFirst,
            "bfs" => Shape::BreadthFirst(options.number("bound")?),
            "best-first" => {
                let best = options.number("best")?;
                let ties = match options.take("ties").as_deref() {
                    None if best.is_some() => Ties::Best(best.unwrap_or(1)),
                    None | Some("age") => Ties::Age,
                    Some("random") => Ties::Random,
                    Some(_) => return Err(options.error("ties")),
                };
                let adds_depth = options.flag("astar");
                let bound = options.number("bound")?;
                Shape::BestFirst(Queueing { ties, bound, adds_depth, by_levels: false })
            }
            "beam" => {
                let ties = match options.take("ties").as_deref() {
                    None | Some("age") => Ties::Age,
                    Some("random") => Ties::Random,
                    Some(_) => return Err(options.error("ties")),
                };
                Shape::beam(options.number("width")?.unwrap_or(BEAM), ties)
            }
            "walk" => Shape::Walk,
            "pct" => Shape::Pct(options.number("depth")?),
            "pos" => Shape::Pos,
            "surw" => Shape::Surw { all: options.flag("all") },
            "dpor" => Shape::Dpor(match options.rest.pop() {
                None => Reduction::default(),
                Some(mode) => mode.parse().map_err(|_| options.error(mode))?,
            }),
            _ => return Err(UnknownName::new("search", name, &Shape::NAMES).into()),
        };
        match options.rest.first() {
            Some(option) => Err(options.error(option)),
            None => Ok(shape),
        }
    }
}

struct Options<'a> {
    name: &'a str,
    rest: Vec<&'a str>,
}

impl Options<'_> {
    fn take(&mut self, key: &str) -> Option<String> {
        let at = self.rest.iter().position(|o| o.split_once('=').is_some_and(|(k, _)| k == key))?;
        self.rest.remove(at).split_once('=').map(|(_, value)| value.to_string())
    }

    fn flag(&mut self, name: &str) -> bool {
        let at = self.rest.iter().position(|option| *option == name);
        at.map(|at| self.rest.remove(at)).is_some()
    }

    fn number(&mut self, key: &str) -> Result<Option<usize>, StrategyError> {
        let Some(text) = self.take(key) else { return Ok(None) };
        match text.parse() {
            Ok(n) if n > 0 => Ok(Some(n)),
            _ => Err(self.error(&format!("{key}={text}"))),
        }
    }

    fn error(&self, option: &str) -> StrategyError {
        let entry = Shape::NAMES.iter().find(|entry| entry.word() == self.name);
        let known = entry.map_or("", |entry| entry.name);
        let known = if known == self.name { "" } else { known };
        StrategyError::Option { name: self.name.into(), option: option.into(), known }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |f: &mut fmt::Formatter<'_>, bound: &Option<usize>, before: &str| match bound {
            Some(n) => write!(f, "{before}bound={n}"),
            None => Ok(()),
        };
        match self {
            Shape::DepthFirst => write!(f, "dfs"),
            Shape::BreadthFirst(n) => {
                write!(f, "bfs")?;
                bound(f, n, ":")
            }
            Shape::BestFirst(Queueing { ties, bound: n, by_levels: true, .. }) => {
                write!(f, "beam:width={}", n.unwrap_or(BEAM))?;
                if *ties == Ties::Random { write!(f, ",ties=random") } else { Ok(()) }
            }
            Shape::BestFirst(Queueing { ties, bound: n, adds_depth, .. }) => {
                match ties {
                    Ties::Age => write!(f, "best-first:ties=age")?,
                    Ties::Random => write!(f, "best-first:ties=random")?,
                    Ties::Best(best) => write!(f, "best-first:best={best}")?,
                }
                bound(f, n, ",")?;
                if *adds_depth { write!(f, ",astar") } else { Ok(()) }
            }
            Shape::Walk => write!(f, "walk"),
            Shape::Pct(None) => write!(f, "pct"),
            Shape::Pct(Some(depth)) => write!(f, "pct:depth={depth}"),
            Shape::Pos => write!(f, "pos"),
            Shape::Surw { all } => write!(f, "surw{}", if *all { ":all" } else { "" }),
            Shape::Dpor(mode) => write!(f, "dpor:{mode}"),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if !self.shape.stateless() {
            match self.order {
                OrderKind::AsGiven => {}
                OrderKind::Random => write!(f, " in random order")?,
                OrderKind::Interleave => write!(f, " interleaving first")?,
                OrderKind::Interference => write!(f, " interfering first")?,
                OrderKind::Heuristic => write!(f, " by {}", self.heuristic)?,
            }
        }
        if matches!(self.shape, Shape::BestFirst(..)) {
            write!(f, " by {}", self.heuristic)?;
        }
        match self.backtrack {
            Some(backtrack) => write!(f, " with backtracking {backtrack}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_listed_is_read() {
        for name in Shape::NAMES {
            assert!(name.word().parse::<Shape>().is_ok(), "{}", name.name);
        }
        let listed = Shape::NAMES[4].name;
        for mode in Reduction::ALL {
            assert!(listed.contains(mode.name()), "{mode} in {listed}");
        }
        let best = Shape::NAMES[2].name;
        for option in ["ties=age", "ties=random", "best=2", "bound=3", "astar"] {
            assert!(format!("best-first:{option}").parse::<Shape>().is_ok());
            assert!(best.contains(option.split('=').next().unwrap()), "{option} in {best}");
        }
    }

    #[test]
    fn names_read_and_print() {
        for text in [
            "dfs",
            "bfs",
            "bfs:bound=10",
            "best-first:ties=random,bound=9",
            "best-first:best=3",
            "best-first:ties=age,bound=4,astar",
            "beam:width=7,ties=random",
            "dpor:source",
            "pct",
            "pct:depth=3",
            "surw",
            "surw:all",
        ] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        assert_eq!("beam".parse::<Shape>().unwrap(), Shape::beam(100, Ties::Age));
        assert_eq!("dpor".parse::<Shape>().unwrap(), Shape::Dpor(Reduction::Optimal));
        for text in [
            "",
            "dsf",
            "dfs:bound=1",
            "bfs:bound=0",
            "bfs:bound=x",
            "pct:d=1",
            "pct:depth=0",
            "surw:any",
            "best-first:ties=x",
            "beam:width=0",
            "beam:best=2",
            "dpor:best",
            "dpor:source,eager",
        ] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }
}
