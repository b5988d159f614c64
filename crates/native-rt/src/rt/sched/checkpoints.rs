//! States that executions go on from, instead of starting again.
//!
//! An execution of a search begins like the one before it, and often with most of that. At the state where it takes another
//! choice it is stopped, and all that the program can notice is copied: data, heap, stacks, thread-local storage, and what the
//! runtime knows of its threads and of their races. The next executions that come through this state, a *checkpoint*, go on from the
//! copy: as far as they know they have run all the way.
//!
//! A search by states goes back by a step or two nearly always. So its executions have checkpoints all along their way, and not
//! only where they take another choice. Some restored states are compared with what was recorded of them, in checked builds all.
//! If one differs, the execution runs all the way. If that comes to the state that was recorded, something was not copied, and the
//! program has no checkpoints from then on. If not, the program does not repeat itself.
//!
//! What the system keeps for a process is not copied, so that there are no checkpoints while files are open. Nor are there any if each
//! execution has a process of its own, or if the user wants to see all that happens.

use crate::protocol::{Defect, DefectKind, Ending, NOBODY, SUMS_FOR_MATCHING, StackRequest, Unkept};
use crate::rt::base::cell::CheckedCell;
use crate::rt::base::layout::{CALLS_AT, CHECKPOINTS_AT, slot_at};
use crate::rt::base::syscalls;
use crate::rt::sched::checkpoint_places::{MOST, Places, WholeRuns};
use crate::rt::sched::defect;
use crate::rt::sched::restore;
use crate::rt::sched::restored_states::{self, Prints};
use crate::rt::sched::schedule;
use crate::rt::sched::slots;
use crate::rt::sched::state::{Runtime, choice, header, runtime};
use core::cell::Cell;

/// Checkpoints on the way of an execution of a search that does not go by states.
const FEW: usize = 16;
/// Steps from one to the next at least: copying a state takes as long as some steps.
const GAP: u32 = 8;
/// The same in a search by states.
const STRIDE: u32 = 4;
/// Room for each copy. Of a program that needs more there are no checkpoints.
const BYTES: usize = 1 << 20;
/// What all copies may take.
const ALL_BYTES: usize = 96 << 20;
/// Executions that run all the way: the first ones, and then every so many, or in a search by states for a share of the time.
const FIRST: u64 = 16;
const EVERY: u64 = 64;
/// One of so many restored states is compared with what was recorded. Checked builds compare all.
const COMPARED: u64 = if cfg!(sojourner_checks) { 1 } else { 16 };
/// Threads that an execution may have up to a checkpoint.
const MOST_THREADS: usize = 128;

/// A state that was copied.
#[repr(C)]
struct Checkpoint {
    /// The number of choices that lead to it.
    depth: u32,
    current: u32,
    threads: u32,
    unjoined: u32,
    section: crate::rt::sched::atomic_sections::Section,
    tickets: u64,
    /// How many pages had been written to.
    pages: usize,
    /// Of each thread that has not ended, from where on its stack is in the copy; of others 0.
    stacks: [u64; MOST_THREADS],
    /// Of which of them the C library's record is as it was when they began, and not in the copy.
    fresh: [bool; MOST_THREADS],
    /// What stood for the state, in checked builds.
    prints: Option<Prints>,
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

/// The checkpoints on the way of the last execution, the earliest first.
#[repr(C)]
pub struct Checkpoints {
    checkpoints: [CheckedCell<Checkpoint>; MOST],
    pub places: Places,
    /// The depth at which the execution is to stop, or `NOBODY`.
    pub next: Cell<u32>,
    /// It has stopped.
    pub stopped: Cell<bool>,
    /// The depth at which it is to be copied, or `NOBODY`.
    keep_at: Cell<u32>,
    /// The depth of the last state that is known, if the execution runs all the way to there: it is compared. Or `NOBODY`.
    compare_at: Cell<u32>,
    whole_runs: WholeRuns,
    mapped: Cell<bool>,
    /// The program needs more room, or has files open, or something of its state is not copied.
    unfit: Cell<bool>,
    /// A restored state was not what had been recorded.
    suspect: Cell<bool>,
    /// The most bytes that a copy took.
    largest: Cell<usize>,
}

impl Checkpoints {
    /// Decides where the execution, which has just been copied at that depth or begins there, stops next.
    fn plan(&self, from: u32) {
        let header = header();
        let branch = header.known.get().saturating_sub(1);
        let by_states = header.settings.get().sums == SUMS_FOR_MATCHING;
        let wanted = match by_states {
            true => from + STRIDE,
            false if self.places.count() < FEW && branch >= from + GAP => branch,
            false => NOBODY,
        };
        let keeps = !self.unfit.get() && is_fit() && wanted <= branch;
        self.keep_at.set(if keeps { wanted } else { NOBODY });
        self.next.set(self.keep_at.get().min(self.compare_at.get()));
    }
}

/// Whether executions may have checkpoints at all.
fn is_fit() -> bool {
    let header = header();
    let seen = header.settings.get().output != 0 || header.watch.get() != StackRequest::NOTHING;
    !seen && header.isolate.get() == 0
}

impl Runtime {
    /// The program is about to run as the header says. If there is a checkpoint on the way, goes back to it, and says so; and decides
    /// where to stop for another one.
    pub fn go_back(&self) -> bool {
        let known = header().known.get();
        let Checkpoints { checkpoints, places, .. } = &self.checkpoints;
        if !is_fit() || self.checkpoints.unfit.get() || self.log.is_cut() {
            places.clear();
        }
        // Those behind the last row that stays are on the way of another execution.
        let depth = |place: usize| checkpoints[place].with(|checkpoint| checkpoint.depth);
        while places.last().is_some_and(|place| depth(place) >= known) {
            places.pop();
        }
        self.checkpoints.stopped.set(false);
        self.checkpoints.suspect.set(false);
        // Some executions run all the way, so that it is noticed if the program does not do the same as before.
        let is_due = match header().settings.get().sums == SUMS_FOR_MATCHING {
            true => self.checkpoints.whole_runs.is_due(),
            false => self.executions.get().is_multiple_of(EVERY),
        };
        let all_the_way = self.executions.get() < FIRST || is_due;
        let last = places.last().filter(|_| !all_the_way);
        let from = places.last().map_or(0, depth);
        match last {
            Some(last) if self.restores(last) => {
                self.checkpoints.compare_at.set(NOBODY);
                self.checkpoints.plan(from);
                true
            }
            _ => {
                // A process of its own begins as all do, so that what differs there is no matter of ours.
                let has_hashes = header().settings.get().sums != 0 && header().isolate.get() == 0;
                let compares = known > 1 && (has_hashes || self.checkpoints.suspect.get());
                self.checkpoints.compare_at.set(if compares { known - 1 } else { NOBODY });
                self.checkpoints.plan(places.last().map_or(0, depth));
                self.checkpoints.whole_runs.begin();
                false
            }
        }
    }

    /// Goes back to a checkpoint. Whether the program is in the state that was copied, as far as that is looked at.
    fn restores(&self, place: usize) -> bool {
        let compares = self.executions.get().is_multiple_of(COMPARED);
        let is_same = self.checkpoints.checkpoints[place].with(|checkpoint| {
            self.put_back_from(checkpoint);
            let is_kept = || checkpoint.prints.is_none_or(|kept| kept == restored_states::prints(self));
            !compares || restored_states::is_as_recorded(self) && is_kept()
        });
        if !is_same {
            self.checkpoints.places.clear();
            self.checkpoints.suspect.set(true);
        }
        is_same
    }

    /// The program has stopped on its way, between two steps. Whether it goes on.
    fn pass(&self) -> bool {
        let depth = self.depth.get();
        if depth == self.checkpoints.compare_at.get() {
            self.checkpoints.compare_at.set(NOBODY);
            self.checkpoints.whole_runs.end();
            if !restored_states::is_as_recorded(self) {
                self.is_different();
                return false;
            }
            if self.checkpoints.suspect.take() {
                self.checkpoints.unfit.set(true);
                self.checkpoints.places.clear();
                header().unrestored.set(1);
            }
        }
        if depth == self.checkpoints.keep_at.get() && !self.checkpoints.unfit.get() {
            self.keep_checkpoint();
        }
        self.checkpoints.plan(depth);
        true
    }

    /// The program does what it did before, but is not in the same state.
    #[cold]
    fn is_different(&self) {
        let next = choice(self.depth.get()).get().thread;
        self.current.set(next.min(self.threads.get() - 1));
        let now = self.thread().pending.get();
        defect::note(self, DefectKind::Different, b"");
        defect::amend(|defect| Defect { object: now.object, detail: u32::from(now.op), number: 1, ..defect });
        schedule::conclude(Ending::Diverged);
    }

    fn put_back_from(&self, checkpoint: &Checkpoint) {
        for thread in 0..self.threads.get() as usize {
            let kept = checkpoint.stacks[..checkpoint.threads as usize].get(thread).copied();
            match kept {
                Some(0) => {}
                Some(from) => {
                    if !self.table[thread].finished.get() {
                        slots::left(self, thread as u32);
                    }
                    if checkpoint.fresh[thread] {
                        self.tls.get().renew_record(self.table[thread].base.get(), thread == 0);
                    }
                    let slot = self.table[thread].slot.get();
                    restore::clean_between(slot, slots::low(slot), from);
                }
                None if !self.table[thread].finished.get() => slots::left(self, thread as u32),
                None => {}
            }
        }
        self.memory.restore_from(checkpoint.pages);
        self.heap.forget();
        self.copies.clear();
        self.races.with_mut(|races| races.forget(self.threads.get() as usize));
        checkpoint.copy.put_back();
        for (index, thread) in self.table[..checkpoint.threads as usize].iter().enumerate() {
            slots::give(self, thread.slot.get(), index as u32);
        }
        self.current.set(checkpoint.current);
        self.threads.set(checkpoint.threads);
        self.unjoined.set(checkpoint.unjoined);
        self.section.set(checkpoint.section);
        self.depth.set(checkpoint.depth);
        self.tickets.set(checkpoint.tickets);
        self.multilock_end.set(0);
        self.stale.set(true);
        self.ready.clear();
        self.with_values.clear();
        self.beyond_memory.clear();
        self.private.forget_reads();
        if !syscalls::close_from(crate::rt::FIRST_DESCRIPTOR) {
            header().outlasts.set(1);
        }
        self.executions.update(|executions| executions + 1);
        let execution = self.executions.get();
        self.guarded.with_mut(|guarded| guarded.renew(execution));
        self.races.with_mut(|races| races.renew(execution));
    }

    /// The program has stopped for a checkpoint: copies it.
    fn keep_checkpoint(&self) {
        let threads = self.threads.get() as usize;
        if !self.checkpoints.mapped.get() {
            self.checkpoints.mapped.set(syscalls::map(
                CHECKPOINTS_AT,
                MOST * BYTES,
                syscalls::PROT_READ | syscalls::PROT_WRITE,
            ));
        }
        if !self.checkpoints.mapped.get()
            || threads > MOST_THREADS
            || syscalls::is_open_from(crate::rt::FIRST_DESCRIPTOR)
        {
            self.checkpoints.unfit.set(true);
            return;
        }
        let most = ALL_BYTES / self.checkpoints.largest.get().max(1);
        let place = self.checkpoints.places.next(most);
        let mut copy = Copy { start: CHECKPOINTS_AT + place * BYTES, length: 0, full: false };
        if !is_left_out(Unkept::Data) {
            self.memory.each_page(|page| copy.add(page, page + restore::PAGE as u64));
        }
        let (mut stacks, mut fresh) = ([0; MOST_THREADS], [false; MOST_THREADS]);
        for ((thread, stack), fresh) in self.table[..threads].iter().zip(&mut stacks).zip(&mut fresh) {
            if thread.finished.get() {
                continue;
            }
            *stack = restore::first_used(thread.slot.get(), thread.low.get())
                .min(thread.stack_pointer.get() as u64);
            copy.add(*stack, thread.stack_end());
            let (first, keys) =
                (self.tls.get().range(thread.base.get()).0, self.tls.get().keys(thread.base.get()) as u64);
            let (record, record_end) = self.tls.get().record_range(thread.base.get());
            *fresh = self.tls.get().has_fresh_record(thread.base.get(), thread.parent.get() == NOBODY);
            if !is_left_out(Unkept::Storage) {
                copy.add(first, if *fresh { record } else { record_end });
            }
            copy.add(record_end, keys + u64::from(thread.keys.get()) * 8);
            let signals = self.tls.get().signals(thread.base.get());
            copy.add(signals, signals + crate::rt::sched::tls::SIGNAL_BYTES as u64);
            if !is_left_out(Unkept::Calls) {
                copy.add(slot_at(thread.slot.get()) + CALLS_AT, thread.calls.get() as u64);
            }
        }
        let (start, end) = self.all_arguments();
        copy.add(start, end);
        if !is_left_out(Unkept::Heap) {
            self.heap.each_part(self.slots.get(), |from, to| copy.add(from, to));
        }
        copy.add_value(&self.table[..threads]);
        self.log.each_part(|from, to| copy.add(from, to));
        self.revisits.each_part(|from, to| copy.add(from, to));
        self.guarded.with(|guarded| guarded.each_part(|from, to| copy.add(from, to)));
        self.copies.each_part(|from, to| copy.add(from, to));
        if self.settings.get().races != 0 {
            self.races.with(|races| races.each_part(threads, |from, to| copy.add(from, to)));
        }
        if copy.full {
            self.checkpoints.unfit.set(true);
            return;
        }
        let checkpoint = Checkpoint {
            depth: self.depth.get(),
            current: self.current.get(),
            threads: self.threads.get(),
            unjoined: self.unjoined.get(),
            section: self.section.get(),
            tickets: self.tickets.get(),
            pages: self.memory.written(),
            stacks,
            fresh,
            prints: cfg!(sojourner_checks).then(|| restored_states::prints(self)),
            copy,
        };
        self.checkpoints.largest.update(|largest| largest.max(checkpoint.copy.length));
        self.checkpoints.checkpoints[place].with_mut(|place| *place = checkpoint);
        self.checkpoints.places.push();
    }
}

/// Whether tests want to see that a part of the state is missed. Only in checked builds.
fn is_left_out(part: Unkept) -> bool {
    cfg!(sojourner_checks) && header().unkept.get() == part as u32
}

/// Runs the program from where it stands with that thread. Returns when it is paused or has ended.
pub fn run(mut next: u32) {
    loop {
        schedule::enter(next);
        let runtime = runtime();
        runtime.calls.set(core::ptr::null_mut());
        if !runtime.checkpoints.stopped.take() {
            return;
        }
        if !runtime.pass() {
            return;
        }
        match schedule::choose(runtime) {
            Some(thread) => next = thread,
            None => return,
        }
    }
}
