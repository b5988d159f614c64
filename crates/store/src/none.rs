//! The store that remembers nothing, for searches that bound themselves otherwise.

use crate::{Key, Omission, Report, Seen, Store, Wants};

pub(crate) struct Nothing;

impl Store for Nothing {
    fn wants(&self) -> Wants {
        Wants::Nothing
    }

    fn insert(&self, _worker: usize, _key: Key<'_>, _depth: u32) -> Seen {
        Seen::New
    }

    fn states(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn report(&self) -> Report {
        Report { name: "none", states: 0, bytes: 0, omission: Omission::NotStored, pools: Vec::new() }
    }
}
