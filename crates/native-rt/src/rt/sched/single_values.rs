//! Values that differ from run to run, and of which only one is explored: the driver is told where they come from.

use crate::protocol::{DRAW_NAME, Draw, MOST_DRAWS};
use crate::rt::sched::context::Frame;
use crate::rt::sched::defect;
use crate::rt::sched::state::{header, runtime};

/// Tells the driver of a number of which only one value is explored, with the function that gives it.
pub fn note(frame: &Frame, name: &str) {
    let runtime = runtime();
    // A seed that is made of it is no more the program's own than the number.
    runtime.varies.set(true);
    let mut draw = Draw { name: [0; DRAW_NAME], places: [0; _] };
    draw.name[..name.len()].copy_from_slice(name.as_bytes());
    draw.places[0] = frame.place;
    if runtime.running.get() {
        draw.places[0] = runtime.place(frame);
        let (thread, calls) = (runtime.current.get(), runtime.calls.get() as u64);
        defect::calls_of(runtime, thread, calls, &mut draw.places[1..]);
    } else {
        early_calls(frame, &mut draw.places[1..]);
    }
    let header = header();
    let known = (header.drawn.get() as usize).min(MOST_DRAWS);
    if known < MOST_DRAWS && !header.draws[..known].iter().any(|known| known.get() == draw) {
        header.draws[known].set(draw);
        header.drawn.update(|drawn| drawn + 1);
    }
}

/// The calls that lead to a frame before `main` is called, when none are kept: by frame pointers, which the program's own code has.
fn early_calls(frame: &Frame, out: &mut [u64]) {
    const NEAR: u64 = 16 << 10;
    let start = &raw const *frame as u64;
    let (mut base, mut last) = (frame.rbp, start);
    for place in out {
        if base <= last || base > start + NEAR || base % 8 != 0 {
            return;
        }
        last = base;
        // SAFETY: a little further up on the same stack.
        (*place, base) = unsafe { (*(base as *const u64).add(1), *(base as *const u64)) };
    }
}
