//! Runs the code of threads.

mod change;
mod footprint;

use super::{Code, Local, Operation};
use sojourner_program::{
    Choice, Detail, Fault, Finding, Kind, Load, Program, Promises, Reducible, Schedule, Status, Step, Thread,
    ThreadId, Threads,
};
use std::sync::Arc;

/// Makes programs of the code.
pub struct Threaded<C> {
    code: Arc<C>,
    threads: Arc<Threads>,
}

impl<C: Code> Threaded<C> {
    /// Programs of the code.
    pub fn new(code: C) -> Self {
        let threads = Arc::new(Threads::new(code.first() as u32));
        Threaded { code: Arc::new(code), threads }
    }
}

impl<C: Code> Load for Threaded<C> {
    type P = Machine<C>;

    fn open(&self) -> Result<Machine<C>, Fault> {
        let code = Arc::clone(&self.code);
        let born = |thread| (thread < code.first()).then_some(ThreadId(thread as u32));
        let fresh = |thread| Running { id: born(thread), ..Running::default() };
        Ok(Machine {
            threads: (0..code.threads()).map(fresh).collect(),
            variables: vec![0; code.variables()],
            holders: vec![FREE; code.locks()],
            queues: vec![Vec::new(); code.conditions()],
            table: Arc::clone(&self.threads),
            code,
            undo: Vec::new(),
            marks: Vec::new(),
            schedule: Schedule::new(),
            base: 0,
        })
    }

    fn threads(&self) -> &Threads {
        &self.threads
    }
}

/// No thread holds the lock.
const FREE: u8 = u8::MAX;
/// So many more share it.
const SHARED: u8 = 128;

/// Whether a lock with that holder can be shared.
fn can_be_shared(holder: u8) -> bool {
    holder == FREE || holder > SHARED
}

/// The locks whose bits are set.
fn each_of(locks: u8) -> impl Iterator<Item = usize> {
    (0..u8::BITS as usize).filter(move |lock| locks >> lock & 1 != 0)
}

/// A program, standing in some state.
pub struct Machine<C> {
    code: Arc<C>,
    table: Arc<Threads>,
    threads: Vec<Running>,
    variables: Vec<u8>,
    holders: Vec<u8>,
    queues: Vec<Vec<u8>>,
    undo: Vec<Undo>,
    /// For each step where what undoes it begins.
    marks: Vec<usize>,
    schedule: Schedule,
    base: usize,
}

/// A thread.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    /// Its identity, once it has been started.
    id: Option<ThreadId>,
    local: Local,
    children: u32,
    stage: Stage,
}

/// What a thread is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Running,
    /// Waits for a condition, and then for the lock.
    Waiting(usize),
    /// Has been woken, and waits for the lock.
    Woken(usize),
    Exited,
}

impl Stage {
    fn number(self) -> u64 {
        match self {
            Stage::Running => 0,
            Stage::Exited => 1,
            Stage::Waiting(lock) => 2 + 2 * lock as u64,
            Stage::Woken(lock) => 3 + 2 * lock as u64,
        }
    }
}

/// What undoes a part of a step.
enum Undo {
    Thread(usize, Running),
    Variable(usize, u8),
    Holder(usize, u8),
    Queue(usize, Vec<u8>),
}

impl<C: Code> Machine<C> {
    fn operation(&self, thread: usize) -> Operation {
        self.code.operation(thread, &self.threads[thread].local)
    }

    /// The outcomes of what the thread does next: none if it cannot, `None` if there is just one.
    fn outcomes(&self, thread: usize, mut each: impl FnMut(Option<u32>)) {
        let Running { id, stage, .. } = self.threads[thread];
        let free = |lock: usize| self.holders[lock] == FREE;
        let ready = match stage {
            _ if id.is_none() => false,
            Stage::Exited | Stage::Waiting(_) => false,
            Stage::Woken(lock) => free(lock),
            Stage::Running => match self.operation(thread) {
                Operation::End => false,
                Operation::Lock(lock) => free(lock),
                Operation::LockSeveral(locks) => each_of(locks).all(free),
                Operation::Share(lock) => can_be_shared(self.holders[lock]),
                Operation::Join(other) => self.threads[other].stage == Stage::Exited,
                Operation::WriteAny(_) => {
                    (0..self.variables.len() as u32).for_each(|of| each(Some(of)));
                    return;
                }
                Operation::Choose(outcomes) => {
                    (0..u32::from(outcomes)).for_each(|outcome| each(Some(outcome)));
                    return;
                }
                Operation::Signal(condition)
                    if self.code.wakes_any() && !self.queues[condition].is_empty() =>
                {
                    let mut waiting = self.queues[condition].clone();
                    waiting.sort_unstable();
                    waiting.into_iter().for_each(|thread| each(Some(thread.into())));
                    return;
                }
                _ => true,
            },
        };
        if ready {
            each(None);
        }
    }

    fn change(&mut self, thread: usize, change: impl FnOnce(&mut Running)) {
        self.undo.push(Undo::Thread(thread, self.threads[thread]));
        change(&mut self.threads[thread]);
    }

    fn set(&mut self, variable: usize, value: u8) {
        self.undo.push(Undo::Variable(variable, self.variables[variable]));
        self.variables[variable] = value;
    }

    fn hold(&mut self, lock: usize, holder: u8) {
        self.undo.push(Undo::Holder(lock, self.holders[lock]));
        self.holders[lock] = holder;
    }

    fn queue(&mut self, condition: usize) -> &mut Vec<u8> {
        self.undo.push(Undo::Queue(condition, self.queues[condition].clone()));
        &mut self.queues[condition]
    }

    fn wake(&mut self, thread: usize) {
        self.change(thread, |woken| {
            if let Stage::Waiting(lock) = woken.stage {
                woken.stage = Stage::Woken(lock);
            }
        });
    }

    /// Does what the thread does next. Gives the value that it gets; nothing if it waits.
    fn perform(&mut self, thread: usize, outcome: Option<u32>, step: &mut Step) -> Option<u8> {
        let me = thread as u8;
        if let Stage::Woken(lock) = self.threads[thread].stage {
            self.hold(lock, me);
            self.change(thread, |thread| thread.stage = Stage::Running);
            return Some(0);
        }
        match self.operation(thread) {
            Operation::End => None,
            Operation::Exit => {
                self.change(thread, |thread| thread.stage = Stage::Exited);
                None
            }
            Operation::Read(of) => Some(self.variables[of]),
            Operation::Write(of, value) => {
                self.set(of, value);
                Some(value)
            }
            Operation::WriteAny(value) => {
                self.set(outcome.unwrap_or(0) as usize, value);
                Some(value)
            }
            Operation::ReadSeveral(variables) => {
                let sum = each_of(variables).map(|of| self.variables[of]).fold(0, |sum, one| 3 * sum + one);
                Some(sum)
            }
            Operation::WriteSeveral(variables, value) => {
                each_of(variables).for_each(|of| self.set(of, value));
                Some(value)
            }
            Operation::Add(of, by) => {
                let value = self.variables[of];
                self.set(of, value.wrapping_add(by));
                Some(value)
            }
            Operation::CompareAndSwap(of, from, to) => {
                let same = self.variables[of] == from;
                if same {
                    self.set(of, to);
                }
                Some(same.into())
            }
            Operation::Refuse(of, value) => {
                if self.variables[of] == value {
                    let message = format!("thread {thread} finds variable {of} to be {value}");
                    step.finding = Some(Finding {
                        type_name: Some(format!("{thread} {of} {value}")),
                        thread: self.threads[thread].id,
                        ..Finding::new(Kind::Assertion, message)
                    });
                }
                Some(self.variables[of])
            }
            Operation::Lock(of) => {
                self.hold(of, me);
                Some(1)
            }
            Operation::LockSeveral(locks) => {
                each_of(locks).for_each(|of| self.hold(of, me));
                Some(1)
            }
            Operation::TryLock(of) => {
                let free = self.holders[of] == FREE;
                if free {
                    self.hold(of, me);
                }
                Some(free.into())
            }
            Operation::Share(of) | Operation::TryShare(of) => {
                let holder = self.holders[of];
                let shared = can_be_shared(holder);
                if shared {
                    self.hold(of, if holder == FREE { SHARED + 1 } else { holder + 1 });
                }
                Some(shared.into())
            }
            Operation::Unshare(of) => {
                let left = self.holders[of] - 1;
                self.hold(of, if left == SHARED { FREE } else { left });
                Some(0)
            }
            Operation::Unlock(of) => {
                if self.holders[of] == me {
                    self.hold(of, FREE);
                }
                Some(0)
            }
            Operation::Wait(on, of) => {
                self.hold(of, FREE);
                self.queue(on).push(me);
                self.change(thread, |thread| thread.stage = Stage::Waiting(of));
                None
            }
            Operation::Signal(on) => {
                if !self.queues[on].is_empty() {
                    let one =
                        outcome.and_then(|one| self.queues[on].iter().position(|&t| u32::from(t) == one));
                    let woken = self.queue(on).remove(one.unwrap_or(0));
                    self.wake(woken.into());
                }
                Some(0)
            }
            Operation::Broadcast(on) => {
                for woken in std::mem::take(self.queue(on)) {
                    self.wake(woken.into());
                }
                Some(0)
            }
            Operation::Choose(_) => Some(outcome.unwrap_or(0) as u8),
            Operation::Start(other) => {
                if self.threads[other].id.is_none() {
                    let Running { id, children, .. } = self.threads[thread];
                    let child = self.table.child(id, children);
                    self.change(thread, |thread| thread.children += 1);
                    self.change(other, |other| other.id = Some(child));
                    step.created.push(child);
                }
                Some(0)
            }
            Operation::Join(_) => Some(0),
        }
    }

    /// Whether threads wait for locks, or for the ends of threads, that only threads among them can give.
    fn has_cycle(&self) -> bool {
        let mut bound: Vec<usize> = (0..self.threads.len()).collect();
        loop {
            let before = bound.len();
            bound = bound.iter().copied().filter(|thread| self.waits_for_any(*thread, &bound)).collect();
            if bound.len() == before {
                return !bound.is_empty();
            }
        }
    }

    /// Whether a thread waits for something that one of those holds. The holders of a shared lock are not known.
    fn waits_for_any(&self, thread: usize, holders: &[usize]) -> bool {
        let held = |lock: usize| holders.contains(&usize::from(self.holders[lock]));
        match (self.threads[thread].id, self.threads[thread].stage) {
            (None, _) => false,
            (_, Stage::Woken(lock)) => held(lock),
            (_, Stage::Running) => match self.operation(thread) {
                Operation::Lock(lock) | Operation::Share(lock) => held(lock),
                Operation::LockSeveral(locks) => each_of(locks).any(held),
                Operation::Join(other) => self.threads[other].id.is_some() && holders.contains(&other),
                _ => false,
            },
            _ => false,
        }
    }

    fn number(&self, id: ThreadId) -> Option<usize> {
        self.threads.iter().position(|thread| thread.id == Some(id))
    }

    fn ended(&self, thread: usize) -> bool {
        let Running { stage, .. } = self.threads[thread];
        stage == Stage::Exited || stage == Stage::Running && self.operation(thread) == Operation::End
    }
}

impl<C: Code> Program for Machine<C> {
    type Place = Schedule;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        let start = out.len();
        for (thread, running) in self.threads.iter().enumerate() {
            if let Some(id) = running.id {
                self.outcomes(thread, |outcome| {
                    out.push(outcome.map_or(Choice::run(id), |outcome| Choice::pick(id, outcome)));
                });
            }
        }
        out[start..].sort_unstable();
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let blocked = |thread: &usize| self.threads[*thread].id.is_some() && !self.ended(*thread);
        let stuck = stuck && (0..self.threads.len()).any(|thread| blocked(&thread));
        (stuck || self.has_cycle()).then(|| Finding::new(Kind::Deadlock, "threads wait for each other"))
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        let thread = self.number(choice.thread);
        let mut offered = false;
        if step.detail >= Detail::Words || cfg!(debug_assertions) {
            thread.into_iter().for_each(|t| self.outcomes(t, |outcome| offered |= outcome == choice.value()));
        } else {
            offered = thread.is_some();
        }
        let Some(thread) = thread.filter(|_| offered) else {
            return Err(Fault::Diverged { step: self.depth(), choice, why: "it is not offered".into() });
        };
        let tells = step.detail >= Detail::Footprint && self.code.goes_round();
        let before = if tells { self.sum() } else { 0 };
        if step.detail >= Detail::Footprint {
            step.footprint = self.footprint(thread, choice.value());
        }
        if step.detail >= Detail::Words {
            step.words = format!("{:?}", self.operation(thread));
        }
        self.marks.push(self.undo.len());
        self.schedule.push(choice);
        if let Some(value) = self.perform(thread, choice.value(), step) {
            let mut local = self.threads[thread].local;
            self.code.got(thread, &mut local, value);
            self.change(thread, |thread| thread.local = local);
        }
        if tells {
            step.change = Some(self.sum().wrapping_sub(before));
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.marks.len() - self.base
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        while self.depth() > depth {
            let mark = self.marks.pop().unwrap_or(0);
            self.schedule.pop();
            while self.undo.len() > mark {
                match self.undo.pop() {
                    Some(Undo::Thread(thread, was)) => self.threads[thread] = was,
                    Some(Undo::Variable(of, was)) => self.variables[of] = was,
                    Some(Undo::Holder(of, was)) => self.holders[of] = was,
                    Some(Undo::Queue(of, was)) => self.queues[of] = was,
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn here(&mut self) -> Schedule {
        self.schedule.clone()
    }

    fn go(&mut self, place: &Schedule) -> Result<(), Fault> {
        self.base = 0;
        self.rewind(0)?;
        let mut step = Step::new(Detail::Outcome);
        place.iter().try_for_each(|&choice| self.step(choice, &mut step))?;
        self.base = place.len();
        Ok(())
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        for thread in 0..self.threads.len() {
            let Some(id) = self.threads[thread].id else { continue };
            let mut ready = false;
            self.outcomes(thread, |_| ready = true);
            let pending = self.footprint(thread, None);
            let status = match pending.accesses().and_then(<[_]>::first) {
                _ if ready => Status::Ready,
                _ if self.ended(thread) => Status::Finished,
                first => Status::Blocked(first.map(|access| access.object)),
            };
            let lacks = self.lacks(thread);
            out.push(Thread { id, status, pending, lacks });
        }
    }

    fn name(&self, thread: ThreadId) -> String {
        self.number(thread)
            .map_or_else(|| format!("thread {}", thread.0), |thread| format!("thread {thread}"))
    }

    /// The whole state.
    fn describe(&mut self) -> String {
        let threads: Vec<_> =
            self.threads.iter().map(|thread| (thread.id.is_some(), thread.local, thread.stage)).collect();
        format!("{:?} {:?} {:?} {threads:?}", self.variables, self.holders, self.queues)
    }
}

impl<C: Code> Reducible for Machine<C> {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        Ok(Promises { exact_footprints: self.code.is_exact(), judges_ends_only: true })
    }
}
