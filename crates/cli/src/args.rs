//! The command line. Options of checks and programs come from tables ([`tables`]), those of the command itself stand here.

mod diff_states;
mod study;
mod tables;
mod written;

pub use diff_states::{DiffStates, Order};
pub use study::{Study, StudyCommand};
pub use tables::{HasOptions, OfCheck, OfPlaces, OfPrograms, OfRun, OfStates, Options, Tables};
pub use written::as_written;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// A model checker for concurrent programs.
///
/// Sojourner runs a program under its own scheduler and explores its schedules and states. It reports deadlocks, data races,
/// uncaught exceptions, broken properties and crashes, each with a schedule that replays, or it proves that there are none.
/// It checks Java programs, C, C++ and Rust programs with threads, and models.
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
    /// Choose when reports have colours.
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
    /// Show in what similar states differ: what makes a state space grow.
    DiffStates(Box<DiffStates>),
    /// Run an experiment: programs x strategies x seeds, with statistics, tables and figures.
    Study(Box<Study>),
    /// Compile C like the C compiler, into a program that can be checked. Builds can use it as CC.
    #[command(disable_help_flag = true)]
    Cc {
        /// Arguments of the compiler.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// Compile C++ like the C++ compiler, into a program that can be checked. Builds can use it as CXX.
    #[command(name = "c++", disable_help_flag = true)]
    Cxx {
        /// Arguments of the compiler.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// List the models that come with the tool, with their parameters.
    Models,
    /// Show what is installed here, and whether a program can be checked or run.
    Doctor(Doctor),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual: `sojourner man check | man -l -`.
    Man {
        /// The command that the page describes. Default: sojourner itself, with a list of all commands.
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
    pub how: CheckArguments,
    /// Choose when reports have colours.
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
  sojourner check Main.java --search dfs --jobs 1 --samples samples.tsv
  sojourner check model:grid --search pct:depth=3 --executions 1000 --json -
  sojourner check Main.java                           a source; assertions are on
  sojourner check --races fail program.jar -- one two
  sojourner check -cp classes --property org.example.Main.holds org.example.Main
  sojourner check --reduce none --symmetry none --search bfs -Dsize=2 Main.java
  sojourner check main.c queue.c --signal fifo --cflags -DN=3 -- one two

The verdict clean means that everything was explored, within the program's own bounds and with these
arguments. The report lists what the verdict assumes, such as --timeouts last.

Exit codes: 0 clean, 1 found, 2 usage, 3 incomplete, 4 unsupported, 70 a defect of sojourner.")]
pub struct Check {
    /// The program to check.
    #[arg(value_name = "TARGET", help = tables::targets("The program to check."))]
    pub target: String,
    /// Further sources of a program of .java, .c or .cpp files.
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
    /// Arguments of the program, or parameters of a model as NAME=VALUE.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// How to check it.
    #[command(flatten)]
    pub how: CheckArguments,
    /// How to compile, run and explore it.
    #[command(flatten)]
    pub program: Options<OfPrograms>,
}

/// How to check a program, and where results go.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// How to check it.
    #[command(flatten)]
    pub check: Options<OfCheck>,
    /// Write the result as JSON to FILE, or to standard output if FILE is '-'.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Save the trace of the finding in FILE. Default: NAME-KIND.trace.json.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// Write a table with tabs to FILE, or to standard output if FILE is '-': for each depth the states, the bytes of the store,
    /// and the bytes for each state. This is for one search: with --search bfs the table has a line for each level.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub growth: Option<PathBuf>,
    /// Write how one search stands over time to FILE, or to standard output if FILE is '-', as a table with tabs. Its columns are
    /// transitions, seconds, states, the depth of the path, and the bytes of the store, of the queue and of pools.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub samples: Option<PathBuf>,
    /// Print only the verdict, and no progress.
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

Standard output, standard error and the exit status are those of the program, as with `java`. Assertions
are on, time is virtual, and there is one schedule.

Exit codes of sojourner itself: 1 a deadlock, 2 usage, 3 an assumption of the program (Verify.assume)
does not hold, 4 the program does something that is not supported, 70 a defect of sojourner, 130
interrupted.")]
pub struct Run {
    /// The program to run: one that `sojourner check` takes, except a model.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Further sources of a program of .java, .c or .cpp files.
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Choose threads, the lengths of their turns and values of `Verify` at random, from this seed. Default: each thread in
    /// turn, and the first value.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write as JSON to FILE, or to standard output if FILE is '-', which opcodes, native methods and bootstrap methods a Java
    /// program used.
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// How to compile it, and what it runs on.
    #[command(flatten)]
    pub program: Options<OfRun>,
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

A trace contains the program's arguments and options. Files are looked for where they were when it was
saved; if classes or the JDK are elsewhere now, give --classpath or --jdk. With a token, give the
options of the check again.

{REPLAY_CODES}"))]
pub struct AnyReplay {
    /// What to replay.
    #[command(flatten)]
    pub replay: Replay,
    /// The options with which it was checked.
    #[command(flatten)]
    pub program: Options<OfPrograms>,
}

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// The trace file; with --token, the program.
    #[arg(value_name = "TRACE")]
    pub target: String,
    /// Arguments of the program, with --token.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Follow the schedule in this token instead of a file. `replay` prints tokens.
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Follow the schedule as it was found, before it was made short.
    #[arg(long, conflicts_with = "token")]
    pub original: bool,
    /// Follow the schedule that leads to the other exit status. For findings that the exit status depends on the schedule.
    #[arg(long, conflicts_with_all = ["token", "original"])]
    pub other: bool,
}

/// The arguments of `doctor`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sojourner doctor
  sojourner doctor Main.java
  sojourner doctor -cp classes:lib/a.jar org.example.Main

For a Java program it lists the unsupported methods that the program could reach: native methods that
are not implemented, and methods that reach outside and are refused. The exit code is 0 in any case.")]
pub struct Doctor {
    /// The program to examine.
    #[arg(value_name = "TARGET")]
    pub target: Option<String>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Where it is.
    #[command(flatten)]
    pub program: Options<OfPlaces>,
}
