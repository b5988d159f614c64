//! What goes wrong in a program: written down for the driver, and the execution ends.

use super::heap::Block;
use super::layout::{CALLS_AT, slot_at};
use super::schedule::finish;
use super::state::{header, runtime};
use super::{Runtime, sys};
use crate::protocol::{Defect, DefectKind, Ending, MOST_FRAMES, NOBODY, Stack};

/// Writes down a defect of the running thread, with its stack.
pub fn note(runtime: &mut Runtime, kind: DefectKind, text: &[u8]) -> &'static mut Defect {
    let place = runtime.thread().pending.place;
    note_at(runtime, kind, text, place)
}

/// The same with the innermost place.
pub fn note_at(runtime: &mut Runtime, kind: DefectKind, text: &[u8], place: u64) -> &'static mut Defect {
    let calls = runtime.calls as u64;
    let thread = runtime.current;
    let defect = &mut header().defect;
    defect.kind = kind as u32;
    defect.thread = thread;
    (defect.other_step, defect.object, defect.block) = (NOBODY, 0, 0);
    (defect.number, defect.detail) = (0, 0);
    defect.frames = stack(runtime, thread, place, calls, &mut defect.stack);
    set_text(defect, &[text]);
    defect
}

/// The stack of the running thread, which is at a place, as one that was asked for.
#[cold]
pub fn watched(runtime: &Runtime, place: u64) -> Stack {
    let (thread, calls) = (runtime.current, runtime.calls as u64);
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
    let bottom = slot_at(runtime.table[thread as usize].slot) + CALLS_AT;
    let mut count = 0;
    let mut at = top;
    while at > bottom && count < out.len() {
        at -= 8;
        // SAFETY: within the slot's room for calls.
        out[count] = super::sections::unmarked(unsafe { *(at as *const u64) });
        count += 1;
    }
    count as u32
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
fn here(runtime: &mut Runtime) -> u64 {
    // SAFETY: whoever is in a function of ours has left it there.
    let frame = unsafe { &*runtime.thread().frame };
    runtime.place(frame)
}

fn outside() -> ! {
    sys::write(2, b"sojourner: ");
    let defect = &header().defect;
    sys::write(2, &defect.text[..defect.text_length as usize]);
    sys::write(2, b" (before main is called)\n");
    sys::exit(4)
}

/// Something that is not modelled.
pub fn refuse(text: &[u8]) -> ! {
    let runtime = runtime();
    if !runtime.running {
        set_text(&mut header().defect, &[text, b" is not supported"]);
        outside();
    }
    let place = here(runtime);
    note_at(runtime, DefectKind::Unsupported, text, place);
    finish(Ending::Refused)
}

/// An interface was used against its rules.
pub fn misuse(object: u64, parts: &[&[u8]]) -> ! {
    let runtime = runtime();
    if !runtime.running {
        set_text(&mut header().defect, parts);
        outside();
    }
    let place = here(runtime);
    let defect = note_at(runtime, DefectKind::Misuse, b"", place);
    defect.object = object;
    set_text(defect, parts);
    finish(Ending::Failed)
}

/// Memory was used against its rules.
pub fn memory(kind: DefectKind, object: u64, block: Option<&Block>, text: &[u8]) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    let defect = note_at(runtime, kind, text, place);
    defect.object = object;
    if let Some(block) = block {
        (defect.slot, defect.block) = super::heap::identity(block);
        (defect.block_start, defect.block_size) = (block.start, block.size);
    }
    finish(Ending::Failed)
}

/// An assertion failed.
pub fn assertion(condition: &[u8], line: u32) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    note_at(runtime, DefectKind::Assertion, condition, place).detail = line;
    finish(Ending::Failed)
}

/// Nobody catches an exception. Its type and its words are told apart by a zero.
pub fn exception(name: &[u8], words: &[u8]) -> ! {
    let runtime = runtime();
    let place = here(runtime);
    set_text(note_at(runtime, DefectKind::Exception, b"", place), &[name, b"\0", words]);
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
    if !runtime.running {
        sys::die_by(6);
    }
    let place = here(runtime);
    // SAFETY: whoever is in a function of ours has left it there.
    let caller = unsafe { &*runtime.thread().frame }.place;
    let library = caller < runtime.text.0 || caller >= runtime.text.1;
    note_at(runtime, DefectKind::Abort, b"", place).detail = u32::from(library);
    finish(Ending::Failed)
}

const _: () = assert!(MOST_FRAMES > 1);
