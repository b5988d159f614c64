//! What goes wrong in a program: written down for the driver, and the execution ends.

use crate::protocol::{
    CallList, Defect, DefectKind, Ending, MOST_CALLS, MOST_CALLS_OF_THREAD, MOST_FRAMES, NOBODY, Stack,
};
use crate::rt::base::layout::{CALLS_AT, slot_at};
use crate::rt::base::syscalls;
use crate::rt::sched::heap::Block;
use crate::rt::sched::schedule::finish;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{call_list, header, recorded_call, runtime};

/// Writes down a defect of the running thread, with its stack.
pub fn note(runtime: &Runtime, kind: DefectKind, text: &[u8]) {
    note_at(runtime, kind, text, runtime.thread().pending.get().place);
}

/// The same with the innermost place.
pub fn note_at(runtime: &Runtime, kind: DefectKind, text: &[u8], place: u64) {
    let (thread, calls) = (runtime.current.get(), runtime.calls.get() as u64);
    amend(|mut defect| {
        defect.frames = stack(runtime, thread, place, calls, &mut defect.stack);
        set_text(&mut defect, &[text]);
        let (kind, other_step) = (kind as u32, NOBODY);
        Defect { kind, thread, other_step, object: 0, block: 0, number: 0, detail: 0, ..defect }
    });
}

/// Writes down more of the defect that was noted last.
pub fn amend(change: impl FnOnce(Defect) -> Defect) {
    header().defect.update(change);
}

/// The stack of the running thread, which is at a place, as one that was asked for.
#[cold]
pub fn watched(runtime: &Runtime, place: u64) -> Stack {
    let (thread, calls) = (runtime.current.get(), runtime.calls.get() as u64);
    let mut watched = Stack { thread, frames: 0, places: [0; MOST_FRAMES] };
    watched.frames = stack(runtime, thread, place, calls, &mut watched.places);
    watched
}

/// A place and the calls that lead to it, innermost first. Their number.
fn stack(runtime: &Runtime, thread: u32, place: u64, calls: u64, out: &mut [u64; MOST_FRAMES]) -> u32 {
    out[0] = place;
    1 + calls_of(runtime, thread, calls, &mut out[1..])
}

/// The calls that a thread is in, innermost first.
pub fn calls_of(runtime: &Runtime, thread: u32, top: u64, out: &mut [u64]) -> u32 {
    let bottom = slot_at(runtime.table[thread as usize].slot.get()) + CALLS_AT;
    let mut count = 0;
    let mut at = top;
    while at > bottom && count < out.len() {
        at -= 8;
        // SAFETY: within the slot's room for calls.
        out[count] = crate::rt::sched::atomic_sections::unmarked(unsafe { *(at as *const u64) });
        count += 1;
    }
    count as u32
}

/// Records the calls that a thread is in, beside an entry of it.
#[cold]
pub fn record_calls(runtime: &Runtime, thread: u32, entry: u32) {
    let top =
        if thread == runtime.current.get() { &runtime.calls } else { &runtime.table[thread as usize].calls };
    let mut calls = [0; MOST_CALLS_OF_THREAD];
    let count = calls_of(runtime, thread, top.get() as u64, &mut calls);
    let start = if entry == 0 { 0 } else { call_list(entry - 1).get().end };
    let room = (MOST_CALLS as u32).saturating_sub(start);
    let end = start + count.min(room);
    (start..end).zip(calls).for_each(|(index, call)| recorded_call(index).set(call));
    call_list(entry).set(CallList { start, end });
}

fn set_text(defect: &mut Defect, parts: &[&[u8]]) {
    let mut length = 0;
    for byte in parts.iter().flat_map(|part| part.iter()) {
        if length == defect.text.len() {
            break;
        }
        defect.text[length] = *byte;
        length += 1;
    }
    defect.text_length = length as u32;
}

/// The place of the call that was made last.
fn here(runtime: &Runtime) -> u64 {
    // SAFETY: a thread that is in a function of ours has left it there.
    let frame = unsafe { &*runtime.thread().frame.get() };
    runtime.place(frame)
}

fn outside() -> ! {
    syscalls::write(2, b"sojourner: ");
    let defect = header().defect.get();
    syscalls::write(2, &defect.text[..defect.text_length as usize]);
    syscalls::write(2, b" (before main is called)\n");
    syscalls::exit(4)
}

/// Something that is not modelled.
pub fn refuse(text: &[u8]) -> ! {
    let runtime = runtime();
    if !runtime.running.get() {
        amend(|mut defect| {
            set_text(&mut defect, &[text, b" is not supported"]);
            defect
        });
        outside();
    }
    let place = here(runtime);
    note_at(runtime, DefectKind::Unsupported, text, place);
    finish(Ending::Refused)
}

/// An interface was used against its rules.
pub fn misuse(object: u64, parts: &[&[u8]]) -> ! {
    let runtime = runtime();
    if !runtime.running.get() {
        amend(|mut defect| {
            set_text(&mut defect, parts);
            defect
        });
        outside();
    }
    let place = here(runtime);
    note_at(runtime, DefectKind::Misuse, b"", place);
    amend(|mut defect| {
        defect.object = object;
        set_text(&mut defect, parts);
        defect
    });
    finish(Ending::Failed)
}

/// Memory was used against its rules.
pub fn memory(kind: DefectKind, object: u64, block: Option<&Block>, text: &[u8]) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    note_at(runtime, kind, text, place);
    amend(|defect| Defect { object, ..defect });
    if let Some(known) = block {
        let (slot, block) = crate::rt::sched::heap::identity(known);
        let (block_start, block_size) = (known.start.get(), known.size.get());
        amend(|defect| Defect { slot, block, block_start, block_size, ..defect });
    }
    finish(Ending::Failed)
}

/// An assertion failed.
pub fn assertion(condition: &[u8], line: u32) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    note_at(runtime, DefectKind::Assertion, condition, place);
    amend(|defect| Defect { detail: line, ..defect });
    finish(Ending::Failed)
}

/// No handler catches an exception. Its type and its words are separated by a zero.
pub fn exception(name: &[u8], words: &[u8]) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    note_at(runtime, DefectKind::Exception, b"", place);
    amend(|mut defect| {
        set_text(&mut defect, &[name, b"\0", words]);
        defect
    });
    finish(Ending::Failed)
}

/// A panic ends the program at once.
pub fn panic() -> ! {
    let runtime = runtime();
    let place = here(runtime);
    note_at(runtime, DefectKind::Panic, b"", place);
    finish(Ending::Failed)
}

/// The program ends itself as a failure.
pub fn abort() -> ! {
    let runtime = runtime();
    if !runtime.running.get() {
        syscalls::die_by(6);
    }
    let place = here(runtime);
    // SAFETY: a thread that is in a function of ours has left it there.
    let caller = unsafe { &*runtime.thread().frame.get() }.place;
    let library = caller < runtime.text.get().0 || caller >= runtime.text.get().1;
    note_at(runtime, DefectKind::Abort, b"", place);
    amend(|defect| Defect { detail: u32::from(library), ..defect });
    finish(Ending::Failed)
}

const _: () = assert!(MOST_FRAMES > 1);
