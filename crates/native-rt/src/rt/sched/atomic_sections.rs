//! Atomic sections: no other thread moves while a thread is in one.
//!
//! To a reduction a section that only touches memory is one step, which touches all that its thread is known to touch in a
//! section at that place, whichever way it goes through it. What that is is learned: where a section touches something else, the
//! driver is told, and begins the search anew. So it is the same in every execution, and known before the section is entered.
//!
//! Sections in which more happens (locks, choices, an assumption that fails behind a write) are *taken apart*: each operation is a
//! step, and entering and leaving keeps all others out, and lets them in.

use crate::protocol::{
    EVERYWHERE, How, MOST_IN_SECTION, MOST_SECTION_TOUCHES, NOBODY, Op, SECTION, SectionTouch, Space, Touch,
};
use crate::rt::base::layout::{CALLS_AT, slot_at};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::locksets::MOST_IN_STEP;
use crate::rt::sched::races;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::spin_loops;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime, touch};
use crate::rt::sched::state_hash::mixed;
use core::cell::Cell;

export! {
    __VERIFIER_atomic_begin => begin;
    __VERIFIER_atomic_end => end;
}

/// The section that a thread is in.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Section {
    /// The thread, or `NOBODY`.
    thread: u32,
    /// Whether it is one step.
    whole: bool,
    /// Whether something has been changed in it.
    writes: bool,
    /// Where it was entered.
    place: u64,
    /// If it is a function: where the call of that function is kept among its thread's calls; else 0.
    call: usize,
}

/// Marks the call of a function that is an atomic section, where it is kept: the next call there overwrites the mark, so that
/// sections of the same depth one after the other are told apart.
const ENTERED: u64 = 1 << 63;

/// A call as it is kept, without the mark.
pub fn unmarked(call: u64) -> u64 {
    call & !ENTERED
}

impl Section {
    /// No thread is in one.
    pub const NONE: Section = Section { thread: NOBODY, whole: false, writes: false, place: 0, call: 0 };

    /// A thread is the last one to move.
    pub const fn last(thread: u32) -> Section {
        Section { thread, ..Section::NONE }
    }

    /// What the rest of the section depends on, in a number.
    pub fn number(&self) -> u64 {
        mixed(self.place, u64::from(self.thread) << 1 | u64::from(self.writes))
    }

    /// Whether no thread is in one.
    pub fn is_none(&self) -> bool {
        self.thread == NOBODY
    }

    /// Whether a thread cannot move because another one is in it.
    #[inline]
    pub fn keeps_out(&self, thread: u32) -> bool {
        self.thread != NOBODY && self.thread != thread
    }
}

extern "C" fn begin() {
    let frame = Frame::here();
    if runtime().running.get() {
        let place = runtime().place(frame);
        enter_function(frame, place);
        // All of a function is one section, whatever sections it has.
        if !runtime().is_in_function() {
            open(frame, place);
        }
    }
}

fn open(frame: &Frame, place: u64) {
    if runtime().section.get().thread == runtime().current.get() {
        defect::refuse(b"an atomic section within another one");
    }
    let whole = runtime().settings.get().sections != 0 && !is_apart(place);
    if !whole && !runtime().alone() {
        header().sectioned.set(1);
    }
    let how = if whole { How::Nothing } else { How::Acquire };
    Operation::new(Op::Section, how, SECTION, 0).take_at(frame, place, 0);
    let runtime = runtime();
    runtime.section.set(Section { thread: runtime.current.get(), whole, place, ..Section::NONE });
    runtime.stale.update(|stale| stale || !whole);
    if whole {
        races::gained(SECTION);
    }
    spin_loops::turn(SECTION, 1);
}

extern "C" fn end() {
    let frame = Frame::here();
    if runtime().running.get() {
        let place = runtime().place(frame);
        enter_function(frame, place);
        if runtime().is_in_function() {
            return;
        }
        if runtime().section.get().thread != runtime().current.get() {
            defect::misuse(SECTION, &[b"leaves an atomic section that it is not in"]);
        }
        close(frame, place);
    }
}

fn close(frame: &Frame, place: u64) {
    let whole = runtime().section.get().whole;
    let how = if whole { How::Nothing } else { How::Release };
    Operation::new(Op::SectionEnd, how, SECTION, 0).take_at(frame, place, 0);
    if whole {
        races::given_back(SECTION);
    }
    let runtime = runtime();
    runtime.section.set(Section::NONE);
    runtime.stale.update(|stale| stale || !whole);
    spin_loops::turn(SECTION, -1);
}

/// The running thread is about to do something: it may have entered, or left, a function that is an atomic section. What it
/// does between leaving one and its next operation no other thread can notice.
#[cold]
pub fn cross(frame: &Frame, op: Op) {
    let place = runtime().place(frame);
    leave_function(frame, place);
    if !matches!(op, Op::End | Op::Exit | Op::GivenUp) {
        enter_function(frame, place);
    }
}

/// Closes the section of the running thread if that is a function which has returned since.
fn leave_function(frame: &Frame, place: u64) {
    let runtime = runtime();
    let Section { thread, call, .. } = runtime.section.get();
    if thread != runtime.current.get() || call == 0 {
        return;
    }
    // SAFETY: within the slot's room for calls.
    let entered = unsafe { *(call as *const u64) } & ENTERED != 0;
    if runtime.calls.get() as usize <= call || !entered {
        close(frame, place);
    }
}

/// Opens a section if the running thread is in a function that is one, and closes the one before it.
fn enter_function(frame: &Frame, place: u64) {
    if header().sections.count.get() == 0 {
        return;
    }
    leave_function(frame, place);
    if runtime().section.get().thread == runtime().current.get() {
        return;
    }
    if let Some(call) = runtime().call_of_section(place) {
        open(frame, place);
        // SAFETY: within the slot's room for calls.
        unsafe { *(call as *mut u64) |= ENTERED };
        runtime().section.update(|section| Section { call, ..section });
    }
}

impl Runtime {
    /// Whether the running thread is in a function that is an atomic section.
    fn is_in_function(&self) -> bool {
        self.section.get().thread == self.current.get() && self.section.get().call != 0
    }

    /// Where the call of the outermost function is kept that is an atomic section, of those that the running thread is in.
    fn call_of_section(&self, place: u64) -> Option<usize> {
        let bottom = slot_at(self.table[self.current.get() as usize].slot.get()) + CALLS_AT;
        let top = self.calls.get() as u64;
        let sections = &header().sections;
        // A call is kept as the place that it comes from, which lies in the function of the call before it.
        let is_called_there = |call: &u64| {
            // SAFETY: within the slot's room for calls.
            sections.contain(unmarked(unsafe { *(*call as *const u64) }))
        };
        let called = (bottom..top).step_by(8).find(is_called_there);
        let inner = called.or_else(|| sections.contain(place).then_some(top))?;
        inner.checked_sub(8).filter(|call| *call >= bottom).map(|call| call as usize)
    }
}

/// The running thread is about to stop for ever. If it has changed nothing in the section that it is in, it might as well not have
/// entered it, and keeps no thread out.
pub fn abandon(frame: &Frame) {
    cross(frame, Op::GivenUp);
    let Section { thread, writes, .. } = runtime().section.get();
    if thread == runtime().current.get() && !writes {
        let place = runtime().place(frame);
        close(frame, place);
    }
}

/// Whether what the running thread is about to do belongs to the step that entered the section which it is in. Lies it in a block
/// of the heap, that is the block's number.
#[inline]
pub fn is_part(runtime: &Runtime, operation: &Operation, block: u32) -> bool {
    runtime.section.get().thread == runtime.current.get() && note(runtime, operation, block)
}

fn note(runtime: &Runtime, operation: &Operation, block: u32) -> bool {
    let Operation { op, how, object, size, also, .. } = *operation;
    runtime.section.update(|section| Section { writes: section.writes || how > How::Read, ..section });
    if !runtime.section.get().whole {
        return false;
    }
    let accesses = op as u8 <= Op::AtomicUpdate as u8;
    let leaves = op == Op::SectionEnd;
    if !(accesses || leaves || op == Op::Pause) || header().inside_step.get() == MOST_IN_STEP {
        take_apart(runtime);
    }
    if runtime.thread().repeats() && !leaves {
        take_apart(runtime);
    }
    header().inside_step.update(|inside_step| inside_step + 1);
    if accesses {
        touches(runtime, Touch { size, ..touch(object, how, Space::Memory) });
    }
    if block != 0 {
        touches(runtime, Touch { size: block, ..touch(object, How::Read, Space::Block) });
    }
    also.into_iter().flatten().for_each(|touch| touches(runtime, touch));
    true
}

/// What is known of sections.
fn known() -> impl Iterator<Item = SectionTouch> {
    let header = header();
    header.section_touch[..(header.section_touches.get() as usize).min(MOST_SECTION_TOUCHES)]
        .iter()
        .map(Cell::get)
}

/// What a thread is known to touch in the section that is entered there.
fn of_section(place: u64, slot: u32) -> impl Iterator<Item = Touch> {
    let same =
        move |inside: &SectionTouch| inside.place == place && inside.slot == slot && !inside.is_apart();
    known().filter(same).map(|inside| inside.touch)
}

/// Whether sections that are entered there are taken apart.
fn is_apart(place: u64) -> bool {
    known().any(|inside| inside.is_apart() && [place, EVERYWHERE].contains(&inside.place))
}

fn learn(inside: SectionTouch) {
    let header = header();
    let at = header.section_touches.get() as usize;
    // The last place is for saying that there was no room.
    let inside = if at + 1 < MOST_SECTION_TOUCHES { inside } else { SectionTouch::apart(EVERYWHERE) };
    if at < MOST_SECTION_TOUCHES {
        header.section_touch[at].set(inside);
        header.section_touches.update(|touches| touches + 1);
    }
}

/// The running thread touches something in a section that is one step.
fn touches(runtime: &Runtime, touch: Touch) {
    let (place, slot) = (runtime.section.get().place, runtime.thread().slot.get());
    let mut count = 0;
    for known in of_section(place, slot) {
        if known.covers(&touch) {
            return;
        }
        count += 1;
    }
    if count == MOST_IN_SECTION {
        take_apart(runtime);
    }
    learn(SectionTouch { place, slot, padding: 0, touch });
}

/// In a section that had been taken for one step something happens that others can notice, or wait for.
#[cold]
fn take_apart(runtime: &Runtime) -> ! {
    learn(SectionTouch::apart(runtime.section.get().place));
    defect::refuse(b"an atomic section in which more happens than accesses to memory")
}

/// What a thread that is about to enter a section touches in it, if that is one step. The number of things.
pub fn touched(runtime: &Runtime, index: u32, mut add: impl FnMut(&Runtime, Touch)) -> u16 {
    let thread = &runtime.table[index as usize];
    let (pending, slot) = (thread.pending.get(), thread.slot.get());
    if pending.how != How::Nothing as u8 {
        return 0;
    }
    let mut count = 0;
    for touch in of_section(pending.place, slot) {
        add(runtime, touch);
        count += 1;
    }
    count
}
