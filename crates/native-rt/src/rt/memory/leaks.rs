//! Blocks that the program has not freed, and that no pointer leads to any more, when the program ends.
//!
//! As with any conservative collector, a word that holds an address within a block refers to it. Looked through are the data of
//! the program and its libraries, the stacks and thread-local storage of threads that have not ended, and the blocks that
//! are reached. Only data that has been written to since `main` was called can refer to a block from after that. A program
//! that has freed all it allocated costs nothing.

use crate::protocol::{Leak, MOST_LEAKS};
use crate::rt::sched::heap::{self, Block, Reach};
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::header;

/// Blocks that have been reached and not been looked into. Each knows the next.
struct Front {
    first: u64,
    /// What blocks become that are reached.
    becomes: Reach,
    /// The block whose referents are sought, which does not refer to itself.
    from: u64,
    /// The bytes of those that have been looked into.
    bytes: u64,
}

impl Front {
    fn new(becomes: Reach, from: u64) -> Front {
        Front { first: 0, becomes, from, bytes: 0 }
    }

    /// Looks at all words between two addresses.
    fn scan(&mut self, runtime: &Runtime, start: u64, end: u64) {
        let mut at = start.next_multiple_of(8);
        while at + 8 <= end {
            // SAFETY: the callers pass memory that is mapped.
            let word = unsafe { *(at as *const u64) };
            if let Some((slot, number)) = heap::find(word)
                && !runtime.heap.is_early(slot, number)
            {
                self.meet(heap::block(slot, number), word);
            }
            at += 8;
        }
    }

    /// A word refers to a block.
    fn meet(&mut self, block: &Block, word: u64) {
        let within = word < block.start.get() + block.size.get().max(1);
        if !block.live.get() || !within || block.start.get() == self.from {
            return;
        }
        match (block.reach.get(), self.becomes) {
            (Reach::Unknown, becomes) => {
                block.reach.set(becomes);
                block.next.set(core::mem::replace(&mut self.first, block.start.get()));
            }
            // It has been looked into when it was taken for one that no other refers to: what it leads to is known.
            (Reach::Nobody, Reach::Lost) => {
                block.reach.set(Reach::Lost);
                self.bytes += block.size.get() + block.next.get();
            }
            _ => {}
        }
    }

    /// Looks into all blocks that have been reached, and those that they reach.
    fn follow(&mut self, runtime: &Runtime) {
        while let Some((slot, number)) = heap::find(self.first) {
            let block = heap::block(slot, number);
            self.first = block.next.get();
            self.bytes += block.size.get();
            self.scan(runtime, block.start.get(), block.start.get() + block.size.get());
        }
    }
}

/// Looks for leaks, and reports them by the places where blocks were allocated. `stack`: from where on the running thread's
/// own stack is in use.
pub fn look(runtime: &Runtime, stack: u64) {
    if runtime.heap.own_live.get() == 0 {
        return;
    }
    let mut front = Front::new(Reach::Program, 0);
    runtime.memory.each_written(|start, end, _| front.scan(runtime, start, end));
    for (number, thread) in runtime.table[..runtime.threads.get() as usize].iter().enumerate() {
        let own = number as u32 == runtime.current.get();
        let result = [thread.result.get() as u64];
        if !thread.joined.get() {
            front.scan(runtime, result.as_ptr() as u64, result.as_ptr() as u64 + 8);
        }
        if thread.finished.get() && !own {
            continue;
        }
        front.scan(runtime, if own { stack } else { thread.stack_pointer.get() as u64 }, thread.stack_end());
        let (start, end) = runtime.tls.get().range(thread.base.get());
        front.scan(runtime, start, end);
        let keys = runtime.tls.get().keys(thread.base.get()) as u64;
        front.scan(runtime, keys, keys + u64::from(thread.keys.get()) * 8);
    }
    let (start, end) = runtime.arguments();
    front.scan(runtime, start, end);
    front.follow(runtime);
    report(runtime);
}

fn report(runtime: &Runtime) {
    let slots = runtime.slots.get();
    runtime.heap.each_live(slots, |slot, number| {
        let block = heap::block(slot, number);
        if block.own.get() && block.reach.get() == Reach::Unknown {
            block.reach.set(Reach::Nobody);
            let mut front = Front::new(Reach::Lost, block.start.get());
            front.scan(runtime, block.start.get(), block.start.get() + block.size.get());
            front.follow(runtime);
            // Of such a block this is what else is lost with it.
            block.next.set(front.bytes);
        }
    });
    runtime.heap.each_live(slots, |slot, number| {
        let block = heap::block(slot, number);
        if block.own.get() && block.reach.get() == Reach::Nobody {
            note(Leak {
                place: block.allocated.get(),
                count: 1,
                bytes: block.size.get() + block.next.get(),
                slot,
                block: number,
            });
        }
    });
}

/// Adds a block to those from the same place.
fn note(leak: Leak) {
    let header = header();
    let count = header.leaks.get() as usize;
    match header.leak[..count].iter().find(|known| known.get().place == leak.place) {
        Some(known) => {
            known.update(|known| Leak { count: known.count + 1, bytes: known.bytes + leak.bytes, ..known });
        }
        None if count < MOST_LEAKS => {
            header.leak[count].set(leak);
            header.leaks.update(|leaks| leaks + 1);
        }
        None => {}
    }
}
