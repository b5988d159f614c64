//! Ways that are planned, and not yet listed step by step.
//!
//! A way may be as long as the execution, and an execution may give rise to as many ways as it has steps. Most searches end
//! before they come to most of these. So a branch keeps its first step and what it takes to list the others: the execution,
//! which all its ways share, and which steps of it are on the way. The steps are listed when the branch is begun,
//! or when another way goes along it.

use super::effect::{Effect, Planned};
use super::history::Event;
use super::lanes::{Lane, Lanes};
use super::reversal::Reversal;
use sojourner_program::Choice;
use std::sync::Arc;

/// The steps of an execution, kept when the search has gone on to another one. Executions share the steps that they begin with.
#[derive(Debug)]
pub(crate) struct Trace {
    /// The steps before this place are those of another one.
    base: usize,
    steps: Vec<(Choice, Effect)>,
    before: Option<Arc<Trace>>,
}

/// There may be as many one before the other as an execution has steps, so that nothing may recurse along them.
impl Drop for Trace {
    fn drop(&mut self) {
        let mut rest = self.before.take();
        while let Some(mut trace) = rest.and_then(Arc::into_inner) {
            rest = trace.before.take();
        }
    }
}

/// The trace of an execution that goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    trace: Option<Arc<Trace>>,
    /// How many steps of it are still those of the execution.
    steps: usize,
}

impl Kept {
    /// The trace of an execution with these steps.
    pub fn of(&mut self, events: &[Event]) -> Arc<Trace> {
        let mut before = self.trace.take();
        if let Some(trace) = &before
            && trace.base + trace.steps.len() == events.len()
            && self.steps == events.len()
        {
            self.trace = before.clone();
            return Arc::clone(trace);
        }
        let base = self.steps;
        while let Some(trace) = before.take_if(|trace| trace.base >= base) {
            before.clone_from(&trace.before);
        }
        let steps = events[base..].iter().map(|event| (event.choice, event.effect.clone())).collect();
        let trace = Arc::new(Trace { base, steps, before });
        (self.trace, self.steps) = (Some(Arc::clone(&trace)), events.len());
        trace
    }

    /// Only so many steps are left.
    pub fn truncate(&mut self, steps: usize) {
        self.steps = self.steps.min(steps);
    }
}

/// What is left of a way behind its first step.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    trace: Arc<Trace>,
    from: usize,
    until: usize,
    lanes: Box<[Lane]>,
    sum: u128,
    last: Planned,
}

impl Tail {
    /// That of the shortest way, and the first step of it.
    pub fn of(way: &Reversal<'_>, lanes: &Lanes, trace: &Arc<Trace>) -> (Planned, Self) {
        let last = Planned { choice: way.last, effect: way.effect.clone(), guessed: way.guessed };
        let first = lanes.first(way.history).map(|at| way.history.event(at));
        let first =
            first.map_or_else(|| last.clone(), |event| Planned::new(event.choice, event.effect.clone()));
        let tail = Tail {
            trace: Arc::clone(trace),
            from: way.from,
            until: way.until,
            lanes: lanes.lanes().into(),
            sum: lanes.sum,
            last,
        };
        (first, tail)
    }

    /// Whether the shortest way from the same state is the same way.
    pub fn is_of(&self, way: &Reversal<'_>, lanes: &Lanes) -> bool {
        let short = |lane: &Lane| lane.short.saturating_sub(lane.first);
        let threads = self.lanes.len().max(lanes.lanes().len());
        let length = |lanes: &[Lane], thread: usize| lanes.get(thread).map_or(0, short);
        self.sum == lanes.sum
            && (self.last.choice, self.last.guessed) == (way.last, way.guessed)
            && (0..threads).all(|thread| length(&self.lanes, thread) == length(lanes.lanes(), thread))
    }

    /// The steps of the way, without the first one, and what the execution did beside and can be done behind them.
    pub fn list(self) -> (Vec<Planned>, Vec<Choice>) {
        let mut traces = Vec::new();
        let mut trace = Some(&self.trace);
        while let Some(earlier) = trace.take() {
            traces.push(earlier);
            trace = earlier.before.as_ref().filter(|_| earlier.base > self.from + 1);
        }
        let (mut steps, mut beside) = (Vec::new(), Vec::new());
        let mut taken: Vec<u32> = self.lanes.iter().map(|lane| lane.first).collect();
        let mut at = self.from + 1;
        while let Some(trace) = traces.pop() {
            let end = traces.last().map_or(self.until, |later| later.base.min(self.until));
            if end <= at {
                continue;
            }
            for (choice, effect) in &trace.steps[at - trace.base..end - trace.base] {
                let thread = choice.thread.0 as usize;
                let number = taken[thread];
                taken[thread] += 1;
                if number < self.lanes[thread].short {
                    steps.push(Planned::new(*choice, effect.clone()));
                } else if number < self.lanes[thread].whole {
                    beside.push(*choice);
                }
            }
            at = end;
        }
        steps.push(self.last.clone());
        steps.remove(0);
        (steps, beside)
    }
}
