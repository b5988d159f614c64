//! How much garbage a search collects: objects that no longer belong to states (Lerda & Visser 2001, Table 2).
//!
//! Nothing is collected at once: a state has the objects that its walk comes to, and the others are taken back with the transitions
//! that allocated them. So garbage is counted by difference. Of the objects that were allocated on the path, those that the state
//! does not have are garbage, and a transition has collected as many as there are more of them than before.

use super::Gc;
use sojourner_program::Garbage;

/// Counts garbage along the path, and in all.
pub(super) struct GarbageCount {
    total: Garbage,
    /// Whether states are counted when their fingerprints are asked for, and not when they are encoded.
    pub by_fingerprint: bool,
    /// Garbage in states of the path: the number of transitions that can be taken back there, and the objects.
    trail: Vec<(usize, u32)>,
}

impl GarbageCount {
    /// Nothing was collected yet.
    pub fn new(gc: Gc) -> GarbageCount {
        let runs = (gc == Gc::Mark).then_some(0);
        GarbageCount { total: Garbage { objects: 0, runs }, by_fingerprint: false, trail: Vec::new() }
    }

    /// The state where so many transitions can be taken back has `alive` of the objects that were allocated on the path. `marked`:
    /// all of it was looked at to find that out.
    #[inline]
    pub fn note(&mut self, marks: usize, allocated: u32, alive: usize, marked: bool) {
        if marked && let Some(runs) = &mut self.total.runs {
            *runs += 1;
        }
        let garbage = allocated.saturating_sub(alive as u32);
        while self.trail.last().is_some_and(|&(at, _)| at >= marks) {
            self.trail.pop();
        }
        let before = self.trail.last().map_or(0, |&(_, before)| before);
        self.total.objects += u64::from(garbage.saturating_sub(before));
        self.trail.push((marks, garbage));
    }

    /// The garbage in the last state that was noted.
    pub fn here(&self) -> u32 {
        self.trail.last().map_or(0, |&(_, garbage)| garbage)
    }

    /// Another path begins, where so many transitions can be taken back, with that much garbage.
    pub fn begin(&mut self, marks: usize, garbage: u32) {
        self.trail.clear();
        self.trail.push((marks, garbage));
    }

    /// What was collected so far.
    pub fn total(&self) -> Garbage {
        self.total
    }

    /// The bytes that the trail takes.
    pub fn bytes(&self) -> usize {
        self.trail.capacity() * size_of::<(usize, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_counts_once_for_each_transition_that_leaves_it() {
        let mut count = GarbageCount::new(Gc::Mark);
        count.note(0, 0, 0, true);
        // Five objects, two of them of no use at the end of the transition, and then a third one.
        count.note(1, 5, 3, true);
        count.note(2, 5, 2, false);
        assert_eq!(count.total(), Garbage { objects: 3, runs: Some(2) });
        // Back, and another way on from the state after the first transition.
        count.note(2, 6, 3, false);
        assert_eq!(count.total().objects, 4);
        assert_eq!(count.here(), 3);
        // A state of another path had two.
        count.begin(0, 2);
        count.note(1, 9, 4, true);
        assert_eq!(count.total(), Garbage { objects: 7, runs: Some(3) });
    }

    #[test]
    fn only_marking_has_runs() {
        for gc in [Gc::Refcount, Gc::None] {
            let mut count = GarbageCount::new(gc);
            count.note(1, 2, 1, true);
            assert_eq!(count.total(), Garbage { objects: 1, runs: None });
        }
    }
}
