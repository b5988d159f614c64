//! Words on the stacks of threads that other threads touch.
//!
//! A stack is its thread's own until somebody else touches it: what a thread does there is no visible operation. Which words
//! are touched by others is learned: those of the first execution whenever a program is opened, so that they need not be
//! written down; further ones when a search comes across them and begins again.

use sojourner_native_rt::protocol::MOST_SHARED;
use std::sync::RwLock;

/// The words that are known, by address.
#[derive(Default)]
pub struct Stacks(RwLock<Vec<u64>>);

impl Stacks {
    /// The words that a search has come across.
    pub fn words(&self) -> Vec<u64> {
        self.0.read().expect("no holder panics").clone()
    }

    /// Adds words. Whether one of them is new.
    pub fn add(&self, words: &[u64]) -> bool {
        let mut known = self.0.write().expect("no holder panics");
        let before = known.len();
        for word in words {
            if !known.contains(word) && known.len() < MOST_SHARED {
                known.push(*word);
            }
        }
        known.len() > before
    }

    /// What was learned, a line for each word.
    pub fn lines(&self) -> Vec<String> {
        self.words().iter().map(|word| format!("stack {word:x}")).collect()
    }

    /// Reads what [`Stacks::lines`] gave. Other lines are passed over.
    pub fn learn(&self, lines: &[String]) {
        let read = |line: &String| u64::from_str_radix(line.strip_prefix("stack ")?, 16).ok();
        self.add(&lines.iter().filter_map(read).collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_can_be_written_down_and_read_back() {
        let (one, other) = (Stacks::default(), Stacks::default());
        assert!(one.add(&[0x1000_0080_0000, 8]));
        assert!(!one.add(&[8]));
        other.learn(&one.lines());
        other.learn(&["something else".into(), "stack xyz".into()]);
        assert_eq!(one.words(), other.words());
    }
}
