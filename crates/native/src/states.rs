//! States of a C or C++ program, told apart by numbers.
//!
//! A program whose threads take one lock again and again has far fewer states than executions. The runtime sums up each state
//! in a number, so that a depth-first search can leave those that it has been in. What is proven by that is that no state
//! is bad; two things are not seen in a state, so that a search which comes across either of them leaves it to a reduction:
//! whether a program that comes back to a state on its way does so for ever, and what lies between the parts of an access that
//! races with another one. That accesses race does show, though: some state has both before it.

use crate::execution::Execution;
use crate::region::Region;
use sojourner_native_rt::protocol::{How, Op, Pending, Space};
use sojourner_program::{Encoded, Fault, Partition, Stateful};

/// Steps after which a path is given up: a program that counts for ever has endless states.
const DEEPEST: usize = 10_000;

/// What is known of the states on the way to where a program stands.
#[derive(Default)]
pub(crate) struct Path {
    /// The numbers of the states, from the first on.
    sums: Vec<u64>,
    /// How many states could not be told from others.
    untold: u128,
}

impl Execution {
    /// Why a search that goes by states proves nothing, if that shows where the program stands.
    pub(crate) fn leaves_out(&mut self) -> Option<&'static str> {
        let (at, rows) = (self.at(), self.rows());
        let region = &self.worker.region;
        let sums = &mut self.path.sums;
        sums.truncate(at);
        sums.extend((sums.len()..at).map(|state| region.state(state).sum));
        let here = region.state(at);
        if at >= rows || here.goes_round {
            // A finding, which is judged.
            return None;
        }
        if at >= DEEPEST {
            return Some("depth: executions of more than 10000 steps are left to a reduction");
        }
        if here.sum == 0 {
            return Some("memory: states of the program are too large to be summed up");
        }
        // An end where a thread was left alone says nothing, and only a reduction sees to the others.
        let is_left = here.all_pending().any(|pending| op_of(&pending) == Op::Left);
        if is_left || sums.contains(&here.sum) {
            return Some("rounds: threads come back to where they were, which is left to a reduction");
        }
        // Also with one who stands before its access while another one is in an atomic section.
        if are_racing(region, here.all_pending()) {
            return Some("races: what threads see of accesses that race is left to a reduction");
        }
        None
    }
}

/// A part of memory that a thread is about to touch.
struct Access {
    start: u64,
    end: u64,
    writes: bool,
    is_atomic: bool,
}

impl Access {
    fn races_with(&self, other: &Access) -> bool {
        let overlap = self.start < other.end && other.start < self.end;
        overlap && (self.writes || other.writes) && !(self.is_atomic && other.is_atomic)
    }
}

/// Whether two of these operations, before which threads stand, race.
fn are_racing(region: &Region, pending: impl Iterator<Item = Pending>) -> bool {
    let mut others: Vec<Access> = Vec::new();
    for pending in pending {
        let is_atomic = [Op::AtomicRead, Op::AtomicWrite, Op::AtomicUpdate].contains(&op_of(&pending));
        let is_plain = [Op::Read, Op::Write].contains(&op_of(&pending));
        let access = |start: u64, size: u32, how: u8, is_atomic: bool| Access {
            start,
            end: start + u64::from(size.max(1)),
            writes: how != How::Read as u8,
            is_atomic,
        };
        let first = (is_atomic || is_plain).then(|| access(pending.object, pending.size, pending.how, is_atomic));
        let further = region.extras(&pending).filter(|touch| touch.space == Space::Memory as u8);
        let further = further.map(|touch| access(touch.object, touch.size, touch.how, is_atomic));
        let own: Vec<Access> = first.into_iter().chain(further).collect();
        if own.iter().any(|one| others.iter().any(|other| one.races_with(other))) {
            return true;
        }
        others.extend(own);
    }
    false
}

fn op_of(pending: &Pending) -> Op {
    Op::from_number(pending.op).unwrap_or(Op::Finished)
}

impl Stateful for Execution {
    fn prepare_states(&mut self) -> Result<(), Fault> {
        self.tell_states()
    }

    fn fingerprint(&mut self) -> u128 {
        let at = self.at();
        let here = self.worker.region.state(at);
        if at >= self.rows() || here.sum == 0 {
            // Like no other.
            self.path.untold += 1;
            return self.path.untold;
        }
        // It has been there before, but as what it is now it is to be judged.
        let twin = if here.goes_round { !here.twin } else { here.twin };
        u128::from(twin) << 64 | u128::from(here.sum)
    }

    fn encode(&mut self, out: &mut Encoded) {
        let fingerprint = self.fingerprint();
        out.put(0, &fingerprint.to_le_bytes());
    }

    fn decode(&mut self, _: &Encoded) -> Result<(), Fault> {
        let what = "going to a state of a C program by its number".into();
        Err(Fault::Unsupported { what, location: None })
    }

    fn kinds(&self) -> Vec<String> {
        vec!["state".into()]
    }

    fn key(&mut self, _: Partition) -> u64 {
        self.fingerprint() as u64
    }
}
