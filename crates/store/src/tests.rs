//! Every store against the plain collections that say what it should do.
//!
//! In this build tables start with four slots, so a few thousand states see a dozen growths.

mod collapse;
mod depths;
mod limits;
mod reports;
mod seats;
mod sets;

use crate::{Key, Opened, Options, Seat, Seen, Store, StoreKind, Wants, open};
use proptest::prelude::*;
use sojourner_program::Encoded;

/// The stores that tell every state from every other.
const EXACT: [StoreKind; 3] = [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact];

/// A state of a small program: some components, of a few kinds.
type Parts = Vec<(u8, Vec<u8>)>;

fn encode(parts: &Parts) -> Encoded {
    let mut state = Encoded::new();
    for (kind, component) in parts {
        state.put(*kind, component);
    }
    state
}

/// States that are often the same, and if not, often nearly so: few kinds, few bytes, lengths around the three bytes
/// that fit into a reference and the four and twelve that fit into one and two words.
fn states(count: usize) -> impl Strategy<Value = Vec<Parts>> {
    let component = (0u8..3, prop::collection::vec(0u8..2, 0..=14));
    let tiny = (0u8..2, prop::collection::vec(0u8..2, 0..=2));
    let part = prop_oneof![3 => tiny, 1 => component];
    prop::collection::vec(prop::collection::vec(part, 0..6), 0..count)
}

/// Inserts a state in the form that the store wants.
fn insert(store: &dyn Store, seat: &mut Seat, state: &Encoded, depth: u32) -> Seen {
    match store.wants() {
        Wants::Encoding => store.insert(seat, Key::Encoded(state), depth),
        Wants::Nothing | Wants::Fingerprint => {
            store.insert(seat, Key::Fingerprint(fingerprint(state)), depth)
        }
    }
}

fn fingerprint(state: &Encoded) -> u128 {
    let mut wire = Vec::new();
    state.to_wire(&mut wire);
    xxhash_rust::xxh3::xxh3_128(&wire)
}

/// A state of one component that holds a number.
fn numbered(number: u64) -> Encoded {
    let mut state = Encoded::new();
    state.put(0, &number.to_le_bytes());
    state
}

fn options(kind: StoreKind, workers: usize, depths: bool) -> Options {
    Options { depths, ..Options::new(kind, workers) }
}

fn opened(kind: StoreKind, workers: usize, depths: bool) -> Opened {
    open(&options(kind, workers, depths)).expect("these options make sense")
}

/// A store for one worker, and its seat.
fn alone(kind: StoreKind, depths: bool) -> (Opened, Seat) {
    let store = opened(kind, 1, depths);
    let seat = store.seat();
    (store, seat)
}
