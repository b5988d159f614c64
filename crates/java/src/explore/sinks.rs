//! What a walk over a state feeds: a fingerprint, the key of a partition, an encoding, words for people.

use crate::machine::visible::Guard;
use crate::memory::Ref;
use sojourner_program::Partition;

/// Kinds of components, as in the paper: what static fields hold, objects, their monitors, frames and threads.
pub(super) const KINDS: [&str; 6] = ["program", "threads", "frames", "static fields", "objects", "monitors"];
pub(super) const PROGRAM: u8 = 0;
pub(super) const THREADS: u8 = 1;
pub(super) const FRAMES: u8 = 2;
pub(super) const STATICS: u8 = 3;
pub(super) const OBJECTS: u8 = 4;
pub(super) const MONITORS: u8 = 5;

/// The key of a component about times that a thread keeps, beside those of monitors; and what stands for a time wherever
/// it is kept.
pub(super) const TIMES: u64 = 1 << 62;

/// What the next words of a walk are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// How the program ended, if it did.
    End,
    /// A number by a name, of whatever came last.
    Number(&'static str),
    /// A thread, by its number in the machine.
    Thread(usize),
    /// A frame of it, by its depth.
    Frame(usize, usize),
    /// The lock that the last frame gives back in the end.
    Lock(Ref),
    /// A register of the last frame, and whether it is a reference.
    Register(u16, bool, u64),
    /// A word of a permanent object.
    Permanent(Ref, u32),
    /// An object.
    Object(Ref),
    /// A word of the last object.
    Word(u32),
    /// The characters of the last object, which is a string.
    Text,
    /// The references in the last object, which is an array.
    References,
    /// The numbers in the last object, which is an array.
    Primitives,
    /// The monitor of the last object.
    Monitor,
    /// An object that nothing reaches.
    Garbage(Ref),
    /// What guards an object.
    Guard(u32, Guard),
}

/// What a walk feeds.
pub(super) trait Sink {
    /// Whether it does not need to see the frames of a thread themselves: 128 bits and the references will do.
    const SUMMARISES_FRAMES: bool = false;
    /// Whether it wants to be told what the words are that it is given.
    const NAMED: bool = false;

    /// The next words are these. Only those that want names are told.
    fn note(&mut self, item: Item) {
        let _ = item;
    }

    /// A component of that kind begins. Among those of its kind it is told apart by the key.
    fn begin(&mut self, kind: u8, key: u64);
    /// The next 64 bits of it.
    fn word(&mut self, word: u64);

    /// The next 128 bits of it.
    #[inline(always)]
    fn pair(&mut self, first: u64, second: u64) {
        self.word(first);
        self.word(second);
    }
}

/// 128 bits of everything: the sum of what stands for the components, in which each is mixed with its kind and key. Components
/// do not wait for each other, so that the processor works on several at a time, and what one of them adds can be replaced.
pub(super) struct Fingerprinter {
    sum: Bits,
    a: u64,
    b: u64,
    open: bool,
}

/// What stands for components: two sums.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Bits([u64; 2]);

impl Bits {
    /// What stands for no component.
    pub const ZERO: Bits = Bits([0; 2]);

    /// Both together.
    #[inline(always)]
    pub fn plus(self, other: Bits) -> Bits {
        Bits([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    /// What is left without the other.
    #[inline(always)]
    pub fn minus(self, other: Bits) -> Bits {
        Bits([self.0[0].wrapping_sub(other.0[0]), self.0[1].wrapping_sub(other.0[1])])
    }

    /// As a fingerprint.
    pub fn fingerprint(self) -> u128 {
        u128::from(self.0[0]) << 64 | u128::from(self.0[1])
    }

    /// As two words.
    pub fn words(self) -> [u64; 2] {
        self.0
    }
}

#[inline(always)]
fn fold(value: u64, by: u64) -> u64 {
    let product = u128::from(value) * u128::from(by);
    product as u64 ^ (product >> 64) as u64
}

impl Fingerprinter {
    pub fn new() -> Fingerprinter {
        Fingerprinter { sum: Bits::default(), a: 0, b: 0, open: false }
    }

    #[inline(always)]
    fn end_component(&mut self) {
        // Each half of what is added depends on both words in full.
        let first = fold(self.a ^ 0x082E_FA98_EC4E_6C89, self.b ^ 0xBE54_66CF_34E9_0C6D);
        let second = fold(self.a.rotate_left(32) ^ 0xC0AC_29B7_C97C_50DD, self.b ^ 0x4528_21E6_38D0_1377);
        self.sum = self.sum.plus(Bits([first, second]));
    }

    /// What stands for the present component so far.
    #[inline(always)]
    pub fn so_far(&self) -> [u64; 2] {
        [self.a, self.b]
    }

    /// Goes on with a component from where that stood for it.
    #[inline(always)]
    pub fn go_on([a, b]: [u64; 2]) -> Fingerprinter {
        Fingerprinter { sum: Bits::default(), a, b, open: true }
    }

    /// What stands for the components since the last time.
    #[inline(always)]
    pub fn take(&mut self) -> Bits {
        if std::mem::take(&mut self.open) {
            self.end_component();
        }
        std::mem::take(&mut self.sum)
    }
}

impl Sink for Fingerprinter {
    const SUMMARISES_FRAMES: bool = true;

    #[inline(always)]
    fn begin(&mut self, kind: u8, key: u64) {
        if self.open {
            self.end_component();
        }
        self.open = true;
        let component = (key << 3 | u64::from(kind)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.a = 0x243F_6A88_85A3_08D3 ^ component;
        self.b = 0x1319_8A2E_0370_7344 ^ component.rotate_left(32);
    }

    #[inline(always)]
    fn word(&mut self, word: u64) {
        // Two multiplications that do not wait for each other; what one loses the other keeps.
        self.a = fold(self.a ^ word, 0x9E37_79B9_7F4A_7C15);
        self.b = fold(self.b ^ word.rotate_left(29), 0xD6E8_FEB8_6659_FD93) ^ word;
    }

    #[inline(always)]
    fn pair(&mut self, first: u64, second: u64) {
        self.a = fold(self.a ^ first, second ^ 0xA409_3822_299F_31D0).wrapping_add(first);
        self.b = fold(self.b ^ second.rotate_left(29), first ^ 0x3F84_D5B5_B547_0917) ^ second;
    }
}

/// The part of a state that a partition goes by.
pub(super) struct PartitionKey {
    by: Partition,
    print: Fingerprinter,
    /// The threads that have begun, and the kind of the present component.
    threads: u32,
    kind: u8,
    /// How many words of the present component have been seen.
    words: u32,
    /// The place in the code of the last frame.
    last: Option<[u64; 2]>,
}

impl PartitionKey {
    pub fn new(by: Partition) -> PartitionKey {
        let mut print = Fingerprinter::new();
        print.begin(PROGRAM, 0);
        PartitionKey { by, print, threads: 0, kind: 0, words: 0, last: None }
    }

    pub fn finish(mut self) -> u64 {
        for word in self.last.unwrap_or_default() {
            self.print.word(word);
        }
        self.print.take().fingerprint() as u64
    }
}

impl Sink for PartitionKey {
    fn begin(&mut self, kind: u8, _: u64) {
        self.threads += u32::from(kind == THREADS);
        (self.kind, self.words) = (kind, 0);
    }

    fn word(&mut self, word: u64) {
        self.words += 1;
        let mine = |nth: u32| self.threads == nth + 1;
        match self.by {
            Partition::Global => self.print.word(word),
            Partition::Local if matches!(self.kind, THREADS | FRAMES) => self.print.word(word),
            Partition::LocalOf(nth) if mine(nth) && matches!(self.kind, THREADS | FRAMES) => {
                self.print.word(word);
            }
            Partition::Pcs(nth) if mine(nth) && self.kind == FRAMES && self.words <= 2 => {
                self.print.word(word);
            }
            Partition::Pc(nth) if mine(nth) && self.kind == FRAMES && self.words <= 2 => {
                self.last.get_or_insert_default()[self.words as usize - 1] = word;
            }
            _ => {}
        }
    }
}

/// A walk that is taken for what it passes by.
pub(super) struct NoSink;

impl Sink for NoSink {
    const SUMMARISES_FRAMES: bool = true;

    fn begin(&mut self, _: u8, _: u64) {}

    fn word(&mut self, _: u64) {}
}
