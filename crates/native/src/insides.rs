//! What threads touch in atomic sections that are one step.
//!
//! That is learned like words on stacks: what the first execution meets is known whenever a program is opened, further things when
//! a search comes across them and begins again. Only reductions go by it, so that it need not be written down.

use sojourner_native_rt::protocol::{EVERYWHERE, Inside, MOST_INSIDE};
use std::sync::RwLock;

/// What a search has come across.
#[derive(Default)]
pub struct Insides(RwLock<Vec<Inside>>);

impl Insides {
    /// All that is known.
    pub fn all(&self) -> Vec<Inside> {
        self.0.read().expect("no holder panics").clone()
    }

    /// Adds what a run has met.
    pub fn add(&self, met: &[Inside]) {
        let mut known = self.0.write().expect("no holder panics");
        known.extend_from_slice(met);
        *known = without_repeats(&known);
        if known.len() > MOST_INSIDE {
            *known = vec![Inside::apart(EVERYWHERE)];
        }
    }
}

/// The same without what something else says, too.
pub fn without_repeats(insides: &[Inside]) -> Vec<Inside> {
    let mut all: Vec<Inside> = Vec::new();
    for inside in insides {
        if !all.iter().any(|known| known.covers(inside)) {
            all.retain(|known| !inside.covers(known));
            all.push(*inside);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_native_rt::protocol::{How, Space, Touch};

    fn inside(place: u64, object: u64, how: How) -> Inside {
        let touch = Touch { object, size: 4, how: how as u8, space: Space::Memory as u8, lacks: 0 };
        Inside { place, slot: 1, padding: 0, touch }
    }

    #[test]
    fn who_writes_reads_too() {
        let (read, write) = (inside(1, 8, How::Read), inside(1, 8, How::Write));
        assert_eq!(without_repeats(&[read, write, read]), [write]);
        assert_eq!(without_repeats(&[write, read]), [write]);
        let elsewhere = inside(2, 8, How::Read);
        assert_eq!(without_repeats(&[write, elsewhere]), [write, elsewhere]);
    }

    #[test]
    fn what_was_met_twice_is_known_once() {
        let insides = Insides::default();
        insides.add(&[inside(1, 8, How::Read)]);
        insides.add(&[inside(1, 8, How::Read), Inside::apart(1)]);
        assert_eq!(insides.all(), [inside(1, 8, How::Read), Inside::apart(1)]);
    }
}
