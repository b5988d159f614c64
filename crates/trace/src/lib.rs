//! What is kept of a finding: the trace file, and the replay token.
//!
//! A search hands over a schedule, which only the process that found it understands: its choices name threads by
//! numbers that were given out on first use. A [`Trace`] is the same schedule with the identities of its threads,
//! so that any later run can follow it, and with what happened at each step, for people. A [`Token`] is the
//! schedule and nothing else, in one line that can be pasted into a bug report or a command line.
//!
//! Both are read from files and lines of any origin. What [`Trace::read`] accepts has been checked: every index
//! into [`Trace::threads`] is in range, and nothing in the file makes the reader allocate more than a small
//! multiple of its size.
//!
//! ```
//! use sojourner_program::{Choice, ThreadId, Threads};
//! use sojourner_trace::{TraceThreads, Token};
//!
//! let threads = Threads::new(2);
//! let found = [Choice::run(ThreadId(0)), Choice::run(ThreadId(0)), Choice::pick(ThreadId(1), 3)];
//! let mut trace_threads = TraceThreads::new(&threads, |thread| format!("worker {}", thread.0));
//! let schedule = trace_threads.runs(&found)?;
//! assert_eq!(schedule.to_string(), "0*2 1:3");
//!
//! let token = Token { threads: trace_threads.into_threads().into_iter().map(|thread| thread.identity).collect(), schedule };
//! let pasted: Token = token.to_string().parse()?;
//! assert_eq!(pasted.choices(&threads)?, found);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod file;
mod runs;
mod serial;
mod token;
mod trace;
mod trace_threads;

pub use error::{Flaw, TraceError};
pub use file::{MAX_BYTES, SCHEMA};
pub use runs::{MAX_STEPS, Move, Runs, RunsError};
pub use token::{Token, TokenError};
pub use trace::{Event, Finding, Origin, OtherExecution, Search, Thread, Timeout, Trace, Waiting};
pub use trace_threads::TraceThreads;
