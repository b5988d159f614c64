//! What a search with a store asks of a model.

use crate::{Execution, Model, Parts, State};
use sojourner_program::{Component, Decode, Encode, Encoded, Fault, Partition, Stateful};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

impl<M: Model> Stateful for Execution<M> {
    #[inline]
    fn fingerprint(&mut self) -> u128 {
        xxh3_128(self.packed())
    }

    fn has_cheap_steps(&self) -> bool {
        true
    }
}

/// The keys of partitions are hashes of the components of the kind that is marked `#[state(local)]`, one for each
/// process; of all components, where none is marked. A process has no component apart for where it stands, so
/// `LocalOf`, `Pc` and `Pcs` are the same: the component of that number.
impl<M: Model> Encode for Execution<M> {
    fn encode(&mut self, out: &mut Encoded) {
        self.path.state.encode(out);
    }

    fn kinds(&self) -> Vec<String> {
        M::State::KINDS.iter().map(ToString::to_string).collect()
    }

    /// Where processes stand is what is marked as their own.
    fn components(&mut self, out: &mut Vec<Component>) {
        self.encoded.clear();
        self.path.state.encode(&mut self.encoded);
        out.extend(self.encoded.in_words(&self.kinds(), M::State::LOCAL));
    }

    fn partition_key(&mut self, by: Partition) -> u64 {
        let nth = match by {
            Partition::Global => return self.fingerprint() as u64,
            Partition::Local => None,
            Partition::LocalOf(nth) | Partition::Pc(nth) | Partition::Pcs(nth) => Some(nth as usize),
        };
        self.encoded.clear();
        self.path.state.encode(&mut self.encoded);
        let local =
            self.encoded.components().filter(|(kind, _)| M::State::LOCAL.is_none_or(|local| local == *kind));
        match nth {
            Some(nth) => local.map(|(_, bytes)| xxh3_64(bytes)).nth(nth).unwrap_or(0),
            None => local.fold(0, |key: u64, (_, bytes)| key.rotate_left(5) ^ xxh3_64(bytes)),
        }
    }
}

impl<M: Model> Decode for Execution<M> {
    fn decode(&mut self, state: &Encoded) -> Result<(), Fault> {
        self.enter(|value| Parts::of(state, |parts| value.decode(parts)))
    }
}
