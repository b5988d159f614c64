//! Taking back what a transition has done to the machine (Lerda & Visser 2001, section 2.2).
//!
//! The heap has a journal of words. Of threads, how they stand is kept when a transition first changes it, and the frames
//! of the one that runs are kept from the top down as far as it comes to touch them. Tables beside the heap are shared by
//! all marks and copied when they change, which is rare.

use super::clock::ClockPolls;
use super::side_tables::SideTables;
use super::{Frame, Machine, Thread, ThreadState};
use crate::files::Layer;
use crate::memory::{HeapMark, Ref, Stack};
use std::rc::Rc;

/// How the machine was before a transition, as far as it is not in a journal.
struct Mark {
    heap: HeapMark,
    standings: usize,
    frames: usize,
    locks: usize,
    threads: usize,
    /// The thread that runs in the transition, and the number of its frames before.
    thread: usize,
    depth: usize,
    version: u64,
    moved_at: usize,
    scalars: Scalars,
    tables: Rc<SideTables>,
    layer: Rc<Layer>,
}

/// What else changes: small enough to be copied every time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Scalars {
    now: i64,
    clock_was_read: bool,
    look: ClockPolls,
    waits: u64,
    exit: Option<i32>,
    ignored: bool,
    threads: (u32, u32),
    output: usize,
    alive: usize,
    threads_version: u64,
}

impl Scalars {
    /// What of them belongs to a state, which the program's output does not.
    pub fn of_state(self) -> Scalars {
        Scalars { output: 0, ..self }
    }
}

/// What a transition has done to the thread that ran in it.
pub(crate) struct MovedThread {
    pub thread: usize,
    /// Its version before, and when it had moved before.
    pub version: u64,
    pub moved_at: usize,
    /// How many of its frames, from the bottom up, are as they were.
    pub frames: usize,
}

/// The journals of the machine beside that of its heap.
#[derive(Default)]
pub struct Undo {
    /// The number of the present transition; 0 while nothing is recorded.
    transition: u64,
    begun: u64,
    marks: Vec<Mark>,
    standings: Vec<(usize, ThreadState, u64)>,
    frames: Vec<Frame>,
    /// The slots of saved frames, behind each frame's the number of them.
    slots: Vec<u64>,
    /// The lowest frame of the running thread that has been saved.
    pub(super) low: usize,
    /// The locks that threads hold, by thread, the innermost last.
    held: Vec<Vec<Ref>>,
    /// Locks that were taken, or given back, and their places.
    locks: Vec<(usize, usize, Ref, bool)>,
    /// Stacks of threads that are not there any more.
    pub(super) stacks: Vec<Stack>,
}

/// What the last transitions have changed, from one of them on.
pub(super) struct ChangesSince<'a> {
    undo: &'a Undo,
    marks: usize,
    /// How far the heap had come.
    pub heap: HeapMark,
}

impl ChangesSince<'_> {
    /// Whether a thread that was there stands otherwise than it did, or may.
    pub fn stands_otherwise(&self, thread: usize) -> bool {
        self.undo.standings[self.undo.marks[self.marks].standings..].iter().any(|&(at, ..)| at == thread)
    }

    /// Whether a thread that was there has taken locks or given them back.
    pub fn has_used_locks(&self, thread: usize) -> bool {
        self.undo.locks[self.undo.marks[self.marks].locks..].iter().any(|&(at, ..)| at == thread)
    }

    /// How many frames of a thread that was there, from the bottom up, are as they were; `None` if all of them are.
    pub fn frames_left(&self, thread: usize) -> Option<usize> {
        let Undo { marks, frames, .. } = self.undo;
        let ends = marks[self.marks + 1..].iter().map(|mark| mark.frames).chain([frames.len()]);
        let moves = marks[self.marks..].iter().zip(ends).filter(|(mark, _)| mark.thread == thread);
        moves.map(|(mark, end)| mark.depth - (end - mark.frames)).min()
    }
}

impl Undo {
    /// The bytes of the journals, with the room for more.
    pub(crate) fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<Mark>()
            + self.standings.capacity() * size_of::<(usize, ThreadState, u64)>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.slots.capacity() * size_of::<u64>()
            + self.locks.capacity() * size_of::<(usize, usize, Ref, bool)>()
    }

    /// What the transitions have changed that can be taken back, but for the first so many; `None` if there are no others.
    pub(super) fn since(&self, marks: usize) -> Option<ChangesSince<'_>> {
        let &Mark { heap, .. } = self.marks.get(marks)?;
        Some(ChangesSince { undo: self, marks, heap })
    }

    /// Nothing can be taken back any more.
    pub(super) fn forget(&mut self) {
        self.marks.clear();
        self.standings.clear();
        self.frames.clear();
        self.slots.clear();
        self.locks.clear();
        self.transition = 0;
    }

    /// A thread holds these locks.
    pub(super) fn set_locks(&mut self, thread: usize, locks: impl Iterator<Item = Ref>) {
        if self.held.len() <= thread {
            self.held.resize(thread + 1, Vec::new());
        }
        let held = &mut self.held[thread];
        held.clear();
        held.extend(locks);
    }

    /// Whether a thread holds a lock.
    pub(crate) fn holds(&self, thread: usize, lock: Ref) -> bool {
        self.locks_of(thread).contains(&lock)
    }

    /// The lock that a thread has taken last.
    pub(crate) fn innermost_lock(&self, thread: usize) -> Option<Ref> {
        self.locks_of(thread).last().copied()
    }

    /// The locks that a thread holds, the innermost last.
    pub(crate) fn locks_of(&self, thread: usize) -> &[Ref] {
        self.held.get(thread).map_or(&[], Vec::as_slice)
    }
}

impl Machine {
    /// The state of a thread, to be changed.
    #[inline]
    pub(crate) fn state_mut(&mut self, thread: usize) -> &mut ThreadState {
        let Undo { transition, standings, .. } = &mut self.undo;
        let recording = *transition != 0;
        self.threads.list[thread].state_mut(*transition, |before, since| {
            if recording {
                standings.push((thread, *before, since));
            }
        })
    }

    /// The state of a thread, and the transition in which it last moved.
    pub(crate) fn state_since(&self, thread: usize) -> (u64, ThreadState) {
        (self.threads.list[thread].version, *self.threads.list[thread])
    }

    /// The bytes of all journals.
    pub(crate) fn path_bytes(&self) -> usize {
        self.undo.bytes() + self.heap.journal_bytes()
    }

    /// The number of transitions that can be taken back.
    #[inline]
    pub(crate) fn marks(&self) -> usize {
        self.undo.marks.len()
    }

    /// What a thread does from now on can be taken back.
    pub(crate) fn begin_transition(&mut self, thread: usize) {
        self.undo.begun += 1;
        self.undo.transition = self.undo.begun;
        let marks = self.undo.marks.len();
        let runs = &mut self.threads.list[thread];
        let depth = runs.frames.len();
        let version = std::mem::replace(&mut runs.version, self.undo.begun);
        let moved_at = std::mem::replace(&mut runs.moved_at, marks);
        let mark = Mark {
            heap: self.heap.begin_transition(),
            standings: self.undo.standings.len(),
            frames: self.undo.frames.len(),
            locks: self.undo.locks.len(),
            threads: self.threads.list.len(),
            thread,
            depth,
            version,
            moved_at,
            scalars: self.scalars(),
            tables: self.tables.share(),
            layer: Rc::clone(&self.files.layer),
        };
        self.undo.marks.push(mark);
        self.undo.low = depth;
        self.turn.thread = thread;
        let Thread { print, .. } = self.threads.list[thread];
        self.heap.set_creator(print, self.threads.list[thread].allocated);
        if depth > 0 {
            self.save_frame();
        }
    }

    /// What else changes, as it is.
    #[inline(always)]
    pub(super) fn scalars(&self) -> Scalars {
        Scalars {
            now: self.clock.now,
            clock_was_read: self.clock.was_read,
            look: self.clock.polls,
            waits: self.threads.waits,
            exit: self.outcome.exit,
            ignored: self.outcome.ignored,
            threads: (self.threads.named, self.threads.made),
            output: self.outcome.output.len(),
            alive: self.threads.alive,
            threads_version: self.threads.version,
        }
    }

    /// That is as it was.
    #[inline(always)]
    pub(super) fn set_scalars(&mut self, scalars: &Scalars) {
        let &Scalars {
            now,
            clock_was_read,
            look,
            waits,
            exit,
            ignored,
            threads,
            output,
            alive,
            threads_version,
        } = scalars;
        (self.clock.now, self.clock.was_read, self.clock.polls, self.threads.waits) =
            (now, clock_was_read, look, waits);
        (self.outcome.exit, self.outcome.ignored, self.threads.alive, self.threads.version) =
            (exit, ignored, alive, threads_version);
        (self.threads.named, self.threads.made) = threads;
        self.outcome.output.truncate(output);
    }

    /// Keeps the frame below the lowest one that was kept, before anything in it changes.
    pub(super) fn save_frame(&mut self) {
        let index = self.undo.low - 1;
        self.undo.low = index;
        let thread = &self.threads.list[self.turn.thread];
        let frame = thread.frames[index];
        // The slots of a caller end where those of its callee begin: nothing above is alive while the call is under way.
        let end = match self.undo.frames.len() > self.undo.marks.last().map_or(0, |mark| mark.frames) {
            true => self.undo.frames[self.undo.frames.len() - 1].base as usize,
            false => {
                let code = self.method(frame.method).code.get();
                frame.base as usize + code.map_or(0, |code| usize::from(code.registers))
            }
        };
        let count = end.saturating_sub(frame.base as usize);
        self.undo.slots.extend_from_slice(thread.stack.slots(frame.base as usize, count));
        self.undo.slots.push(count as u64);
        self.undo.frames.push(frame);
    }

    /// Leaves the top frame of the current thread.
    #[inline]
    pub(super) fn pop_frame(&mut self) -> Option<Frame> {
        let thread = &mut self.threads.list[self.turn.thread];
        let frame = thread.frames.pop();
        let (left, region) = (thread.frames.len(), thread.region as usize);
        if left <= self.undo.low && left > 0 && self.undo.transition != 0 {
            self.save_frame();
        }
        // The method of `java.util.concurrent` that it was in the middle of is done.
        if region > left {
            self.state_mut(self.turn.thread).region = 0;
        }
        frame
    }

    /// What the present transition does is done by another thread, a new one.
    pub(crate) fn hand_over(&mut self, thread: usize) {
        self.turn.thread = thread;
        self.undo.low = 0;
    }

    /// What is changed from now on belongs to no transition.
    pub(crate) fn undo_nothing_more(&mut self) {
        self.undo.transition = 0;
    }

    /// Goes back to where that many transitions could be taken back.
    pub(crate) fn rewind_to(&mut self, marks: usize) {
        self.files.archives.rewind(marks);
        while self.undo.marks.len() > marks {
            let Undo { marks, standings, frames, slots, held, locks, stacks, .. } = &mut self.undo;
            let Some(mark) = marks.last() else { break };
            while self.threads.list.len() > mark.threads {
                stacks.extend(self.threads.list.pop().map(|thread| thread.stack));
            }
            let saved = frames.len() - mark.frames;
            let thread = &mut self.threads.list[mark.thread];
            (thread.version, thread.moved_at) = (mark.version, mark.moved_at);
            thread.frames.truncate(mark.depth - saved);
            while frames.len() > mark.frames {
                let Some(frame) = frames.pop() else { break };
                let count = slots.pop().unwrap_or(0) as usize;
                let start = slots.len() - count;
                thread.stack.slots_mut(frame.base as usize, count).copy_from_slice(&slots[start..]);
                slots.truncate(start);
                thread.frames.push(frame);
            }
            while standings.len() > mark.standings {
                let Some((thread, standing, since)) = standings.pop() else { break };
                // Threads of this transition have gone already.
                if let Some(thread) = self.threads.list.get_mut(thread) {
                    thread.restore(standing, since);
                }
            }
            while locks.len() > mark.locks {
                let Some((thread, place, lock, taken)) = locks.pop() else { break };
                let held = &mut held[thread];
                if taken {
                    // Nothing has come behind it that has not been taken back.
                    held.truncate(place);
                } else {
                    held.insert(place, lock);
                }
            }
            self.heap.rewind(mark.heap);
            let scalars = mark.scalars;
            self.set_scalars(&scalars);
            let split = self.heap.split();
            // A mark is large: it is taken off only now, for the tables alone.
            if let Some(Mark { tables, layer, .. }) = self.undo.marks.pop() {
                self.files.layer = layer;
                self.tables.restore(tables, |object| object.0 < split);
            }
        }
        self.undo.transition = 0;
    }

    /// A thread has taken a lock, or given it back.
    pub(crate) fn note_lock(&mut self, thread: usize, lock: Ref, taken: bool) {
        let undo = &mut self.undo;
        if undo.held.len() <= thread {
            undo.held.resize(thread + 1, Vec::new());
        }
        let held = &mut undo.held[thread];
        let place = if taken {
            held.push(lock);
            held.len() - 1
        } else {
            let Some(place) = held.iter().rposition(|&held| held == lock) else { return };
            if place + 1 == held.len() {
                held.pop();
            } else {
                held.remove(place);
            }
            place
        };
        undo.locks.push((thread, place, lock, taken));
    }

    /// What the last transition has done to the thread that ran in it.
    #[inline]
    pub(crate) fn moved(&self) -> Option<MovedThread> {
        let &Mark { thread, version, moved_at, frames, depth, .. } = self.undo.marks.last()?;
        let saved = self.undo.frames.len() - frames;
        Some(MovedThread { thread, version, moved_at, frames: depth - saved })
    }

    /// The thread that ran in the last transition, and those that have come to stand otherwise in it; some of them several
    /// times.
    #[inline]
    pub(crate) fn stirred(&self) -> impl Iterator<Item = usize> {
        let mark = self.undo.marks.last();
        let since = mark.map_or(self.undo.standings.len(), |mark| mark.standings);
        let standings = self.undo.standings[since..].iter().map(|&(thread, ..)| thread);
        mark.map(|mark| mark.thread).into_iter().chain(standings)
    }

    /// The number of the present transition, which no other has.
    pub(crate) fn version(&self) -> u64 {
        self.undo.begun
    }

    /// A stack for a new thread.
    pub(super) fn new_stack(&mut self) -> Option<Stack> {
        self.undo.stacks.pop().or_else(|| Stack::new(self.options.slots))
    }

    /// The stack of a thread that has ended is not needed any more, unless it comes back to life.
    pub(crate) fn end_frames(&mut self) {
        while self.pop_frame().is_some() {}
        let recording = self.undo.transition != 0;
        let thread: &mut Thread = &mut self.threads.list[self.turn.thread];
        if !recording {
            thread.stack.release();
        }
    }
}
