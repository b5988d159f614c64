//! The options of `diff-states`.

use super::{OfStates, Options};
use clap::{Args, ValueEnum};
use sojourner_frontend::Time;
use std::num::NonZeroUsize;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// By their distance from the start.
    Bfs,
    /// Each way to its end.
    Dfs,
}

/// The arguments of `diff-states`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner diff-states Main.java                            what makes states of a Java program differ
  sojourner diff-states model:buffer -- threads=4 items=2    the same for a model
  sojourner diff-states --at a.trace.json --at b.trace.json Main.java    how the ends of two traces differ

Two states are similar if all their threads stand at the same places. If a program has more states than
expected, something that should not matter makes similar states differ: a counter that only grows, a
cache, a time. The table lists the largest such cause first, with an example: where it is, and its values
in two states ('-': it is absent, or as it was at the start).

Exit codes: 0 done, 2 usage, 4 unsupported, 70 a defect of sojourner.")]
pub struct DiffStates {
    /// The program: a Java program, or model:NAME.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Compare the states at the ends of two schedules: give a trace file, or a token that `replay` prints, twice.
    #[arg(long, value_name = "TRACE|TOKEN")]
    pub at: Vec<String>,
    /// Examine N states.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub states: u64,
    /// Stop after this time, as in 90s, 5m or 2h.
    #[arg(long, value_name = "TIME")]
    pub time: Option<Time>,
    /// Choose in which order states are visited.
    #[arg(long, value_enum, default_value_t = Order::Bfs, value_name = "NAME")]
    pub search: Order,
    /// Show the N most frequent kinds of components.
    #[arg(long, default_value = "20", value_name = "N")]
    pub top: NonZeroUsize,
    /// How to explore it.
    #[command(flatten)]
    pub program: Options<OfStates>,
}
