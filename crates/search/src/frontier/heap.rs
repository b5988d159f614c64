//! The priority queue of a guided search (Rungta & Mercer 2007, Figure 2), shared by any number of workers.
//!
//! There is one queue: a worker takes the best state that no other worker has, and hands over what it has opened when it comes for
//! the next one. With one worker this is exactly the queue of the paper; with several, those that are taken are the best
//! ones at each time, in an order that is up to the machine.

use super::log::{Entry, Log, StateNumber};
use super::{Arrival, Frontier, Next, Picker};
use crate::ahead::UNKNOWN;
use crate::control::Control;
use crate::heuristic::Ranking;
use crate::memory::capacity;
use crate::{Past, Reason};
use sojourner_program::{Choice, Fault, Program, Random, Schedule};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Which of several states with the best rank is worked on first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one that was reached first.
    Age,
    /// Any, equally likely: a random second key.
    Random,
    /// Any of the n best, whatever their ranks.
    Best(usize),
}

/// How the states of a guided search wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queueing {
    /// Which of several states with the best rank comes first.
    pub ties: Ties,
    /// At most that many wait: the best ones.
    pub bound: Option<usize>,
    /// Whether the length of the path is added to the rank, as A* does.
    pub adds_depth: bool,
    /// Whether states wait until all before them on a path of the same length have been worked on: a beam search, with the bound for
    /// each level.
    pub by_levels: bool,
}

/// A state in the queue.
struct Open<Place> {
    place: Place,
    past: Past,
    depth: usize,
    mark: StateNumber,
    /// What its place keeps elsewhere, in bytes.
    elsewhere: usize,
}

/// A state that a worker has opened and not handed over yet.
struct Opened<Place> {
    rank: u64,
    key: u64,
    place: Place,
    past: Past,
    depth: usize,
    /// How it was reached; nothing for the first state.
    entry: Option<Entry>,
    /// What its place keeps elsewhere, in bytes.
    elsewhere: usize,
}

/// Rank, random key, age: the smallest comes first.
type Rank = (u64, u64, u64);

/// What the workers share.
pub(crate) struct Queue<Place> {
    workers: usize,
    bound: Option<usize>,
    by_levels: bool,
    state: Mutex<State<Place>>,
    wake: Condvar,
}

struct State<Place> {
    open: BTreeMap<Rank, Open<Place>>,
    /// Of a beam search, the next level.
    next: BTreeMap<Rank, Open<Place>>,
    age: u64,
    idle: usize,
    log: Log,
    /// What the places of the open states keep elsewhere, in bytes.
    elsewhere: usize,
}

impl<Place> State<Place> {
    /// About how many bytes it takes: of the tree, a node for eleven has some six or seven states.
    fn bytes(&self) -> u64 {
        let each = size_of::<(Rank, Open<Place>)>();
        let tree = (self.open.len() + self.next.len()) * each * 100 / 62;
        (tree + self.elsewhere) as u64 + self.log.bytes()
    }
}

impl<Place> Queue<Place> {
    /// For that many workers, with at most `bound` states, the best; by levels, with as many in each.
    pub fn new(workers: usize, bound: Option<usize>, by_levels: bool) -> Self {
        let (open, next) = (BTreeMap::new(), BTreeMap::new());
        let state = State { open, next, age: 0, idle: 0, log: Log::default(), elsewhere: 0 };
        Queue { workers, bound, by_levels, state: Mutex::new(state), wake: Condvar::new() }
    }

    /// Hands over what was opened, and waits for a state that `pick` is to choose. `None`: no worker has any, or the search was stopped.
    fn exchange(
        &self,
        opened: &mut Vec<Opened<Place>>,
        control: &Control<'_>,
        mut pick: impl FnMut(&BTreeMap<Rank, Open<Place>>) -> Option<Rank>,
    ) -> Option<Open<Place>> {
        let mut state = self.state.lock().expect("no holder panics");
        for Opened { rank, key, place, past, depth, entry, elsewhere } in opened.drain(..) {
            let mark = entry.map_or(StateNumber::START, |entry| state.log.push(entry));
            state.age += 1;
            let rank = (rank, key, state.age);
            state.elsewhere += elsewhere;
            let waiting = if self.by_levels { &mut state.next } else { &mut state.open };
            waiting.insert(rank, Open { place, past, depth, mark, elsewhere });
            if let Some(bound) = self.bound.filter(|&bound| waiting.len() > bound) {
                let worst = waiting.pop_last();
                state.elsewhere -= worst.map_or(0, |(_, open)| open.elsewhere);
                control.cut(Reason::Frontier(bound));
            }
        }
        if state.idle > 0 && state.open.len() > 1 {
            self.wake.notify_all();
        }
        state.idle += 1;
        loop {
            if control.stopped() {
                self.wake.notify_all();
                return None;
            }
            if let Some(rank) = pick(&state.open) {
                state.idle -= 1;
                let best = state.open.remove(&rank);
                state.elsewhere -= best.as_ref().map_or(0, |open| open.elsewhere);
                return best;
            }
            if state.idle == self.workers {
                self.wake.notify_all();
                state.open = std::mem::take(&mut state.next);
                if !state.open.is_empty() {
                    continue;
                }
                return None;
            }
            // The time-out is for a search that is stopped while this worker waits.
            state = self.wake.wait_timeout(state, Duration::from_millis(20)).expect("no holder panics").0;
        }
    }
}

/// A worker's end of the queue: the state that it works on, and those that it has opened on the way.
pub(crate) struct Heap<P: Program> {
    shared: Arc<Queue<P::Place>>,
    ranking: Ranking,
    how: Queueing,
    random: Random,
    opened: Vec<Opened<P::Place>>,
    mark: StateNumber,
    past: Past,
    depth: usize,
    choices: Vec<Choice>,
    taken: usize,
    /// Whether it counts what all workers share.
    counts_shared: bool,
}

impl<P: Program> Heap<P> {
    pub fn new(
        shared: Arc<Queue<P::Place>>,
        ranking: Ranking,
        how: Queueing,
        random: Random,
        counts_shared: bool,
    ) -> Self {
        Heap {
            shared,
            ranking,
            how,
            random,
            opened: Vec::new(),
            mark: StateNumber::START,
            past: Past::START,
            depth: 0,
            choices: Vec::new(),
            taken: 0,
            counts_shared,
        }
    }

    /// The next state to work on, if there is one.
    fn next_state(&mut self, control: &Control<'_>) -> Option<Open<P::Place>> {
        let Heap { shared, how, random, opened, .. } = self;
        shared.exchange(opened, control, |open| match how.ties {
            Ties::Best(n) if !open.is_empty() => open.keys().nth(random.below(n.min(open.len()))).copied(),
            _ => open.first_key_value().map(|(&rank, _)| rank),
        })
    }
}

impl<P: Program> Frontier<P> for Heap<P> {
    fn open(&mut self, program: &mut P, at: Arrival<'_>, _: &mut Picker<'_, P>) -> Result<(), Fault> {
        let Arrival { past, depth, choices, .. } = at;
        if choices.is_empty() {
            return Ok(());
        }
        let entry = (depth > 0).then(|| (self.mark, self.choices[self.taken - 1]));
        let mut rank = self.ranking.rank(program, past, depth, choices);
        if self.how.adds_depth {
            rank = rank.saturating_add(depth as u64);
        }
        let key = if self.how.ties == Ties::Random { self.random.bits() } else { 0 };
        let place = program.here();
        let elsewhere = program.place_bytes(&place);
        self.opened.push(Opened { rank, key, place, past, depth, entry, elsewhere });
        Ok(())
    }

    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault> {
        loop {
            if let Some(&choice) = self.choices.get(self.taken) {
                self.taken += 1;
                let past = self.past.after(choice);
                return Ok(Some(Next { choice, past, depth: self.depth + 1, from: 0, print: UNKNOWN }));
            }
            let Some(open) = self.next_state(&picker.control) else { return Ok(None) };
            (self.mark, self.depth, self.taken) = (open.mark, open.depth, 0);
            program.go(&open.place)?;
            self.choices.clear();
            program.choices(&mut self.choices);
            self.past = picker.prepare(program, open.past, open.depth, &mut self.choices)?;
        }
    }

    fn path(&self) -> Schedule {
        let mut path = self.shared.state.lock().expect("no holder panics").log.path(self.mark);
        path.extend(self.choices.get(self.taken.wrapping_sub(1)));
        path
    }

    fn len(&self) -> usize {
        let state = self.shared.state.lock().expect("no holder panics");
        state.open.len() + state.next.len()
    }

    fn bytes(&self) -> u64 {
        let shared = || self.shared.state.lock().expect("no holder panics").bytes();
        let opened =
            capacity(&self.opened) + self.opened.iter().map(|open| open.elsewhere as u64).sum::<u64>();
        opened + capacity(&self.choices) + if self.counts_shared { shared() } else { 0 }
    }
}
