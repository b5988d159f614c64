//! One check as a library: a target and options in, a result out.
//!
//! A [`Check`] chooses the searches that its [`Options`] ask for, runs them until nothing more is learned of the program, looks for
//! executions that never end, makes the schedules of findings short, and replays them for their traces. Nothing is printed, the
//! process is not ended, and no state is global: an [`Observer`] hears how the search stands, and a [`Halt`] ends it.
//!
//! What is checked is a `Target` of one of the front-ends: a model, a Java program, a C program. This crate knows none of them.
//! It opens targets by name with a table of front-ends ([`Check::open`]), or takes one that is open ([`Check::run`]).
//!
//! ```
//! use sojourner_check::{Check, Halt, Label, Options, Traces, Verdict};
//! use sojourner_model::{Checked, Model, Properties, State, Transitions};
//!
//! /// Two processes that each add one to a counter: read it, then write back what was read plus one.
//! struct Counter;
//!
//! #[derive(Clone, Debug, State)]
//! struct Memory {
//!     counter: u8,
//!     read: [Option<u8>; 2],
//!     done: [bool; 2],
//! }
//!
//! impl Model for Counter {
//!     type State = Memory;
//!
//!     fn initial(&self) -> Memory {
//!         Memory { counter: 0, read: [None; 2], done: [false; 2] }
//!     }
//!
//!     fn processes(&self) -> u32 {
//!         2
//!     }
//!
//!     fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
//!         for p in 0..2 {
//!             on.when(memory.read[p].is_none(), p, 0);
//!             on.when(memory.read[p].is_some() && !memory.done[p], p, 1);
//!         }
//!     }
//!
//!     fn fire(&self, memory: &mut Memory, p: usize, action: u32) {
//!         match action {
//!             0 => memory.read[p] = Some(memory.counter),
//!             _ => {
//!                 memory.counter = memory.read[p].map_or(0, |read| read + 1);
//!                 memory.done[p] = true;
//!             }
//!         }
//!     }
//!
//!     fn may_end(&self, memory: &Memory) -> bool {
//!         memory.done == [true; 2]
//!     }
//!
//!     fn properties(&self, expect: &mut Properties<Self>) {
//!         expect.at_end("nothing is lost", |_, memory| memory.counter == 2);
//!     }
//! }
//!
//! # let directory = tempfile::tempdir()?;
//! # let stem = directory.path().join("counter");
//! # let stem = stem.to_str().unwrap();
//! let options = Options::default().search("bfs".parse()?).traces(Traces::Named(stem.into()));
//! let result = Check::new(options)?.run(&Checked::new(Counter), &Label::new("counter"), &(), &Halt::new())?;
//!
//! assert_eq!(result.verdict, Verdict::Found);
//! let finding = &result.findings[0];
//! assert!(finding.message.contains("nothing is lost"));
//! let trace = finding.trace.as_ref().expect("it was replayed");
//! assert_eq!(trace.events.len(), 4);
//! assert!(finding.trace_file.as_ref().expect("it was saved").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod check;
mod differences;
mod endless;
mod error;
mod findings;
pub mod memory;
mod observe;
mod options;
mod preemptions;
mod replay;
mod samples;
mod searches;
mod summary;
mod table;
mod target_place;
mod traces;
mod words;

pub use check::{Check, Label};
pub use differences::{CompareError, Compared, Comparison, Visits};
pub use error::CheckError;
pub use observe::Observer;
pub use options::{Livelocks, Options, Search, Shorten, Traces};
pub use preemptions::Preemptions;
pub use replay::{End, Note, Replay, ReplayError, Replayed, Saved};
pub use samples::Samples;
pub use sojourner_program::Verdict;
pub use sojourner_report::{Found, Summary};
pub use sojourner_search::{Growth, Halt, Memory, Sample, Tick, Winner};
pub use table::OPTIONS;
