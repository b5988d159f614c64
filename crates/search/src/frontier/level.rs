//! The queue of a breadth-first search, level by level, shared by any number of workers.
//!
//! Workers take blocks of states of the present level and hand over blocks of the next; a level ends when its
//! last block has been worked on. With one worker this is a plain queue.

use super::log::{BLOCK, Entry, Log, StateNumber};
use super::{Arrival, Frontier, Next, Picker};
use crate::ahead::UNKNOWN;
use crate::control::Control;
use crate::memory::capacity;
use crate::{Past, Reason};
use sojourner_program::{Choice, Fault, Program, Schedule};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// States of one level that travel together, with their choices one behind the other.
struct Block<Place> {
    number: usize,
    states: Vec<Open<Place>>,
    choices: Vec<Choice>,
    /// What their places keep elsewhere, in bytes.
    elsewhere: usize,
}

impl<Place> Block<Place> {
    fn bytes(&self) -> u64 {
        capacity(&self.states) + capacity(&self.choices) + self.elsewhere as u64
    }
}

/// A state that waits to be worked on. Its choices in the block end at `end`.
struct Open<Place> {
    place: Place,
    past: Past,
    end: u32,
}

/// What the workers share.
pub(crate) struct Levels<Place> {
    workers: usize,
    bound: Option<usize>,
    state: Mutex<State<Place>>,
    wake: Condvar,
}

struct State<Place> {
    depth: usize,
    now: VecDeque<Block<Place>>,
    next: VecDeque<Block<Place>>,
    open: usize,
    idle: usize,
    finished: bool,
    log: Log,
    /// The bytes of the blocks that wait.
    bytes: u64,
}

impl<Place> Levels<Place> {
    /// For that many workers, with at most `bound` states in a level.
    pub fn new(workers: usize, bound: Option<usize>) -> Self {
        let state = State {
            depth: 0,
            now: VecDeque::new(),
            next: VecDeque::new(),
            open: 0,
            idle: 0,
            finished: false,
            log: Log::default(),
            bytes: 0,
        };
        Levels { workers, bound, state: Mutex::new(state), wake: Condvar::new() }
    }

    /// Hands over states of the next level.
    fn give(&self, filled: BlockBuilder<Place>, control: &Control<'_>) {
        let BlockBuilder { mut states, choices, mut entries, elsewhere } = filled;
        let mut state = self.state.lock().expect("no holder panics");
        if let Some(bound) = self.bound {
            let room = bound - state.open.min(bound);
            if states.len() > room {
                control.cut(Reason::Frontier(bound));
                states.truncate(room);
                entries.truncate(room);
            }
        }
        state.open += states.len();
        let number = state.log.add(entries);
        let block = Block { number, states, choices, elsewhere };
        state.bytes += block.bytes();
        state.next.push_back(block);
    }

    /// More states of this level, if there are any.
    fn more(&self) -> Option<(Block<Place>, usize)> {
        let mut state = self.state.lock().expect("no holder panics");
        let block = state.now.pop_front()?;
        state.bytes -= block.bytes();
        Some((block, state.depth))
    }

    /// Waits for states of this level, or of the next when this one is done. `None`: all are done, or the search
    /// was stopped.
    fn take(&self, control: &Control<'_>) -> Option<(Block<Place>, usize)> {
        let mut state = self.state.lock().expect("no holder panics");
        state.idle += 1;
        loop {
            if state.finished || control.stopped() {
                self.wake.notify_all();
                return None;
            }
            if let Some(block) = state.now.pop_front() {
                state.idle -= 1;
                state.bytes -= block.bytes();
                return Some((block, state.depth));
            }
            if state.idle == self.workers {
                state.now = std::mem::take(&mut state.next);
                state.depth += 1;
                state.open = 0;
                state.finished = state.now.is_empty();
                self.wake.notify_all();
                continue;
            }
            // The time-out is for a search that is stopped while this worker waits.
            state = self.wake.wait_timeout(state, Duration::from_millis(20)).expect("no holder panics").0;
        }
    }
}

/// A block that a worker is filling.
struct BlockBuilder<Place> {
    states: Vec<Open<Place>>,
    choices: Vec<Choice>,
    entries: Vec<Entry>,
    /// What the places of the states keep elsewhere, in bytes.
    elsewhere: usize,
}

impl<Place> BlockBuilder<Place> {
    /// With room for as many choices as the block before had.
    fn new(choices: usize) -> Self {
        BlockBuilder {
            states: Vec::with_capacity(BLOCK),
            choices: Vec::with_capacity(choices),
            entries: Vec::with_capacity(BLOCK),
            elsewhere: 0,
        }
    }
}

/// A worker's end of the queue: the block it works on, and the one it fills.
pub(crate) struct Level<P: Program> {
    shared: Arc<Levels<P::Place>>,
    block: Block<P::Place>,
    /// The next state of the block, and where its choices begin.
    next: usize,
    start: usize,
    depth: usize,
    /// The state that is being worked on.
    mark: StateNumber,
    past: Past,
    choices: Vec<Choice>,
    /// The fingerprints behind them, if they are known.
    prints: Vec<u128>,
    taken: usize,
    filled: BlockBuilder<P::Place>,
    /// Whether it counts what all workers share.
    counts_shared: bool,
}

impl<P: Program> Level<P> {
    pub fn new(shared: Arc<Levels<P::Place>>, counts_shared: bool) -> Self {
        Level {
            shared,
            block: Block { number: 0, states: Vec::new(), choices: Vec::new(), elsewhere: 0 },
            next: 0,
            start: 0,
            depth: 0,
            mark: StateNumber::START,
            past: Past::START,
            choices: Vec::new(),
            prints: Vec::new(),
            taken: 0,
            filled: BlockBuilder::new(0),
            counts_shared,
        }
    }

    fn hand_over(&mut self, control: &Control<'_>) {
        if !self.filled.states.is_empty() {
            let next = BlockBuilder::new(self.filled.choices.len());
            self.shared.give(std::mem::replace(&mut self.filled, next), control);
        }
    }
}

impl<P: Program> Frontier<P> for Level<P> {
    fn open(&mut self, program: &mut P, at: Arrival<'_>, picker: &mut Picker<'_, P>) -> Result<(), Fault> {
        let Arrival { past, depth, choices, .. } = at;
        if depth == 0 {
            // The first state is worked on where it stands.
            self.past = picker.prepare(program, past, depth, choices)?;
            self.choices.clone_from(choices);
            self.taken = 0;
        } else if !choices.is_empty() {
            let filled = &mut self.filled;
            filled.choices.extend_from_slice(choices);
            let end = filled.choices.len() as u32;
            let place = program.here();
            filled.elsewhere += program.place_bytes(&place);
            filled.states.push(Open { place, past, end });
            filled.entries.push((self.mark, self.choices[self.taken - 1]));
            if filled.states.len() == BLOCK {
                self.hand_over(&picker.control);
            }
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault> {
        loop {
            if let Some(&choice) = self.choices.get(self.taken) {
                let print = self.prints.get(self.taken).copied().unwrap_or(UNKNOWN);
                self.taken += 1;
                let past = self.past.after(choice);
                return Ok(Some(Next { choice, past, depth: self.depth + 1, from: 0, print }));
            }
            if let Some(open) = self.block.states.get(self.next) {
                self.mark = StateNumber::in_block(self.block.number, self.next);
                self.next += 1;
                program.go(&open.place)?;
                self.choices.clear();
                self.choices.extend_from_slice(&self.block.choices[self.start..open.end as usize]);
                self.start = open.end as usize;
                self.past = picker.prepare(program, open.past, self.depth, &mut self.choices)?;
                self.prints.clear();
                picker.look_ahead(program, &self.choices, &mut self.prints)?;
                self.taken = 0;
                continue;
            }
            let taken = self.shared.more().or_else(|| {
                // Blocks travel full, but for the last of a level.
                self.hand_over(&picker.control);
                self.shared.take(&picker.control)
            });
            let Some((block, depth)) = taken else { return Ok(None) };
            (self.block, self.next, self.start, self.depth) = (block, 0, 0, depth);
        }
    }

    fn path(&self) -> Schedule {
        let mut path = self.shared.state.lock().expect("no holder panics").log.path(self.mark);
        path.extend(self.choices.get(self.taken.wrapping_sub(1)));
        path
    }

    fn len(&self) -> usize {
        let waiting = self.shared.state.lock().expect("no holder panics").open;
        waiting + self.block.states.len() - self.next
    }

    fn bytes(&self) -> u64 {
        let shared = || {
            let state = self.shared.state.lock().expect("no holder panics");
            state.bytes + state.log.bytes()
        };
        let BlockBuilder { states, choices, entries, elsewhere } = &self.filled;
        let filled = capacity(states) + capacity(choices) + capacity(entries) + *elsewhere as u64;
        self.block.bytes() + filled + if self.counts_shared { shared() } else { 0 }
    }
}
