//! Results and traces as text, for people and for machines.
//!
//! Every function takes a [`Summary`] or a `Trace` and returns text. Nothing is printed, nothing is asked of the terminal, and no
//! input makes a function fail. No other crate formats text for people, so a number or a thread's name looks the same
//! everywhere. Control characters in text of the program under test are escaped, so that such text cannot change the terminal.
//!
//! ```
//! use sojourner_report::{Style, Summary, Verdict, headline};
//!
//! let summary = Summary { target: "model:phil".into(), verdict: Verdict::Clean, ..Summary::default() };
//! let line = headline(&summary, Style { color: false, width: 100 });
//! assert_eq!(line, "clean: no finding in model:phil, and everything was explored\n");
//! ```
#![forbid(unsafe_code)]

mod differences;
mod growth;
pub mod human;
mod json;
mod page;
pub mod progress;
mod samples;
mod steps;
mod style;
mod summary;
mod text;
mod timeouts;
mod trace_text;

pub use differences::{Difference, Differences, DifferingKind, differences, two_states};
pub use growth::growth;
pub use human::sentence;
pub use json::{SCHEMA, json};
pub use samples::{SampleRow, samples};
pub use sojourner_program::Verdict;
pub use style::Style;
pub use summary::{Found, Member, SearchMemory, SearchName, Stats, StoreUse, Summary};
pub use text::{details, headline, text};
pub use trace_text::trace_text;
