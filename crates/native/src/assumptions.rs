//! Memory for which an assumption of the runtime has failed.
//!
//! The stack of a thread is assumed to be private: the thread's accesses to it are no visible operations. The driver learns which words
//! other threads access. The words of the first execution are learned whenever a program is opened, so they need not be written down.
//! If a search finds further words, it begins again. Words of data that no mutex guards are learned in the same way, but only
//! reductions use them. So are words of which another thread can see a half-written copy.

use sojourner_native_rt::protocol::{
    ALL_DATA, CLOCKS, DATES, MOST_SHARED, SINGLY, SLOT_BYTES, SLOTS, SLOTS_AT, TO_PROCESS, TORN,
};
use std::sync::RwLock;

/// How often a search begins again because of data, before all data counts as guarded by nothing.
const MOST_ROUNDS: u32 = 8;

/// How traces say that what takes several locks at once takes them one by one, and that the process is sent signals.
const LOCKS_SINGLY: &str = "locks singly";
const SIGNALS_TO_PROCESS: &str = "signals to the process";

/// The words that are known, by address.
#[derive(Default)]
pub struct Assumptions(RwLock<Words>);

#[derive(Clone, Default)]
struct Words {
    words: Vec<u64>,
    /// How often words of data have been added.
    rounds: u32,
}

impl Words {
    fn add(&mut self, word: u64) {
        if !self.words.contains(&word) && self.words.len() < MOST_SHARED {
            self.words.push(word);
        }
    }
}

/// Whether a word lies on a stack.
fn is_on_stack(word: u64) -> bool {
    (SLOTS_AT..SLOTS_AT + SLOTS * SLOT_BYTES).contains(&word) && !is_torn(word)
}

/// Whether copies of a word are made piece by piece.
fn is_torn(word: u64) -> bool {
    word > ALL_DATA && word & TORN != 0
}

impl Assumptions {
    /// The same, of its own.
    pub fn copy(&self) -> Assumptions {
        Assumptions(RwLock::new(self.0.read().expect("no holder panics").clone()))
    }

    /// The words that a search has come across.
    pub fn words(&self) -> Vec<u64> {
        self.0.read().expect("no holder panics").words.clone()
    }

    /// Adds words. Whether one of them is new.
    pub fn add(&self, words: &[u64]) -> bool {
        let mut known = self.0.write().expect("no holder panics");
        let before = known.words.len();
        words.iter().for_each(|&word| known.add(word));
        if words.iter().any(|&word| {
            !is_on_stack(word) && !is_torn(word) && ![CLOCKS, DATES, SINGLY, TO_PROCESS].contains(&word)
        }) {
            known.rounds += 1;
            if known.rounds == MOST_ROUNDS {
                known.add(ALL_DATA);
            }
        }
        known.words.len() > before
    }

    /// What was learned of stacks and copies, a line for each word: what a program that follows a schedule has to know.
    pub fn lines(&self) -> Vec<String> {
        let line = |word: &u64| match *word {
            word if is_torn(word) => Some(format!("copied {word:x}")),
            SINGLY => Some(LOCKS_SINGLY.into()),
            TO_PROCESS => Some(SIGNALS_TO_PROCESS.into()),
            word if is_on_stack(word) => Some(format!("stack {word:x}")),
            _ => None,
        };
        self.words().iter().filter_map(line).collect()
    }

    /// Reads what [`Assumptions::lines`] gave. Other lines are passed over.
    pub fn learn(&self, lines: &[String]) {
        let read = |line: &String| {
            match line.as_str() {
                LOCKS_SINGLY => return Some(SINGLY),
                SIGNALS_TO_PROCESS => return Some(TO_PROCESS),
                _ => {}
            }
            let word = line.strip_prefix("stack ").or_else(|| line.strip_prefix("copied "))?;
            u64::from_str_radix(word, 16).ok()
        };
        self.add(&lines.iter().filter_map(read).collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learned_facts_survive_writing_and_reading() {
        let (one, other) = (Assumptions::default(), Assumptions::default());
        assert!(one.add(&[0x1000_0080_0000, 0x1000_0080_0008, 0x40_4000 | TORN, SINGLY, TO_PROCESS]));
        assert!(!one.add(&[0x1000_0080_0008]));
        other.learn(&one.lines());
        other.learn(&["something else".into(), "stack xyz".into()]);
        assert_eq!(one.words(), other.words());
    }

    #[test]
    fn data_that_no_mutex_guards_is_all_data_after_some_rounds() {
        let assumptions = Assumptions::default();
        for round in 0..u64::from(MOST_ROUNDS) {
            assert!(!assumptions.words().contains(&ALL_DATA));
            assumptions.add(&[0x40_4000 + round * 8]);
        }
        assert!(assumptions.words().contains(&ALL_DATA));
        assert!(assumptions.lines().is_empty());
    }
}
