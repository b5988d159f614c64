//! A state as bytes, cut into components.

use crate::Component;

/// The canonical encoding of a state: a sequence of components, each of a kind.
///
/// Lossless stores compare these, the collapse store keeps each component once in the pool of its kind, and
/// [`Encoded::to_wire`] is what travels between machines. The buffer is meant to be reused: clear it, fill it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    bytes: Vec<u8>,
    parts: Vec<(u8, u32)>,
}

impl Encoded {
    /// An empty encoding.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the components and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.parts.clear();
    }

    /// Appends a component. `kind` numbers the names that the program's `Encode::kinds` gives.
    pub fn put(&mut self, kind: u8, component: &[u8]) {
        self.bytes.extend_from_slice(component);
        self.parts.push((kind, self.bytes.len() as u32));
    }

    /// Appends a component that `write` appends to the buffer it is given, and must not shorten.
    pub fn put_with(&mut self, kind: u8, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.parts.push((kind, self.bytes.len() as u32));
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no component.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The components in order, each with its kind.
    pub fn components(&self) -> impl Iterator<Item = (u8, &[u8])> {
        let mut start = 0;
        self.parts.iter().map(move |&(kind, end)| {
            let component = &self.bytes[start..end as usize];
            start = end as usize;
            (kind, component)
        })
    }

    /// The components for people, as far as bytes can be: with the names of their kinds, numbers, and what they hold in
    /// hexadecimal digits. Those of the kind `place` say where threads stand.
    pub fn in_words(&self, kinds: &[String], place: Option<u8>) -> impl Iterator<Item = Component> {
        let mut numbers = vec![0; kinds.len()];
        self.components().map(move |(kind, bytes)| {
            let known = kinds.get(usize::from(kind));
            let mut number = 0;
            if known.is_some() {
                numbers[usize::from(kind)] += 1;
                number = numbers[usize::from(kind)];
            }
            Component {
                kind: known.cloned().unwrap_or_default(),
                owner: format!("number {number}"),
                value: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
                place: place == Some(kind),
            }
        })
    }

    /// Appends the form that [`Encoded::from_wire`] reads: for each component its kind, its length and its bytes.
    /// Two encodings are equal exactly if these forms are.
    pub fn to_wire(&self, out: &mut Vec<u8>) {
        for (kind, component) in self.components() {
            out.push(kind);
            let mut length = component.len();
            while length >= 0x80 {
                out.push(length as u8 | 0x80);
                length >>= 7;
            }
            out.push(length as u8);
            out.extend_from_slice(component);
        }
    }

    /// Reads what [`Encoded::to_wire`] wrote, replacing the contents. Bytes of another origin may give `None`,
    /// never a panic.
    pub fn from_wire(&mut self, mut wire: &[u8]) -> Option<()> {
        self.clear();
        while let Some((&kind, rest)) = wire.split_first() {
            wire = rest;
            let mut length = 0usize;
            for shift in (0..).step_by(7) {
                let (&byte, rest) = wire.split_first()?;
                wire = rest;
                length |= ((byte & 0x7f) as usize).checked_shl(shift).filter(|_| shift < 32)?;
                if byte < 0x80 {
                    break;
                }
            }
            self.put(kind, wire.get(..length)?);
            wire = &wire[length..];
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wire_form_round_trips(parts in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..300)), 0..6)) {
            let mut encoded = Encoded::new();
            for (kind, bytes) in &parts {
                encoded.put(*kind, bytes);
            }
            let mut wire = Vec::new();
            encoded.to_wire(&mut wire);
            let mut back = Encoded::new();
            prop_assert_eq!(back.from_wire(&wire), Some(()));
            prop_assert_eq!(back, encoded);
        }

        #[test]
        fn foreign_bytes_never_panic(wire in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Encoded::new().from_wire(&wire);
        }
    }
}
