//! States that executions go on from, instead of starting again.
//!
//! An execution of a search begins like the one before it, and often with most of that. At the state where it takes another
//! choice it is stopped, and all that the program can notice is copied: data, heap, stacks, thread-local storage, and what the
//! runtime knows of its threads. The next executions that come through this state, a *station*, go on from the copy: as far as
//! they know they have run all the way.
//!
//! What the system keeps for a process is not copied, so that there are no stations while files are open; nor where each execution
//! has a process of its own, where races are looked for, or where somebody wants to see all that happens.

use super::layout::{CALLS_AT, STATIONS_AT, slot_at};
use super::state::{Runtime, header};
use super::{restore, schedule, slots, sys};
use crate::protocol::{NOBODY, Watch};

/// Stations on the way of an execution.
const MOST: usize = 16;
/// Steps from one to the next at least: copying a state takes as long as some steps.
const GAP: u32 = 12;
/// Room for each copy. Of a program that needs more there are no stations.
const BYTES: usize = 1 << 20;
/// Executions that run all the way: the first ones, and then every so many.
const FIRST: u64 = 16;
const EVERY: u64 = 64;
/// Threads that an execution may have up to a station.
const MOST_THREADS: usize = 64;

/// A state that was copied.
#[repr(C)]
struct Station {
    /// The number of choices that lead to it.
    depth: u32,
    current: u32,
    threads: u32,
    unjoined: u32,
    section: super::sections::Section,
    tickets: u64,
    /// How many pages had been written to.
    pages: usize,
    /// Of each thread that has not ended, from where on its stack is in the copy; of others 0.
    stacks: [u64; MOST_THREADS],
    /// Of which of them the C library's record is as it was when they began, and not in the copy.
    fresh: [bool; MOST_THREADS],
    copy: Copy,
}

/// Parts of memory, one behind the other: where each lies, its length, and what it held.
#[repr(C)]
struct Copy {
    start: usize,
    length: usize,
    /// There was no room for all.
    full: bool,
}

const HEAD: usize = 16;

impl Copy {
    /// Adds the memory between two addresses.
    fn add(&mut self, from: u64, to: u64) {
        let bytes = (to - from) as usize;
        let all = HEAD + bytes.next_multiple_of(HEAD);
        if bytes == 0 || self.full || self.length + all > BYTES {
            self.full |= bytes > 0;
            return;
        }
        let at = self.start + self.length;
        // SAFETY: there is room, see above; the callers pass memory of the program or the runtime.
        unsafe {
            *(at as *mut [u64; 2]) = [from, bytes as u64];
            core::ptr::copy_nonoverlapping(from as *const u8, (at + HEAD) as *mut u8, bytes);
        }
        self.length += all;
    }

    /// Adds a value.
    fn add_value<T: ?Sized>(&mut self, value: &T) {
        let from = (&raw const *value).addr() as u64;
        self.add(from, from + size_of_val(value) as u64);
    }

    /// Puts everything back.
    fn put_back(&self) {
        let mut at = self.start;
        while at < self.start + self.length {
            // SAFETY: written by `add`; what was readable then can be written to, pages of data since the program has done so.
            unsafe {
                let [to, bytes] = *(at as *const [u64; 2]);
                core::ptr::copy_nonoverlapping((at + HEAD) as *const u8, to as *mut u8, bytes as usize);
                at += HEAD + (bytes as usize).next_multiple_of(HEAD);
            }
        }
    }
}

/// The stations on the way of the last execution, the earliest first.
#[repr(C)]
pub struct Stations {
    stations: [Station; MOST],
    count: usize,
    /// The depth at which the execution is to stop for a new one, or `NOBODY`.
    pub next: u32,
    /// It has stopped.
    pub stopped: bool,
    mapped: bool,
    /// The program needs more room, or has files open.
    unfit: bool,
}

impl Runtime {
    /// The program is about to run as the header says. If there is a station on the way, goes back to it, and says so; and decides
    /// where to stop for another one.
    pub fn go_back(&mut self) -> bool {
        let header = header();
        let seen = header.settings.output != 0 || header.watch != Watch::NOTHING;
        let fit = !seen && !self.stations.unfit && header.settings.races == 0 && header.isolate == 0;
        if !fit || self.log.is_cut() {
            self.stations.count = 0;
        }
        // Those behind the last row that stays are on the way of another execution.
        let Stations { stations, count, .. } = &mut self.stations;
        while *count > 0 && stations[*count - 1].depth >= header.known {
            *count -= 1;
        }
        let last = count.checked_sub(1).map(|last| stations[last].depth);
        let branch = header.known.saturating_sub(1);
        let far = branch >= last.unwrap_or(0) + GAP;
        self.stations.next = if fit && far && self.stations.count < MOST { branch } else { NOBODY };
        self.stations.stopped = false;
        // Some executions run all the way, so that it is noticed if the program does not do the same as before.
        let all_the_way = self.executions < FIRST || self.executions.is_multiple_of(EVERY);
        if last.is_none() || all_the_way {
            return false;
        }
        self.put_back(self.stations.count - 1);
        true
    }

    fn put_back(&mut self, number: usize) {
        let station: *const Station = &raw const self.stations.stations[number];
        // SAFETY: the station itself is in no copy.
        let station = unsafe { &*station };
        for thread in 0..self.threads as usize {
            let kept = station.stacks[..station.threads as usize].get(thread).copied();
            match kept {
                Some(0) => {}
                Some(from) => {
                    if !self.table[thread].finished {
                        slots::left(self, thread as u32);
                    }
                    if station.fresh[thread] {
                        self.tls.renew_record(self.table[thread].base, thread == 0);
                    }
                    let slot = self.table[thread].slot;
                    restore::clean_between(slot, slots::low(slot), from);
                }
                None if !self.table[thread].finished => slots::left(self, thread as u32),
                None => {}
            }
        }
        self.memory.restore_from(station.pages);
        self.heap.forget();
        station.copy.put_back();
        (self.current, self.threads, self.unjoined) = (station.current, station.threads, station.unjoined);
        self.section = station.section;
        (self.depth, self.tickets) = (station.depth, station.tickets);
        self.several_end = 0;
        self.stale = true;
        self.ready.clear();
        self.several.clear();
        self.private.forget_reads();
        if !sys::close_from(super::FIRST_DESCRIPTOR) {
            header().outlasts = 1;
        }
        self.executions += 1;
        self.guarded.renew(self.executions);
    }

    /// The program has stopped for a station: copies it.
    fn keep_station(&mut self) {
        self.stations.next = NOBODY;
        let threads = self.threads as usize;
        if !self.stations.mapped {
            self.stations.mapped = sys::map(STATIONS_AT, MOST * BYTES, sys::PROT_READ | sys::PROT_WRITE);
        }
        if !self.stations.mapped || threads > MOST_THREADS || sys::is_open_from(super::FIRST_DESCRIPTOR) {
            self.stations.unfit = true;
            return;
        }
        let number = self.stations.count;
        let mut copy = Copy { start: STATIONS_AT + number * BYTES, length: 0, full: false };
        self.memory.each_page(|page| copy.add(page, page + restore::PAGE as u64));
        let (mut stacks, mut fresh) = ([0; MOST_THREADS], [false; MOST_THREADS]);
        for ((thread, stack), fresh) in self.table[..threads].iter().zip(&mut stacks).zip(&mut fresh) {
            if thread.finished {
                continue;
            }
            *stack = restore::first_used(thread.slot, thread.low).min(thread.stack_pointer as u64);
            copy.add(*stack, thread.stack_end());
            let (first, keys) = (self.tls.range(thread.base).0, self.tls.keys(thread.base) as u64);
            let (record, record_end) = self.tls.record_range(thread.base);
            *fresh = self.tls.has_fresh_record(thread.base, thread.parent == NOBODY);
            copy.add(first, if *fresh { record } else { record_end });
            copy.add(record_end, keys + u64::from(thread.keys) * 8);
            let signals = self.tls.signals(thread.base);
            copy.add(signals, signals + super::delivery::BYTES as u64);
            copy.add(slot_at(thread.slot) + CALLS_AT, thread.calls as u64);
        }
        let (start, end) = super::exit::all_arguments();
        copy.add(start, end);
        self.heap.each_part(self.slots, |from, to| copy.add(from, to));
        copy.add_value(&self.table[..threads]);
        self.log.each_part(|from, to| copy.add(from, to));
        self.laps.each_part(|from, to| copy.add(from, to));
        self.guarded.each_part(|from, to| copy.add(from, to));
        if copy.full {
            self.stations.unfit = true;
            return;
        }
        self.stations.stations[number] = Station {
            depth: self.depth,
            current: self.current,
            threads: self.threads,
            unjoined: self.unjoined,
            section: self.section,
            tickets: self.tickets,
            pages: self.memory.written(),
            stacks,
            fresh,
            copy,
        };
        self.stations.count += 1;
    }
}

/// Runs the program from where it stands with that thread. Returns when it is paused or has ended.
pub fn run(mut next: u32) {
    loop {
        schedule::enter(next);
        let runtime = super::state::runtime();
        runtime.calls = core::ptr::null_mut();
        if !core::mem::take(&mut runtime.stations.stopped) {
            return;
        }
        runtime.keep_station();
        match schedule::choose(runtime) {
            Some(thread) => next = thread,
            None => return,
        }
    }
}
