//! States of a C or C++ program, told apart by numbers.
//!
//! A program whose threads take one lock again and again has far fewer states than executions. The runtime sums up each state
//! in a number, so that a depth-first search can leave those that it has been in. What is proven by that is that no state
//! is bad; two things are not seen in a state, so that a search which comes across either of them leaves it to a reduction:
//! whether a program that comes back to a state on its way does so for ever, and what lies between the parts of an access that
//! races with another one. That accesses race does show, though: some state has both before it.

use crate::execution::Execution;
use crate::region::Region;
use crate::exploration::Races;
use sojourner_native_rt::protocol::{How, Op, Pending, RUN, Race, Space};
use sojourner_program::{Choice, Encoded, Fault, Lesser, Partition, Schedule, Stateful};

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
    /// Accesses that race here are added to `lesser`, if races are findings.
    pub(crate) fn leaves_out(&mut self, lesser: &mut Vec<Lesser>) -> Option<&'static str> {
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
        if region.header().waited != 0 {
            return Some("time-outs: steps that come last are left to a reduction");
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
        if let Some(race) = racing(region, here.all_pending()) {
            if self.shared.exploration.races == Races::Last {
                lesser.extend(race.and_then(|[one, other]| self.race_of(&one, &other)));
            }
            return Some("races: what threads see of accesses that race is left to a reduction");
        }
        None
    }
}

impl Execution {
    /// The race that shows when the two accesses are made, one behind the other.
    fn race_of(&self, first: &Access, second: &Access) -> Option<Lesser> {
        let race = Race {
            object: first.start.max(second.start),
            here: second.place,
            there: first.place,
            writes: u32::from(second.writes) | u32::from(first.writes) << 1,
            step: self.at() as u32 + 2,
            thread: second.thread,
            other: first.thread,
        };
        let behind = [first, second].map(|access| self.thread_id(access.thread).map(Choice::run));
        let behind: Option<Schedule> = behind.into_iter().collect();
        Some(Lesser { finding: self.race(&race), behind: behind? })
    }
}

/// A part of memory that a thread is about to touch.
#[derive(Clone, Copy)]
struct Access {
    start: u64,
    end: u64,
    writes: bool,
    is_atomic: bool,
    /// The thread, by its number in the execution.
    thread: u32,
    place: u64,
    /// Whether the thread can move.
    is_ready: bool,
}

impl Access {
    fn races_with(&self, other: &Access) -> bool {
        let overlap = self.start < other.end && other.start < self.end;
        overlap && (self.writes || other.writes) && !(self.is_atomic && other.is_atomic)
    }
}

/// Whether two of these operations, before which threads stand, race: the two accesses, if both can be made.
fn racing(region: &Region, pending: impl Iterator<Item = Pending>) -> Option<Option<[Access; 2]>> {
    let mut others: Vec<Access> = Vec::new();
    for (thread, pending) in pending.enumerate() {
        let is_atomic = [Op::AtomicRead, Op::AtomicWrite, Op::AtomicUpdate].contains(&op_of(&pending));
        let is_plain = [Op::Read, Op::Write].contains(&op_of(&pending));
        let access = |start: u64, size: u32, how: u8, is_atomic: bool| Access {
            start,
            end: start + u64::from(size.max(1)),
            writes: how != How::Read as u8,
            is_atomic,
            thread: thread as u32,
            place: pending.place,
            is_ready: pending.offer == RUN,
        };
        let first = (is_atomic || is_plain).then(|| access(pending.object, pending.size, pending.how, is_atomic));
        let further = region.extras(&pending).filter(|touch| touch.space == Space::Memory as u8);
        let further = further.map(|touch| access(touch.object, touch.size, touch.how, is_atomic));
        let own: Vec<Access> = first.into_iter().chain(further).collect();
        let race = own.iter().find_map(|one| Some([*others.iter().find(|other| one.races_with(other))?, *one]));
        if let Some(race) = race {
            return Some(Some(race).filter(|race| race.iter().all(|access| access.is_ready)));
        }
        others.extend(own);
    }
    None
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
