//! Going back without the journal: every state of the path is kept, and put back (Lerda & Visser 2001, section 2.3).
//!
//! `undo` takes back what transitions have done. Here, a state is kept before a transition leaves it: as the numbers of its components,
//! or as a whole copy. Few states can be kept neither way, and are reached by their paths again.

use super::places::Place;
use super::{Execution, Rewind};
use crate::machine::WholeState;
use sojourner_program::Fault;

/// A state of the path.
enum Kept {
    /// By the numbers of its components, or by its path if it has none.
    Place(Place),
    /// As a whole, and how it was reached.
    Whole(Box<WholeState>, Place),
}

impl Kept {
    fn bytes(&self) -> usize {
        let elsewhere = match self {
            Kept::Place(place) => place.bytes_elsewhere(),
            Kept::Whole(state, _) => state.bytes(),
        };
        size_of::<Kept>() + elsewhere
    }
}

/// The states of the path since the last `go`, as far as transitions have left them.
#[derive(Default)]
pub(super) struct KeptStates {
    states: Vec<Kept>,
    /// The number of transitions since the last `go`.
    depth: usize,
    bytes: usize,
}

impl KeptStates {
    /// The number of transitions on the path.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The bytes of all states.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Another path begins.
    pub fn clear(&mut self) {
        *self = KeptStates::default();
    }

    fn push(&mut self, kept: Kept) {
        self.bytes += kept.bytes();
        self.states.push(kept);
    }

    fn truncate(&mut self, states: usize) {
        self.bytes -= self.states[states..].iter().map(Kept::bytes).sum::<usize>();
        self.states.truncate(states);
    }
}

impl Execution {
    /// A transition is about to leave the present state.
    pub(super) fn keep_state(&mut self) {
        if self.kept.states.len() == self.kept.depth {
            let kept = match self.settings.rewind {
                Rewind::Undo => unreachable!("the journal has what it takes"),
                Rewind::Collapse => Kept::Place(self.place()),
                Rewind::Copy => match self.can_have_root().then(|| self.machine.copy_state()).flatten() {
                    Some(state) => Kept::Whole(Box::new(state), self.place_without_root()),
                    None => Kept::Place(self.place_without_root()),
                },
            };
            self.kept.push(kept);
        }
        self.kept.depth += 1;
    }

    /// Puts back the state at a depth.
    pub(super) fn put_back_kept(&mut self, depth: usize) -> Result<(), Fault> {
        if depth >= self.kept.depth {
            return Ok(());
        }
        self.kept.truncate(depth + 1);
        self.kept.depth = depth;
        let kept = self.kept.states.pop().expect("a transition has left the state");
        let done = match &kept {
            Kept::Place(place) => self.put_back_by_components(place),
            Kept::Whole(state, place) => self.put_back_whole(state, place),
        };
        self.kept.states.push(kept);
        done
    }
}
