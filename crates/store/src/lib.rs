//! Visited sets: the states that a search has seen.
//!
//! A [`Store`] is a set of states. The workers of a search share it without a lock on the hot path, and each of them inserts
//! through its [`Seat`]. The five kinds differ in what they remember of a state:
//!
//! | kind | remembers | a new state may be taken for a seen one |
//! |---|---|---|
//! | `compact` | 128 bits of fingerprint, 16 bytes a slot | with a probability that is reported |
//! | `collapse` | each component once, and a tree of pairs; about 10 bytes a state | never |
//! | `exact` | the packed state | never |
//! | `bitstate` | a few bits in a fixed array | yes; the expected number is reported |
//! | `none` | nothing | never: everything is new |
//!
//! ```
//! use sojourner_store::{Key, Options, Seen, Store, StoreKind, open};
//!
//! let store = open(&Options::new(StoreKind::Compact, 1))?;
//! let mut seat = store.seat();
//! assert_eq!(store.insert(&mut seat, Key::Fingerprint(7), 0), Seen::New);
//! assert_eq!(store.insert(&mut seat, Key::Fingerprint(7), 0), Seen::Again);
//! assert_eq!(store.states(), 1);
//! # Ok::<(), sojourner_store::OpenError>(())
//! ```
//!
//! Five modules hold all that is difficult about concurrency. A `table` is an open-addressed hash table; its slots are claimed by
//! compare-and-swap. A `gate` lets workers use tables side by side, and lets one of them grow a table alone. Only that worker
//! pays for the `barrier`. `chunks` is an array that grows without moving. A `memory` budget counts every byte, and refuses
//! more when the limit is reached.
//!
//! `unsafe` code is in `memory`, `barrier`, `gate` and the slots of `table`. The slots make one unchecked access, and the three types
//! of slots promise that zeroes are a value of theirs.

mod arena;
mod barrier;
mod bitstate;
mod chunks;
mod collapse;
mod compact;
mod exact;
mod gate;
mod kind;
mod memory;
mod meter;
mod none;
mod open;
mod report;
mod seat;
mod shared;
mod store;
mod sync;
mod table;
mod tally;
mod unsettled;

pub use collapse::{Pools, Root};
pub use kind::{ParseKindError, StoreKind};
pub use meter::{Meter, resident_bytes};
pub use open::{MAX_WORKERS, OpenError, Opened, Options, open};
pub use report::{Omission, Pool, Report};
pub use seat::Seat;
pub use store::{Key, Seen, Store, Wants};
pub use unsettled::{Announcer, Unsettled};

#[cfg(all(test, not(loom)))]
mod tests;

/// Prepares the process for stores. Optional: the first store does it, too. But with several threads it takes some ten
/// milliseconds, and with one next to nothing, so a command calls it before it starts any.
pub fn prepare() {
    barrier::is_asymmetric();
}
