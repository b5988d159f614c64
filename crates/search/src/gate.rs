//! Where searches that run side by side wait for each other.
//!
//! Each of them has a thread, and at most so many run at a time. By the clock they take turns. By states they go up together: no search
//! goes on behind a level before all others have reached it or have ended. What they do is then the same on any number of threads.

use crate::Reason;
use crate::control::Control;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread::Thread;
use std::time::Duration;

/// The states up to the first level. Each level is half as high again as the one before, so that the searches that lose visit half as
/// many states again as the one that wins, at most.
const FIRST_LEVEL: u64 = 64;

/// How long a search waits before it looks whether it has been stopped.
const LOOK: Duration = Duration::from_millis(50);

/// Lets searches pass.
#[derive(Debug)]
pub(crate) struct Gate {
    by_states: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many more searches may run. One that ends before it has run counts as running until then.
    free: isize,
    /// Those that wait to run, the one that has waited longest first. At the beginning these are all, also if their threads have not
    /// started.
    queue: VecDeque<(usize, Option<Thread>)>,
    /// The states that each search may visit for now, and those that have.
    level: u64,
    at_level: Vec<Thread>,
    /// Searches that have not ended.
    live: usize,
    /// Some search has found something, or explored everything.
    decided: bool,
    /// All are to end.
    over: bool,
}

impl Gate {
    /// For so many searches, of which so many run at a time.
    pub fn new(searches: usize, running: usize, by_states: bool) -> Gate {
        let level = if by_states { FIRST_LEVEL } else { u64::MAX };
        let queue = (0..searches).map(|index| (index, None)).collect();
        let state = State { free: running.max(1) as isize, queue, level, live: searches, ..State::default() };
        Gate { by_states, state: Mutex::new(state) }
    }

    /// All searches are to end, because one of them has failed.
    pub fn break_off(&self) {
        self.change(|state| state.over = true);
    }

    /// A search has ended, and has decided something, or has not.
    pub fn end(&self, decides: bool) {
        let by_states = self.by_states;
        self.change(|state| {
            state.free += 1;
            state.live -= 1;
            state.decided |= decides;
            state.over |= decides && !by_states;
        });
    }

    /// Changes the state, and wakes those that may go on by that.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().expect("no holder panics");
        let changed = change(&mut state);
        let all_wait = state.at_level.len() == state.live;
        if self.by_states && all_wait && state.live > 0 {
            state.over |= state.decided;
            state.level += state.level / 2;
        }
        if state.over || all_wait {
            state.at_level.drain(..).for_each(|thread| thread.unpark());
        }
        let next = if state.over { state.queue.len() } else { state.free.max(0) as usize };
        state.queue.iter().take(next).filter_map(|(_, thread)| thread.as_ref()).for_each(Thread::unpark);
        changed
    }
}

/// The place of one search at the gate.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    index: usize,
}

impl<'a> Pass<'a> {
    /// For the search of that number.
    pub fn new(gate: &'a Gate, index: usize) -> Self {
        Pass { gate, index }
    }

    /// Whether a search ends with the first thing that is wrong, whatever the clock says.
    pub fn goes_by_states(&self) -> bool {
        self.gate.by_states
    }

    /// The states that the search may visit for now.
    pub fn level(&self) -> u64 {
        self.gate.state.lock().expect("no holder panics").level
    }

    /// Waits until the search may run. `false`: it has been stopped before.
    pub fn enter(&self, stopped: impl Fn() -> bool) -> bool {
        let me = Some(std::thread::current());
        self.gate.change(|state| match state.queue.iter_mut().find(|(index, _)| *index == self.index) {
            Some((_, thread)) => *thread = me,
            None => state.queue.push_back((self.index, me)),
        });
        loop {
            let mut state = self.gate.state.lock().expect("no holder panics");
            let place = state.queue.iter().position(|(index, _)| *index == self.index);
            let ends = state.over || stopped();
            if ends || place.is_some_and(|place| (place as isize) < state.free) {
                place.map(|place| state.queue.remove(place));
                state.free -= 1;
                return !ends;
            }
            drop(state);
            std::thread::park_timeout(LOOK);
        }
    }

    /// Lets another search run that waits, if there is one. Returns whether this one has waited.
    pub fn take_turns(&self, control: &Control<'_>) -> bool {
        let waits = !self.gate.state.lock().expect("no holder panics").queue.is_empty();
        if waits && !control.stopped() {
            self.gate.change(|state| state.free += 1);
            self.go_on(control);
        }
        waits
    }

    /// The search has visited so many states, and waits until it may visit more: how many in all.
    pub fn reach_level(&self, states: u64, control: &Control<'_>) -> u64 {
        let me = std::thread::current();
        self.gate.change(|state| {
            state.free += 1;
            if states >= state.level {
                state.at_level.push(me.clone());
            }
        });
        loop {
            control.look();
            let mut state = self.gate.state.lock().expect("no holder panics");
            if state.over || states < state.level {
                break;
            }
            if control.stopped() {
                state.at_level.retain(|thread| thread.id() != me.id());
                break;
            }
            drop(state);
            std::thread::park_timeout(LOOK);
        }
        self.go_on(control);
        self.level()
    }

    /// Waits until the search may run again, or ends it.
    fn go_on(&self, control: &Control<'_>) {
        let stopped = || {
            control.look();
            control.stopped()
        };
        if !self.enter(stopped) && !control.stopped() {
            control.stop(Reason::Overtaken);
        }
    }
}
