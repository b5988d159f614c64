//! Stacks and thread-local storage, which are their threads' own until somebody else touches them.
//!
//! What a thread does with its own stack nobody can notice, so it is no visible operation. That is an assumption, word by
//! word: a thread that touches the stack of another one breaks it, and the driver is told. It begins the search anew, and
//! from then on the word is like any other.

use super::Runtime;
use super::layout::{slot_at, slot_of};
use super::state::header;
use crate::protocol::{HEAP_AT, MOST_SHARED};

const TABLE: usize = 4096;
const WORD: u64 = 8;

/// The words that are not private.
#[repr(C)]
pub struct Private {
    words: [u64; TABLE],
    count: u32,
}

fn first(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

impl Private {
    fn contains(&self, word: u64) -> bool {
        let mut at = first(word);
        while self.words[at] != 0 {
            if self.words[at] == word {
                return true;
            }
            at = (at + 1) % TABLE;
        }
        false
    }

    fn add(&mut self, word: u64) {
        let mut at = first(word);
        while self.words[at] != 0 {
            at = (at + 1) % TABLE;
        }
        self.words[at] = word;
        self.count += 1;
    }

    /// Takes over the words that the driver gives, if it gives others than before.
    pub fn begin(&mut self) {
        let header = header();
        let given = (header.shared as usize).min(MOST_SHARED);
        if given == self.count as usize
            && header.shared_words[..given].iter().all(|word| self.contains(*word))
        {
            return;
        }
        self.words.fill(0);
        self.count = 0;
        header.shared_words[..given].iter().for_each(|word| self.add(*word));
    }
}

/// Whether the running thread's access to memory is nobody else's business.
#[inline]
pub fn is_private(runtime: &mut Runtime, address: u64, size: u32) -> bool {
    let Some(slot) = slot_of(address) else { return false };
    if address - slot_at(slot) >= HEAP_AT {
        return false;
    }
    let own = runtime.thread().slot == slot;
    let mut word = address & !(WORD - 1);
    let mut private = own;
    while word < address + u64::from(size) {
        if !runtime.private.contains(word) {
            if !own {
                touched(runtime, word);
            }
        } else {
            private = false;
        }
        word += WORD;
    }
    private
}

/// Another thread's word, of which that was not known.
#[cold]
fn touched(runtime: &mut Runtime, word: u64) {
    let header = header();
    let known = header.shared as usize;
    if known < MOST_SHARED {
        header.shared_words[known] = word;
        header.shared += 1;
        runtime.private.add(word);
    } else {
        super::defect::refuse(b"more than 1024 words on stacks that several threads touch");
    }
}
