//! Mutations for the fuzzer: of bytes, which find what the JSON reader lets through, and of lexical tokens, which
//! keep the text well formed for longer and so get further.

use sojourner_program::Random;

/// Numbers at which things overflow or change their meaning.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "-1",
    "+1",
    "1.5",
    "1e9",
    "99999999",
    "100000000",
    "100000001",
    "4294967294",
    "4294967295",
    "4294967296",
    "18446744073709551616",
];

/// `input` after a few mutations, mostly one; `other` is where pieces of another input come from.
pub fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let most = 1 + random.below(6);
    for _ in 0..=random.below(most) {
        match random.below(9) {
            0 => flip_a_bit(random, &mut bytes),
            1 => overwrite_a_byte(random, &mut bytes),
            2 => {
                let keep = random.below(bytes.len() + 1);
                bytes.truncate(keep);
            }
            3 => delete_a_chunk(random, &mut bytes),
            4 => insert(random, &mut bytes, other),
            5 => {
                let own = bytes.clone();
                insert(random, &mut bytes, &own);
            }
            6 => edit_a_number(random, &mut bytes),
            _ => exchange_tokens(random, &mut bytes, other),
        }
    }
    // Inserted chunks must not make the inputs grow for ever.
    bytes.truncate(1 << 16);
    bytes
}

fn flip_a_bit(random: &mut Random, bytes: &mut [u8]) {
    let (at, bit) = (random.below(bytes.len()), random.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn overwrite_a_byte(random: &mut Random, bytes: &mut [u8]) {
    const SIGNS: &[u8] = b"{}[]\",:*_-xv. 0159\\\n\x00\xff";
    let (at, sign) = (random.below(bytes.len()), SIGNS[random.below(SIGNS.len())]);
    if let Some(byte) = bytes.get_mut(at) {
        *byte = sign;
    }
}

fn delete_a_chunk(random: &mut Random, bytes: &mut Vec<u8>) {
    let (from, to) = range(random, bytes.len());
    bytes.drain(from..to);
}

fn insert(random: &mut Random, bytes: &mut Vec<u8>, source: &[u8]) {
    let (from, to) = range(random, source.len());
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, source[from..to].iter().copied());
}

fn edit_a_number(random: &mut Random, bytes: &mut Vec<u8>) {
    let numbers: Vec<(usize, usize)> =
        tokens(bytes).into_iter().filter(|&(from, _)| bytes[from].is_ascii_digit()).collect();
    if let Some(&(from, to)) = numbers.get(random.below(numbers.len())) {
        bytes.splice(from..to, NUMBERS[random.below(NUMBERS.len())].bytes());
    }
}

/// Swaps two tokens, or replaces, removes or repeats one.
fn exchange_tokens(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let own = tokens(bytes);
    let foreign = tokens(other);
    let (Some(&(a, b)), Some(&(c, d)), Some(&(from, to))) = (
        own.get(random.below(own.len())),
        own.get(random.below(own.len())),
        foreign.get(random.below(foreign.len())),
    ) else {
        return;
    };
    match random.below(4) {
        0 if b <= c => {
            let (first, second) = (bytes[a..b].to_vec(), bytes[c..d].to_vec());
            bytes.splice(c..d, first);
            bytes.splice(a..b, second);
        }
        1 => drop(bytes.drain(a..b)),
        2 => {
            let token = bytes[a..b].to_vec();
            bytes.splice(b..b, token);
        }
        _ => drop(bytes.splice(a..b, other[from..to].iter().copied())),
    }
}

/// A range within `len`, short more often than long.
fn range(random: &mut Random, len: usize) -> (usize, usize) {
    let from = random.below(len + 1);
    let longest = if random.below(4) == 0 { len } else { 24 };
    (from, from + random.below((len - from).min(longest) + 1))
}

/// Where the lexical tokens are: runs of letters, runs of digits, and signs by themselves. A string is several
/// tokens, so that schedules and identities within one are taken apart too.
fn tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b if b.is_ascii_alphabetic() || b >= 0x80 => 2,
        b if b.is_ascii_whitespace() => 3,
        _ => 0,
    };
    let mut found = Vec::new();
    let mut from = 0;
    for to in 1..=bytes.len() {
        if to == bytes.len() || class(bytes[to]) != class(bytes[from]) || class(bytes[from]) == 0 {
            found.push((from, to));
            from = to;
        }
    }
    found
}
