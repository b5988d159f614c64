//! What front-ends have in common.
//!
//! A [`FrontEnd`] makes programs under test of one kind: it recognises what users name, owns its options, and opens a program as a
//! [`Target`]. A target is a `Load` that a search can explore, and it answers what a check asks beside that: what its verdicts do
//! not cover, a hash of its content, what an execution that never ends is. A front-end knows nothing of searches, and a check
//! knows nothing of Java, C or models.
//!
//! [`FrontEnds`] is a tuple of front-ends; the first that recognises a target opens it. Types differ from program to program, so
//! an opened program is not returned but visited ([`Visit`]).
//!
//! Options are tables of [`Opt`]. The command line, its help, the manual and the documents are made from them; [`Given`] holds
//! what a user has given. Options that several front-ends have in common are in [`shared`].
//!
//! ```
//! use sojourner_frontend::{Given, Opt, Otherwise, Value};
//!
//! static OPTIONS: &[Opt] = &[
//!     Opt::value("--rounds", Value::number::<u32>(), "Run N rounds.").otherwise(Otherwise::Is("3")),
//!     Opt::flag("--loud", "Print each round."),
//! ];
//!
//! let words = ["--rounds", "7", "extra.c"].map(String::from);
//! let (given, others) = Given::read(&[OPTIONS], &words)?;
//! assert_eq!(given.get("--rounds"), Some(7));
//! assert!(!given.has("--loud"));
//! assert_eq!(others, ["extra.c"]);
//! # Ok::<(), sojourner_frontend::GivenError>(())
//! ```
#![forbid(unsafe_code)]

mod destination;
mod error;
mod front_end;
mod given;
mod option;
pub mod shared;
mod table;
mod target;
mod units;
mod words;

pub use destination::Destination;
pub use error::{OpenError, SourceError};
pub use front_end::{FrontEnd, Request, Visit};
pub use given::{Given, GivenError};
pub use option::{OnReplay, Opt, Otherwise, Stage, Value, read};
pub use table::FrontEnds;
pub use target::{Endless, States, Target, VisitStates};
pub use units::{Bytes, Time};
pub use words::{draws_caveat, some_of};
