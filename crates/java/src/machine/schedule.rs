//! Which thread runs, and time.
//!
//! Time is virtual. It passes with work, a little with each poll of the interpreter, and jumps to the next deadline when
//! no thread can run.

use super::choices::TURN;
use super::clock::NEVER;
use super::exceptions::Stop;
use super::{Abrupt, Frame, Machine, Run, Status, Thread, Woken};
use crate::memory::Ref;

/// Nanoseconds that pass in a turn of the usual length.
const TURN_TIME: i64 = 400_000;
/// Nanoseconds that pass when a thread gives up its turn.
const YIELD_TIME: i64 = 10_000;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this exit status.
    Exit(i32),
    /// No thread can go on. The text says what each thread waits for.
    Deadlock(String),
    /// It does not want this execution to be looked at any further: an assumption of its own does not hold. The text
    /// says where.
    Ignored(String),
    /// It did something that is not modelled.
    Unsupported(String),
}

impl Machine {
    /// Runs the program to its end: one thread after the other, each until it waits or has had its turn.
    pub fn run(&mut self) -> Ended {
        loop {
            if let Some(ended) = self.turn() {
                return ended;
            }
        }
    }

    /// Gives one thread its turn. `None` if the program goes on.
    pub fn turn(&mut self) -> Option<Ended> {
        let Some(next) = self.next_thread(self.turn.thread) else {
            return Some(Ended::Deadlock(self.describe_waiting()));
        };
        match self.run_thread(next) {
            Stop::Switch => None,
            // Only explorations look for findings.
            Stop::Found(finding) => Some(Ended::Unsupported(finding.message)),
            Stop::Exit => Some(Ended::Exit(self.outcome.exit.unwrap_or(0))),
            Stop::Ignore(place) => Some(Ended::Ignored(place)),
            Stop::Unsupported(what) => Some(Ended::Unsupported(what)),
        }
    }

    /// Runs one thread until it waits, ends, or has had its turn.
    fn run_thread(&mut self, thread: usize) -> Stop {
        self.turn.thread = thread;
        self.state_mut(thread).status = Status::Runnable;
        let turn = self.options.choices.turn();
        self.turn.polls = turn;
        let stop = self.interpret();
        self.clock.now += i64::from(turn - self.turn.polls.max(0)) * TURN_TIME / i64::from(TURN) + 1;
        if self.threads.list[thread].gives_way {
            self.state_mut(thread).gives_way = false;
            self.clock.now += YIELD_TIME;
        }
        if self.heap.needs_collection() {
            self.collect();
        }
        self.options.console.turn();
        stop
    }

    /// The thread whose turn it is after that of `last`. Those whose time is up are woken.
    fn next_thread(&mut self, last: usize) -> Option<usize> {
        self.wake_overdue();
        if self.threads.list[last].atomic > 0 && self.is_enabled(last) {
            return Some(last);
        }
        let mut enabled = self.enabled();
        if enabled.is_empty() {
            let waiting = self.threads.list.iter().filter(|thread| !thread.suspended);
            let deadline = waiting.filter_map(|thread| thread.status.deadline()).min()?;
            self.clock.now = self.clock.now.max(deadline);
            self.wake_overdue();
            enabled = self.enabled();
        }
        match enabled[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(enabled[self.options.choices.thread(last, &enabled)]),
        }
    }

    /// The threads that could take a step.
    fn enabled(&self) -> Vec<usize> {
        (0..self.threads.list.len()).filter(|&thread| self.is_enabled(thread)).collect()
    }

    fn wake_overdue(&mut self) {
        for thread in 0..self.threads.list.len() {
            if self.threads.list[thread].status.deadline().is_some_and(|deadline| deadline <= self.clock.now)
            {
                self.wake(thread, Woken::TimedOut);
            }
        }
    }

    /// Whether a thread could take a step.
    pub(crate) fn is_enabled(&self, thread: usize) -> bool {
        if self.threads.list[thread].suspended {
            return false;
        }
        match self.threads.list[thread].status {
            Status::Runnable => true,
            Status::Entering(object) => self.holder(object).is_none_or(|(holder, _)| holder == thread),
            Status::Initialising(class) => !self.is_being_initialised(class, thread),
            // As in the JDK's own code, a thread that joins another needs its monitor.
            Status::Joining(object) => {
                self.thread_of(object).is_none()
                    && self.holder(object).is_none_or(|(holder, _)| holder == thread)
            }
            Status::Leaving => self.others_are_over(thread),
            Status::Waiting { .. } | Status::Parked { .. } | Status::Sleeping { .. } | Status::Finished => {
                false
            }
        }
    }

    /// Whether all non-daemon threads but this one are over.
    pub(crate) fn others_are_over(&self, thread: usize) -> bool {
        let mut others = self.threads.list.iter().enumerate().filter(|&(index, _)| index != thread);
        others.all(|(_, other)| other.daemon || other.status == Status::Finished)
    }

    /// A waiting thread goes on.
    pub(crate) fn wake(&mut self, thread: usize, why: Woken) {
        let on = match self.threads.list[thread].status {
            Status::Waiting { on, .. } | Status::Joining(on) => Some(on),
            Status::Parked { .. } | Status::Sleeping { .. } => None,
            _ => return,
        };
        let waiting = self.state_mut(thread);
        waiting.woken = Some(why);
        waiting.status = on.map_or(Status::Runnable, Status::Entering);
    }

    /// A thread is to throw `ThreadDeath` when it runs next. If it waits it goes on: with the monitor that it had given back, so
    /// that it has to get that first.
    pub(crate) fn stop(&mut self, thread: usize) {
        self.state_mut(thread).stopped = true;
        match self.threads.list[thread].status {
            Status::Waiting { .. } | Status::Joining(_) => self.wake(thread, Woken::Notified),
            Status::Parked { .. } | Status::Sleeping { .. } => {
                self.state_mut(thread).status = Status::Runnable;
            }
            _ => {}
        }
    }

    /// The current thread throws `ThreadDeath` if another has told it to stop.
    pub(crate) fn die_if_stopped(&mut self) -> Run<()> {
        let current = self.turn.thread;
        if !self.threads.list[current].stopped {
            return Ok(());
        }
        let standing = self.state_mut(current);
        (standing.stopped, standing.woken) = (false, None);
        Err(Abrupt::bare("java/lang/ThreadDeath"))
    }

    /// Whether the current thread could throw `ThreadDeath` now: it does not wait for a monitor that it had given back, and is
    /// not past the end of what it was started for.
    pub(crate) fn can_die(&self) -> bool {
        let thread = &self.threads.list[self.turn.thread];
        let over = matches!(thread.frames[..], [Frame { pc: 2.., .. }]);
        thread.stopped && thread.entries == 0 && !over
    }

    /// Has the current thread wait, or says why it goes on if it has been waiting already.
    pub(crate) fn wait_or_go_on(&mut self, status: Status) -> Run<Woken> {
        let thread = self.state_mut(self.turn.thread);
        if let Some(woken) = thread.woken.take() {
            return Ok(woken);
        }
        thread.status = status;
        Err(Abrupt::Blocked)
    }

    /// A new thread that has not started.
    pub(crate) fn new_thread(&mut self, object: Ref, daemon: bool) -> Run<usize> {
        let failed = || Abrupt::raise("java/lang/OutOfMemoryError", "unable to create native thread");
        let stack = self.new_stack().ok_or_else(failed)?;
        let id = self.scheduling.identify(&self.threads.list, self.turn.thread);
        let version = self.version();
        let mut thread = Thread::new(object, id, stack, daemon);
        (thread.version, thread.moved_at) = (version, self.marks().saturating_sub(1));
        self.threads.list.push(thread);
        self.threads.version = version;
        Ok(self.threads.list.len() - 1)
    }

    /// The thread that an instance of `java.lang.Thread` stands for, if it was started.
    pub(crate) fn thread_of(&self, object: Ref) -> Option<usize> {
        let handle = self.heap.get_i64(object, self.known.thread_handle);
        usize::try_from(handle).ok()?.checked_sub(1)
    }

    /// What each thread waits for, with stacks.
    pub(crate) fn describe_waiting(&self) -> String {
        let mut text = String::new();
        for (index, thread) in self.threads.list.iter().enumerate() {
            let doing = match thread.status {
                Status::Finished => continue,
                Status::Entering(object) => match self.holder(object) {
                    Some((holder, _)) => {
                        let (object, holder) = (self.describe_object(object), self.thread_name(holder));
                        format!("waits for the monitor of {object}, held by {holder}")
                    }
                    None => format!("is about to take the monitor of {}", self.describe_object(object)),
                },
                Status::Waiting { on, .. } => format!("waits to be notified on {}", self.describe_object(on)),
                Status::Parked { .. } => match self.describe_lock_wait(index) {
                    Some(lock) => format!("is parked: it {lock}"),
                    None => "is parked".to_string(),
                },
                Status::Initialising(class) => {
                    format!("waits until {} is initialised", self.external_name(class))
                }
                Status::Joining(object) => {
                    format!("waits for the end of {}", self.name_of_thread_object(object))
                }
                Status::Leaving => "has left main and waits for the other threads".to_string(),
                Status::Sleeping { .. } => "sleeps".to_string(),
                Status::Runnable if thread.suspended => "is suspended".to_string(),
                Status::Runnable => "can run".to_string(),
            };
            let held_up = thread.suspended && thread.status != Status::Runnable;
            let doing = if held_up { format!("{doing}, and is suspended") } else { doing };
            text.push_str(&format!("{} {doing}\n", self.thread_name(index)));
            for frame in thread.frames.iter().rev() {
                if !self.method(frame.method).marks.hidden {
                    text.push_str(&format!("    at {}\n", self.describe_frame(frame.method, frame.pc)));
                }
            }
        }
        text
    }

    pub(crate) fn describe_object(&self, object: Ref) -> String {
        format!("a {}", self.external_name(crate::machine::class::ClassId(self.heap.class(object))))
    }

    /// The name of a thread, as the program gave it.
    pub(crate) fn thread_name(&self, thread: usize) -> String {
        self.name_of_thread_object(self.threads.list[thread].object)
    }

    pub(crate) fn name_of_thread_object(&self, object: Ref) -> String {
        let name = self.heap.get_ref(object, self.known.thread_name);
        if name.is_null() {
            "a thread without a name".to_string()
        } else {
            format!("\"{}\"", self.text(name))
        }
    }
}

impl Status {
    /// The object that the thread waits for.
    pub(crate) fn object(self) -> Option<Ref> {
        match self {
            Status::Entering(object) | Status::Waiting { on: object, .. } | Status::Joining(object) => {
                Some(object)
            }
            _ => None,
        }
    }

    /// When the thread goes on by itself.
    pub(crate) fn deadline(self) -> Option<i64> {
        self.limit().filter(|&until| until != NEVER)
    }

    /// Until when the thread waits if it waits with a time-out, for ever included.
    pub(crate) fn limit(self) -> Option<i64> {
        match self {
            Status::Waiting { until, .. } | Status::Parked { until } => until,
            Status::Sleeping { until } => Some(until),
            _ => None,
        }
    }
}
