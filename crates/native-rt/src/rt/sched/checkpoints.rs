//! States that executions go on from, instead of starting again.
//!
//! An execution of a search begins like the one before it, and often with most of that. At the state where it takes another
//! choice it is stopped, and all that the program can notice is copied: data, heap, stacks, thread-local storage, and what the
//! runtime knows of its threads and of their races. The next executions that come through this state, a *checkpoint*, go on from the
//! copy: as far as they know they have run all the way.
//!
//! What the system keeps for a process is not copied, so that there are no checkpoints while files are open; nor where each execution
//! has a process of its own, or where somebody wants to see all that happens.

use crate::protocol::{NOBODY, StackRequest};
use crate::rt::base::cell::CheckedCell;
use crate::rt::base::layout::{CALLS_AT, CHECKPOINTS_AT, slot_at};
use crate::rt::base::syscalls;
use crate::rt::sched::restore;
use crate::rt::sched::schedule;
use crate::rt::sched::slots;
use crate::rt::sched::state::{Runtime, header, runtime};
use core::cell::Cell;

/// Checkpoints on the way of an execution.
const MOST: usize = 16;
/// Steps from one to the next at least: copying a state takes as long as some steps.
const GAP: u32 = 8;
/// Room for each copy. Of a program that needs more there are no checkpoints.
const BYTES: usize = 1 << 20;
/// Executions that run all the way: the first ones, and then every so many.
const FIRST: u64 = 16;
const EVERY: u64 = 64;
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
    count: Cell<usize>,
    /// The depth at which the execution is to stop for a new one, or `NOBODY`.
    pub next: Cell<u32>,
    /// It has stopped.
    pub stopped: Cell<bool>,
    mapped: Cell<bool>,
    /// The program needs more room, or has files open.
    unfit: Cell<bool>,
}

impl Runtime {
    /// The program is about to run as the header says. If there is a checkpoint on the way, goes back to it, and says so; and decides
    /// where to stop for another one.
    pub fn go_back(&self) -> bool {
        let header = header();
        let seen = header.settings.get().output != 0 || header.watch.get() != StackRequest::NOTHING;
        let fit = !seen && !self.checkpoints.unfit.get() && header.isolate.get() == 0;
        if !fit || self.log.is_cut() {
            self.checkpoints.count.set(0);
        }
        // Those behind the last row that stays are on the way of another execution.
        let Checkpoints { checkpoints, count, .. } = &self.checkpoints;
        let depth = |number: usize| checkpoints[number].with(|checkpoint| checkpoint.depth);
        while count.get() > 0 && depth(count.get() - 1) >= header.known.get() {
            count.update(|count| count - 1);
        }
        let last = count.get().checked_sub(1).map(depth);
        let branch = header.known.get().saturating_sub(1);
        let far = branch >= last.unwrap_or(0) + GAP;
        self.checkpoints.next.set(if fit && far && self.checkpoints.count.get() < MOST {
            branch
        } else {
            NOBODY
        });
        self.checkpoints.stopped.set(false);
        // Some executions run all the way, so that it is noticed if the program does not do the same as before.
        let all_the_way = self.executions.get() < FIRST || self.executions.get().is_multiple_of(EVERY);
        if last.is_none() || all_the_way {
            return false;
        }
        self.put_back(self.checkpoints.count.get() - 1);
        true
    }

    fn put_back(&self, number: usize) {
        self.checkpoints.checkpoints[number].with(|checkpoint| self.put_back_from(checkpoint));
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
        self.checkpoints.next.set(NOBODY);
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
        let number = self.checkpoints.count.get();
        let mut copy = Copy { start: CHECKPOINTS_AT + number * BYTES, length: 0, full: false };
        self.memory.each_page(|page| copy.add(page, page + restore::PAGE as u64));
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
            copy.add(first, if *fresh { record } else { record_end });
            copy.add(record_end, keys + u64::from(thread.keys.get()) * 8);
            let signals = self.tls.get().signals(thread.base.get());
            copy.add(signals, signals + crate::rt::sched::tls::SIGNAL_BYTES as u64);
            copy.add(slot_at(thread.slot.get()) + CALLS_AT, thread.calls.get() as u64);
        }
        let (start, end) = self.all_arguments();
        copy.add(start, end);
        self.heap.each_part(self.slots.get(), |from, to| copy.add(from, to));
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
            copy,
        };
        self.checkpoints.checkpoints[number].with_mut(|place| *place = checkpoint);
        self.checkpoints.count.set(self.checkpoints.count.get() + 1);
    }
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
        runtime.keep_checkpoint();
        match schedule::choose(runtime) {
            Some(thread) => next = thread,
            None => return,
        }
    }
}
