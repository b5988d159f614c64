//! Panics of Rust programs, as the functions in front of those of the standard library tell of them.
//!
//! What becomes of a panic is known later: the program's own code catches it, and then it is no matter of ours; or it ends its
//! thread, or the program. Those that the program has not caught are kept, for the driver to judge when the execution ends.

use crate::protocol::{Code, MOST_PANICS, PANIC_FILE, PANIC_TEXT, Panic};
use crate::rt::base::cell::Restored;
use crate::rt::base::layout::{CALLS_AT, slot_at};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{code, header, runtime};
use core::cell::Cell;

export! {
    __sojourner_panics => panics;
    __sojourner_unwinds => unwinds;
    __sojourner_caught => caught;
}

struct Panics {
    list: [Cell<Panic>; MOST_PANICS],
    count: Cell<usize>,
}

static PANICS: Restored<Panics> =
    Restored::new(Panics { list: [const { Cell::new(Panic::NONE) }; MOST_PANICS], count: Cell::new(0) });

impl Panics {
    fn all(&self) -> impl DoubleEndedIterator<Item = Panic> + ExactSizeIterator {
        self.list[..self.count.get()].iter().map(Cell::get)
    }

    /// The last panic of a thread that has not ended it.
    fn last(&self, thread: u32) -> Option<usize> {
        self.all().rposition(|panic| panic.thread == thread && panic.ended == 0)
    }

    /// A new panic of the running thread.
    fn begin(&self, frame: &Frame) -> &Cell<Panic> {
        if self.count.get() == MOST_PANICS {
            defect::refuse(b"more than 8 panics that the program does not catch");
        }
        let runtime = runtime();
        let stack = defect::watched(runtime, runtime.place(frame));
        let panic = &self.list[self.count.get()];
        self.count.update(|count| count + 1);
        panic.set(Panic {
            thread: runtime.current.get(),
            frames: stack.frames,
            stack: stack.places,
            ..Panic::NONE
        });
        panic
    }

    fn remove(&self, number: usize) {
        for nth in number + 1..self.count.get() {
            self.list[nth - 1].set(self.list[nth].get());
        }
        self.count.update(|count| count - 1);
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
    if !runtime().running.get() {
        return;
    }
    let begun = PANICS.begin(frame);
    let mut panic = begun.get();
    panic.text_length = copy(text, bytes.min(PANIC_TEXT), &mut panic.text);
    panic.file_length = copy(file, file_bytes.min(PANIC_FILE), &mut panic.file);
    panic.line = line;
    begun.set(panic);
}

extern "C" fn unwinds() {
    let frame = Frame::here();
    if !runtime().running.get() {
        return;
    }
    let panics = &PANICS;
    let known = panics.last(runtime().current.get()).filter(|&last| panics.list[last].get().unwinds == 0);
    let panic = match known {
        Some(last) => &panics.list[last],
        // One that says nothing: `panic_any`, or `resume_unwind`.
        None => panics.begin(frame),
    };
    panic.update(|panic| Panic { unwinds: 1, ..panic });
}

extern "C" fn caught() {
    Frame::here();
    let runtime = runtime();
    if !runtime.running.get() {
        return;
    }
    let panics = &PANICS;
    let Some(last) = panics.last(runtime.current.get()) else { return };
    match is_in_program(runtime) {
        true => panics.remove(last),
        false => panics.list[last].update(|panic| Panic { ended: 1, ..panic }),
    }
}

/// Whether the running thread is still in what it was started for.
fn is_in_program(runtime: &Runtime) -> bool {
    let bottom = slot_at(runtime.table[runtime.current.get() as usize].slot.get()) + CALLS_AT;
    let calls = (bottom..runtime.calls.get() as u64).step_by(8);
    // SAFETY: within the slot's room for calls.
    calls.map(|at| unsafe { *(at as *const u64) }).any(|call| code(call) == Some(Code::Root))
}

/// The running thread ends the program by `abort`. If a panic has it do that, the panic is the defect.
pub fn abort() {
    if PANICS.last(runtime().current.get()).is_some() {
        defect::panic();
    }
}

/// Tells the driver.
pub fn tell(runtime: &Runtime) {
    let (panics, header) = (&PANICS, header());
    header.panics.set(panics.count.get() as u32);
    for (panic, told) in panics.all().zip(&header.panic) {
        let joined = runtime.table[panic.thread as usize].joined.get().into();
        told.set(Panic { joined, ..panic });
    }
}
