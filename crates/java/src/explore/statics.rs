//! Permanent objects, as far as executions change them: static fields above all.

use super::layouts::words;
use crate::machine::Machine;
use crate::machine::class::{ClassId, Shape};
use crate::memory::{Changed, GUARD, HEADER, Ref};

/// A word of a permanent object that some execution has changed.
#[derive(Clone, Copy)]
pub(super) struct Static {
    pub object: Ref,
    pub offset: u32,
    /// What it is in executions that have not changed it.
    pub original: u64,
    /// Its identity, on every machine.
    pub identity: u64,
    pub references: [bool; 2],
    /// Bits that count, if they are no references.
    pub mask: u64,
    pub part: StaticPart,
}

/// What a word of a permanent object is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StaticPart {
    /// Fields or elements.
    Contents,
    /// The class and the monitor.
    Monitor,
    /// The guard.
    Guard,
    /// The number and status of a class.
    Status,
    /// Nothing that counts.
    Ignored,
}

/// All words of permanent objects that executions have changed, sorted by identity.
#[derive(Default)]
pub(super) struct Statics {
    pub words: Vec<Static>,
    known: usize,
}

impl Statics {
    /// Takes over the words that have been changed for the first time.
    #[inline(always)]
    pub fn update(&mut self, machine: &Machine) {
        if machine.heap.changed().len() > self.known {
            self.sort(machine);
        }
    }

    #[cold]
    fn sort(&mut self, machine: &Machine) {
        let changed = machine.heap.changed();
        self.words.extend(changed[self.known..].iter().map(|changed| Static::new(machine, changed)));
        self.known = changed.len();
        self.words.sort_by_key(|word| (word.identity, word.offset));
    }
}

impl Static {
    fn new(machine: &Machine, changed: &Changed) -> Static {
        let Changed { object, offset, original } = *changed;
        let identity = machine.permanent_identity(object).wrapping_add(u64::from(offset) << 40);
        let class = ClassId(machine.heap.class(object));
        let mirror = Some(class) == machine.known.class;
        let part = match offset {
            0 => StaticPart::Monitor,
            GUARD => StaticPart::Guard,
            _ if offset < HEADER => StaticPart::Contents,
            _ if mirror && offset == machine.known.mirror_id => StaticPart::Status,
            // Of a mirror only the static fields are the program's, and a string changes only in what it has cached.
            _ if mirror && offset < machine.known.mirror_id || class == machine.known.string => {
                StaticPart::Ignored
            }
            _ => StaticPart::Contents,
        };
        let mut references = machine.references_in_word(object, offset);
        let mut mask = u64::MAX;
        if part == StaticPart::Contents && !mirror && matches!(machine.class(class).shape, Shape::Instance) {
            let word = words(machine, machine.class(class)).into_iter().find(|word| word.offset == offset);
            (references, mask) = word.map_or(([false; 2], 0), |word| (word.references, word.mask));
        }
        Static { object, offset, original, identity, references, mask, part }
    }
}
