//! Mutations of class files: of bytes anywhere, and of what the structure says is a constant, code or the length of an
//! attribute. The latter stay well formed for longer and so get further.

use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::{ClassFile, Span};
use sojourner_program::Random;
use std::ops::Range;

/// Numbers at which things overflow or change their meaning.
const HALVES: [u16; 10] = [0, 1, 2, 3, 49, 50, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF];

/// `input` after a few mutations, mostly one; `other` is where pieces of another input come from.
pub fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let map = Map::of(&bytes);
    let most = 1 + random.below(4);
    for _ in 0..=random.below(most) {
        match random.below(16) {
            0 => flip_a_bit(random, &mut bytes),
            1 => set_a_half(random, &mut bytes),
            2 if random.below(4) == 0 => {
                let keep = random.below(bytes.len() + 1);
                bytes.truncate(keep);
            }
            3 if random.below(4) == 0 => {
                let range = piece(random, bytes.len());
                bytes.drain(range);
            }
            4 if random.below(4) == 0 => {
                let (at, range) = (random.below(bytes.len() + 1), piece(random, other.len()));
                bytes.splice(at..at, other[range].iter().copied());
            }
            5 => {
                if let Some(version) = bytes.get_mut(7) {
                    *version = 45 + random.below(17) as u8;
                }
            }
            6 => exchange_constants(random, &mut bytes, &map),
            7 => edit_a_constant(random, &mut bytes, &map),
            8 => edit_a_length(random, &mut bytes, &map),
            9 => copy_code(random, &mut bytes, &map),
            10 => edit_part(random, &mut bytes, &map.frames),
            11 => edit_part(random, &mut bytes, &map.tables),
            _ => edit_part(random, &mut bytes, &map.code),
        }
    }
    // Inserted pieces must not make the inputs grow for ever.
    bytes.truncate(1 << 15);
    bytes
}

/// Where things lie in a class file. Insertions and deletions make it wrong, which does no harm.
#[derive(Default)]
struct Map {
    /// Constants without texts, and texts.
    constants: Vec<Range<usize>>,
    texts: Vec<Range<usize>>,
    code: Vec<Range<usize>>,
    frames: Vec<Range<usize>>,
    /// The other attributes, and the sizes and exception handlers of code.
    tables: Vec<Range<usize>>,
    /// Where the lengths of attributes are.
    lengths: Vec<usize>,
}

impl Map {
    fn of(bytes: &[u8]) -> Map {
        let mut map = Map::default();
        map.walk_constants(bytes);
        if let Ok(class) = ClassFile::parse(Bytes::new(bytes.to_vec())) {
            map.attributes(&class, class.attributes);
            for member in class.fields.iter().chain(&class.methods) {
                map.attributes(&class, member.attributes);
            }
        }
        map
    }

    fn walk_constants(&mut self, bytes: &[u8]) -> Option<()> {
        let half = |at: usize| Some(usize::from(*bytes.get(at)?) << 8 | usize::from(*bytes.get(at + 1)?));
        let (mut at, mut left) = (10, half(8)?);
        while left > 1 {
            let tag = *bytes.get(at)?;
            let length = match tag {
                1 => 3 + half(at + 1)?,
                5 | 6 => 9,
                7 | 8 | 16 | 19 | 20 => 3,
                15 => 4,
                _ => 5,
            };
            let list = if tag == 1 { &mut self.texts } else { &mut self.constants };
            list.push(at..at + length);
            at += length;
            left -= 1 + usize::from(length == 9);
        }
        Some(())
    }

    fn attributes(&mut self, class: &ClassFile, table: Span) {
        for attribute in class.attributes(table) {
            let contents = attribute.contents.start as usize..attribute.contents.end as usize;
            self.lengths.push(contents.start - 4);
            match attribute.name {
                "Code" => {
                    if let Ok(Some(code)) = class.code(table) {
                        let start = contents.start + 8;
                        self.code.push(start..start + code.code.len());
                        self.tables.push(contents.start..start);
                        self.tables.push(start + code.code.len()..code.attributes.start as usize);
                        self.attributes(class, code.attributes);
                    }
                }
                "StackMapTable" => self.frames.push(contents),
                _ => self.tables.push(contents),
            }
        }
    }
}

fn flip_a_bit(random: &mut Random, bytes: &mut [u8]) {
    let (at, bit) = (random.below(bytes.len()), random.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn set_a_half(random: &mut Random, bytes: &mut [u8]) {
    let (at, half) = (random.below(bytes.len()), HALVES[random.below(HALVES.len())]);
    put(bytes, at, &half.to_be_bytes());
}

/// Gives two constants of equal length each other's place.
fn exchange_constants(random: &mut Random, bytes: &mut [u8], map: &Map) {
    let list = if random.below(3) == 0 { &map.texts } else { &map.constants };
    let Some(first) = list.get(random.below(list.len())) else { return };
    let alike: Vec<&Range<usize>> = list.iter().filter(|range| range.len() == first.len()).collect();
    let second = alike[random.below(alike.len())];
    if first.end.max(second.end) <= bytes.len() {
        let saved = bytes[first.clone()].to_vec();
        bytes.copy_within(second.clone(), first.start);
        put(bytes, second.start, &saved);
    }
}

/// Changes the tag of a constant, an index in it, or a letter of a text.
fn edit_a_constant(random: &mut Random, bytes: &mut [u8], map: &Map) {
    if random.below(3) == 0 {
        const LETTERS: &[u8] = b"()[]LVIJDZBFSC;/<>a\x00\xC0\xFF";
        let Some(text) = map.texts.get(random.below(map.texts.len())) else { return };
        let at = text.start + 3 + random.below(text.len() - 3);
        put(bytes, at, &[LETTERS[random.below(LETTERS.len())]]);
        return;
    }
    let Some(constant) = map.constants.get(random.below(map.constants.len())) else { return };
    match random.below(4) {
        0 => put(bytes, constant.start, &[random.below(21) as u8]),
        _ => {
            let index = random.below(map.constants.len() + map.texts.len() + 3) as u16;
            put(bytes, constant.start + 1 + 2 * random.below(2), &index.to_be_bytes());
        }
    }
}

fn edit_a_length(random: &mut Random, bytes: &mut [u8], map: &Map) {
    let Some(&at) = map.lengths.get(random.below(map.lengths.len())) else { return };
    let length = match random.below(4) {
        0 => HALVES[random.below(HALVES.len())].into(),
        1 => u32::MAX - random.below(16) as u32,
        _ => {
            let Some(&last) = bytes.get(at + 3) else { return };
            u32::from(last).wrapping_add(random.below(9) as u32).wrapping_sub(4)
        }
    };
    put(bytes, at, &length.to_be_bytes());
}

/// Sets a byte or two within one of the parts: any opcode, a small number, or one at which things overflow.
fn edit_part(random: &mut Random, bytes: &mut [u8], parts: &[Range<usize>]) {
    let Some(part) = parts.get(random.below(parts.len())) else { return };
    let at = part.start + random.below(part.len());
    match random.below(4) {
        0 => put(bytes, at, &[random.below(203) as u8]),
        1 => put(bytes, at, &[random.below(8) as u8]),
        2 => put(bytes, at, &HALVES[random.below(HALVES.len())].to_be_bytes()),
        // Instructions of one kind stand next to each other.
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = byte.wrapping_add(random.below(9) as u8).wrapping_sub(4);
            }
        }
    }
}

/// Overwrites a piece of code by another one.
fn copy_code(random: &mut Random, bytes: &mut [u8], map: &Map) {
    let (from, to) = (random.below(map.code.len()), random.below(map.code.len()));
    let (Some(from), Some(to)) = (map.code.get(from), map.code.get(to)) else { return };
    let piece = piece(random, from.len());
    let (start, end) = (from.start + piece.start, from.start + piece.end);
    if let Some(saved) = bytes.get(start..end).map(<[u8]>::to_vec) {
        put(bytes, to.start + random.below(to.len()), &saved);
    }
}

/// Overwrites bytes as far as they are there.
fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    for (old, new) in bytes.iter_mut().skip(at).zip(new) {
        *old = *new;
    }
}

/// A range within `len`, short more often than long.
fn piece(random: &mut Random, len: usize) -> Range<usize> {
    let from = random.below(len + 1);
    let longest = if random.below(4) == 0 { len } else { 12 };
    from..from + random.below((len - from).min(longest) + 1)
}
