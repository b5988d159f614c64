//! Whether a state that was put back is the one that was copied.
//!
//! The row of a state has its hash, if the search goes by states. The hash leaves out what no thread can notice, so what the
//! runtime itself goes by is hashed beside it.

use crate::rt::base::layout::{CALLS_AT, slot_at};
use crate::rt::sched::enabled;
use crate::rt::sched::state::{Runtime, row};
use crate::rt::sched::state_hash;

/// What is compared: the numbers of the state, and one for the rest.
pub type Prints = ([u64; 2], u64);

/// What stands for the state that the program is in between two steps.
pub fn prints(runtime: &Runtime) -> Prints {
    (state(runtime), rest(runtime))
}

/// Whether the program is in the state of the row, as far as that has a hash.
pub fn is_as_recorded(runtime: &Runtime) -> bool {
    let row = row(runtime.depth.get()).get();
    row.sum == 0 || state(runtime) == [row.sum, row.twin]
}

fn state(runtime: &Runtime) -> [u64; 2] {
    // Of threads that wait it may not be known yet that they have been woken.
    (0..runtime.threads.get()).for_each(|index| _ = enabled::of(runtime, index));
    state_hash::of(runtime).unwrap_or([0; 2])
}

/// The calls that threads are in, where they stand, the arguments, and counters.
fn rest(runtime: &Runtime) -> u64 {
    let mut sum = 0;
    let mut add = |number: u64| sum = state_hash::mixed(sum, number);
    let mut add_words = |from: u64, to: u64| {
        for at in (from..to).step_by(8) {
            // SAFETY: the callers pass memory of slots that are mapped, whole words of it.
            add(unsafe { *(at as *const u64) });
        }
    };
    for thread in runtime.all().iter().filter(|thread| !thread.finished.get()) {
        add_words(slot_at(thread.slot.get()) + CALLS_AT, thread.calls.get() as u64);
    }
    let (start, end) = runtime.all_arguments();
    add_words(start, end & !7);
    for thread in runtime.all().iter().filter(|thread| !thread.finished.get()) {
        add(thread.stack_pointer.get() as u64);
        add(u64::from(thread.steps.get()));
    }
    add(runtime.log.count());
    add(u64::from(runtime.log.awaiting.get()));
    add(runtime.tickets.get());
    add(u64::from(runtime.unjoined.get()) | u64::from(runtime.threads.get()) << 32);
    sum
}
