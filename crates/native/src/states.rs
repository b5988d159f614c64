//! States of a C or C++ program, identified by hashes.
//!
//! A program whose threads take one lock again and again has far fewer states than executions. The runtime computes a hash of each
//! state, so a depth-first search can leave states that it has visited. The search then proves that no state is bad, and that an
//! execution can end from each of them. Threads that spin or loop together come back to states on the path; the search knows whether
//! there is a way out. A hash does not show what lies between the parts of an access that races with another one. A search that meets such
//! an access leaves the program to a reduction. A race itself shows: some state has both accesses enabled, unless a thread learns of
//! the other one without being ordered behind it.

use crate::execution::Execution;
use crate::native_program::Shared;
use crate::region::Region;
use sojourner_frontend::shared::Races;
use sojourner_native_rt::protocol::{How, Op, Pending, RUN, Race, Space};
use sojourner_program::{Choice, Fault, Lesser, Limits, OpenPath, Schedule, Searched, Stateful, Step};
use std::sync::atomic::Ordering::Relaxed;

/// Steps after which a path is given up: a program that counts for ever has endless states.
pub(crate) const DEEPEST: usize = 10_000;

/// What is known of the states on the way to where a program stands.
#[derive(Default)]
pub(crate) struct Path {
    /// The numbers of the states, from the first on.
    sums: Vec<u64>,
    /// How many states could not be told from others.
    untold: u128,
    /// Whether the program has come back to a state on its way.
    pub(crate) goes_round: bool,
    /// Whether it was said what a search by states overlooks.
    pub(crate) told: bool,
    /// Whether a thread that waits to end the program may do so while others can move.
    pub(crate) exits_early: bool,
}

impl Path {
    /// The states on the way are others than before.
    pub(crate) fn forget(&mut self) {
        self.sums.clear();
    }
}

impl Execution {
    /// Says why a search that goes by states proves nothing, if that shows where the program stands.
    /// Accesses that race here are lesser findings, if races are findings.
    pub(crate) fn look_at_state(&mut self, step: &mut Step) -> Result<(), Fault> {
        let (at, rows) = (self.at(), self.rows());
        let region = &self.worker.region;
        let sums = &mut self.path.sums;
        sums.truncate(at);
        sums.extend((sums.len()..at).map(|state| region.state(state).sum));
        if at >= rows {
            // A finding, which is judged.
            return Ok(());
        }
        let here = region.state(at);
        let comes_again = here.sum != 0 && sums.contains(&here.sum);
        let leaves = here.all_pending().any(|pending| op_of(&pending) == Op::Exit);
        self.path.goes_round |= comes_again;
        if comes_again && leaves && !self.path.exits_early {
            self.shared.exits.store(true, Relaxed);
            return Err(Fault::Again {
                why: "threads had been taken to come to an end before the program does".into(),
            });
        }
        step.leaves_out = self.left_out();
        let region = &self.worker.region;
        let looks_for_races = self.shared.exploration.races != Races::Off;
        if region.header().unordered.get() != 0
            && looks_for_races
            && !std::mem::replace(&mut self.path.told, true)
        {
            step.overlooks = Some(OVERLOOKED);
        }
        // Also with a thread that stands before its access while another one is in an atomic section.
        if step.leaves_out.is_none()
            && let Some(race) = racing(region, region.state(at).all_pending())
        {
            if self.shared.exploration.races == Races::Last {
                step.lesser.extend(race.and_then(|[one, other]| self.race_of(&one, &other)));
            }
            step.leaves_out = Some("races: what threads see of accesses that race is left to a reduction");
        }
        Ok(())
    }

    /// Why states from here on are left to a reduction, if they are.
    fn left_out(&self) -> Option<&'static str> {
        let header = self.worker.region.header();
        // A thread that spins can always move, so that a time-out that comes last would never come; nor would an alarm.
        let waits = self.shared.withheld.load(Relaxed) || self.shared.alarms.load(Relaxed);
        match () {
            () if self.at() >= DEEPEST => {
                Some("depth: executions of more than 10000 steps are left to a reduction")
            }
            () if header.waited.get() != 0 => Some("time-outs: steps that come last are left to a reduction"),
            () if self.path.goes_round && waits => {
                Some("time-outs: threads that go round meanwhile are left to a reduction")
            }
            () if header.outlasts.get() != 0 => {
                Some("system: what a process keeps beside its memory is left to a reduction")
            }
            () if self.worker.region.state(self.at()).sum == 0 => {
                Some("memory: states of the program are too large to be summed up")
            }
            () => None,
        }
    }

    /// Adds the choices of threads that could end the program, although others can move.
    pub(crate) fn add_exits(&self, out: &mut Vec<Choice>) {
        let leaves = |(_, pending): &(usize, Pending)| op_of(pending) == Op::Exit && pending.offer == 0;
        let leavers = self.here_pending().enumerate().filter(leaves);
        out.extend(leavers.filter_map(|(number, _)| self.thread_id(number as u32)).map(Choice::run));
    }
}

/// What a search by states does not see of a program in which one thread can learn of another one without being ordered behind it.
const OVERLOOKED: &str =
    "races: behind relaxed atomic operations, and attempts to lock that fail, they are left to a reduction";

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
        let first =
            (is_atomic || is_plain).then(|| access(pending.object, pending.size, pending.how, is_atomic));
        let further = region.extras(&pending).filter(|touch| touch.space == Space::Memory as u8);
        let further = further.map(|touch| access(touch.object, touch.size, touch.how, is_atomic));
        let own: Vec<Access> = first.into_iter().chain(further).collect();
        let race =
            own.iter().find_map(|one| Some([*others.iter().find(|other| one.races_with(other))?, *one]));
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

    fn search_on(&mut self, path: &mut OpenPath, limits: Limits) -> Result<Option<Searched>, Fault> {
        self.go_on_with_search(path, limits)
    }

    fn show_endless(&mut self) {
        self.shared.endless.store(true, Relaxed);
    }

    fn withholds_choices(&self) -> bool {
        let Shared { withheld, sampled, tried, alarms, .. } = &*self.shared;
        let has_given_up = |pending: Pending| pending.op == Op::GivenUp as u8;
        // What the program could do then is not explored.
        [withheld, sampled, tried, alarms].iter().any(|flag| flag.load(Relaxed))
            || self.here_pending().any(has_given_up)
    }

    fn fingerprint(&mut self) -> u128 {
        let at = self.at();
        let here = self.worker.region.state(at);
        if at >= self.rows() || here.sum == 0 {
            // Like no other.
            self.path.untold += 1;
            return self.path.untold;
        }
        u128::from(here.twin) << 64 | u128::from(here.sum)
    }
}
