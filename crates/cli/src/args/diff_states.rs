//! The options of `diff-states`.

use super::{Java, at_least_one};
use crate::units;
use clap::{Args, ValueEnum};
use std::time::Duration;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Visits {
    /// By their distance from the start.
    Bfs,
    /// Each way to its end.
    Dfs,
}

/// The arguments of `diff-states`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner diff-states Main.java                            what makes states of a Java program differ
  sojourner diff-states model:buffer -- threads=4 items=2    the same of a model
  sojourner diff-states --at a.trace.json --at b.trace.json Main.java    in what the ends of two traces differ

States look alike if all their threads stand at the same places. If a program has more states than it should, something
makes such states differ that ought not to count: a counter that only grows, a cache, a time. It stands at the top of the
table, with an example: where it is, and what it holds in one state and in the other ('-': it is not there, or is as it was
at the start).

Exit codes: 0 done, 2 usage, 4 unsupported, 70 a defect of sojourner.")]
pub struct DiffStates {
    /// The program: a Java program as for `check`, or model:NAME.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Compare the states that two schedules lead to: trace files, or tokens that `replay` prints. Give it twice.
    #[arg(long, value_name = "TRACE|TOKEN")]
    pub at: Vec<String>,
    /// Look at so many states.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub states: u64,
    /// Stop after this time, as in 90s, 5m, 2h.
    #[arg(long, value_parser = units::time, value_name = "TIME")]
    pub time: Option<Duration>,
    /// In which order states are visited.
    #[arg(long, value_enum, default_value_t = Visits::Bfs, value_name = "NAME")]
    pub search: Visits,
    /// Show so many kinds of components.
    #[arg(long, value_parser = at_least_one, default_value = "20", value_name = "N")]
    pub top: usize,
    /// How to explore it, if it is a Java program.
    #[command(flatten, next_help_heading = "Java programs")]
    pub java: Java,
}
