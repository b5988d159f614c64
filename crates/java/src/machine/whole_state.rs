//! States as whole copies, without pools and without differences.
//!
//! This is how Java PathFinder went back before it had compression (Lerda & Visser 2001, section 2.3). It is here to be compared with
//! the journal (`undo`) and with pools (`collapse`): it has no share of what makes those two fast, and of what could make them wrong.

use super::side_tables::SideTables;
use super::undo::Scalars;
use super::{Frame, Machine, Thread, ThreadState};
use crate::files::Layer;
use crate::memory::{PIECE, Ref};
use sojourner_program::ThreadId;
use std::rc::Rc;

/// A copy of all that a transition may change.
pub struct WholeState {
    scalars: Scalars,
    layer: Rc<Layer>,
    tables: Rc<SideTables>,
    top: u32,
    allocated: u32,
    /// The words of permanent objects that executions change.
    changed: Vec<u64>,
    /// The words of all other objects, in whole pieces.
    heap: Vec<u64>,
    threads: Vec<WholeThread>,
}

/// A copy of a thread.
struct WholeThread {
    object: Ref,
    id: ThreadId,
    print: u64,
    daemon: bool,
    standing: ThreadState,
    touched: u64,
    version: u64,
    frames: Vec<Frame>,
    /// The slots of all frames.
    slots: Vec<u64>,
    locks: Vec<Ref>,
}

impl WholeState {
    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        let of_thread = |thread: &WholeThread| {
            size_of::<WholeThread>()
                + thread.frames.capacity() * size_of::<Frame>()
                + thread.slots.capacity() * size_of::<u64>()
                + thread.locks.capacity() * size_of::<Ref>()
        };
        size_of::<WholeState>()
            + (self.changed.capacity() + self.heap.capacity()) * size_of::<u64>()
            + self.threads.iter().map(of_thread).sum::<usize>()
    }
}

impl Machine {
    /// A copy of the present state, to be put back by this machine. The state must be one that has a root
    /// ([`Machine::collapse`](super::collapse)).
    pub(crate) fn copy_state(&self) -> Option<WholeState> {
        let pieces = self.heap.pieces()?;
        let mut heap = Vec::with_capacity(pieces * PIECE);
        (0..pieces).for_each(|piece| heap.extend_from_slice(self.heap.piece(piece)));
        let word = |word: &crate::memory::Changed| self.heap.word(word.object.0 + word.offset / 8);
        Some(WholeState {
            scalars: self.scalars().of_state(),
            layer: Rc::clone(&self.files.layer),
            tables: self.tables.share(),
            top: self.heap.top(),
            allocated: self.heap.allocated(),
            changed: self.heap.changed().iter().map(word).collect(),
            heap,
            threads: (0..self.threads.list.len()).map(|index| self.copy_thread(index)).collect(),
        })
    }

    fn copy_thread(&self, index: usize) -> WholeThread {
        let thread = &self.threads.list[index];
        let end = thread.frames.last().map_or(0, |top| {
            let code = self.method(top.method).code.get();
            top.base as usize + code.map_or(0, |code| usize::from(code.registers))
        });
        let &Thread { object, id, print, daemon, version, .. } = thread;
        WholeThread {
            object,
            id,
            print,
            daemon,
            standing: **thread,
            touched: thread.touched(),
            version,
            frames: thread.frames.clone(),
            slots: thread.stack.slots(0, end).to_vec(),
            locks: self.undo.locks_of(index).to_vec(),
        }
    }

    /// Puts a state back, whatever state it is in. Nothing can be taken back then. False, and neither here nor there: there is no
    /// memory for the stacks of threads.
    #[must_use]
    pub(crate) fn put_back(&mut self, state: &WholeState) -> bool {
        self.files.archives.rewind(0);
        self.undo.forget();
        self.turn.thread = 0;
        let pieces = state.heap.chunks_exact(PIECE);
        let (count, present) = (pieces.len(), self.heap.pieces().unwrap_or(0));
        pieces.enumerate().for_each(|(piece, words)| self.heap.set_piece(piece, words));
        (count..present).for_each(|piece| self.heap.set_piece(piece, &[0; PIECE]));
        for place in 0..self.heap.changed().len() {
            // Words that had not been changed yet are what they were at first.
            let original = self.heap.changed()[place].original;
            self.heap.set_changed(place, state.changed.get(place).copied().unwrap_or(original));
        }
        self.heap.begin_at(state.top, state.allocated);
        self.outcome.output.clear();
        self.set_scalars(&state.scalars);
        self.files.layer = Rc::clone(&state.layer);
        let split = self.heap.split();
        self.tables.restore(Rc::clone(&state.tables), |object| object.0 < split);
        self.put_back_threads(&state.threads)
    }

    fn put_back_threads(&mut self, threads: &[WholeThread]) -> bool {
        while self.threads.list.len() > threads.len() {
            // Another one may come in its place, which holds nothing.
            self.undo.set_locks(self.threads.list.len() - 1, std::iter::empty());
            self.undo.stacks.extend(self.threads.list.pop().map(|thread| thread.stack));
        }
        for (index, copy) in threads.iter().enumerate() {
            let &WholeThread { object, id, print, daemon, .. } = copy;
            if self.threads.list.len() == index {
                let Some(stack) = self.new_stack() else { return false };
                self.threads.list.push(Thread::new(object, (id, print), stack, daemon));
            }
            let thread = &mut self.threads.list[index];
            (thread.object, thread.id, thread.print, thread.daemon) = (object, id, print, daemon);
            thread.restore(copy.standing, copy.touched);
            thread.frames.clone_from(&copy.frames);
            thread.stack.slots_mut(0, copy.slots.len()).copy_from_slice(&copy.slots);
            thread.version = copy.version;
            // Frames are remembered by the time at which a thread has moved: those of several threads must differ.
            thread.moved_at = index;
            self.undo.set_locks(index, copy.locks.iter().copied());
        }
        true
    }
}
