//! The command line: one table from which parsing, help, completions and the man page come.

mod diff_states;
mod java;
mod native;
mod races;
mod shorten;

pub use diff_states::{DiffStates, Visits};
pub use java::{Java, Machine, Places};
pub use native::{Native, NativeLine};
pub use races::Races;
pub use shorten::Shorten;

use crate::units;
use clap::{Args, Parser, Subcommand, ValueEnum};
use sojourner_search::{Backtrack, HeuristicKind, OrderKind, Shape, StrategyError};
use sojourner_store::StoreKind;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A model checker for concurrent programs.
///
/// Sojourner runs a program under its own scheduler, explores its schedules and states, and reports deadlocks, data
/// races, uncaught exceptions, broken properties and crashes with a schedule that replays, or proves that there are none.
/// In this version Java programs, C and C++ programs with POSIX threads, and models are explored.
#[derive(Debug, Parser)]
#[command(name = "sojourner", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  sojourner check model:phil -- n=6 fair=false    find the deadlock of six dining philosophers
  sojourner check model:phil -- n=6 fair=true     prove that the repaired ones have none
  sojourner replay phil-deadlock.trace.json       see the finding again, step by step
  sojourner models                                list the models that come with the tool
  sojourner check Main.java -- one two            explore every schedule of a Java program
  sojourner run Main.java -- one two              run it once, as `java Main.java one two` would
  sojourner check main.c queue.c -- one two       explore the schedules of a C program with threads
  sojourner cc -o program main.c                  compile one to be explored later: sojourner check program

Exit codes: 0 clean, 1 found, 2 usage, 3 incomplete, 4 unsupported, 70 a defect of sojourner.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Colours in reports.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore a program and report what is wrong with it.
    Check(Box<Check>),
    /// Run a Java, C or C++ program under one schedule, without exploring others.
    Run(Box<Run>),
    /// Show a saved finding again, step by step.
    Replay(Box<AnyReplay>),
    /// Say why states that look alike are not the same: what makes a state space grow.
    DiffStates(Box<DiffStates>),
    /// Compile C as the compiler would, to a program that can be explored. Also for CC= of builds.
    #[command(disable_help_flag = true)]
    Cc {
        /// What the compiler is given.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// Compile C++ as the compiler would, to a program that can be explored. Also for CXX= of builds.
    #[command(name = "c++", disable_help_flag = true)]
    Cxx {
        /// What the compiler is given.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// List the models that come with the tool, with their parameters.
    Models,
    /// Say what is installed here, and whether a program can be checked or run.
    Doctor(Doctor),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual, as in `sojourner man check | man -l -`.
    Man {
        /// The command that the page is of. Default: sojourner itself, with a list of all.
        command: Option<String>,
    },
}

/// A model checked by a command of its own.
///
/// Without a subcommand the model is checked.
#[derive(Debug, Parser)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit codes: 0 clean, 1 found, 2 usage, 3 incomplete, 4 unsupported, 70 a defect of sojourner."
)]
pub struct OwnCli {
    /// What to do instead of checking.
    #[command(subcommand)]
    pub command: Option<OwnCommand>,
    /// Arguments of the model.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// How to check it.
    #[command(flatten)]
    pub how: How,
    /// Colours in reports.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// What a command of one model can do beside checking it.
#[derive(Debug, Subcommand)]
pub enum OwnCommand {
    /// Show a saved finding again, step by step.
    #[command(after_help = REPLAY_CODES)]
    Replay(Replay),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Which search to run.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchName {
    /// A portfolio.
    Auto,
    /// One strategy.
    One(Shape),
}

/// Which executions that go on for ever are findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Livelock {
    /// None.
    Off,
    /// Those in which no thread can ever finish.
    Hangs,
    /// Also those in which threads could finish under another fair schedule.
    All,
}

fn search_name(text: &str) -> Result<SearchName, String> {
    if text == "auto" {
        return Ok(SearchName::Auto);
    }
    text.parse().map(SearchName::One).map_err(|error| match error {
        StrategyError::Name(name) => {
            format!("unknown search '{name}'; there are auto, dfs, bfs, best-first, dpor, walk, pct and pos")
        }
        error => error.to_string(),
    })
}

fn heuristic(text: &str) -> Result<HeuristicKind, String> {
    let known = HeuristicKind::ALL.iter().find(|(_, name, _)| *name == text);
    known.map(|(kind, ..)| *kind).ok_or_else(|| {
        let names: Vec<&str> = HeuristicKind::ALL.iter().map(|(_, name, _)| *name).collect();
        format!("unknown heuristic '{text}'; there are {}", names.join(", "))
    })
}

fn order(text: &str) -> Result<OrderKind, String> {
    match text {
        "as-given" => Ok(OrderKind::AsGiven),
        "random" => Ok(OrderKind::Random),
        "interleave" => Ok(OrderKind::Interleave),
        "heuristic" => Ok(OrderKind::Heuristic),
        _ => Err(format!("unknown order '{text}'; there are as-given, random, interleave and heuristic")),
    }
}

fn store(text: &str) -> Result<StoreKind, String> {
    text.parse().map_err(|error| format!("{error}"))
}

fn backtrack(text: &str) -> Result<Backtrack, String> {
    text.parse().map_err(|error: sojourner_search::BacktrackError| error.to_string())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("'{text}' is not a number from 1"))
}

/// The arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner check model:phil -- n=12 fair=false
  sojourner check model:buffer --search bfs -- threads=6 items=3 all=false
  sojourner check model:twophase --search dfs --store collapse --jobs 2 -- n=8
  sojourner check model:peterson --search dfs --preemptions 2 -- n=4
  sojourner check model:buffer --search dfs --order random --swarm 8 --seed 42
  sojourner check model:buffer --search dfs --backtrack threshold=50,strategy=random,ratio=0.9
  sojourner check model:peterson --search bfs --growth growth.tsv -- n=3
  sojourner check model:grid --search pct:depth=3 --executions 1000 --json -
  sojourner check Main.java                           a source; assertions are on
  sojourner check --races fail program.jar -- one two
  sojourner check -cp classes --property org.example.Main.holds org.example.Main
  sojourner check --reduce none --symmetry none --search bfs -Dsize=2 Main.java
  sojourner check main.c queue.c --signal fifo --cflags -DN=3 -- one two

A verdict of clean means that everything was explored, within the program's own bounds. What it
rests on beside that, such as --timeouts last, is said with it. Of a Java program it covers every
schedule with these arguments.

Exit codes: 0 clean, 1 found, 2 usage, 3 incomplete, 4 unsupported, 70 a defect of sojourner.")]
pub struct Check {
    /// What to check: model:NAME; a Java program: a .java file, a .jar, a .class file, a directory of classes, or the
    /// name of a class on the class path; a C or C++ program: a .c or .cpp file, or an executable of `sojourner cc`; a Rust
    /// program: the .rs file that its crate begins with.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Further sources, of a program of .java files or of a C or C++ program.
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
    /// Arguments of the program; parameters of a model as NAME=VALUE.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// How to check it.
    #[command(flatten)]
    pub how: How,
    /// How to explore it, if it is a Java program.
    #[command(flatten, next_help_heading = "Java programs")]
    pub java: Java,
    /// How to compile and explore it, if it is a C or C++ program. --races and --exit are for both.
    #[command(flatten, next_help_heading = "C and C++ programs")]
    pub native: Native,
}

/// How to check a program.
#[derive(Args, Debug)]
pub struct How {
    /// How to go about it: auto (one exhaustive search and randomised ones beside it), dfs, bfs[:bound=N],
    /// best-first[:ties=age|random,best=N,bound=N], dpor[:optimal|source|eager|classic], walk, pct[:depth=N], pos.
    #[arg(long, default_value = "auto", value_parser = search_name, value_name = "NAME[:OPTIONS]", help_heading = "Search")]
    pub search: SearchName,
    /// In which order the choices of a state are taken: as-given, random, interleave, heuristic.
    #[arg(long, default_value = "as-given", value_parser = order, value_name = "ORDER", help_heading = "Search")]
    pub order: OrderKind,
    /// What best-first, and the order by heuristic, go by: most-blocked, distance, switches.
    #[arg(long, default_value = "most-blocked", value_parser = heuristic, value_name = "NAME", help_heading = "Search")]
    pub heuristic: HeuristicKind,
    /// Turn back early at random, in a depth-first search: threshold=N,strategy=fixed|random|luby,ratio=R or 1-d/C.
    #[arg(long, value_parser = backtrack, value_name = "HOW", help_heading = "Search")]
    pub backtrack: Option<Backtrack>,
    /// Run N searches side by side, with seeds of their own; the first finding ends all.
    #[arg(long, value_parser = at_least_one, value_name = "N", help_heading = "Search")]
    pub swarm: Option<usize>,
    /// Where random numbers start: equal seeds give equal searches, on one thread (--jobs 1).
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Search")]
    pub seed: u64,
    /// What is remembered of states: compact (fingerprints, the default), collapse (lossless, components kept once), exact
    /// (whole states), bitstate[:bytes=64M,hashes=3] (lossy), none. Of C and C++ programs: none, or compact with --search dfs.
    #[arg(long, value_parser = store, value_name = "NAME", help_heading = "Search")]
    pub store: Option<StoreKind>,
    /// Threads to search on. Default: all cores.
    #[arg(short, long, value_parser = at_least_one, value_name = "N", help_heading = "Search")]
    pub jobs: Option<usize>,
    /// With --search dpor on several threads: a thread gives work away only while more than this many branches wait on its
    /// path.
    #[arg(long, default_value_t = 1, value_parser = at_least_one, value_name = "N", help_heading = "Search")]
    pub soft_limit: usize,
    /// Go on after a finding and report one of each defect.
    #[arg(long, help_heading = "Search")]
    pub all: bool,
    /// Report executions that go on for ever: hangs (if threads keep running and none of them can ever finish; the default),
    /// all (also if they could finish under another fair schedule; it visits all states twice), off (none: for programs that are
    /// meant to run for ever). The option without a value means all, which is for Java programs and models.
    #[arg(long, value_enum, num_args = 0..=1, default_value_t = Livelock::Hangs, default_missing_value = "all", value_name = "WHICH", hide_possible_values = true, help_heading = "Search")]
    pub livelock: Livelock,

    /// Explore only schedules with at most K preemptions.
    #[arg(long, value_name = "K", help_heading = "Bounds and budgets")]
    pub preemptions: Option<u32>,
    /// Explore only schedules of at most N steps. By default executions of dpor are cut at 10000, those of the exhaustive search
    /// of auto at 200000 if it is dpor. Executions of walk, pct and pos are cut at 10000, or at twice the longest execution seen.
    #[arg(long, value_name = "N", help_heading = "Bounds and budgets")]
    pub depth: Option<u32>,
    /// Stop after this time, as in 90s, 5m, 2h. It counts from the start of the search: compiling comes before.
    #[arg(long, value_parser = units::time, value_name = "TIME", help_heading = "Bounds and budgets")]
    pub time: Option<Duration>,
    /// Stop when this much memory is used, as in 512M, 4G, by the command and the processes that run the program. Default:
    /// three quarters of what the machine, or the container, has.
    #[arg(long, value_parser = units::size, value_name = "SIZE", help_heading = "Bounds and budgets")]
    pub memory: Option<u64>,
    /// Stop after this many states.
    #[arg(long, value_name = "N", help_heading = "Bounds and budgets")]
    pub states: Option<u64>,
    /// Stop after this many executions of walk, pct, pos or dpor. Default for walk, pct and pos: 1000.
    #[arg(long, value_name = "N", help_heading = "Bounds and budgets")]
    pub executions: Option<u64>,

    /// Write the result for machines to FILE, or to standard output for '-'.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Save the trace of the finding here instead of NAME-KIND.trace.json.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// Write to FILE how the search grows with its depth, as a table with tabs: depth, states, bytes of the store, bytes for
    /// each state ('-': standard output). For one search: --search bfs has a line for each level.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub growth: Option<PathBuf>,
    /// Spend this on making the schedules of findings short: a time (10s, 500ms), a number of states for each search, or 0 to
    /// show them as they were found. Default: as long as the search took, and at least 200ms.
    #[arg(long, value_parser = Shorten::parse, value_name = "TIME|N", help_heading = "Output")]
    pub shorten: Option<Shorten>,
    /// No progress, and only the verdict.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// The arguments of `run`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner run Main.java -- one two        compile a source and run it
  sojourner run program.jar                 the main class that the manifest of a jar names
  sojourner run -cp classes:lib/a.jar org.example.Main
  sojourner run --seed 7 program.jar        another schedule, the same one for the same seed

Standard output, standard error and the exit status are the program's own, as with `java`. Assertions are on, time is
virtual, and there is one schedule.

Exit codes of sojourner itself: 1 a deadlock, 2 usage, 3 an assumption of the program (Verify.assume) does not hold, 4 the program does something that is not supported, 70 a defect
of sojourner, 130 interrupted.")]
pub struct Run {
    /// What to run: a .java file, a .jar, a .class file, a directory of classes, or the name of a class on the class path; a
    /// .c or .cpp file, or an executable of `sojourner cc`.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Further sources, of a program of .java files or of a C or C++ program.
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// What it runs on.
    #[command(flatten)]
    pub machine: Machine,
    /// Choose threads, the lengths of their turns and values of `Verify` at random, from this seed. Default: each thread
    /// in turn, and of values the first.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write to FILE, as JSON, which opcodes, native methods and bootstrap methods the run used ('-': standard output).
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// How to compile a C or C++ program.
    #[command(flatten, next_help_heading = "C and C++ programs")]
    pub native: Native,
}

/// How `replay` ends.
const REPLAY_CODES: &str =
    "Exit codes: 1 the finding is there again, 2 the trace cannot be read, 3 the finding is not there,
4 the program cannot be run, 70 a defect of sojourner.";

/// The arguments of `replay`, for all programs.
#[derive(Args, Debug)]
#[command(after_help = format!("Examples:
  sojourner replay phil-deadlock.trace.json
  sojourner replay --token TOKEN model:phil -- n=6 fair=false

A trace has the program's arguments and options in it. Files are looked for where they were when it
was saved; classes and the JDK may be elsewhere now (--classpath, --jdk). With a token the options
of the check are given again.

{REPLAY_CODES}"))]
pub struct AnyReplay {
    /// What to replay.
    #[command(flatten)]
    pub replay: Replay,
    /// The options with which a Java program was checked.
    #[command(flatten, next_help_heading = "Java programs")]
    pub java: Java,
    /// The options with which a C or C++ program was checked.
    #[command(flatten, next_help_heading = "C and C++ programs")]
    pub native: Native,
}

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// The trace file, or with --token the program.
    #[arg(value_name = "TRACE")]
    pub target: String,
    /// Arguments of the program, with --token.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Follow the schedule in this token, as `replay` prints it, instead of a file's.
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Follow the schedule as it was found, before it was made short.
    #[arg(long, conflicts_with = "token")]
    pub original: bool,
    /// Of an exit status that depends on the schedule: follow the schedule that leads to the other status.
    #[arg(long, conflicts_with_all = ["token", "original"])]
    pub other: bool,
}

/// The arguments of `doctor`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner doctor
  sojourner doctor Main.java
  sojourner doctor -cp classes:lib/a.jar org.example.Main

Of a Java program it says which methods its code could reach that are not supported: native ones that are lacking, and
those that reach outside and are refused. It informs: the exit code is 0 whatever is lacking.")]
pub struct Doctor {
    /// A program to look at.
    #[arg(value_name = "TARGET")]
    pub target: Option<String>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Where classes are.
    #[command(flatten)]
    pub places: Places,
}

/// The command line as it is parsed: with `-cp` and `-classpath`, which are `java`'s own way to write it, as `--classpath`; and
/// with each word behind `--cflags`, up to `--`, as a flag for the compiler. What a compiler is to get stays as it is.
pub fn as_written(line: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let (mut number, mut options, mut flags) = (0, true, false);
    let mut line = line.peekable();
    std::iter::from_fn(move || {
        loop {
            let word = line.next()?;
            number += 1;
            options &= word != "--" && !(number == 2 && (word == "cc" || word == "c++"));
            if !options {
                return Some(word);
            }
            if flags {
                return Some(joined("--cflags=", &word));
            }
            flags = word == "--cflags";
            return Some(match () {
                () if flags => continue,
                () if word == "-cp" || word == "-classpath" => "--classpath".into(),
                // Its value may be left out: the next word is one only if it looks like one.
                () if word == "--livelock" => {
                    let is_value = |next: &OsString| {
                        next.to_str().is_some_and(|next| Livelock::from_str(next, true).is_ok())
                    };
                    joined("--livelock=", &line.next_if(is_value).unwrap_or("all".into()))
                }
                () => word,
            });
        }
    })
}

fn joined(option: &str, value: &OsString) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_for_the_compiler_end_where_arguments_begin() {
        let written = |line: &str| {
            let words = as_written(line.split(' ').map(OsString::from));
            words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            written("s check a.c --cflags -O1 -I x -- y"),
            "s check a.c --cflags=-O1 --cflags=-I --cflags=x -- y"
        );
        assert_eq!(written("s check -cp a --quiet"), "s check --classpath a --quiet");
        assert_eq!(written("s check --livelock a.java"), "s check --livelock=all a.java");
        assert_eq!(
            written("s check --livelock off a.java -- --livelock"),
            "s check --livelock=off a.java -- --livelock"
        );
        assert_eq!(written("s cc --cflags -cp x"), "s cc --cflags -cp x");
    }
}
