//! Wake-up sequences that are planned, and not yet listed step by step.
//!
//! A sequence may be as long as the execution, and an execution may give rise to as many sequences as it has steps. Most searches end
//! before they take most of them. So a branch keeps only the first step and what is needed to list the others: the execution, which
//! all its sequences share, and which steps of it are in the sequence. The steps are listed when the branch is begun, or when another
//! sequence shares steps with it.

use super::effect::{Effect, PlannedStep};
use super::history::Event;
use super::reversal::Reversal;
use super::thread_ranges::{ThreadRange, ThreadRanges};
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
pub(crate) struct TraceCache {
    trace: Option<Arc<Trace>>,
    /// How many steps of it are still those of the execution.
    steps: usize,
}

impl TraceCache {
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

/// What is left of a sequence behind its first step.
#[derive(Clone, Debug)]
pub(crate) struct DeferredSequence {
    trace: Arc<Trace>,
    from: usize,
    until: usize,
    ranges: Box<[ThreadRange]>,
    sum: u128,
    last: PlannedStep,
}

impl DeferredSequence {
    /// That of the shortest sequence, and the first step of it.
    pub fn of(sequence: &Reversal<'_>, ranges: &ThreadRanges, trace: &Arc<Trace>) -> (PlannedStep, Self) {
        let last =
            PlannedStep { choice: sequence.last, effect: sequence.effect.clone(), guessed: sequence.guessed };
        let first = ranges.first(sequence.history).map(|at| sequence.history.event(at));
        let first =
            first.map_or_else(|| last.clone(), |event| PlannedStep::new(event.choice, event.effect.clone()));
        let tail = DeferredSequence {
            trace: Arc::clone(trace),
            from: sequence.from,
            until: sequence.until,
            ranges: ranges.ranges().into(),
            sum: ranges.sum,
            last,
        };
        (first, tail)
    }

    /// Whether the shortest sequence from the same state is the same sequence.
    pub fn is_of(&self, sequence: &Reversal<'_>, ranges: &ThreadRanges) -> bool {
        let short = |range: &ThreadRange| range.short.saturating_sub(range.first);
        let threads = self.ranges.len().max(ranges.ranges().len());
        let length = |ranges: &[ThreadRange], thread: usize| ranges.get(thread).map_or(0, short);
        self.sum == ranges.sum
            && (self.last.choice, self.last.guessed) == (sequence.last, sequence.guessed)
            && (0..threads).all(|thread| length(&self.ranges, thread) == length(ranges.ranges(), thread))
    }

    /// The steps of the sequence, without the first one, and what the execution did beside and can be done behind them.
    pub fn list(self) -> (Vec<PlannedStep>, Vec<Choice>) {
        let mut traces = Vec::new();
        let mut trace = Some(&self.trace);
        while let Some(earlier) = trace.take() {
            traces.push(earlier);
            trace = earlier.before.as_ref().filter(|_| earlier.base > self.from + 1);
        }
        let (mut steps, mut beside) = (Vec::new(), Vec::new());
        let mut taken: Vec<u32> = self.ranges.iter().map(|range| range.first).collect();
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
                if number < self.ranges[thread].short {
                    steps.push(PlannedStep::new(*choice, effect.clone()));
                } else if number < self.ranges[thread].whole {
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
