//! What a search with a store asks of a model.

use crate::{Execution, Foreign, Model, Packed, Parts, State};
use sojourner_program::{Encoded, Fault, Partition, Stateful};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The keys of partitions are hashes of the components of the kind that is marked `#[state(local)]`, one for each
/// process; of all components, where none is marked. A process has no component apart for where it stands, so
/// `LocalOf`, `Pc` and `Pcs` are the same: the component of that number.
impl<M: Model> Stateful for Execution<M> {
    #[inline]
    fn fingerprint(&mut self) -> u128 {
        if let Some(known) = self.fingerprint {
            return known;
        }
        let fingerprint = xxh3_128(self.path.here());
        self.fingerprint = Some(fingerprint);
        fingerprint
    }

    fn encode(&mut self, out: &mut Encoded) {
        self.state.encode(out);
    }

    fn decode(&mut self, state: &Encoded) -> Result<(), Fault> {
        let decoded = Parts::of(state, |parts| self.state.decode(parts));
        let mut packed = Packed::new();
        if decoded.is_ok() {
            self.state.pack(&mut packed);
        }
        self.restore();
        decoded.map_err(|Foreign| Fault::Crashed { why: Foreign.to_string() })?;
        self.enter(packed.bytes())
    }

    fn kinds(&self) -> Vec<String> {
        M::State::KINDS.iter().map(ToString::to_string).collect()
    }

    fn key(&mut self, by: Partition) -> u64 {
        let nth = match by {
            Partition::Global => return self.fingerprint() as u64,
            Partition::Local => None,
            Partition::LocalOf(nth) | Partition::Pc(nth) | Partition::Pcs(nth) => Some(nth as usize),
        };
        self.encoded.clear();
        self.state.encode(&mut self.encoded);
        let local =
            self.encoded.components().filter(|(kind, _)| M::State::LOCAL.is_none_or(|local| local == *kind));
        match nth {
            Some(nth) => local.map(|(_, bytes)| xxh3_64(bytes)).nth(nth).unwrap_or(0),
            None => local.fold(0, |key: u64, (_, bytes)| key.rotate_left(5) ^ xxh3_64(bytes)),
        }
    }
}
