//! What a walk needs to know of classes: which words of an instance count, and which are references.

use crate::classfile::Kind;
use crate::machine::Machine;
use crate::machine::class::{Class, ClassId, Shape};
use crate::memory::HEADER;

/// What a word of an instance holds.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// Where it lies.
    pub offset: u32,
    /// Whether its halves are references.
    pub references: [bool; 2],
    /// Bits that count, if they are no references.
    pub mask: u64,
    /// Whether it is a time, of which counts how far it lies ahead.
    pub is_time: bool,
}

/// What is known of classes, by number.
#[derive(Default)]
pub(super) struct Layouts(Vec<Option<Layout>>);

impl Layouts {
    /// What is known of the class of that number.
    #[inline(always)]
    pub fn of(&mut self, machine: &Machine, class: u32) -> &Layout {
        if self.0.get(class as usize).is_none_or(Option::is_none) {
            self.make(machine, class);
        }
        match &self.0[class as usize] {
            Some(layout) => layout,
            None => unreachable!("it has just been made"),
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, machine: &Machine, class: u32) {
        if self.0.len() <= class as usize {
            self.0.resize_with(machine.classes.list.len(), || None);
        }
        self.0[class as usize] = Some(Layout::new(machine, ClassId(class)));
    }
}

/// What a walk needs to know of a class.
pub(super) struct Layout {
    /// What stands for the class, on every machine.
    pub print: u64,
    /// What its instances hold.
    pub contents: Contents,
}

impl Layout {
    /// Looks at a class.
    pub fn new(machine: &Machine, class: ClassId) -> Layout {
        let of = machine.class(class);
        let contents = match of.shape {
            Shape::Array { kind: Kind::Reference, .. } => Contents::References,
            Shape::Array { kind, .. } => Contents::Primitives(kind.size()),
            _ if of.id == machine.known.string => Contents::String,
            _ => Contents::Instance(Words::new(words(machine, of))),
        };
        let print =
            crate::machine::name_hash(machine.classes.symbols.text(of.name), 32 + u64::from(of.loader.0));
        Layout { print, contents }
    }

    /// Whether instances keep times.
    #[inline(always)]
    pub fn keeps_times(&self) -> bool {
        matches!(&self.contents, Contents::Instance(words) if !words.times.is_empty())
    }
}

/// What instances of a class hold.
pub(super) enum Contents {
    /// The words of an instance.
    Instance(Words),
    /// A string, whose characters are a part of it.
    String,
    /// References.
    References,
    /// Elements of so many bytes.
    Primitives(u32),
}

/// The words of an instance that count, in order.
pub(super) struct Words {
    words: Box<[Word]>,
    /// The references in them, by offset, and the words that hold anything else, with the bits that count.
    pub references: Box<[u32]>,
    pub plain: Box<[(u32, u64)]>,
    /// The words that are times, by offset.
    pub times: Box<[u32]>,
    /// For each word behind the header its place among those that count, plus one; 0 if it does not.
    places: Box<[u32]>,
}

impl Words {
    fn new(words: Vec<Word>) -> Words {
        let end = words.last().map_or(0, |word| place(word.offset) + 1);
        let mut places = vec![0; end].into_boxed_slice();
        for (number, word) in (1..).zip(&words) {
            places[place(word.offset)] = number;
        }
        let halves = |word: &Word| {
            let [low, high] = word.references;
            [low.then_some(word.offset), high.then_some(word.offset + 4)]
        };
        Words {
            references: words.iter().flat_map(halves).flatten().collect(),
            plain: (words.iter().filter(|word| word.mask != 0 && !word.is_time))
                .map(|word| (word.offset, word.mask))
                .collect(),
            times: words.iter().filter(|word| word.is_time).map(|word| word.offset).collect(),
            words: words.into(),
            places,
        }
    }

    /// All of them.
    #[inline(always)]
    pub fn all(&self) -> &[Word] {
        &self.words
    }

    /// The one at an offset, if it counts.
    #[inline(always)]
    pub fn at(&self, offset: u32) -> Option<&Word> {
        let number = *self.places.get(place(offset))?;
        self.words.get((number as usize).wrapping_sub(1))
    }
}

/// The place of a word behind the header.
fn place(offset: u32) -> usize {
    (offset.wrapping_sub(HEADER) / 8) as usize
}

/// The words of an instance that count.
pub(super) fn words(machine: &Machine, of: &Class) -> Vec<Word> {
    let mut masked = vec![0u8; of.size as usize];
    let mut times = Vec::new();
    for &declaring in &of.lineage {
        for (index, field) in machine.class(declaring).fields.iter().enumerate() {
            if !field.is_static() && machine.is_masked(declaring, index) {
                masked[field.offset as usize..][..field.kind.size() as usize].fill(1);
            }
            if !field.is_static() && machine.is_time(declaring, index) {
                times.push(field.offset);
            }
        }
    }
    let offsets = (HEADER..of.size).step_by(8);
    let words = offsets.map(|offset| {
        let reference = |at: u32| of.references.contains(&at) && masked[at as usize] == 0;
        let mut mask = 0;
        for byte in 0..8 {
            let at = offset + byte;
            let counts = at < of.size && masked[at as usize] == 0;
            let referred = of.references.contains(&(at & !3));
            mask |= if counts && !referred { 0xFF << (8 * byte) } else { 0 };
        }
        let is_time = times.contains(&offset);
        Word { offset, references: [reference(offset), reference(offset + 4)], mask, is_time }
    });
    words.filter(|word| word.mask != 0 || word.references != [false; 2]).collect()
}
