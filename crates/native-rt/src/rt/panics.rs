//! Panics of Rust programs, as the functions in front of those of the standard library tell of them.
//!
//! What becomes of a panic is known later: the program's own code catches it, and then it is no matter of ours; or it ends its
//! thread, or the program. Those that the program has not caught are kept, for the driver to judge when the execution ends.

use super::Runtime;
use super::context::{Frame, export};
use super::defect;
use super::kept::Kept;
use super::layout::{CALLS_AT, slot_at};
use super::state::{code, header, runtime};
use crate::protocol::{Code, MOST_PANICS, PANIC_FILE, PANIC_TEXT, Panic};

export! {
    __sojourner_panics => panics;
    __sojourner_unwinds => unwinds;
    __sojourner_caught => caught;
}

struct Panics {
    list: [Panic; MOST_PANICS],
    count: usize,
}

static PANICS: Kept<Panics> = Kept::new(Panics { list: [Panic::NONE; MOST_PANICS], count: 0 });

impl Panics {
    fn all(&mut self) -> &mut [Panic] {
        &mut self.list[..self.count]
    }

    /// The last panic of a thread that has not ended it.
    fn last(&mut self, thread: u32) -> Option<usize> {
        self.all().iter().rposition(|panic| panic.thread == thread && panic.ended == 0)
    }

    /// A new panic of the running thread.
    fn begin(&mut self, frame: &Frame) -> &mut Panic {
        if self.count == MOST_PANICS {
            defect::refuse(b"more than 8 panics that the program does not catch");
        }
        let runtime = runtime();
        let stack = defect::watched(runtime, runtime.place(frame));
        self.count += 1;
        let panic = &mut self.list[self.count - 1];
        *panic = Panic { thread: runtime.current, frames: stack.frames, stack: stack.places, ..Panic::NONE };
        panic
    }

    fn remove(&mut self, number: usize) {
        self.list.copy_within(number + 1..self.count, number);
        self.count -= 1;
    }
}

/// Copies as much of a text as there is room for. How much that is.
fn copy(text: *const u8, bytes: usize, to: &mut [u8]) -> u32 {
    let length = bytes.min(to.len());
    // SAFETY: the program passes a text of that length.
    unsafe { core::ptr::copy_nonoverlapping(text, to.as_mut_ptr(), length) };
    length as u32
}

extern "C" fn panics(text: *const u8, bytes: usize, file: *const u8, file_bytes: usize, line: u32) {
    let frame = Frame::here();
    if !runtime().running {
        return;
    }
    let panic = PANICS.get().begin(frame);
    panic.text_length = copy(text, bytes.min(PANIC_TEXT), &mut panic.text);
    panic.file_length = copy(file, file_bytes.min(PANIC_FILE), &mut panic.file);
    panic.line = line;
}

extern "C" fn unwinds() {
    let frame = Frame::here();
    if !runtime().running {
        return;
    }
    let panics = PANICS.get();
    let known = panics.last(runtime().current).filter(|&last| panics.list[last].unwinds == 0);
    let panic = match known {
        Some(last) => &mut panics.list[last],
        // One that says nothing: `panic_any`, or `resume_unwind`.
        None => panics.begin(frame),
    };
    panic.unwinds = 1;
}

extern "C" fn caught() {
    Frame::here();
    let runtime = runtime();
    if !runtime.running {
        return;
    }
    let panics = PANICS.get();
    let Some(last) = panics.last(runtime.current) else { return };
    match is_in_program(runtime) {
        true => panics.remove(last),
        false => panics.list[last].ended = 1,
    }
}

/// Whether the running thread is still in what it was started for.
fn is_in_program(runtime: &Runtime) -> bool {
    let bottom = slot_at(runtime.table[runtime.current as usize].slot) + CALLS_AT;
    let calls = (bottom..runtime.calls as u64).step_by(8);
    // SAFETY: within the slot's room for calls.
    calls.map(|at| unsafe { *(at as *const u64) }).any(|call| code(call) == Some(Code::Root))
}

/// The running thread ends the program by `abort`. If a panic has it do that, the panic is the defect.
pub fn abort() {
    if PANICS.get().last(runtime().current).is_some() {
        defect::panic();
    }
}

/// Tells the driver.
pub fn tell(runtime: &Runtime) {
    let (panics, header) = (PANICS.get(), header());
    header.panics = panics.count as u32;
    for (panic, told) in panics.all().iter().zip(&mut header.panic) {
        let joined = runtime.table[panic.thread as usize].joined.into();
        *told = Panic { joined, ..*panic };
    }
}
