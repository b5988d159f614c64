//! Stacks and thread-local storage, which are their threads' own until another thread touches them.
//!
//! No other thread notices what a thread does with its own stack, so it is no visible operation. That is an assumption, word by
//! word: a thread that touches the stack of another one breaks it, and the driver is told. It begins the search anew, and
//! from then on the word is like any other.

use crate::protocol::{ALL_DATA, HEAP_AT, MOST_SHARED};
use crate::rt::base::layout::{slot_at, slot_of};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::header;
use core::cell::Cell;

const TABLE: usize = 4096;
const WORD: u64 = 8;
/// Reads of a word of its own, with nothing visible in between, after which a thread is taken to wait for another thread to write there.
const PATIENCE: u32 = 1 << 16;
/// Words that are watched for that.
const WATCHED: usize = 16;

/// The words that are not private.
#[repr(C)]
pub struct Private {
    words: [Cell<u64>; TABLE],
    count: Cell<u32>,
    /// What the running thread has read of its own since something visible happened, and how often.
    reads: [Cell<(u64, u32)>; WATCHED],
    /// When that was: the number of steps.
    since: Cell<u64>,
}

fn first(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

impl Private {
    /// Whether no word is known to be anything but what words are taken for.
    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// Whether a word is known to be no thread's own, or to be guarded by no mutex.
    pub fn contains(&self, word: u64) -> bool {
        let mut at = first(word);
        while self.words[at].get() != 0 {
            if self.words[at].get() == word {
                return true;
            }
            at = (at + 1) % TABLE;
        }
        false
    }

    /// What has been read of late does not count any longer.
    pub fn forget_reads(&self) {
        self.since.set(u64::MAX);
    }

    fn add(&self, word: u64) {
        let mut at = first(word);
        while self.words[at].get() != 0 {
            at = (at + 1) % TABLE;
        }
        self.words[at].set(word);
        self.count.update(|count| count + 1);
    }

    /// Takes over the words that the driver gives, if it gives others than before.
    pub fn begin(&self) {
        let header = header();
        let given = (header.shared.get() as usize).min(MOST_SHARED);
        let words = || header.shared_words[..given].iter().map(Cell::get);
        if given == self.count.get() as usize && words().all(|word| self.contains(word)) {
            return;
        }
        self.words.iter().for_each(|word| word.set(0));
        self.count.set(0);
        words().for_each(|word| self.add(word));
    }
}

/// Whether the running thread's access to memory concerns no other thread. A thread that reads a word of its own again and again waits for
/// another thread to write there, which then does so on purpose: the word is not its own.
#[inline]
pub fn is_private(runtime: &Runtime, address: u64, size: u32, reads: bool) -> bool {
    let private = is_own(runtime, address, size);
    if private && (reads || runtime.private.since.get() == runtime.log.count()) {
        return !note(runtime, address & !(WORD - 1), reads);
    }
    private
}

/// Takes note of an access to a word of the running thread's own. Whether it has read it for too long.
fn note(runtime: &Runtime, word: u64, reads: bool) -> bool {
    let step = runtime.log.count();
    let private = &runtime.private;
    if private.since.get() != step {
        private.since.set(step);
        private.reads.iter().for_each(|entry| entry.set((0, 0)));
    }
    let entry = &private.reads[(word / WORD) as usize % WATCHED];
    let (known, times) = entry.get();
    if !reads || known != word {
        entry.set((word, 0));
        return false;
    }
    entry.set((word, times + 1));
    let spins = times + 1 == PATIENCE;
    if spins {
        touched(runtime, word);
    }
    spins
}

/// Whether what the running thread touches lies on its own stack, and no other thread is known to touch it.
#[inline]
pub fn is_own(runtime: &Runtime, address: u64, size: u32) -> bool {
    let Some(slot) = slot_of(address) else { return false };
    if address - slot_at(slot) >= HEAP_AT {
        return false;
    }
    let own = runtime.thread().slot.get() == slot;
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
fn touched(runtime: &Runtime, word: u64) {
    let header = header();
    if header.shared.get() as usize == MOST_SHARED {
        crate::rt::sched::defect::refuse(b"more than 1024 words on stacks that several threads touch");
    }
    header.shared_words[header.shared.get() as usize].set(word);
    header.shared.update(|shared| shared + 1);
    runtime.private.add(word);
}

/// A word of data, or [`ALL_DATA`], that no mutex guards, of which that was not known. Words on stacks need the room, so that of
/// many words of data all are told of at once.
#[cold]
pub fn unguarded(runtime: &Runtime, word: u64) {
    let word = if (header().shared.get() as usize) < MOST_SHARED / 2 { word } else { ALL_DATA };
    met(runtime, word);
}

/// What that word stands for is so, of which that was perhaps not known.
pub fn met(runtime: &Runtime, word: u64) {
    if !runtime.private.contains(word) {
        touched(runtime, word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::state::new_state;

    #[test]
    fn words_of_the_driver_are_taken_over() {
        let (runtime, header) = (new_state(), header());
        for (nth, word) in (0..300).map(|nth| nth * WORD + WORD).enumerate() {
            header.shared_words[nth].set(word);
        }
        header.shared.set(300);
        runtime.private.begin();
        assert!((1..=300).all(|nth| runtime.private.contains(nth * WORD)));
        assert!(!runtime.private.contains(301 * WORD));
        header.shared.set(1);
        runtime.private.begin();
        assert!(runtime.private.contains(WORD) && !runtime.private.contains(2 * WORD));
    }

    #[test]
    fn word_is_told_once() {
        let (runtime, header) = (new_state(), header());
        met(runtime, 0x1230);
        met(runtime, 0x1230);
        assert_eq!((header.shared.get(), header.shared_words[0].get()), (1, 0x1230));
    }

    #[test]
    fn many_words_of_data_are_told_of_at_once() {
        let (runtime, header) = (new_state(), header());
        header.shared.set(MOST_SHARED as u32 / 2);
        unguarded(runtime, 0x1230);
        assert!(runtime.private.contains(ALL_DATA) && !runtime.private.contains(0x1230));
    }
}
