//! Planning: for every race, an execution in which its two steps come in the other order.

use super::Reduction;
use super::deferred_sequences::{DeferredSequence, Trace};
use super::effect::{Effect, PlannedStep};
use super::history::History;
use super::node::{Branch, Node, Plan, SharedState, Stage, begin_with, plan_sequence, plan_step};
use super::path::{Path, State, States};
use super::races::{ExaminedStep, Race, Races};
use super::reversal::{NOWHERE, Reversal};
use super::thread_ranges::ThreadRanges;
use crate::control::Control;
use smallvec::SmallVec;
use sojourner_program::{Choice, Footprint, Status, Thread};
use std::sync::Arc;

/// Finds races and plans their reversal, each mode in its own way.
pub(crate) struct Planner {
    mode: Reduction,
    exact: bool,
    /// Whether executions with more than so many preemptions are left out.
    bounded: bool,
    races: Races,
    racing: Vec<Race>,
    /// How many steps of the path it has looked at.
    known: usize,
    unsettled: Vec<Unsettled>,
    initials: Vec<Choice>,
    places: Vec<u32>,
    /// The places of the shortest sequence of a race.
    shortest: Vec<u32>,
    clock: Vec<u32>,
    /// From how many steps on an execution is long.
    pub long: usize,
    /// If it is: its steps.
    trace: Option<Arc<Trace>>,
    /// The steps of a sequence in it, if they were found.
    ranges: ThreadRanges,
    by_ranges: bool,
    /// What was looked at since the clock was.
    unchecked: usize,
    /// States where something was planned that no worker comes back to.
    pub left_alone: Vec<Arc<SharedState>>,
}

/// Steps that are looked at before the clock is: some milliseconds.
const UNCHECKED: usize = 1 << 18;

/// From how many steps on the sequences of an execution are not listed before they are taken. Listing shorter ones costs less than
/// keeping the execution.
const LONG: usize = 256;

/// A reversal whose plan depends on what else the execution does: something could begin it that is explored already, or
/// planned. Another execution with the same two steps may do something else.
#[derive(Clone)]
struct Unsettled {
    /// Where the step came that is to come instead.
    at: usize,
    /// Where it is to come.
    from: usize,
    /// What else is to come later.
    also: SmallVec<[usize; 2]>,
    last: Choice,
    guessed: bool,
    /// The place that decided it. Executions that agree up to there need not be looked at.
    decided: u32,
}

impl Planner {
    /// Another path is gone on with: what was found on the last one is forgotten.
    pub fn forget(&mut self) {
        self.known = 0;
        self.unsettled.clear();
    }

    /// `exact`: whether footprints say what is possible; `bounded`: whether preemptions are.
    pub fn new(mode: Reduction, exact: bool, bounded: bool) -> Self {
        Planner {
            mode,
            exact,
            bounded,
            races: Races::new(mode == Reduction::Eager, exact, bounded),
            racing: Vec::new(),
            known: 0,
            unsettled: Vec::new(),
            initials: Vec::new(),
            places: Vec::new(),
            shortest: Vec::new(),
            clock: Vec::new(),
            long: LONG,
            trace: None,
            ranges: ThreadRanges::default(),
            by_ranges: false,
            unchecked: 0,
            left_alone: Vec::new(),
        }
    }

    /// So many steps have been looked at: whether the search is to end. Executions may be long, and their races many.
    fn is_over(&mut self, steps: usize, control: &Control<'_>) -> bool {
        self.unchecked += steps;
        if self.unchecked >= UNCHECKED {
            self.unchecked = 0;
            control.look();
        }
        control.stopped()
    }

    /// Plans what the steps of an execution give rise to, of which those from `fresh` on are new. The first `going` steps
    /// can be on the way to others. Nothing more is planned once the search is to end.
    pub fn steps(&mut self, path: &mut Path, fresh: usize, going: usize, control: &Control<'_>) {
        let Path { history, states } = path;
        self.trace = (history.len() >= self.long && !self.bounded).then(|| history.keep());
        self.settle(history, states, fresh, going, control);
        let mut racing = std::mem::take(&mut self.racing);
        for at in self.known.min(fresh)..history.len() {
            let event = history.event(at);
            let (thread, effect) = (event.choice.thread, &event.effect);
            let subject = ExaminedStep { thread, effect, at: Some(at), possible: true, lacks: &[] };
            self.races.of(history, subject, &mut racing);
            for race in &racing {
                // The worker that handed over the path has planned one step at a time, but not every sequence in full.
                if self.is_over(at - race.from, control) {
                    return;
                }
                if at >= fresh || !states.at(race.from).local.stepwise {
                    self.reverse(history, states, subject, race, going);
                }
            }
            self.outcomes(history, states, at, going);
        }
        (self.racing, self.known) = (racing, history.len());
    }

    /// Looks again at what was not planned, now that the steps from `fresh` on are others.
    fn settle(
        &mut self,
        history: &History,
        states: &mut States,
        fresh: usize,
        going: usize,
        control: &Control<'_>,
    ) {
        while self.unsettled.last().is_some_and(|unsettled| unsettled.at >= fresh) {
            self.unsettled.pop();
        }
        for nth in 0..self.unsettled.len() {
            if (self.unsettled[nth].decided as usize) < fresh {
                continue;
            }
            let Unsettled { at, from, ref also, last, guessed, .. } = self.unsettled[nth].clone();
            if self.is_over(going.saturating_sub(from), control) {
                return;
            }
            let event = history.event(at);
            let past = history.before(at).map_or(&[][..], |before| history.clocks().of(before));
            let effect = &event.effect;
            let sequence = Reversal { history, from, also, until: going, at, last, guessed, effect, past };
            self.unsettled[nth].decided = self.whole(&mut states.at(from), &sequence);
        }
    }

    /// Plans what a step gives rise to that is still to be taken, at the end of an execution of `going` steps.
    pub fn pending(&mut self, path: &mut Path, thread: Thread, going: usize, control: &Control<'_>) {
        let Path { history, states } = path;
        let Thread { id: thread, status, pending, lacks } = thread;
        let effect = Effect::of(pending);
        let possible = status == Status::Ready;
        let subject = ExaminedStep { thread, effect: &effect, at: None, possible, lacks: &lacks };
        let mut racing = std::mem::take(&mut self.racing);
        self.races.of(history, subject, &mut racing);
        for race in &racing {
            if self.is_over(going.saturating_sub(race.from), control) {
                break;
            }
            self.reverse(history, states, subject, race, going);
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
                    plan_step(branches, &[last], &PlannedStep::new(last, event.effect.clone()));
                });
            }
            let (from, until, effect) = (at, going, &event.effect);
            let sequence =
                Reversal { history, from, also: &[], until, at, last, guessed: false, effect, past };
            self.shortest.clear();
            self.find_ranges(&sequence, true);
            if !self.plan_later(&mut states.at(at), &sequence) {
                self.plan(states.at(at), sequence, true);
            }
        }
    }

    /// Plans the reversal of a race of the subject.
    fn reverse(
        &mut self,
        history: &History,
        states: &mut States,
        subject: ExaminedStep<'_>,
        race: &Race,
        going: usize,
    ) {
        let (from, also) = (race.from, &race.also[..]);
        let last = subject.at.map_or(Choice::run(subject.thread), |at| history.event(at).choice);
        let past = subject.past(history);
        // The longer a whole sequence, the more of what is asleep it wakes. With source sets what came after the race is no
        // reason to plan nothing.
        let stepwise = states.at(from).local.stepwise;
        let at = subject.at.unwrap_or(going);
        let until = if stepwise { at } else { going };
        let effect = subject.effect;
        let sequence = Reversal { history, from, also, until, at, last, guessed: true, effect, past };
        let again = subject.at.is_some();
        if self.bounded {
            self.conservatively(states, &sequence);
            return;
        }
        self.find_ranges(&sequence, subject.at.is_some());
        let comes_first = if self.by_ranges {
            self.ranges.is_empty()
        } else {
            sequence.find_shortest(again, &mut self.shortest, &mut self.clock);
            self.shortest.is_empty()
        };
        if !comes_first {
            if !self.plan_later(&mut states.at(from), &sequence) {
                self.find_places(&sequence, again, stepwise);
                self.plan(states.at(from), sequence, again);
            }
            return;
        }
        // Where it can come first it is known whether it is possible, and with which outcomes.
        for nth in 0.. {
            let mut state = states.at(from);
            let mut outcomes = state.choices.iter().filter(|choice| choice.thread == subject.thread);
            let Some(&last) = outcomes.nth(nth) else { break };
            let sequence = Reversal { last, guessed: false, ..sequence };
            if !self.plan_later(&mut state, &sequence) {
                self.shortest.clear();
                self.plan(state, sequence, again);
            }
        }
    }

    /// Finds the ranges of a sequence, if it takes long to list its steps. `taken`: whether its last step is one of the execution.
    fn find_ranges(&mut self, sequence: &Reversal<'_>, taken: bool) {
        let is_long = self.trace.is_some() && sequence.until.saturating_sub(sequence.from) >= self.long;
        self.by_ranges = is_long && self.ranges.find(sequence, taken);
        #[cfg(test)]
        if self.by_ranges {
            self.check_ranges(sequence, taken);
        }
    }

    /// Lists the steps of the shortest sequence where the ranges are not enough.
    fn find_places(&mut self, sequence: &Reversal<'_>, taken: bool, stepwise: bool) {
        if self.by_ranges && !stepwise {
            sequence.find_shortest(taken, &mut self.shortest, &mut self.clock);
        }
    }

    /// Plans the shortest sequence, whose ranges have been found, without listing its steps, if it is plain that nothing could begin it.
    /// So it is if the same sequence waits already. Either way it is planned by itself. False: its steps have to be looked at.
    fn plan_later(&mut self, state: &mut State<'_>, sequence: &Reversal<'_>) -> bool {
        if !self.by_ranges || state.local.stepwise || state.local.branch != 0 {
            return false;
        }
        let (Some(trace), Node::Own(branches)) = (&self.trace, &mut *state.node) else { return false };
        // Whatever could not begin it then cannot now: nothing that was planned before it has been begun since.
        if branches.iter().filter_map(Branch::waiting_sequence).any(|tail| tail.is_of(sequence, &self.ranges))
        {
            return true;
        }
        let rules_out = |step: &PlannedStep| self.ranges.rules_out(sequence.history, step, sequence.last());
        begin_with(branches, sequence.history.event(sequence.from));
        let mut branches_before = branches.iter().filter(|branch| branch.stage != Stage::Void);
        if !state.asleep.iter().all(rules_out) || !branches_before.all(|branch| rules_out(&branch.first)) {
            return false;
        }
        branches.push(Branch::later(DeferredSequence::of(sequence, &self.ranges, trace)));
        true
    }

    /// Plans no more of a sequence than what its last step happens after, which has been found, unless something could begin that; then
    /// the sequence in full. `again`: other executions may have it, too.
    fn plan(&mut self, mut state: State<'_>, sequence: Reversal<'_>, again: bool) {
        if state.local.stepwise {
            self.stepwise(state, &sequence);
            return;
        }
        let decided = match plan_in(&mut state, &sequence, Some(&self.shortest), &mut self.places) {
            Plan::Made(left_alone, decided) => {
                self.left_alone.extend(left_alone);
                decided
            }
            Plan::Needless(_) => Some(self.whole(&mut state, &sequence)),
        };
        // If the shortest sequence is planned by itself, all executions with the same race are explored there, and none in vain:
        // nothing is asleep behind it.
        if again && let Some(decided) = decided {
            let Reversal { at, from, last, guessed, .. } = sequence;
            let also = SmallVec::from_slice(sequence.also);
            self.unsettled.push(Unsettled { at, from, also, last, guessed, decided });
        }
    }

    /// Plans a sequence in full, unless something could begin it. Returns the place that decided it.
    fn whole(&mut self, state: &mut State<'_>, sequence: &Reversal<'_>) -> u32 {
        match plan_in(state, sequence, None, &mut self.places) {
            Plan::Made(left_alone, _) => {
                self.left_alone.extend(left_alone);
                NOWHERE
            }
            Plan::Needless(place) => place,
        }
    }

    /// Plans every step that could begin the sequence, in its state and where the earlier step's thread was switched to: from there
    /// it may take a preemption less (Coons, Musuvathi & McKinley 2013).
    fn conservatively(&mut self, states: &mut States, sequence: &Reversal<'_>) {
        let (history, from) = (sequence.history, sequence.from);
        sequence.initials(&mut self.initials);
        let thread = history.mark(from).thread;
        let switch = (0..from).rev().find(|&at| history.mark(at).thread != thread).map_or(0, |at| at + 1);
        for at in [from, switch] {
            let State { choices, node, .. } = states.at(at);
            let begins = |choice: &&Choice| {
                self.exact && self.initials.iter().any(|initial| initial.thread == choice.thread)
            };
            let none = !choices.iter().any(|choice| begins(&choice));
            node.with(|branches| {
                begin_with(branches, history.event(at));
                for &choice in choices.iter().filter(|choice| none || begins(choice)) {
                    plan_step(branches, &[choice], &PlannedStep::new(choice, Effect::of(Footprint::Unknown)));
                }
            });
        }
    }

    /// Plans a step that could begin the sequence, unless one is asleep or, with source sets, planned.
    fn stepwise(&mut self, state: State<'_>, sequence: &Reversal<'_>) {
        let State { choices, asleep, node, .. } = state;
        if !self.exact {
            // What is possible then is not known, so that everything is planned that is possible now.
            node.with(|branches| {
                begin_with(branches, sequence.history.event(sequence.from));
                for &choice in choices {
                    let effect = Effect::of(Footprint::Unknown);
                    plan_step(branches, &[choice], &PlannedStep::new(choice, effect));
                }
            });
            return;
        }
        if self.by_ranges {
            self.ranges.initials(sequence.history, sequence.last, &mut self.initials);
        } else {
            sequence.initials(&mut self.initials);
        }
        let initials = &mut self.initials;
        initials.retain(|choice| choices.contains(choice));
        if initials.iter().any(|choice| asleep.iter().any(|asleep| asleep.choice == *choice)) {
            return;
        }
        let chosen = match self.mode {
            Reduction::Classic | Reduction::Eager => sequence.towards_last(initials),
            Reduction::Source | Reduction::Optimal => initials.last().copied(),
        };
        let Some(chosen) = chosen else { return };
        let effect =
            if self.by_ranges { self.ranges.effect_of(sequence, chosen) } else { sequence.effect_of(chosen) };
        let chosen = PlannedStep::new(chosen, effect);
        node.with(|branches| {
            begin_with(branches, sequence.history.event(sequence.from));
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

/// Plans a sequence in a state, unless something could begin it that is asleep there, explored, or planned. With the places of its
/// shortest sequence, it is no more than that. `places` is room to work in.
fn plan_in(
    state: &mut State<'_>,
    reversal: &Reversal<'_>,
    shortest: Option<&[u32]>,
    places: &mut Vec<u32>,
) -> Plan {
    let State { asleep, local, node, .. } = state;
    let begins = |step: &PlannedStep| reversal.could_begin_with(step, shortest);
    if let Some(place) = asleep.iter().find_map(begins) {
        return Plan::Needless(place);
    }
    node.with(|branches| {
        begin_with(branches, reversal.history.event(reversal.from));
        // What was planned before the present branch is explored, or will be, with all that could begin with it.
        let mut explored = branches[..=local.branch].iter().filter(|branch| branch.stage != Stage::Void);
        match explored.find_map(|branch| begins(&branch.first)) {
            Some(place) => Plan::Needless(place),
            None => plan_sequence(branches, local.branch, &mut reversal.sequence(shortest, places)),
        }
    })
}

#[cfg(test)]
impl Planner {
    /// Lists the steps of a sequence one by one, and compares.
    fn check_ranges(&mut self, sequence: &Reversal<'_>, taken: bool) {
        let history = sequence.history;
        let (mut places, mut clock) = (Vec::new(), Vec::new());
        sequence.find_shortest(taken, &mut places, &mut clock);
        assert_eq!(self.ranges.places(history), places);
        let (mut by_ranges, mut one_by_one) = (Vec::new(), Vec::new());
        self.ranges.initials(history, sequence.last, &mut by_ranges);
        sequence.initials(&mut one_by_one);
        // With steps behind the last one, it is another question whether that one could come first.
        if sequence.until == sequence.at {
            assert_eq!(by_ranges, one_by_one);
        }
        let Some(trace) = self.trace.as_ref().filter(|_| taken) else { return };
        let (steps, next) = DeferredSequence::of(sequence, &self.ranges, trace).1.list();
        let mut room = Vec::new();
        let listed = sequence.sequence(Some(&places), &mut room);
        let choices = |steps: &[PlannedStep]| steps.iter().map(|step| step.choice).collect::<Vec<_>>();
        assert_eq!(choices(&steps), choices(&listed.planned()[1..]));
        assert_eq!(next, listed.next());
    }
}
