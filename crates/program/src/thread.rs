//! Threads of the program under test and their identities.

use crate::{Footprint, ObjectId};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::fmt;
use std::sync::RwLock;

/// A thread's number: an identity, interned in the [`Threads`] of its `Load`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// A thread's identity, which does not change if independent steps are reordered: the thread that created it, and how many that one had
/// created before. The first threads, which have no creator, are numbered.
///
/// It is written as the path from there, as in `0.2.1`: the second child of the third child of the first thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(pub Vec<u32>);

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, nth) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            write!(f, "{nth}")?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Identity {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split('.').map(str::parse).collect::<Result<_, _>>().map(Identity)
    }
}

/// The numbers of all threads that any execution of a program has had.
///
/// One table serves all programs of a `Load`, so that a schedule found by one of them can be followed by another.
#[derive(Debug, Default)]
pub struct Threads(RwLock<Table>);

#[derive(Clone, Debug, Default)]
struct Table {
    /// For each thread its parent and which child it is.
    origin: Vec<(Option<ThreadId>, u32)>,
    numbers: HashMap<(Option<ThreadId>, u32), ThreadId>,
}

impl Threads {
    /// A table with `first` threads that have no creator, numbered from 0 in order.
    pub fn new(first: u32) -> Self {
        let threads = Threads::default();
        for nth in 0..first {
            threads.child(None, nth);
        }
        threads
    }

    /// A table of its own with the same numbers.
    pub fn copy(&self) -> Threads {
        Threads(RwLock::new(self.0.read().expect("no holder panics").clone()))
    }

    /// The number of `parent`'s `nth` child, given on first use.
    pub fn child(&self, parent: Option<ThreadId>, nth: u32) -> ThreadId {
        let key = (parent, nth);
        if let Some(&known) = self.0.read().expect("no holder panics").numbers.get(&key) {
            return known;
        }
        let table = &mut *self.0.write().expect("no holder panics");
        *table.numbers.entry(key).or_insert_with(|| {
            table.origin.push(key);
            ThreadId(table.origin.len() as u32 - 1)
        })
    }

    /// The identity behind a number of this table.
    pub fn identity(&self, thread: ThreadId) -> Identity {
        let table = self.0.read().expect("no holder panics");
        let mut path = Vec::new();
        let mut next = Some(thread);
        while let Some(thread) = next {
            let (parent, nth) = table.origin[thread.0 as usize];
            path.push(nth);
            next = parent;
        }
        path.reverse();
        Identity(path)
    }

    /// The number of an identity, given on first use.
    pub fn number(&self, identity: &Identity) -> Option<ThreadId> {
        identity.0.iter().fold(None, |parent, &nth| Some(self.child(parent, nth)))
    }
}

/// Whether a thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has a choice.
    Ready,
    /// It waits, for that object if one can be named.
    Blocked(Option<ObjectId>),
    /// It has ended.
    Finished,
}

/// A thread as it stands in a state.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number.
    pub id: ThreadId,
    /// Whether it can move.
    pub status: Status,
    /// What its next transition would touch; of a blocked thread, what it is blocked on and what it would touch then.
    /// With several outcomes, all that any of them would touch. `Unknown` where that cannot be told: reductions leave
    /// out interleavings by what is said here.
    pub pending: Footprint,
    /// Of a blocked thread whose next transition acquires several objects: those that it cannot have as things stand. None:
    /// that is not told.
    pub lacks: SmallVec<[ObjectId; 2]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_round_trip_through_numbers_and_text() {
        let threads = Threads::new(2);
        let child = threads.child(Some(ThreadId(1)), 4);
        let grandchild = threads.child(Some(child), 0);
        assert_eq!(threads.child(Some(ThreadId(1)), 4), child);
        let identity = threads.identity(grandchild);
        assert_eq!(identity.to_string(), "1.4.0");
        assert_eq!("1.4.0".parse(), Ok(identity.clone()));
        assert_eq!(threads.number(&identity), Some(grandchild));
        assert_eq!(threads.number(&Identity(vec![])), None);
        assert!("1..0".parse::<Identity>().is_err());
    }
}
