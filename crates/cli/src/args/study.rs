//! The options of `study`.

use clap::{Args, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `study`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  sojourner study studies/prss.toml              run it: minutes; the report is study-prss/report.html
  sojourner study --quick studies/prss.toml      see in seconds whether it works
  sojourner study --full studies/prss.toml       the sizes of the paper; trials that are there are kept
  sojourner study report study-prss              make tables and figures again
  sojourner study compare study-a study-b        which of two studies was better, and may that be chance?

A study file names programs, strategies and limits:

  name = \"first\"
  [run]
  trials = 100                    # or: found = 10 and runs = 100
  states = 200_000                # the limit of a trial
  [[program]]
  target = \"Reorder.java\"         # from the directory of the study file
  arguments = [\"5 1\", \"6 1\"]
  [[strategy]]
  name = \"random\"
  options = \"--search dfs --order random\"
  [[strategy]]
  name = \"default\"
  options = \"--search dfs\"
  trials = 1                      # not random: once is enough
  [[table]]
  kind = \"prss\"
  [[figure]]
  kind = \"histogram\"

docs/studies.md has all keys, and studies/ has the studies of the papers. Each trial has a seed of its own,
and is kept as it ends. Ctrl-C ends a study; the same command goes on where it was, with the same results.

Exit codes: 0 done, 2 usage, 3 interrupted, 70 a defect of sojourner.")]
pub struct Study {
    /// What to do instead of running a study.
    #[command(subcommand)]
    pub command: Option<StudyCommand>,
    /// The study file.
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// Keep results and write the report there. Default: study-NAME.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run N trials side by side. Default: all cores.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Run the study at the sizes of the papers.
    #[arg(long, conflicts_with = "quick")]
    pub full: bool,
    /// Run a small version, to see whether the study works.
    #[arg(long)]
    pub quick: bool,
    /// Run only the cells of this program or strategy.
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// What can be done with results.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Make tables and figures of the results in a directory again.
    Report {
        /// The directory of a study.
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Compare two studies that have programs and strategies in common.
    Compare {
        /// The directory of the first.
        #[arg(value_name = "A")]
        first: PathBuf,
        /// The directory of the second.
        #[arg(value_name = "B")]
        second: PathBuf,
    },
}
