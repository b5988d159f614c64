//! A depth-first search by states that the runtime goes on with by itself.
//!
//! To ask the driver for every step takes longer than the step. So the driver hands over the path and what is open along it, and
//! the runtime goes on: it takes the next choice of the last state of the path, looks whether the state behind it is in the table,
//! and if not, adds it to both. What the driver does for a state is done here only where nothing follows from it. Before anything
//! else that happens (a finding, an end, a race, a state without a hash, something new about the program) the search stops, with
//! that choice still open, and the driver takes it. So a defect of the program, whatever it did to this process, is reported only
//! when the driver has come to it.
//!
//! Which states are unsettled is kept as `endless` of the crate `search` keeps it for one worker.

use crate::protocol::{
    Cursor, Ending, GOES_ROUND, GOES_ROUND_KNOWN, How, MOST_UNSETTLED, OnPath, Op, Ops, OwnSearch, Pending,
    Place, Row, SLOTS_OF_TABLE_AT, Space, TableHead, TableSlot, Taken, UNORDERED_KNOWN, WITHHOLDS, look_up,
    put, table_bytes,
};
use crate::rt::base::syscalls;
use crate::rt::sched::path_sums::PathSums;
use crate::rt::sched::schedule;
use crate::rt::sched::state::{
    choice, cursor, entry, extra, header, on_path, row, row_entries, row_entry, runtime, unsettled,
};
use core::sync::atomic::{Ordering, compiler_fence};

/// Ticks of the processor after which the search goes back to the driver: some milliseconds.
const TURN: u64 = 20_000_000;

/// Bytes on each side of the table that nothing may touch.
const GUARD: usize = 1 << 20;

/// What became of a transition.
enum Outcome {
    /// It leads to a state that was not known.
    New([u64; 2], usize),
    /// It leads to one that was.
    Known([u64; 2]),
    /// The driver must see it.
    Stops,
}

/// Goes on with the search that is in the header. `run` brings the program from anywhere to the state behind the last choice.
pub fn go_on(run: impl Fn()) {
    explore(run);
    let header = header();
    header.ending.set(Ending::Paused as u32);
    header.rows.set(header.search.depth.get() + 1);
}

fn explore(run: impl Fn()) {
    let search = &header().search;
    let end = syscalls::ticks().wrapping_add(TURN);
    search.stops.set(1);
    let Some(table) = Table::of(search) else { return };
    let path = PathSums::of(search.depth.get());
    loop {
        let is_late = syscalls::ticks().wrapping_sub(end) as i64 > 0;
        let spent = search.transitions.get() >= search.most_transitions.get()
            || search.states.get() >= search.most_states.get();
        if is_late || spent {
            search.stops.set(0);
            return;
        }
        let depth = search.depth.get();
        let Some((taken, behind)) = next_choice(depth) else {
            if depth == 0 || !leave(search) {
                return;
            }
            path.remove(row(depth).get().sum);
            search.depth.set(depth - 1);
            search.lowest.update(|lowest| lowest.min(depth));
            search.stands.set(0);
            continue;
        };
        if depth >= search.deepest.get() || search.unsettled.get() as usize >= MOST_UNSETTLED {
            return;
        }
        step(depth, taken, search.stands.replace(0) != 0, &run);
        search.lowest.update(|lowest| lowest.min(depth));
        match judge(search, &table, &path, depth + 1) {
            Outcome::Stops => return,
            Outcome::Known(state) => {
                if search.tracks.get() != 0 {
                    leads_to(search, state);
                }
            }
            Outcome::New(state, slot) => {
                cursor(depth + 1).set(Cursor::START);
                search.depth.set(depth + 1);
                // If the process is killed in between, the state is on the path at least.
                compiler_fence(Ordering::SeqCst);
                put(table.head, table.slots, slot, state);
                search.stands.set(1);
                search.states.update(|states| states + 1);
                path.add(state[0]);
                enter(search, state, depth + 1);
            }
        }
        cursor(depth).set(behind);
        search.transitions.update(|transitions| transitions + 1);
        search.max_depth.update(|most| most.max(depth + 1));
    }
}

/// The next open choice of a state of the path, and the cursor behind it.
#[inline]
fn next_choice(depth: u32) -> Option<(Taken, Cursor)> {
    let threads = row(depth).get().threads;
    cursor(depth).get().next(threads, |thread| row_entry(depth, thread).get().offer)
}

/// Takes a choice in the state at a depth: from there, if the program stands there.
fn step(depth: u32, taken: Taken, stands: bool, run: impl Fn()) {
    let header = header();
    choice(depth).set(taken);
    header.steps.set(depth + 1);
    header.known.set(depth + 1);
    header.expected.set(0);
    header.ahead.set(0);
    if !stands {
        run();
        return;
    }
    schedule::heed(runtime());
    if let Some(next) = schedule::go_on_with(taken) {
        schedule::enter(next);
    }
}

/// Looks at the state that the last step has led to.
fn judge(search: &OwnSearch, table: &Table, path: &PathSums, depth: u32) -> Outcome {
    let header = header();
    let paused = header.ending.get() == Ending::Paused as u32 && header.rows.get() == depth + 1;
    if !paused || tells_something(search) {
        return Outcome::Stops;
    }
    let Row { threads, marks, sum, twin, .. } = row(depth).get();
    if sum == 0 || marks & GOES_ROUND != 0 {
        return Outcome::Stops;
    }
    let state = [sum, twin];
    match look_up(table.head, table.slots, state) {
        Place::Full => Outcome::Stops,
        Place::Known => {
            let told = search.known.get() & GOES_ROUND_KNOWN != 0 && !leaves(depth, threads);
            if !told && path.holds(sum, depth) { Outcome::Stops } else { Outcome::Known(state) }
        }
        Place::New(slot) => {
            // The driver looks for the lower number alone.
            let is_odd =
                path.holds(sum, depth) || Cursor::START.next(threads, |of| offer(depth, of)).is_none();
            if is_odd || races(depth, threads) { Outcome::Stops } else { Outcome::New(state, slot) }
        }
    }
}

fn offer(depth: u32, thread: u32) -> u64 {
    row_entry(depth, thread).get().offer
}

/// Whether the last step has told something of the program that the driver does not know.
fn tells_something(search: &OwnSearch) -> bool {
    let header = header();
    let known = search.known.get();
    let unsaid = |flag: u32| known & flag == 0;
    let met =
        header.shared.get() != search.words.get() || header.section_touches.get() != search.touches.get();
    let late = header.waited.get() | header.withheld.get() | header.alarms.get();
    let odd = header.outlasts.get() | header.crowded.get() | header.races.get() | header.cycles.get();
    let partial = header.sampled.get() | header.tried.get();
    met || (late | odd) != 0
        || partial != 0 && unsaid(WITHHOLDS)
        || header.unordered.get() != 0 && unsaid(UNORDERED_KNOWN)
}

/// Whether a thread waits to end the program.
fn leaves(depth: u32, threads: u32) -> bool {
    (0..threads).any(|thread| row_entry(depth, thread).get().op == Op::Exit as u8)
}

/// Whether a thread has assumed what is not so.
fn has_given_up(depth: u32, threads: u32) -> bool {
    (0..threads).any(|thread| row_entry(depth, thread).get().op == Op::GivenUp as u8)
}

/// The last state of the path is new.
fn enter(search: &OwnSearch, state: [u64; 2], depth: u32) {
    if search.tracks.get() == 0 {
        return;
    }
    let number = search.unsettled.get();
    unsettled(number).set(state);
    on_path(search.on_path.get()).set(OnPath { number, low: number });
    search.unsettled.set(number + 1);
    search.on_path.update(|count| count + 1);
    if search.known.get() & WITHHOLDS != 0 || has_given_up(depth, row(depth).get().threads) {
        settle(search);
    }
}

/// A step has led from the last state of the path to a state that was known.
fn leads_to(search: &OwnSearch, state: [u64; 2]) {
    let Some(last) = search.on_path.get().checked_sub(1) else { return };
    match (0..search.unsettled.get()).rev().find(|&number| unsettled(number).get() == state) {
        Some(number) => on_path(last).update(|pending| OnPath { low: pending.low.min(number), ..pending }),
        None => settle(search),
    }
}

/// An execution can end from the last state of the path.
fn settle(search: &OwnSearch) {
    search.unsettled.set(0);
    search.on_path.set(0);
}

/// The search leaves the last state of the path. Whether it may: no execution may end from there, which the driver says.
fn leave(search: &OwnSearch) -> bool {
    let Some(last) = search.on_path.get().checked_sub(1) else { return true };
    let OnPath { number, low } = on_path(last).get();
    if low >= number || last == 0 {
        return false;
    }
    search.on_path.set(last);
    on_path(last - 1).update(|before| OnPath { low: before.low.min(low), ..before });
    true
}

/// Accesses to memory before which a thread stands.
const PLAIN: Ops = Ops::new(&[Op::Read, Op::Write]);
const ATOMIC: Ops = Ops::new(&[Op::AtomicRead, Op::AtomicWrite, Op::AtomicUpdate]);

/// Part of memory that a thread is about to touch.
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

/// Whether two threads stand before accesses that race. The state before it is known to have no such threads, so that only those
/// count of which the row says something else than the one before.
fn races(depth: u32, threads: u32) -> bool {
    let before = depth - 1;
    let known = row_entries(before, row(before).get().threads);
    let now = row_entries(depth, threads);
    let is_new = |thread: usize| known.get(thread).is_none_or(|entry| entry.get() != now[thread].get());
    (0..now.len()).filter(|&thread| is_new(thread)).any(|thread| {
        any_access(entry(now[thread].get()).get(), |one| {
            let others = (0..now.len()).filter(|&other| other != thread);
            others
                .into_iter()
                .any(|other| any_access(entry(now[other].get()).get(), |two| one.races_with(two)))
        })
    })
}

/// Whether one of the accesses to memory before which a thread stands is such.
fn any_access(pending: Pending, mut is_such: impl FnMut(&Access) -> bool) -> bool {
    let Pending { object, size, op, how, extra: first, extras, .. } = pending;
    let is_atomic = ATOMIC.contains(op);
    let mut such = |start: u64, size: u32, how: u8| {
        let end = start + u64::from(size.max(1));
        is_such(&Access { start, end, writes: how != How::Read as u8, is_atomic })
    };
    (is_atomic || PLAIN.contains(op)) && such(object, size, how)
        || (0..u32::from(extras)).any(|nth| {
            let touch = extra(first + nth).get();
            touch.space == Space::Memory as u8 && such(touch.object, touch.size, touch.how)
        })
}

/// The table of states, mapped where the driver says.
struct Table {
    head: &'static TableHead,
    slots: &'static [TableSlot],
}

impl Table {
    fn of(search: &OwnSearch) -> Option<Table> {
        let (number, at, bits) =
            (search.table_number.get(), search.table_at.get() as usize, search.table_bits.get());
        let bytes = table_bytes(bits);
        let mapped = &runtime().search.table;
        let (known, old, old_bits) = mapped.get();
        if known != number {
            if old != 0 {
                syscalls::map(old, table_bytes(old_bits), syscalls::PROT_NONE);
            }
            let path: [u8; 64] = core::array::from_fn(|nth| search.table_path[nth].get());
            let descriptor = syscalls::open(&path)?;
            let is_there = syscalls::map_anew(at - GUARD, bytes + 2 * GUARD)
                && syscalls::map_file(at, bytes, descriptor);
            syscalls::close(descriptor);
            if !is_there {
                return None;
            }
            mapped.set((number, at, bits));
        }
        // SAFETY: mapped above, and as large; the driver writes to it only while the runtime waits. All of it lies in cells.
        unsafe {
            let slots = (at + SLOTS_OF_TABLE_AT) as *const TableSlot;
            Some(Table {
                head: &*(at as *const TableHead),
                slots: core::slice::from_raw_parts(slots, 1 << bits),
            })
        }
    }
}
