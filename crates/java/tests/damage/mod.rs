//! Damage done to binary files, for the fuzzers: mostly to numbers, by which such files are held together.

use sojourner_program::Random;

/// Numbers at which sizes overflow or change their meaning.
const NUMBERS: [u64; 16] = [
    0,
    1,
    2,
    7,
    8,
    0x7F,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x10000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    0xFFFF_FFFF_FFFF_FFFF,
];

/// Inserted chunks must not make the inputs grow for ever.
const LARGEST: usize = 1 << 16;

/// `input` after a few mutations, mostly one; `other` is where pieces of another input come from, and `marks` are what
/// records begin with, near which mutations have more effect.
pub fn damage(random: &mut Random, input: &[u8], other: &[u8], marks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let most = 1 + random.below(6);
    for _ in 0..=random.below(most) {
        match random.below(10) {
            0 => flip_a_bit(random, &mut bytes),
            1 => {
                let keep = random.below(bytes.len() + 1);
                bytes.truncate(keep);
            }
            2 => {
                let (from, to) = range(random, bytes.len());
                bytes.drain(from..to);
            }
            3 => insert(random, &mut bytes, other),
            4 => {
                let own = bytes.clone();
                insert(random, &mut bytes, &own);
            }
            5 => copy_within(random, &mut bytes),
            6 => {
                let at = random.below(bytes.len());
                set_number(random, &mut bytes, at);
            }
            _ => {
                let at = near_a_mark(random, &bytes, marks);
                set_number(random, &mut bytes, at);
            }
        }
    }
    bytes.truncate(LARGEST.max(input.len()));
    bytes
}

fn flip_a_bit(random: &mut Random, bytes: &mut [u8]) {
    let (at, bit) = (random.below(bytes.len()), random.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

/// Overwrites one, two, four or eight bytes, in either order, with a number from the list or one close to what was there.
fn set_number(random: &mut Random, bytes: &mut [u8], at: usize) {
    let width = 1 << random.below(4);
    let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..width)) else { return };
    let little = random.below(2) == 0;
    if !little {
        place.reverse();
    }
    let old = place.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let new = match random.below(3) {
        0 => old.wrapping_add(random.below(9) as u64).wrapping_sub(4),
        1 => random.below(1 << 12) as u64,
        _ => NUMBERS[random.below(NUMBERS.len())],
    };
    place.copy_from_slice(&new.to_le_bytes()[..width]);
    if !little {
        place.reverse();
    }
}

/// A place in the record after one of the marks; anywhere in the first bytes if there is none.
fn near_a_mark(random: &mut Random, bytes: &[u8], marks: &[&[u8]]) -> usize {
    let is_mark = |at: &usize| marks.iter().any(|mark| bytes[*at..].starts_with(mark));
    let found: Vec<usize> = (0..bytes.len().min(LARGEST)).filter(is_mark).collect();
    found.get(random.below(found.len())).copied().unwrap_or(0) + random.below(64)
}

fn copy_within(random: &mut Random, bytes: &mut [u8]) {
    let (from, to) = range(random, bytes.len());
    let at = random.below(bytes.len() - (to - from) + 1);
    bytes.copy_within(from..to, at);
}

fn insert(random: &mut Random, bytes: &mut Vec<u8>, source: &[u8]) {
    let (from, to) = range(random, source.len());
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, source[from..to].iter().copied());
}

/// A range within `len`, short more often than long.
fn range(random: &mut Random, len: usize) -> (usize, usize) {
    let from = random.below(len + 1);
    let longest = if random.below(4) == 0 { len } else { 24 };
    (from, from + random.below((len - from).min(longest) + 1))
}
