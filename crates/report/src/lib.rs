//! Results and traces, for people and for machines.
//!
//! Everything here is a pure function of a [`Summary`] or a `Trace` to text: nothing is printed, nothing is asked
//! of the terminal, and no input makes it fail. It is the only crate that formats text for people, so that a
//! number or a thread's name looks the same wherever it appears. Text of the program under test is never passed
//! on as it is: control characters in it are escaped, so that a thread's name cannot rewrite the terminal.
#![forbid(unsafe_code)]

mod differences;
mod growth;
pub mod human;
mod json;
mod page;
pub mod progress;
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
pub use sojourner_program::Verdict;
pub use style::Style;
pub use summary::{Found, Member, SearchName, Stats, StoreUse, Summary};
pub use text::{details, headline, text};
pub use trace_text::trace_text;
