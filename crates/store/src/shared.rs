//! Fingerprints in a set that the program under test looks in, too.

use crate::seat::Seats;
use crate::{Key, Omission, Report, Seat, Seen, Store, Wants};
use sojourner_program::SharedSet;
use std::sync::Arc;

/// A set of whole fingerprints that a program keeps.
pub(crate) struct Shared {
    set: Arc<dyn SharedSet>,
    seats: Arc<Seats>,
}

impl Shared {
    pub(crate) fn new(set: Arc<dyn SharedSet>) -> Self {
        Shared { set, seats: Seats::new(1) }
    }
}

impl Store for Shared {
    fn wants(&self) -> Wants {
        Wants::Fingerprint
    }

    fn seat(&self) -> Seat {
        self.seats.take()
    }

    fn insert(&self, seat: &mut Seat, key: Key<'_>, _depth: u32) -> Seen {
        self.seats.number(seat);
        match self.set.insert(key.fingerprint()) {
            Some(true) => Seen::New,
            Some(false) => Seen::Again,
            None => Seen::Full,
        }
    }

    fn states(&self) -> u64 {
        self.set.states()
    }

    fn bytes(&self) -> u64 {
        self.set.bytes()
    }

    fn report(&self) -> Report {
        let states = self.states();
        let omission = Omission::of_fingerprints(states, 128);
        Report { name: "compact", states, bytes: self.bytes(), omission, pools: Vec::new() }
    }
}
