//! A C or C++ program that stands in some state.
//!
//! The worker has run ahead: rows of states lie in the region, as far as it came by itself. A step that agrees with what
//! was run only moves on by a row, and going back only moves back. A step that does not agree makes the worker start again
//! and follow the schedule, or go on from where it stands if that is here.

use crate::ahead::Ahead;
use crate::cells::LocalCells;
use crate::exploration::{Leaks, Reduction, RevisitDetection};
use crate::native_program::Shared;
use crate::races;
use crate::region::State;
use crate::section_touches;
use crate::states::Path;
use crate::worker::{Launch, Lost, Worker};
use sojourner_native_rt::protocol::{
    CLOCKS, Command, DATES, DefectKind, Draw, Ending, FEW_THREADS, Header, MOST_DRAWS, MOST_STEPS, NO_VALUE,
    Op, Pending, RUN, SLOTS, SectionTouch, Taken, Watch, Watched,
};
use sojourner_program::{
    Choice, Detail, Fault, Finding, Kind, ObjectId, Program, Promises, Reducible, Schedule, Status, Step,
    Thread, ThreadId,
};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

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
    expected: (usize, Vec<Choice>),
    /// Whether it follows what is known, and learns nothing.
    follows: bool,
    /// A cell had to be cut: footprints from before are not right.
    pub(crate) cut: bool,
    /// The words on stacks that count as shared here.
    pub(crate) stacks: Vec<u64>,
    /// Another word on a stack turned out to be shared.
    pub(crate) met: bool,
    /// A reduction explores it, which goes by footprints.
    reduced: bool,
    /// Whether threads are known to enter atomic sections that are not one step.
    pub(crate) sections: bool,
    /// Whether steps are known to let time pass that are possible only because no other thread can move. Footprints do not say
    /// what makes such a step possible.
    pub(crate) waits: bool,
    /// What they are known to touch in those that are.
    pub(crate) section_touches: Vec<SectionTouch>,
    /// What it need not tell the search of.
    reduction: Reduction,
    /// The states on the way, if a search goes by them.
    pub(crate) path: Path,
    /// The operations beyond the first of the step that ended the worker, if one did.
    lost_inside: u32,
    /// Whether that step let time pass by looking at the clock again and again.
    lost_polled: u32,
    /// The places of random draws that the worker has told of.
    drawn: usize,
    /// The program is known to create more threads than can be followed, so that it has a few.
    pub(crate) crowded: bool,
    /// It turned out to do so.
    pub(crate) overflows: bool,
    /// The program has done something that outlasts an execution, and shares its process with the next one.
    pub(crate) outlasts: bool,
    /// Whether the worker has the path of a search that it went on with, but for what has changed since.
    pub(crate) handed_over: bool,
    pub(crate) seen: races::SeenRaces,
}

/// How far the worker goes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Goal {
    /// It follows so many choices in the region.
    pub steps: usize,
    /// So many rows are there from before.
    pub known: usize,
    /// Behind the steps it follows so many choices more, as long as they are possible.
    pub expected: usize,
    /// Behind those it goes on by itself for so many.
    pub ahead: u32,
}

impl Goal {
    fn tell(self, header: &Header) {
        header.steps.set(self.steps as u32);
        header.known.set(self.known as u32);
        header.expected.set(self.expected as u32);
        header.ahead.set(self.ahead);
    }
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
        };
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
            // With them no state is taken for another one, so that whoever follows finds every choice that a search had.
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
    fn begin(&mut self) -> Result<(), Fault> {
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

    /// Has the worker go somewhere: from the start, or from where it stands.
    fn ask(&mut self, command: Command, goal: Goal) -> Result<(), Fault> {
        let steps = goal.steps;
        if steps >= MOST_STEPS {
            let what = format!("an execution of more than {MOST_STEPS} steps");
            return Err(Fault::Unsupported { what, location: None });
        }
        match self.send(command, goal) {
            Ok(()) => self.take_over(goal.known, command == Command::Continue),
            Err(Lost::Cancelled) => return Err(Fault::Cancelled),
            Err(lost) => return self.replace_worker(lost, steps),
        }
        // A state without choices is an end. That a state is missing must never look like one.
        if self.rows <= steps && matches!(self.ending, Ending::Paused | Ending::Stuck | Ending::Exited) {
            let why = format!("the worker was asked for {steps} steps and came to {} states", self.rows);
            return Err(Fault::Crashed { why });
        }
        Ok(())
    }

    /// Tells the worker what to do and waits until it is done.
    pub(crate) fn send(&mut self, command: Command, goal: Goal) -> Result<(), Lost> {
        let header = self.worker.region.header();
        goal.tell(header);
        header.first_goes_on.set(u32::from(self.ahead.first > self.ahead.same));
        let mut settings = self.shared.exploration.settings(self.follows, self.reduction);
        if self.crowded {
            settings.threads = FEW_THREADS;
        }
        header.settings.set(settings);
        header.watch.set(Watch::NOTHING);
        if command == Command::Run {
            self.shared.symbols.tell_functions(&mut self.worker.region);
            let header = self.worker.region.header();
            header.shared.set(self.stacks.len() as u32);
            header.shared_words.iter().zip(&self.stacks).for_each(|(place, word)| place.set(*word));
            header.section_touches.set(self.section_touches.len() as u32);
            header
                .section_touch
                .iter()
                .zip(&self.section_touches)
                .for_each(|(place, inside)| place.set(*inside));
        }
        self.worker.ask(command)
    }

    /// Reads what the worker has recorded.
    pub(crate) fn take_over(&mut self, known: usize, goes_on: bool) {
        let header = self.worker.region.header();
        self.rows = (header.rows.get() as usize).min(MOST_STEPS);
        self.ending = Ending::from_number(header.ending.get()).unwrap_or(Ending::TooLong);
        if header.races_missed.get() != 0 {
            self.shared.races_missed.store(true, Relaxed);
        }
        if header.tried.get() != 0 {
            self.shared.tried.store(true, Relaxed);
        }
        if header.sampled.get() != 0 {
            self.shared.sampled.store(true, Relaxed);
        }
        if header.alarms.get() != 0 {
            self.shared.alarms.store(true, Relaxed);
        }
        if header.waited.get() != 0 {
            self.shared.waited.store(true, Relaxed);
        }
        if header.withheld.get() != 0 {
            self.shared.withheld.store(true, Relaxed);
        }
        let drawn = (header.drawn.get() as usize).min(MOST_DRAWS);
        if drawn != std::mem::replace(&mut self.drawn, drawn) {
            let draws: Vec<Draw> = header.draws[..drawn].iter().map(Cell::get).collect();
            self.shared.draws.add(&draws, &self.shared.symbols);
        }
        if header.crowded.get() != 0 {
            self.shared.crowded.store(true, Relaxed);
            self.overflows |= !self.crowded && !self.follows;
        }
        if header.unrestored.get() != 0 {
            self.shared.unrestored.store(true, Relaxed);
        }
        if header.revisits.get() != 0 {
            self.shared.revisits.store(true, Relaxed);
        }
        self.met |= header.shared.get() as usize > self.stacks.len()
            || header.section_touches.get() as usize > self.section_touches.len();
        self.outlasts |= header.outlasts.get() != 0 && !self.launch.isolate;
        // Threads of the states that are there from before stay as they are.
        let before = if known > 0 { self.worker.region.state(known - 1).threads() } else { 0 };
        self.threads.truncate(before);
        let now = if self.rows > 0 { self.worker.region.state(self.rows - 1).threads() } else { 1 };
        for number in self.threads.len()..now {
            let origin = self.worker.region.origin(number);
            let parent = self.threads.get(origin.parent as usize).copied();
            let thread = self.shared.threads.child(parent, origin.nth);
            self.threads.push(thread);
            if let Some(slot) = self.slots.get_mut(origin.slot as usize) {
                *slot = Some(thread);
            }
        }
        if self.outlasts {
            // What comes of an execution in a process that an earlier one has changed says nothing.
            return;
        }
        self.take_over_races(goes_on);
        if self.ending == Ending::Exited {
            self.warn_of_panics();
            self.warn_of_blocked();
            if self.shared.exploration.leaks == Leaks::Warn {
                self.warn_of_leaks();
            }
        }
    }

    /// Runs the execution that has just ended once more, to note stacks on the way.
    pub(crate) fn watch(&mut self, watch: Watch) -> Option<Watched> {
        let steps = match self.ending {
            Ending::Exited => self.rows.checked_sub(1)?,
            Ending::Failed if self.lost.is_none() => self.rows,
            _ => return None,
        };
        let header = self.worker.region.header();
        Goal { steps, known: steps, ..Goal::default() }.tell(header);
        header.watch.set(watch);
        header.watched.set(Watched::NOTHING);
        header.shared.set(self.stacks.len() as u32);
        header.section_touches.set(self.section_touches.len() as u32);
        // The command is obeyed as it was before: if not, the next one will show what is the matter.
        self.worker.ask(Command::Run).ok()?;
        let header = self.worker.region.header();
        (Ending::from_number(header.ending.get()) == Some(self.ending)).then_some(header.watched.get())
    }

    /// The worker died of what it was asked to do: another one takes its place, up to the step before.
    #[cold]
    fn replace_worker(&mut self, lost: Lost, steps: usize) -> Result<(), Fault> {
        let finding = self.lost(lost);
        let header = self.worker.region.header();
        (self.lost_inside, self.lost_polled) = (header.inside_step.get(), header.polled.get());
        let choices: Vec<Taken> = (0..steps).map(|depth| self.worker.region.taken(depth)).collect();
        self.worker = Worker::start(&self.launch)?;
        self.handed_over = false;
        for (depth, &taken) in choices.iter().enumerate() {
            self.worker.region.set_taken(depth, taken);
        }
        (self.rows, self.ending) = (0, Ending::Failed);
        if steps > 0 {
            match self.send(Command::Run, Goal { steps: steps - 1, ..Goal::default() }) {
                Ok(()) => {}
                Err(Lost::Cancelled) => return Err(Fault::Cancelled),
                Err(_) => {
                    let why = format!("{}, and not always at the same step", finding.message);
                    return Err(Fault::Crashed { why });
                }
            }
            self.take_over(0, false);
            self.ending = Ending::Failed;
        }
        self.lost = Some(finding);
        Ok(())
    }

    /// Whether the step that the worker took in a state is this one.
    #[inline]
    fn agrees(&self, at: usize, taken: Taken) -> bool {
        let behind = matches!(self.ending, Ending::Failed | Ending::Refused) && at + 1 == self.rows;
        (at + 1 < self.rows || behind) && self.worker.region.taken(at) == taken
    }

    /// Brings the worker to where the choice has been taken.
    fn take(&mut self, choice: Choice) -> Result<(), Fault> {
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
    fn find_choices(&self, out: &mut Vec<Choice>) {
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
    fn has_chosen(&self) -> bool {
        let picks = self.schedule.iter().enumerate().filter(|(_, choice)| choice.value().is_some());
        let mut ops = picks.map(|(at, _)| {
            let thread = self.worker.region.taken(at).thread as usize;
            self.worker.region.state(at).pending(thread).map(|pending| pending.op)
        });
        ops.any(|op| op == Some(Op::Choose as u8))
    }

    /// The thread that ends the program with the status that was chosen in a state.
    fn first_to_end(&self, state: usize, value: u32) -> Option<ThreadId> {
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
    fn goes_round_alone(&mut self) -> bool {
        self.goes_round() && self.exit_choice().is_none()
    }

    /// Whether executions that go on for ever are no findings.
    fn ignores_endless(&self) -> bool {
        self.shared.ignores_endless.load(Relaxed)
    }

    /// What is wrong where no thread gets on: a deadlock, or threads that repeat themselves for ever.
    fn standstill(&self) -> Option<Finding> {
        self.shared.endless.fetch_and(self.follows, Relaxed);
        Some(self.deadlock()).filter(|finding| finding.kind == Kind::Deadlock || !self.ignores_endless())
    }

    /// Whether a thread here has given up, or was left alone where it repeats itself.
    fn is_given_up(&self) -> bool {
        let given_up = [Op::GivenUp as u8, Op::Left as u8];
        self.here_pending().any(|entry| given_up.contains(&entry.op))
    }

    /// How many operations beyond the first the step from that state made.
    fn inside_step(&self, state: usize) -> u32 {
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
    fn is_unguarded_race(&self) -> bool {
        let race = self.worker.region.header().defect.get().kind == DefectKind::Race as u32;
        race && self.met && !self.follows && self.ending == Ending::Failed && self.lost.is_none()
    }

    /// What failed in the step that led here.
    fn failure(&mut self) -> Finding {
        match &self.lost {
            Some(lost) => lost.clone(),
            None => self.finding(),
        }
    }

    /// From now on each execution has a process of its own.
    #[cold]
    fn isolate(&self, why: &str) -> Fault {
        self.shared.isolated.store(true, Relaxed);
        Fault::Again { why: why.into() }
    }
}

impl Program for Execution {
    type Place = Schedule;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        if !(self.goes_round_alone() && self.ignores_endless()) {
            self.find_choices(out);
        }
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        if self.failed_here() {
            return Some(self.failure());
        }
        if let Some(cycle) = self.cycle_here(false).filter(|_| !stuck) {
            return Some(self.partial_deadlock(&cycle));
        }
        if self.goes_round_alone() {
            return self.standstill();
        }
        if !stuck || self.at() + 1 != self.rows {
            return None;
        }
        match self.ending {
            Ending::Exited => {
                let status = self.worker.region.header().status.get();
                if let Some(panic) = self.fatal_panic(status) {
                    return Some(panic);
                }
                if self.shared.exploration.exit && status != 0 {
                    return Some(Finding::exit(status as i32));
                }
                if self.shared.exploration.leaks == Leaks::Fail { self.leak() } else { None }
            }
            Ending::Stuck if self.is_given_up() => {
                self.cycle_here(true).map(|cycle| self.partial_deadlock(&cycle))
            }
            Ending::Stuck => self.standstill(),
            _ => None,
        }
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        let at = self.at();
        if step.detail >= Detail::Words {
            let mut offered = Vec::new();
            self.find_choices(&mut offered);
            if !offered.contains(&choice) && self.exit_choice() != Some(choice) {
                let why = format!("choice {choice:?} is not offered; offered are {offered:?}");
                return Err(Fault::Diverged { step: at - self.base, choice, why });
            }
        }
        self.take(choice)?;
        if self.outlasts && !self.follows {
            return Err(self.isolate("the program had done what outlasts an execution"));
        }
        if step.detail >= Detail::Footprint {
            let number = self.worker.region.taken(at).thread as usize;
            let state = self.worker.region.state(at);
            if let Some(pending) = state.pending(number) {
                let before = state.threads();
                step.footprint = self.footprint(number, &pending, choice.value());
                step.leaves = pending.op == Op::Exit as u8;
                if at + 1 < self.rows {
                    let after = self.worker.region.state(at + 1);
                    step.change = self.worker.region.state(at).change_to(&after);
                    step.created.extend(self.threads.get(before..after.threads()).unwrap_or_default());
                }
                if step.detail >= Detail::Words {
                    step.words = match step.created.first() {
                        Some(&created) => format!("starts {}", self.call(created)),
                        None => match choice.value().and_then(|value| self.first_to_end(at, value)) {
                            Some(first) if step.leaves => {
                                format!("lets {} end the program first", self.call(first))
                            }
                            _ => self.words(&pending),
                        },
                    };
                    step.location = self.shared.symbols.location(pending.place);
                    step.timeout = self.timeout(at, number, step.location.clone());
                }
            }
        }
        if at + 1 == self.rows && !self.is_unguarded_race() {
            match self.ending {
                Ending::Failed => step.finding = Some(self.failure()),
                // What was refused is supported now that it is known.
                Ending::Refused if self.met && !self.follows => {}
                Ending::Refused => {
                    self.schedule.pop();
                    return Err(self.refusal());
                }
                _ => {}
            }
        }
        if self.met && !self.follows && step.finding.is_none() {
            let mut new = self.worker.region.shared_words();
            new.retain(|word| !self.stacks.contains(word));
            self.shared.assumptions.add(&new);
            self.shared.section_touches.add(&self.worker.region.section_touches());
            let why = "what lies on a stack had been taken for its thread's own".to_string();
            return Err(Fault::Again { why });
        }
        if self.reduced && step.finding.is_none() {
            let header = self.worker.region.header();
            let revisits =
                self.reduction.revisits != RevisitDetection::BySearch && header.revisits.get() != 0;
            if header.sectioned.get() != 0 && !self.sections {
                self.shared.sections.store(true, Relaxed);
                let why = "threads had been taken to enter no atomic sections".to_string();
                return Err(Fault::Again { why });
            }
            if header.waited.get() != 0 && !self.waits {
                return Err(Fault::Again { why: "time had been taken never to pass last".into() });
            }
            if revisits {
                return Err(Fault::Again { why: "threads had been taken not to go round together".into() });
            }
        }
        if self.overflows && step.finding.is_none() {
            return Err(Fault::Again { why: "it creates more threads than can be followed".into() });
        }
        if self.cut && !self.follows && step.finding.is_none() {
            let why = "two parts of an object had been taken for one".to_string();
            return Err(Fault::Again { why });
        }
        let ended = self.ending == Ending::Exited && self.at() + 1 == self.rows;
        if ended && !self.has_chosen() {
            step.exit_status = Some(self.worker.region.header().status.get() as i32);
        }
        self.tell_of_races(step);
        if self.reduction.states && !self.follows {
            self.look_at_state(step)?;
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.schedule.len() - self.base
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        if self.base + depth < self.schedule.len() {
            self.schedule.truncate(self.base + depth);
            self.ahead.asked = None;
        }
        Ok(())
    }

    fn here(&mut self) -> Schedule {
        self.schedule.clone()
    }

    fn go(&mut self, place: &Schedule) -> Result<(), Fault> {
        let common = self.schedule.iter().zip(place).take_while(|(a, b)| a == b).count();
        self.schedule.truncate(common);
        self.ahead.asked = None;
        let mut step = Step::new(Detail::Outcome);
        for &choice in &place[common..] {
            self.step(choice, &mut step)?;
        }
        self.base = self.schedule.len();
        Ok(())
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        for (number, pending) in self.last_pending().into_iter().enumerate() {
            let Some(id) = self.thread_id(number as u32) else { break };
            let status = self.status(&pending);
            let lacks = self.lacks(&pending);
            let pending = self.footprint(number, &pending, None);
            out.push(Thread { id, status, pending, lacks });
        }
    }

    fn full_schedule(&self, schedule: Schedule) -> Schedule {
        let mut full = Schedule::new();
        for (depth, choice) in schedule.into_iter().enumerate() {
            full.push(choice);
            full.extend((0..self.inside_step(self.base + depth)).map(|_| Choice::run(choice.thread)));
        }
        full
    }

    fn name(&self, thread: ThreadId) -> String {
        self.call(thread)
    }

    fn object_name(&self, object: ObjectId) -> String {
        self.name_object(object)
    }

    fn describe(&mut self) -> String {
        let mut text = String::from("threads:\n");
        text.push_str(&self.describe_threads());
        let output = self.worker.output();
        if !output.is_empty() {
            text.push_str("output:\n");
            for line in output.lines() {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text
    }
}

impl Reducible for Execution {
    fn prepare_reduction(&mut self, after_findings: bool) -> Result<Promises, Fault> {
        self.reduced = true;
        let cuts = self.shared.cuts.load(Relaxed);
        // Where threads that repeat themselves are not left alone, only the numbers of states tell who need not go on.
        let revisits = if self.shared.revisits.load(Relaxed) || !cuts {
            RevisitDetection::BySearch
        } else {
            RevisitDetection::FourthReturn
        };
        // Behind a finding others may notice what its step did first.
        self.reduction =
            Reduction { cuts, guards: !after_findings, sections: !after_findings, revisits, states: false };
        // Threads that look in vain, as they did in the first execution, a reduction leaves there.
        self.begin()?;
        if self.worker.region.header().sectioned.get() != 0 {
            self.shared.sections.store(true, Relaxed);
        }
        self.sections = self.shared.sections.load(Relaxed);
        self.waits = self.shared.waited.load(Relaxed);
        Ok(Promises { exact_footprints: !self.waits, judges_ends_only: true })
    }

    fn expect(&mut self, choices: &[Choice]) {
        let (from, expected) = &mut self.expected;
        *from = self.schedule.len();
        expected.clear();
        expected.extend_from_slice(choices);
    }

    fn is_cut(&mut self) -> bool {
        self.ending == Ending::Stuck && self.at() + 1 == self.rows && self.is_given_up()
    }

    fn exit_choice(&mut self) -> Option<Choice> {
        let leaver = self.here_pending().position(|entry| entry.op == Op::Exit as u8)?;
        self.thread_id(leaver as u32).map(Choice::run)
    }

    fn retract(&mut self) -> Option<Fault> {
        self.reduction.cuts.then(|| {
            self.shared.cuts.store(false, Relaxed);
            Fault::Again { why: "threads had been taken to repeat themselves".into() }
        })
    }
}
