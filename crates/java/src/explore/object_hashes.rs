//! The hash of an object: 128 bits for all of it that does not depend on the numbers of objects, on the holder of its monitor, and
//! on its guard. With the references to objects that have numbers it is what an object adds to a fingerprint.
//! It holds as long as the object is not written to, whatever numbers come and go. That of an object that keeps times holds as
//! long as it is the same time.

use super::layouts::{Contents, Layout, Layouts, Words};
use super::sinks::{Bits, Fingerprinter, OBJECTS, Sink, TIMES};
use crate::machine::Machine;
use crate::memory::{ARRAY_DATA, HASH, LENGTH, Ref};

/// What stands in a hash for a reference to an object that has a number: neither null nor a permanent object.
const NUMBERED: u64 = 2;

impl Layouts {
    /// The hash of an object. Its references to objects that have numbers are added to `references`.
    pub fn object_hash(&mut self, machine: &Machine, object: Ref, references: &mut Vec<Ref>) -> Bits {
        let heap = &machine.heap;
        let Layout { print, contents } = self.of(machine, heap.class(object));
        let hash = heap.get_u32(object, HASH);
        let length = heap.get_u32(object, LENGTH);
        let mut sink = Fingerprinter::new();
        sink.begin(OBJECTS, 0);
        sink.pair(*print, u64::from(hash) << 32 | u64::from(length));
        let mut reference = |other: Ref| {
            if other.is_null() {
                0
            } else if other.0 < heap.split() {
                machine.permanent_identity(other)
            } else {
                references.push(other);
                NUMBERED
            }
        };
        match contents {
            Contents::Instance(words) => {
                let (pairs, rest) = words.references.as_chunks();
                for &[first, second] in pairs {
                    let first = reference(heap.get_ref(object, first));
                    sink.pair(first, reference(heap.get_ref(object, second)));
                }
                if let &[last] = rest {
                    sink.word(reference(heap.get_ref(object, last)));
                }
                instance(machine, &mut sink, object, words);
            }
            Contents::References => {
                for index in 0..length {
                    sink.word(reference(heap.get_ref(object, ARRAY_DATA + 4 * index)));
                }
            }
            Contents::String => text(machine, &mut sink, object),
            Contents::Primitives(size) => elements(machine, &mut sink, object, words_of(length, *size)),
        }
        sink.take()
    }
}

/// What an instance holds beside references.
#[inline(always)]
pub(super) fn instance<S: Sink>(machine: &Machine, sink: &mut S, object: Ref, words: &Words) {
    let word = |&(offset, mask): &(u32, u64)| machine.heap.word(object.0 + offset / 8) & mask;
    let (pairs, rest) = words.plain.as_chunks();
    for [first, second] in pairs {
        sink.pair(word(first), word(second));
    }
    if let [last] = rest {
        sink.word(word(last));
    }
    for &offset in &words.times {
        time(machine, sink, machine.heap.word(object.0 + offset / 8));
    }
}

/// What counts of a time that an object keeps: how far it lies ahead.
pub(super) fn time<S: Sink>(machine: &Machine, sink: &mut S, word: u64) {
    match machine.ahead(word) {
        Some(ahead) => sink.word(TIMES | ahead),
        None => sink.word(word),
    }
}

/// The characters of a string. Nothing else refers to the array that has them.
pub(super) fn text<S: Sink>(machine: &Machine, sink: &mut S, string: Ref) {
    let heap = &machine.heap;
    let value = heap.get_ref(string, machine.known.string_value);
    if !value.is_null() {
        let length = heap.length(value);
        let coder = heap.get_u8(string, machine.known.string_coder);
        sink.word(u64::from(length) << 1 | u64::from(coder));
        elements(machine, sink, value, length.div_ceil(8));
    }
}

/// The words of an array that holds no references.
pub(super) fn elements<S: Sink>(machine: &Machine, sink: &mut S, array: Ref, words: u32) {
    let first = array.0 + ARRAY_DATA / 8;
    for pair in 0..words / 2 {
        let at = first + 2 * pair;
        sink.pair(machine.heap.word(at), machine.heap.word(at + 1));
    }
    if !words.is_multiple_of(2) {
        sink.word(machine.heap.word(first + words - 1));
    }
}

/// How many words elements of a size take.
pub(super) fn words_of(length: u32, size: u32) -> u32 {
    (u64::from(length) * u64::from(size)).div_ceil(8) as u32
}
