//! The engine: the one loop that every search runs.
//!
//! Take the next open choice, step, ask what was seen, judge the state, open it. What differs between searches
//! is in the parts: the frontier says what comes next and how to get there, the picker cuts and arranges choices,
//! the visited set says what is new.

use crate::ahead::UNKNOWN;
use crate::control::Control;
use crate::frontier::{Arrival, Frontier, Next, Picker};
use crate::goals::Goals;
use crate::memory::{Sampling, WorkerShare};
use crate::novelty::{Novelty, Orders};
use crate::outcome::Tally;
use crate::pace::Pace;
use crate::visited::Visited;
use crate::{Past, Reach, Reason};
use sojourner_program::{Choice, Detail, Fault, Finding, Limits, Program, Searched, Step};
use sojourner_store::Seen;
use std::sync::Arc;

/// How many times as long as others a turn may be in which an execution has not ended.
const LONGEST_TURN: u64 = 64;

/// Steps after which a search lets others run that wait for a thread. A number, and not a time, so that what happens on one thread
/// does not depend on the clock.
const SHARED_TURN: u64 = 4096;

/// A program that goes on with the search by itself has stopped soon if it has taken fewer transitions. To hand over the path takes
/// about as long as some.
const FEW: u64 = 8;

/// So many transitions at most are taken here before the path is handed over again.
const MOST_STEPS: u32 = 63;

/// How many transitions are taken here first: programs with few are done by then. Tests are of such programs.
const FIRST_STEPS: u32 = if cfg!(debug_assertions) { 0 } else { MOST_STEPS };

/// How a turn of the engine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The turn is over, the search is not.
    Paused,
    /// Nothing is open, or the search was stopped.
    Ended,
}

/// A worker of a search.
pub(crate) struct Engine<'a, P: Program, F, V> {
    program: P,
    frontier: F,
    visited: V,
    picker: Picker<'a, P>,
    control: Arc<Control<'a>>,
    /// Told how long executions are.
    reach: Option<Arc<Reach>>,
    /// Where it counts what is new: orders if it samples executions, or states.
    novelty: Option<Arc<Novelty>>,
    orders: Option<Orders>,
    /// Whether it starts again when nothing is open: it samples executions.
    samples: bool,
    step: Step,
    choices: Vec<Choice>,
    /// What was counted since the last report.
    tally: Tally,
    depth: usize,
    /// The depth that it has come to at most.
    deepest: usize,
    goals: Goals,
    /// The exit status of the last execution that ended: mostly the next one has the same.
    status: Option<i32>,
    /// Whether it looks for executions without an end.
    tracks: bool,
    /// Whether the program goes on with the search by itself, and how many transitions are to be taken here all the same, next and
    /// when it stops again.
    hands_over: bool,
    steps: u32,
    patience: u32,
    prepared: bool,
    begun: bool,
    /// When it reports to the control: budgets are looked at, counters become visible.
    pace: Pace,
    share: WorkerShare,
    sampling: Sampling,
}

/// What a worker is put together from.
pub(crate) struct Parts<'a, P: Program, V> {
    pub program: P,
    pub visited: V,
    pub picker: Picker<'a, P>,
    pub reach: Option<Arc<Reach>>,
    pub novelty: Option<Arc<Novelty>>,
    pub samples: bool,
    /// Whether it looks for executions without an end.
    pub tracks: bool,
    /// Whether it opens the first state, or waits for another worker to hand over work.
    pub leads: bool,
}

impl<'a, P: Program, F: Frontier<P>, V: Visited<P>> Engine<'a, P, F, V> {
    pub fn new(frontier: F, parts: Parts<'a, P, V>) -> Self {
        let Parts { program, visited, picker, reach, novelty, samples, tracks, leads } = parts;
        let orders = novelty.clone().filter(|_| samples).map(Orders::new);
        let least = if orders.is_some() { Detail::Footprint } else { Detail::Outcome };
        let step = Step::new(picker.order.detail().max(least));
        let goals = Goals::of(&program);
        let hands_over = visited.is_shared();
        let share = WorkerShare::new(&program.usage());
        let sampling = Sampling::new(picker.control.sample_every());
        Engine {
            control: picker.control.clone(),
            program,
            frontier,
            visited,
            picker,
            reach,
            novelty,
            orders,
            samples,
            step,
            choices: Vec::new(),
            tally: Tally::default(),
            depth: 0,
            deepest: 0,
            goals,
            status: None,
            tracks,
            hands_over,
            steps: FIRST_STEPS,
            patience: 0,
            prepared: false,
            begun: !leads,
            pace: Pace::new(),
            share,
            sampling,
        }
    }

    /// Takes about `turn` steps.
    pub fn run(&mut self, turn: u64) -> Flow {
        let flow = self.turn(turn).unwrap_or_else(|fault| {
            self.control.fail(fault);
            Flow::Ended
        });
        self.report();
        flow
    }

    fn turn(&mut self, turn: u64) -> Result<Flow, Fault> {
        if !std::mem::replace(&mut self.prepared, true) {
            self.visited.prepare(&mut self.program)?;
        }
        if !self.begun {
            self.begun = true;
            self.begin()?;
        }
        // Where searches take turns, others may have used up the time, and a step may take long.
        self.control.look();
        self.pace.resume();
        // Where executions are sampled, a turn lasts until one ends: if every turn ended in the middle of a long one, none
        // would be complete before the others are done.
        let longest = if self.samples { turn.saturating_mul(LONGEST_TURN) } else { turn };
        let mut taken = 0;
        while taken < turn || taken < longest && self.frontier.len() > 0 {
            taken += 1;
            if taken % SHARED_TURN == 0 && self.control.take_turns() {
                self.pace.resume();
            }
            if self.control.stopped() || self.control.states_spent(&self.tally) {
                return Ok(Flow::Ended);
            }
            if self.hands_over && self.steps == 0 {
                let gone = self.hand_over(turn - taken)?;
                if gone > 0 {
                    taken += gone - 1;
                    continue;
                }
            }
            self.steps = self.steps.saturating_sub(1);
            match self.frontier.next(&mut self.program, &mut self.picker)? {
                Some(next) => self.advance(next)?,
                None if self.samples => {
                    if self.control.executions_spent(&self.tally) {
                        return Ok(Flow::Ended);
                    }
                    self.program.rewind(0)?;
                    self.begin()?;
                }
                None => return Ok(Flow::Ended),
            }
            if self.pace.step() {
                self.report();
            }
        }
        Ok(Flow::Paused)
    }

    /// Lets the program go on with the search by itself. Returns how many transitions that were, at most so many.
    fn hand_over(&mut self, most: u64) -> Result<u64, Fault> {
        let Some(path) = self.frontier.lend() else { return Ok(0) };
        let most = most.min(self.sampling.left());
        let limits = Limits { transitions: most, states: self.control.states_left(&self.tally) };
        let searched = self.visited.search_on(&mut self.program, path, limits)?;
        let transitions = searched.map_or(0, |searched| searched.transitions);
        self.patience = if transitions < FEW { (2 * self.patience + 1).min(MOST_STEPS) } else { 1 };
        self.steps = if searched.is_none_or(|searched| searched.steps) { self.patience } else { 0 };
        let Some(Searched { states, max_depth, .. }) = searched else { return Ok(0) };
        self.frontier.take_back();
        self.tally.transitions += transitions;
        self.tally.states += states;
        self.tally.novel += if self.novelty.is_some() { states } else { 0 };
        self.tally.max_depth = self.tally.max_depth.max(max_depth);
        self.depth = self.frontier.len().saturating_sub(1);
        if max_depth as usize > self.deepest {
            self.deepest = max_depth as usize;
            self.control.deeper(max_depth, &self.tally);
        }
        self.report();
        Ok(transitions)
    }

    /// Opens the first state.
    fn begin(&mut self) -> Result<(), Fault> {
        self.picker.order.begin();
        self.tally.runs += u64::from(self.samples);
        if let Some(orders) = &mut self.orders {
            orders.begin();
        }
        let print = self.visited.print(&mut self.program, Past::START);
        self.frontier.announce(print);
        match self.visited.see(print, Past::START, 0) {
            Seen::Full => self.control.stop(Reason::Memory),
            Seen::New => self.tally.states += 1,
            Seen::Shallower | Seen::Again => {}
        }
        self.arrive(Past::START, 0, print)
    }

    #[inline]
    fn advance(&mut self, Next { choice, past, depth, from, print }: Next) -> Result<(), Fault> {
        self.tally.transitions += 1;
        self.tally.max_depth = self.tally.max_depth.max(depth as u64);
        self.depth = depth;
        if depth > self.deepest {
            self.deepest = depth;
            self.control.deeper(depth as u64, &self.tally);
        }
        let known = if print == UNKNOWN { None } else { Some(self.look_up(print, past, depth)) };
        if known == Some(Seen::Again) {
            self.picker.successors.count(false);
            return Ok(());
        }
        self.program.rewind(from)?;
        self.program.step(choice, &mut self.step)?;
        if let Some(finding) = self.step.finding.take() {
            self.failed(finding);
            if !self.step.goes_on {
                self.frontier.failed();
                return Ok(());
            }
        }
        if !self.step.lesser.is_empty() {
            let Engine { control, step, program, frontier, .. } = self;
            control.noted(&mut step.lesser, || program.full_schedule(frontier.path()));
        }
        if let Some(what) = self.step.leaves_out {
            self.control.stop(Reason::LeftOut(what));
        }
        if let Some(what) = self.step.overlooks {
            self.control.cut(Reason::Overlooked(what));
        }
        let past = if self.step.has_chosen { past.having_chosen() } else { past };
        if self.step.detail > Detail::Outcome {
            self.picker.order.stepped(choice, &self.step);
            if let Some(orders) = &mut self.orders {
                self.tally.novel += orders.note(choice.thread, &self.step.footprint);
            }
        }
        let (print, seen) = match known {
            Some(seen) => (print, seen),
            None => {
                let print = self.visited.print(&mut self.program, past);
                (print, self.look_up(print, past, depth))
            }
        };
        self.picker.successors.count(seen != Seen::Again);
        match seen {
            Seen::Again => Ok(()),
            Seen::Full => {
                self.control.stop(Reason::Memory);
                Ok(())
            }
            Seen::New => {
                self.tally.states += 1;
                if let Some(novelty) = &self.novelty
                    && print != UNKNOWN
                {
                    self.tally.novel += u64::from(novelty.is_new_state(print));
                }
                self.arrive(past, depth, print)
            }
            Seen::Shallower => self.arrive(past, depth, print),
        }
    }

    /// An execution has come to its end after so many steps.
    fn ended(&self, depth: usize) {
        if let Some(reach) = &self.reach {
            reach.ended(depth);
        }
    }

    /// Looks whether the state that the next choice leads to has been seen.
    #[inline]
    fn look_up(&mut self, print: u128, past: Past, depth: usize) -> Seen {
        self.frontier.announce(print);
        let seen = self.visited.see(print, past, depth);
        if seen == Seen::Again {
            self.frontier.again(print);
        }
        seen
    }

    /// A transition failed: the program cannot go on from here, or without one of its threads.
    #[cold]
    fn failed(&mut self, finding: Finding) {
        self.tally.executions += u64::from(!self.step.goes_on);
        self.control.found(finding, || self.program.full_schedule(self.frontier.path()));
    }

    /// Judges the state that the program is in, and opens it.
    fn arrive(&mut self, past: Past, depth: usize, print: u128) -> Result<(), Fault> {
        self.choices.clear();
        self.program.choices(&mut self.choices);
        let stuck = self.choices.is_empty();
        self.tally.executions += u64::from(stuck);
        if stuck {
            self.ended(depth);
        }
        let path = || if depth == 0 { Vec::new() } else { self.frontier.path() };
        if let Some(finding) = self.program.judge(stuck) {
            self.control.found(finding, || self.program.full_schedule(path()));
        } else if stuck
            && let status @ Some(number) = self.step.exit_status
            && self.status != status
        {
            self.status = status;
            self.control.ended_with(number, || self.program.full_schedule(path()));
        }
        self.goals.look(&mut self.program, &self.control);
        let ends = stuck || self.tracks && self.visited.withholds_choices(&self.program);
        let at = Arrival { past, depth, choices: &mut self.choices, print, ends };
        self.frontier.open(&mut self.program, at, &mut self.picker)
    }

    fn report(&mut self) {
        let usage = self.program.usage();
        self.control.holds(&mut self.share, self.frontier.bytes() + usage.path, &usage);
        let now = self.control.report(&self.tally, self.depth, self.frontier.len());
        if self.sampling.count(self.tally.transitions) {
            self.control.sample(self.depth);
        }
        self.pace.looked(now, self.sampling.left());
        self.tally = Tally::default();
    }
}

/// A worker, whatever it is put together from.
pub(crate) trait Run<P> {
    /// Takes about `turn` steps.
    fn run(&mut self, turn: u64) -> Flow;

    /// Its program, wherever that stands: another round may go on with it.
    fn into_program(self: Box<Self>) -> P;
}

/// A worker of a search on programs of that kind.
pub(crate) type AnyWorker<'a, P> = Box<dyn Run<P> + 'a>;

impl<P: Program, F: Frontier<P>, V: Visited<P>> Run<P> for Engine<'_, P, F, V> {
    fn run(&mut self, turn: u64) -> Flow {
        Engine::run(self, turn)
    }

    fn into_program(self: Box<Self>) -> P {
        self.program
    }
}
