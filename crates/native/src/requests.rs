//! What an execution asks of its worker, and what it takes over of the answer.

use crate::execution::Execution;
use crate::exploration::Leaks;
use crate::worker::{Lost, Worker};
use sojourner_native_rt::protocol::{
    Command, Draw, Ending, FEW_THREADS, Header, MOST_DRAWS, MOST_STEPS, RequestedStacks, StackRequest, Taken,
};
use sojourner_program::Fault;
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

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
    /// Has the worker go somewhere: from the start, or from where it stands.
    pub(crate) fn ask(&mut self, command: Command, goal: Goal) -> Result<(), Fault> {
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
        settings.calls = u32::from(self.guide.as_ref().is_some_and(|guide| guide.needs_calls));
        if self.crowded {
            settings.threads = FEW_THREADS;
        }
        header.settings.set(settings);
        header.watch.set(StackRequest::NOTHING);
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
    pub(crate) fn watch(&mut self, watch: StackRequest) -> Option<RequestedStacks> {
        let steps = match self.ending {
            Ending::Exited => self.rows.checked_sub(1)?,
            Ending::Failed if self.lost.is_none() => self.rows,
            _ => return None,
        };
        let header = self.worker.region.header();
        Goal { steps, known: steps, ..Goal::default() }.tell(header);
        header.watch.set(watch);
        header.watched.set(RequestedStacks::NOTHING);
        header.shared.set(self.stacks.len() as u32);
        header.section_touches.set(self.section_touches.len() as u32);
        // The command is obeyed as it was before: if not, the next one will show what is the matter.
        self.worker.ask(Command::Run).ok()?;
        let header = self.worker.region.header();
        (Ending::from_number(header.ending.get()) == Some(self.ending)).then_some(header.watched.get())
    }

    /// The worker died of what it was asked to do: another one takes its place, up to the step before.
    #[cold]
    pub(crate) fn replace_worker(&mut self, lost: Lost, steps: usize) -> Result<(), Fault> {
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
}
