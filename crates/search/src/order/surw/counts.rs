//! What an execution has shown: how often each thread accessed each object, and which thread created which.

use foldhash::{HashMap, HashSet};
use sojourner_program::{Footprint, ObjectId, Step, ThreadId};
use std::collections::BTreeSet;

/// Counts of one execution.
#[derive(Default)]
pub(super) struct Counts {
    accesses: HashMap<(ObjectId, ThreadId), u64>,
    /// Objects that were not only looked at.
    changed: HashSet<ObjectId>,
    steps: HashMap<ThreadId, u64>,
    /// Steps that may have touched anything.
    unknown: HashMap<ThreadId, u64>,
    parents: HashMap<ThreadId, ThreadId>,
}

/// The events whose order is drawn uniformly in an execution.
pub(super) enum Selection {
    /// Every step is one, whatever it touches.
    All,
    /// The accesses to these objects.
    Objects(BTreeSet<ObjectId>),
}

impl Selection {
    /// How many selected events a step with that footprint makes.
    pub fn events(&self, footprint: &Footprint) -> u64 {
        match (self, footprint.accesses()) {
            (Selection::All, _) | (_, None) => 1,
            (Selection::Objects(objects), Some(accesses)) => {
                accesses.iter().filter(|access| objects.contains(&access.object)).count() as u64
            }
        }
    }
}

impl Counts {
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A thread has made a step.
    pub fn note(&mut self, thread: ThreadId, step: &Step) {
        *self.steps.entry(thread).or_default() += 1;
        match step.footprint.accesses() {
            None => *self.unknown.entry(thread).or_default() += 1,
            Some(accesses) => {
                for access in accesses {
                    *self.accesses.entry((access.object, thread)).or_default() += 1;
                    if !access.mode.only_looks() {
                        self.changed.insert(access.object);
                    }
                }
            }
        }
        self.parents.extend(step.created.iter().map(|&child| (child, thread)));
    }

    /// The objects that several threads have accessed and one at least has changed, in order.
    pub fn shared(&self) -> Vec<ObjectId> {
        let mut users: Vec<_> = self.accesses.keys().copied().collect();
        users.sort_unstable();
        let mut shared: Vec<ObjectId> =
            users.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0).collect();
        shared.dedup();
        shared.retain(|object| self.changed.contains(object));
        shared
    }

    /// The threads that no thread has created.
    pub fn first_threads(&self) -> impl Iterator<Item = ThreadId> {
        self.steps.keys().copied().filter(|thread| !self.parents.contains_key(thread))
    }

    /// By thread, the selected events that it and all its descendants have made.
    pub fn with_descendants(&self, selected: &Selection) -> HashMap<ThreadId, u64> {
        let mut sums = HashMap::default();
        let mut add = |thread: ThreadId, events: u64| {
            let mut next = Some(thread);
            while let Some(thread) = next {
                *sums.entry(thread).or_default() += events;
                next = self.parents.get(&thread).copied();
            }
        };
        let whole = match selected {
            Selection::All => &self.steps,
            Selection::Objects(_) => &self.unknown,
        };
        whole.iter().for_each(|(&thread, &steps)| add(thread, steps));
        if let Selection::Objects(objects) = selected {
            for (&(object, thread), &accesses) in &self.accesses {
                if objects.contains(&object) {
                    add(thread, accesses);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_program::{Detail, Mode};

    fn note(counts: &mut Counts, thread: u32, object: u64, mode: Mode, created: &[u32]) {
        let mut step = Step::new(Detail::Footprint);
        step.footprint = Footprint::nothing();
        step.footprint.touch(ObjectId(object), mode);
        step.created = created.iter().copied().map(ThreadId).collect();
        counts.note(ThreadId(thread), &step);
    }

    #[test]
    fn count_of_a_thread_contains_those_of_its_descendants() {
        let mut counts = Counts::default();
        note(&mut counts, 0, 7, Mode::Write, &[1]);
        note(&mut counts, 1, 7, Mode::Read, &[2]);
        note(&mut counts, 2, 7, Mode::Read, &[]);
        note(&mut counts, 2, 8, Mode::Write, &[]);
        note(&mut counts, 1, 9, Mode::Read, &[]);
        note(&mut counts, 2, 9, Mode::Read, &[]);
        // Only one thread uses 8, and none changes 9.
        assert_eq!(counts.shared(), [ObjectId(7)]);
        assert_eq!(counts.first_threads().collect::<Vec<_>>(), [ThreadId(0)]);
        let sums = |selected| {
            let sums = counts.with_descendants(&selected);
            [0, 1, 2].map(|thread| sums.get(&ThreadId(thread)).copied().unwrap_or(0))
        };
        assert_eq!(sums(Selection::All), [6, 5, 3]);
        assert_eq!(sums(Selection::Objects([ObjectId(7)].into())), [3, 2, 1]);
        assert_eq!(sums(Selection::Objects([ObjectId(7), ObjectId(8)].into())), [4, 3, 2]);
    }
}
