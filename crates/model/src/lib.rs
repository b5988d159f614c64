//! Programs under test that are written as Rust values.
//!
//! A [`Model`] says what the state of a system is, which transitions its processes may take, and what each of them
//! does. [`Checked`] makes a program of it that any search can explore. Models are how a protocol is checked before
//! it is code, and how the searches themselves are tested: their states are small, their counts are known.
//!
//! ```
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
//! const READ: u32 = 0;
//! const WRITE: u32 = 1;
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
//!             on.when(memory.read[p].is_none(), p, READ);
//!             on.when(memory.read[p].is_some() && !memory.done[p], p, WRITE);
//!         }
//!     }
//!
//!     fn fire(&self, memory: &mut Memory, p: usize, action: u32) {
//!         match action {
//!             READ => memory.read[p] = Some(memory.counter),
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
//! let load = Checked::new(Counter);
//! ```
#![forbid(unsafe_code)]

// The derive names this crate by its full name, here too.
extern crate self as sojourner_model;

mod checked;
mod execution;
mod front_end;
mod model;
mod panics;
mod path;
mod property;
mod state;
mod stateful;
mod transitions;

pub use checked::Checked;
pub use execution::Execution;
pub use front_end::SingleModel;
pub use model::Model;
pub use path::Place;
pub use property::Properties;
pub use sojourner_model_derive::State;
pub use sojourner_program::{Encoded, Footprint, Mode, ObjectId, Target};
pub use state::{Bits, Foreign, Packed, Parts, Row, State, load_from, total_width};
pub use transitions::Transitions;
