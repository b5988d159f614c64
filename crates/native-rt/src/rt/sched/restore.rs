//! Putting the program's memory back to what it was when `main` was called.
//!
//! Pages of data are made read-only once. The first write to a page raises a signal; from then on the page is writable and
//! is copied back before every execution. Programs write to the same few pages again and again, so after the first
//! executions there are no more signals, and restoring is copying those pages.

use crate::protocol::STACK_END;
use crate::rt::base::layout::{GUARD_BYTES, SNAPSHOT_AT, SNAPSHOT_BYTES, slot_at};
use crate::rt::base::syscalls;
use crate::rt::sched::defect;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::header;
use crate::rt::sched::tls::{PT_GNU_RELRO, PT_LOAD, modules};
use core::cell::Cell;

pub const PAGE: usize = 4096;
const MOST_PARTS: usize = 256;
const MOST_PAGES: usize = 1 << 16;

/// A part of the program's memory.
#[repr(C)]
#[derive(Clone, Copy)]
struct DataRange {
    start: usize,
    end: usize,
    /// Where its copy begins.
    copy: usize,
}

/// What is put back.
#[repr(C)]
pub struct Memory {
    parts: [Cell<DataRange>; MOST_PARTS],
    count: Cell<usize>,
    /// The pages that have been written to: where each is, and its copy.
    pages: [Cell<(usize, usize)>; MOST_PAGES],
    written: Cell<usize>,
    /// Whether writes are noticed.
    watches: Cell<bool>,
}

impl Memory {
    fn add(&self, start: usize, end: usize) {
        let (start, end) = (start & !(PAGE - 1), end.next_multiple_of(PAGE));
        if start >= end {
            return;
        }
        let copy = match self.parts().last() {
            None => SNAPSHOT_AT,
            Some(last) => last.copy + last.end - last.start,
        };
        if self.count.get() == MOST_PARTS || copy + (end - start) > SNAPSHOT_AT + SNAPSHOT_BYTES {
            defect::refuse(b"more data than can be restored");
        }
        self.parts[self.count.get()].set(DataRange { start, end, copy });
        self.count.update(|count| count + 1);
    }

    fn parts(&self) -> impl DoubleEndedIterator<Item = DataRange> {
        self.parts[..self.count.get()].iter().map(Cell::get)
    }

    /// The pages that have been written to after so many others, and their copies.
    fn pages(&self, first: usize) -> impl Iterator<Item = (usize, usize)> {
        self.pages[first..self.written.get()].iter().map(Cell::get)
    }

    /// Finds the data of the program and of its libraries, and `heap`; if they are to be put back, copies and watches them.
    pub fn keep(&self, heap: (u64, u64), back: bool) {
        self.find(heap);
        if back {
            self.copy();
        }
        self.watches.set(back);
    }

    fn find(&self, heap: (u64, u64)) {
        modules(|address, name, segments, _| {
            if name.starts_with(b"linux-vdso") {
                return;
            }
            let fixed = segments.iter().find(|segment| segment.kind == PT_GNU_RELRO);
            let fixed_end = fixed.map_or(0, |fixed| (address + fixed.address + fixed.in_memory) as usize);
            for segment in segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.flags & 2 != 0)
            {
                let start = (address + segment.address) as usize;
                let end = start + segment.in_memory as usize;
                // What is only written while the program is loaded is read-only already.
                let first =
                    if fixed_end > start && fixed_end < end + PAGE { fixed_end & !(PAGE - 1) } else { start };
                self.add(first.max(start & !(PAGE - 1)), end);
            }
        });
        self.add(heap.0 as usize, heap.1 as usize);
    }

    fn copy(&self) {
        for part in self.parts() {
            if !syscalls::map(part.copy, part.end - part.start, syscalls::PROT_READ | syscalls::PROT_WRITE) {
                defect::refuse(b"there is not enough memory for a copy of the program's data");
            }
            // SAFETY: the part is mapped, and so is its copy. Nothing of the runtime's own lies in it.
            unsafe {
                core::ptr::copy_nonoverlapping(
                    part.start as *const u8,
                    part.copy as *mut u8,
                    part.end - part.start,
                );
                syscalls::protect(part.start, part.end - part.start, syscalls::PROT_READ);
            }
        }
    }

    /// A write to a page that is watched: it may be written to from now on. Whether the address is of such a page.
    pub fn wrote(&self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        if !self.watches.get() {
            return false;
        }
        let Some(part) = self.parts().find(|part| (part.start..part.end).contains(&page)) else {
            return false;
        };
        let known = self.pages(0).any(|known| known.0 == page);
        if known || self.written.get() == MOST_PAGES {
            return false;
        }
        self.pages[self.written.get()].set((page, part.copy + page - part.start));
        self.written.update(|written| written + 1);
        // SAFETY: a page of the program's data.
        unsafe { syscalls::protect(page, PAGE, syscalls::PROT_READ | syscalls::PROT_WRITE) }
    }

    /// Makes sure that the system can write to memory: it would fail where the program raises a signal.
    pub fn about_to_write(&self, start: usize, length: usize) {
        let mut page = start & !(PAGE - 1);
        while page < start.saturating_add(length) {
            self.wrote(page);
            page += PAGE;
        }
    }

    /// Calls `look` with each page that has been written to, in this execution or an earlier one, and its copy; or if that is not
    /// known with all data.
    pub fn each_written(&self, mut look: impl FnMut(u64, u64, Option<u64>)) {
        if !self.watches.get() {
            self.parts().for_each(|part| look(part.start as u64, part.end as u64, None));
        }
        for (page, copy) in self.pages(0) {
            look(page as u64, (page + PAGE) as u64, Some(copy as u64));
        }
    }

    /// How many pages have been written to.
    pub fn written(&self) -> usize {
        self.written.get()
    }

    /// Calls `look` with each page that has been written to.
    pub fn each_page(&self, mut look: impl FnMut(u64)) {
        self.pages(0).for_each(|(page, _)| look(page as u64));
    }

    /// Puts those pages back that have been written to after so many others.
    pub fn restore_from(&self, first: usize) {
        for (page, copy) in self.pages(first) {
            // SAFETY: both are mapped, and the page is writable.
            unsafe { core::ptr::copy_nonoverlapping(copy as *const [u8; PAGE], page as *mut [u8; PAGE], 1) };
        }
    }
}

/// Clears what the last thread in a slot has left on its stack, so that a thread that reads what was never written reads the same in every
/// execution.
pub fn clean_stack(slot: u32, low: u64) {
    clean_between(slot, low, slot_at(slot) + STACK_END);
}

/// The same up to an address.
pub fn clean_between(slot: u32, low: u64, end: u64) {
    let bottom = slot_at(slot) + GUARD_BYTES;
    if low == 0 || low > slot_at(slot) + STACK_END || low < bottom {
        return;
    }
    let start = first_used(slot, low);
    if start < end {
        // SAFETY: the slot's stack, which no thread uses.
        unsafe { core::ptr::write_bytes(start as *mut u8, 0, (end - start) as usize) };
    }
}

/// From where on the stack of a slot may have been used by a thread that had this as its least stack pointer at a call.
pub fn first_used(slot: u32, low: u64) -> u64 {
    const MARGIN: u64 = 1024;
    (low - MARGIN).max(slot_at(slot) + GUARD_BYTES)
}

impl Runtime {
    /// Puts everything back.
    pub fn restore(&self) {
        for thread in 0..self.threads.get() {
            if !self.table[thread as usize].finished.get() {
                crate::rt::sched::slots::left(self, thread);
            }
        }
        self.memory.restore_from(0);
        self.heap.restore(self.slots.get());
        if !syscalls::close_from(crate::rt::FIRST_DESCRIPTOR) {
            // A standard stream has been closed, and there is no other like it.
            header().outlasts.set(1);
        }
    }
}
