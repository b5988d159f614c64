//! A C or C++ program that stands in some state.
//!
//! The worker has run ahead: rows of states lie in the region, as far as it came by itself. A step that agrees with what
//! was run only moves on by a row, and going back only moves back. A step that does not agree makes the worker start again
//! and follow the schedule, or go on from where it stands if that is here.

use crate::ahead::Ahead;
use crate::cells::LocalCells;
use crate::distance::Guide;
use crate::exploration::{Reduction, RevisitDetection};
use crate::native_program::Shared;
use crate::races;
use crate::region::State;
use crate::requests::Goal;
use crate::section_touches;
use crate::states::Path;
use crate::worker::{Launch, Worker};
use sojourner_native_rt::protocol::{
    CLOCKS, Command, DATES, DefectKind, Ending, MOST_STEPS, NO_VALUE, Op, Ops, Pending, RUN, SLOTS,
    SectionTouch, Taken,
};
use sojourner_program::{Choice, Fault, Finding, Kind, Reducible, Schedule, Status, ThreadId};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Operations after which a thread executes nothing more of the program.
const AT_END: Ops = Ops::new(&[Op::Finished, Op::End, Op::Exit, Op::Returns]);

/// A program, standing in some state.
pub struct Execution {
    pub(crate) worker: Worker,
    pub(crate) launch: Launch,
    pub(crate) shared: Arc<Shared>,
    /// The choices from the very start to here.
    pub(crate) schedule: Schedule,
    /// How many of them lead to where the last `go` went.
    pub(crate) base: usize,
    /// The threads by their numbers in this execution.
    pub(crate) threads: Vec<ThreadId>,
    /// The threads by their slots.
    pub(crate) slots: Vec<Option<ThreadId>>,
    pub(crate) local_cells: LocalCells,
    /// The states that the worker has recorded.
    pub(crate) rows: usize,
    pub(crate) ending: Ending,
    /// Why the worker is gone, if it is.
    pub(crate) lost: Option<Finding>,
    pub(crate) ahead: Ahead,
    /// The choices that will most likely be taken, and the number of the state from which on.
    pub(crate) expected: (usize, Vec<Choice>),
    /// Whether it follows what is known, and learns nothing.
    pub(crate) follows: bool,
    /// A cell had to be cut: footprints from before are not right.
    pub(crate) cut: bool,
    /// The words on stacks that count as shared here.
    pub(crate) stacks: Vec<u64>,
    /// Another word on a stack turned out to be shared.
    pub(crate) met: bool,
    /// A reduction explores it, which goes by footprints.
    pub(crate) reduced: bool,
    /// Whether threads are known to enter atomic sections that are not one step.
    pub(crate) sections: bool,
    /// Whether steps are known to let time pass that are possible only because no other thread can move. Footprints do not say
    /// what makes such a step possible.
    pub(crate) waits: bool,
    /// What they are known to touch in those that are.
    pub(crate) section_touches: Vec<SectionTouch>,
    /// What it need not tell the search of.
    pub(crate) reduction: Reduction,
    /// The states on the way, if a search goes by them.
    pub(crate) path: Path,
    /// The operations beyond the first of the step that ended the worker, if one did.
    pub(crate) lost_inside: u32,
    /// Whether that step let time pass by looking at the clock again and again.
    pub(crate) lost_polled: u32,
    /// The places of random draws that the worker has told of.
    pub(crate) drawn: usize,
    /// The program is known to create more threads than can be followed, so that it has a few.
    pub(crate) crowded: bool,
    /// It turned out to do so.
    pub(crate) overflows: bool,
    /// The program has done something that outlasts an execution, and shares its process with the next one.
    pub(crate) outlasts: bool,
    /// Whether the worker has the path of a search that it went on with, but for what has changed since.
    pub(crate) handed_over: bool,
    pub(crate) seen: races::SeenRaces,
    /// What knows how far threads are from the places that the search wants to reach.
    pub(crate) guide: Option<Arc<Guide>>,
}

impl Execution {
    pub(crate) fn new(
        worker: Worker,
        launch: Launch,
        shared: Arc<Shared>,
        follows: bool,
    ) -> Result<Execution, Fault> {
        let mut execution = Execution {
            worker,
            launch,
            shared,
            schedule: Schedule::new(),
            base: 0,
            threads: Vec::new(),
            slots: vec![None; SLOTS as usize],
            local_cells: LocalCells::default(),
            rows: 0,
            ending: Ending::Paused,
            lost: None,
            ahead: Ahead::new(),
            expected: (0, Vec::new()),
            follows,
            cut: false,
            stacks: Vec::new(),
            met: false,
            reduced: false,
            sections: false,
            waits: false,
            section_touches: Vec::new(),
            reduction: Reduction {
                cuts: false,
                guards: false,
                sections: false,
                revisits: RevisitDetection::FirstReturn,
                states: false,
            },
            path: Path::default(),
            lost_inside: 0,
            lost_polled: 0,
            drawn: 0,
            crowded: false,
            overflows: false,
            outlasts: false,
            handed_over: false,
            seen: races::SeenRaces::default(),
            guide: None,
        };
        // A program that follows a schedule is not asked for distances.
        execution.guide = execution.shared.guide().filter(|_| !follows);
        let shows_rounds = follows && execution.shared.endless.load(Relaxed);
        if shows_rounds {
            execution.reduction = Reduction { guards: false, ..Reduction::BY_STATES };
        } else if follows {
            let known = execution.shared.revisits.load(Relaxed);
            execution.reduction.revisits =
                if known { RevisitDetection::BySearch } else { RevisitDetection::FourthReturn };
        }
        execution.path.exits_early = follows && execution.shared.exits.load(Relaxed);
        execution.crowded = !follows && execution.shared.crowded.load(Relaxed);
        execution.stacks = execution.shared.assumptions.words();
        execution.section_touches = execution.shared.section_touches.all();
        if follows && !shows_rounds {
            // With them no state is taken for another one, so that a program that follows a schedule finds every choice that a search had.
            let missing = [CLOCKS, DATES].into_iter().filter(|word| !execution.stacks.contains(word));
            let missing: Vec<u64> = missing.collect();
            execution.stacks.extend(missing);
        }
        execution.begin()?;
        if execution.outlasts {
            let Execution { mut launch, shared, .. } = execution;
            shared.isolated.store(true, Relaxed);
            launch.isolate = true;
            return Execution::new(Worker::start(&launch)?, launch, shared, follows);
        }
        if execution.ending == Ending::Refused && execution.rows == 0 {
            return Err(execution.refusal());
        }
        execution.learn();
        Ok(execution)
    }

    /// Runs a first execution. What that meets is known from then on, in every program alike.
    pub(crate) fn begin(&mut self) -> Result<(), Fault> {
        while {
            self.met = false;
            self.ask(Command::Run, Goal { ahead: Ahead::MOST, ..Goal::default() })?;
            let overflows = std::mem::take(&mut self.overflows);
            self.crowded |= overflows;
            self.met || overflows
        } {
            self.stacks = self.worker.region.shared_words();
            self.section_touches = section_touches::without_repeats(&self.worker.region.section_touches());
        }
        Ok(())
    }

    /// Looks at what the worker has run by itself, so that most cells are known before footprints are about.
    fn learn(&mut self) {
        for row in 0..self.rows {
            for number in 0..self.worker.region.state(row).threads() {
                if let Some(pending) = self.worker.region.state(row).pending(number) {
                    self.footprint(number, &pending, None);
                }
            }
        }
        (self.local_cells, self.cut) = (LocalCells::default(), false);
    }

    /// Whether it follows a schedule that is known.
    pub(crate) fn is_following(&self) -> bool {
        self.follows
    }

    /// The number of the state that it stands in.
    pub(crate) fn at(&self) -> usize {
        self.schedule.len()
    }

    /// The states that the worker has recorded.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// From now on states are summed up.
    pub(crate) fn tell_states(&mut self) -> Result<(), Fault> {
        self.reduction = Reduction::BY_STATES;
        self.path = Path::default();
        self.path.exits_early = self.shared.exits.load(Relaxed);
        self.begin()
    }

    /// What the threads are about to do here.
    pub(crate) fn here_pending(&self) -> impl Iterator<Item = Pending> + use<'_> {
        let state = (self.at() < self.rows).then(|| self.worker.region.state(self.at()));
        state.into_iter().flat_map(State::all_pending)
    }

    /// How far the nearest thread is from where the search wants to come. `None`: none of them can come there.
    pub(crate) fn nearest_distance(&self) -> Option<u32> {
        let guide = self.guide.as_ref()?;
        let state = (self.at() < self.rows).then(|| self.worker.region.state(self.at()))?;
        let distance = |number| {
            let pending = state.pending(number)?;
            (!AT_END.contains(pending.op)).then(|| guide.distance(pending.place, state.calls(number)))?
        };
        (0..state.threads()).filter_map(distance).min()
    }

    /// The thread of that number, if it has just been created and no state has it yet.
    pub(crate) fn newest_thread(&self, number: u32) -> Option<ThreadId> {
        if number as usize != self.threads.len() {
            return None;
        }
        let origin = self.worker.region.origin(number as usize);
        Some(self.shared.threads.child(Some(self.thread_id(origin.parent)?), origin.nth))
    }

    /// What a thread was about to do in the last state that there is.
    pub(crate) fn pending_at_end(&self, thread: u32) -> Option<Pending> {
        self.worker.region.state(self.rows.checked_sub(1)?).pending(thread as usize)
    }

    /// The same, or behind a step that failed what they were about to do before it: the one that failed, this step.
    pub(crate) fn last_pending(&self) -> Vec<Pending> {
        match self.at().checked_sub(1) {
            Some(before) if self.failed_here() => self.worker.region.state(before).all_pending().collect(),
            _ => self.here_pending().collect(),
        }
    }

    /// The thread of that number in this execution.
    pub(crate) fn thread_id(&self, number: u32) -> Option<ThreadId> {
        self.threads.get(number as usize).copied()
    }

    /// Whether the step that the worker took in a state is this one.
    #[inline]
    fn agrees(&self, at: usize, taken: Taken) -> bool {
        let behind = matches!(self.ending, Ending::Failed | Ending::Refused) && at + 1 == self.rows;
        (at + 1 < self.rows || behind) && self.worker.region.taken(at) == taken
    }

    /// Brings the worker to where the choice has been taken.
    pub(crate) fn take(&mut self, choice: Choice) -> Result<(), Fault> {
        let at = self.at();
        // Mostly it is the step that the worker took.
        let took = self.worker.region.taken(at).thread as usize;
        let number = match self.threads.get(took) {
            Some(thread) if *thread == choice.thread => Some(took),
            _ => self.threads.iter().position(|thread| *thread == choice.thread),
        };
        let Some(number) = number else {
            let why = "there is no such thread".to_string();
            return Err(Fault::Diverged { step: at - self.base, choice, why });
        };
        let taken = Taken { thread: number as u32, value: choice.value().unwrap_or(NO_VALUE) };
        let is_default = self.is_default(number);
        self.ahead.note(is_default);
        if self.agrees(at, taken) {
            self.schedule.push(choice);
            return Ok(());
        }
        if at >= MOST_STEPS - 1 || self.ending == Ending::TooLong && at + 1 >= self.rows {
            let what = format!("an execution of {at} steps");
            return Err(Fault::Unsupported { what, location: None });
        }
        let standing = self.ending == Ending::Paused && at + 1 == self.rows && self.lost.is_none();
        let steps = self.ahead.steps;
        self.ahead.steps =
            if standing && is_default { (steps * 2).min(Ahead::MOST) } else { (steps / 2).max(Ahead::LEAST) };
        let expected = self.expect_behind(at, choice);
        let ahead = match expected {
            // Mostly the search knows the state behind the choice, and what follows is for nothing.
            _ if self.reduction.states && !self.follows => 0,
            Some(_) => steps,
            None => self.ahead.behind(is_default),
        };
        self.worker.region.set_taken(at, taken);
        let known = if self.lost.take().is_some() { 0 } else { at + 1 };
        let goal = Goal { steps: at + 1, known, expected: expected.unwrap_or(0), ahead };
        self.ask(if standing { Command::Continue } else { Command::Run }, goal)?;
        if self.ending == Ending::NoSuchChoice && self.rows == at + 1 {
            let why = "it is not offered".to_string();
            // The state itself is there as before.
            self.ending = Ending::TooLong;
            return Err(Fault::Diverged { step: at - self.base, choice, why });
        }
        if self.ending == Ending::Diverged {
            if !self.launch.isolate && !self.follows {
                return Err(self.isolate("the program had not done the same with the same schedule"));
            }
            return Err(self.nondeterminism());
        }
        self.schedule.push(choice);
        Ok(())
    }

    /// Notes in the region what will most likely follow a choice that is taken: how many steps, if it was expected itself.
    fn expect_behind(&mut self, at: usize, choice: Choice) -> Option<usize> {
        let (from, choices) = &self.expected;
        let mut choices = choices.get(at.wrapping_sub(*from)..).unwrap_or_default().iter();
        choices.next().filter(|first| **first == choice)?;
        let mut count = 0;
        for choice in choices {
            let Some(number) = self.threads.iter().position(|thread| *thread == choice.thread) else { break };
            let depth = at + 1 + count;
            if depth >= MOST_STEPS {
                break;
            }
            let taken = Taken { thread: number as u32, value: choice.value().unwrap_or(NO_VALUE) };
            self.worker.region.set_taken(depth, taken);
            count += 1;
        }
        Some(count)
    }

    /// Whether the thread is the one that the worker would let go on by itself. Which thread the search lets go on is noted, so that
    /// the worker does the same.
    #[inline]
    fn is_default(&mut self, thread: usize) -> bool {
        let at = self.at();
        let state = self.worker.region.state(at);
        let first = state.ready().next();
        let last = at.checked_sub(1).map(|last| self.worker.region.taken(last).thread as usize);
        let same = last.filter(|last| state.is_ready(*last));
        let (is_first, is_same) = (Some(thread) == first, Some(thread) == same);
        let Ahead { first: firsts, same: sames, .. } = &mut self.ahead;
        if is_first != is_same && same.is_some() {
            let (right, other) =
                if is_first { (&mut *firsts, &mut *sames) } else { (&mut *sames, &mut *firsts) };
            *right = (*right + 1).min(16);
            *other = other.saturating_sub(1);
        }
        let first_goes_on = *firsts > *sames;
        if first_goes_on { is_first } else { Some(thread) == same.or(first) }
    }

    /// What people call the object of an operation.
    pub(crate) fn name_of(&self, pending: &Pending) -> String {
        self.name_object(self.object_of(pending))
    }

    /// An operation in words.
    pub(crate) fn words(&self, pending: &Pending) -> String {
        match Op::from_number(pending.op) {
            Some(
                op @ (Op::End
                | Op::Exit
                | Op::Returns
                | Op::Pause
                | Op::Sleep
                | Op::Clock
                | Op::Finished
                | Op::Section
                | Op::SectionEnd
                | Op::GivenUp
                | Op::Choose),
            ) => op.words().to_string(),
            Some(op) => format!("{} {}", op.words(), self.name_of(pending)),
            None => "does something".into(),
        }
    }

    pub(crate) fn status(&self, pending: &Pending) -> Status {
        match pending.offer {
            0 if pending.op == Op::Finished as u8 => Status::Finished,
            0 => Status::Blocked(Some(self.object_of(pending))),
            _ => Status::Ready,
        }
    }

    /// The choices of the state that it stands in.
    pub(crate) fn find_choices(&self, out: &mut Vec<Choice>) {
        if self.at() >= self.rows {
            return;
        }
        let first = out.len();
        let state = self.worker.region.state(self.at());
        for number in state.ready() {
            let Some(&thread) = self.threads.get(number) else { break };
            let mut offer = match state.several {
                true => state.pending(number).map_or(0, |pending| pending.offer),
                false => RUN,
            };
            if offer == RUN {
                out.push(Choice::run(thread));
                continue;
            }
            while offer != 0 {
                out.push(Choice::pick(thread, offer.trailing_zeros()));
                offer &= offer - 1;
            }
        }
        if self.path.exits_early && out.len() > first {
            self.add_exits(out);
        }
        if !out[first..].is_sorted() {
            out[first..].sort_unstable();
        }
    }

    /// Whether a value was chosen for the program on the way here.
    pub(crate) fn has_chosen(&self) -> bool {
        let picks = self.schedule.iter().enumerate().filter(|(_, choice)| choice.value().is_some());
        let mut ops = picks.map(|(at, _)| {
            let thread = self.worker.region.taken(at).thread as usize;
            self.worker.region.state(at).pending(thread).map(|pending| pending.op)
        });
        ops.any(|op| op == Some(Op::Choose as u8))
    }

    /// The thread that ends the program with the status that was chosen in a state.
    pub(crate) fn first_to_end(&self, state: usize, value: u32) -> Option<ThreadId> {
        let mut statuses = Vec::new();
        for (number, pending) in self.worker.region.state(state).all_pending().enumerate() {
            if pending.op == Op::Exit as u8 && !statuses.contains(&pending.size) {
                if statuses.len() == value as usize {
                    return self.thread_id(number as u32);
                }
                statuses.push(pending.size);
            }
        }
        None
    }

    /// Whether the run ended in a failure of the step that led here, or before the first one.
    pub(crate) fn failed_here(&self) -> bool {
        self.ending == Ending::Failed && self.at() == self.rows
    }

    /// Whether the only thread that can move comes back here again and again.
    pub(crate) fn goes_round(&self) -> bool {
        self.at() < self.rows && self.worker.region.state(self.at()).goes_round
    }

    /// The same, if it can do nothing else.
    pub(crate) fn goes_round_alone(&mut self) -> bool {
        self.goes_round() && self.exit_choice().is_none()
    }

    /// Whether executions that go on for ever are no findings.
    pub(crate) fn ignores_endless(&self) -> bool {
        self.shared.ignores_endless.load(Relaxed)
    }

    /// What is wrong where no thread gets on: a deadlock, or threads that repeat themselves for ever.
    pub(crate) fn standstill(&self) -> Option<Finding> {
        self.shared.endless.fetch_and(self.follows, Relaxed);
        Some(self.deadlock()).filter(|finding| finding.kind == Kind::Deadlock || !self.ignores_endless())
    }

    /// Whether a thread here has given up, or was left alone where it repeats itself.
    pub(crate) fn is_given_up(&self) -> bool {
        let given_up = [Op::GivenUp as u8, Op::Left as u8];
        self.here_pending().any(|entry| given_up.contains(&entry.op))
    }

    /// How many operations beyond the first the step from that state made.
    pub(crate) fn inside_step(&self, state: usize) -> u32 {
        match state + 1 < self.rows {
            true => u32::from(self.worker.region.state(state + 1).inside),
            false if self.lost.is_some() => self.lost_inside,
            false => self.worker.region.header().inside_step.get(),
        }
    }

    /// Whether the step from that state let time pass by looking at the clock again and again.
    pub(crate) fn has_polled(&self, state: usize) -> bool {
        match state + 1 < self.rows {
            true => self.worker.region.state(state + 1).polled,
            false if self.lost.is_some() => self.lost_polled != 0,
            false => self.worker.region.header().polled.get() != 0,
        }
    }

    /// Whether the run ended in a race of accesses that a mutex had been taken to guard, so that which they are is not known.
    pub(crate) fn is_unguarded_race(&self) -> bool {
        let race = self.worker.region.header().defect.get().kind == DefectKind::Race as u32;
        race && self.met && !self.follows && self.ending == Ending::Failed && self.lost.is_none()
    }

    /// What failed in the step that led here.
    pub(crate) fn failure(&mut self) -> Finding {
        match &self.lost {
            Some(lost) => lost.clone(),
            None => self.finding(),
        }
    }

    /// From now on each execution has a process of its own.
    #[cold]
    pub(crate) fn isolate(&self, why: &str) -> Fault {
        self.shared.isolated.store(true, Relaxed);
        Fault::Again { why: why.into() }
    }
}
