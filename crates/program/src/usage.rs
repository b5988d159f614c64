//! What a program keeps beside the state that it is in, and what its garbage collector does.

/// What a program keeps to go back, and what has been collected so far. A search adds it to what it keeps itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The bytes of what it rewinds by: a journal, copies of states, a schedule.
    pub path: u64,
    /// The bytes of the components that places refer to.
    pub pools: u64,
    /// What its garbage collector has done; nothing if it has none.
    pub garbage: Option<Garbage>,
}

/// What a garbage collector has done on all paths together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Garbage {
    /// The objects that were collected: each counts once for every transition that leaves it without a use.
    pub objects: u64,
    /// How often the objects in use were marked; nothing for a collector that does not mark.
    pub runs: Option<u64>,
}

impl Garbage {
    /// Adds what another collector has done.
    pub fn add(&mut self, other: &Garbage) {
        self.objects += other.objects;
        self.runs = match (self.runs, other.runs) {
            (Some(mine), Some(others)) => Some(mine + others),
            (mine, others) => mine.or(others),
        };
    }

    /// What it has done since it had done only `before`.
    #[must_use]
    pub fn since(&self, before: &Garbage) -> Garbage {
        let runs = self.runs.map(|runs| runs - before.runs.unwrap_or(0));
        Garbage { objects: self.objects - before.objects, runs }
    }
}
