//! The store that remembers nothing, for searches that bound themselves otherwise.

use crate::seat::Seats;
use crate::{Key, Omission, Report, Seat, Seen, Store, Wants};
use std::sync::Arc;

pub(crate) struct NoStore {
    seats: Arc<Seats>,
}

impl NoStore {
    pub(crate) fn new(seats: &Arc<Seats>) -> Self {
        NoStore { seats: seats.clone() }
    }
}

impl Store for NoStore {
    fn wants(&self) -> Wants {
        Wants::Nothing
    }

    fn seat(&self) -> Seat {
        self.seats.take()
    }

    fn insert(&self, seat: &mut Seat, _key: Key<'_>, _depth: u32) -> Seen {
        self.seats.number(seat);
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
