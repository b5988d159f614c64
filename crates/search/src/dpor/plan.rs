//! Planning: for every race, an execution in which its two steps come in the other order.

use super::Reduction;
use super::effect::{Effect, Planned};
use super::history::History;
use super::node::{Joint, begin_with, plan_step, plan_way};
use super::path::{Path, State, States};
use super::races::{Races, Subject};
use super::reversal::Reversal;
use sojourner_program::{Choice, Footprint, ThreadId};
use std::sync::Arc;

/// Finds races and plans their reversal, each mode in its own way.
pub(crate) struct Planner {
    mode: Reduction,
    exact: bool,
    races: Races,
    racing: Vec<usize>,
    found: Found,
    initials: Vec<Choice>,
    /// States where something was planned that nobody comes back to.
    pub left_alone: Vec<Arc<Joint>>,
}

/// The races of the steps of an execution, one behind the other: they depend on what came before only.
#[derive(Default)]
struct Found {
    races: Vec<usize>,
    ends: Vec<usize>,
}

impl Found {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn of(&self, step: usize) -> &[usize] {
        let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.races[start..self.ends[step]]
    }

    fn push(&mut self, races: &[usize]) {
        self.races.extend_from_slice(races);
        self.ends.push(self.races.len());
    }

    fn truncate(&mut self, steps: usize) {
        self.ends.truncate(steps);
        self.races.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

impl Planner {
    /// Another path is gone on with: what was found on the last one is forgotten.
    pub fn forget(&mut self) {
        self.found.truncate(0);
    }

    /// `exact`: whether footprints say what is possible.
    pub fn new(mode: Reduction, exact: bool) -> Self {
        Planner {
            mode,
            exact,
            races: Races::new(mode == Reduction::Eager, exact),
            racing: Vec::new(),
            found: Found::default(),
            initials: Vec::new(),
            left_alone: Vec::new(),
        }
    }

    /// Plans what the steps of an execution give rise to, of which those from `fresh` on are new. The first `going` steps
    /// can be on the way to others.
    pub fn steps(&mut self, path: &mut Path, fresh: usize, going: usize) {
        let Path { history, states } = path;
        self.found.truncate(fresh);
        for at in 0..history.len() {
            let event = history.event(at);
            let subject = Subject { thread: event.choice.thread, effect: &event.effect, at: Some(at) };
            if at >= self.found.len() {
                self.races.of(history, subject, &mut self.racing);
                self.found.push(&self.racing);
            }
            for nth in 0..self.found.of(at).len() {
                let from = self.found.of(at)[nth];
                // A whole way has more to it than its race: what else the execution did. So an old race may give rise
                // to a new way.
                if at >= fresh || !states.at(from).local.stepwise {
                    self.reverse(history, states, subject, from, going);
                }
            }
            self.outcomes(history, states, at, going);
        }
    }

    /// Plans what a step gives rise to that is still to be taken, at the end of an execution of `going` steps.
    pub fn pending(&mut self, path: &mut Path, thread: ThreadId, pending: Footprint, going: usize) {
        let Path { history, states } = path;
        let effect = Effect::of(pending);
        let subject = Subject { thread, effect: &effect, at: None };
        let mut racing = std::mem::take(&mut self.racing);
        self.races.of(history, subject, &mut racing);
        for &from in &racing {
            self.reverse(history, states, subject, from, going);
        }
        self.racing = racing;
    }

    /// Plans the other outcomes of a step, if it has any, behind whatever of the execution does not depend on it. Footprints
    /// that are exact are those of every outcome.
    fn outcomes(&mut self, history: &History, states: &mut States, at: usize, going: usize) {
        let event = history.event(at);
        let past = history.before(at).map_or(&[][..], |before| history.clocks().of(before));
        for nth in 0.. {
            let state = states.at(at);
            let of_thread = |choice: &&Choice| choice.thread == event.choice.thread;
            let Some(&last) = state.choices.iter().filter(of_thread).nth(nth) else { break };
            if last == event.choice {
                continue;
            }
            if state.local.stepwise {
                state.node.with(|branches| {
                    begin_with(branches, event);
                    plan_step(branches, &[last], &Planned { choice: last, effect: event.effect.clone() });
                });
            }
            let (from, until, effect) = (at, going, &event.effect);
            self.plan(states.at(at), Reversal { history, from, until, last, effect, past });
        }
    }

    /// Plans the reversal of a race of the subject with the step at `from`.
    fn reverse(
        &mut self,
        history: &History,
        states: &mut States,
        subject: Subject<'_>,
        from: usize,
        going: usize,
    ) {
        let last = subject.at.map_or(Choice::run(subject.thread), |at| history.event(at).choice);
        let past = subject.past(history);
        // The longer a whole way, the more of what is asleep it wakes. With source sets what came after the race is no
        // reason to plan nothing.
        let stepwise = states.at(from).local.stepwise;
        let until = if stepwise { subject.at.unwrap_or(going) } else { going };
        let way = Reversal { history, from, until, last, effect: subject.effect, past };
        if !way.last_begins() {
            self.plan(states.at(from), way);
            return;
        }
        // Where it can come first it is known whether it is possible, and with which outcomes.
        for nth in 0.. {
            let state = states.at(from);
            let mut outcomes = state.choices.iter().filter(|choice| choice.thread == subject.thread);
            let Some(&last) = outcomes.nth(nth) else { break };
            self.plan(state, Reversal { last, ..way });
        }
    }

    fn plan(&mut self, state: State<'_>, way: Reversal<'_>) {
        if state.local.stepwise {
            self.stepwise(state, &way);
        } else {
            self.whole(state, &way);
        }
    }

    /// Plans a way, unless something that is asleep could begin it.
    fn whole(&mut self, state: State<'_>, way: &Reversal<'_>) {
        let State { asleep, local, node, .. } = state;
        if !asleep.iter().any(|asleep| asleep.could_begin(way)) {
            self.left_alone.extend(node.with(|branches| {
                begin_with(branches, way.history.event(way.from));
                plan_way(branches, local.branch, way)
            }));
        }
    }

    /// Plans a step that could begin the way, unless one is asleep or, with source sets, planned.
    fn stepwise(&mut self, state: State<'_>, way: &Reversal<'_>) {
        let State { choices, asleep, node, .. } = state;
        if !self.exact {
            // What is possible then is not known, so that everything is planned that is possible now.
            node.with(|branches| {
                begin_with(branches, way.history.event(way.from));
                for &choice in choices {
                    let effect = Effect::of(Footprint::Unknown);
                    plan_step(branches, &[choice], &Planned { choice, effect });
                }
            });
            return;
        }
        way.initials(&mut self.initials);
        let initials = &mut self.initials;
        initials.retain(|choice| choices.contains(choice));
        if initials.iter().any(|choice| asleep.iter().any(|asleep| asleep.choice == *choice)) {
            return;
        }
        let chosen = match self.mode {
            Reduction::Classic | Reduction::Eager => way.towards_last(initials),
            Reduction::Source | Reduction::Optimal => initials.last().copied(),
        };
        let Some(chosen) = chosen.map(|choice| Planned { choice, effect: way.effect_of(choice) }) else {
            return;
        };
        node.with(|branches| {
            begin_with(branches, way.history.event(way.from));
            let planned = branches.iter().any(|branch| {
                let thread = branch.first.choice.thread;
                thread == chosen.choice.thread
                    || self.mode.plans_together() && initials.iter().any(|initial| initial.thread == thread)
            });
            if !planned {
                plan_step(branches, choices, &chosen);
            }
        });
    }
}
