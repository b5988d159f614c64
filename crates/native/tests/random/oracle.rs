//! What a program can come to: every execution, run one by one by an interpreter that shares no code with the runtime, the
//! driver or the searches.

mod rounds;

use crate::program::{
    ATOMIC, Held, Instruction, MUTEXES, Order, PLAIN, Program, SMALL, instructions, saw, status,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a program can come to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The statuses with which it can end.
    pub statuses: BTreeSet<u32>,
    pub deadlock: bool,
    pub livelock: bool,
    /// Threads can go round together for ever in a way that need not be found.
    pub maybe_livelock: bool,
    pub assertion: bool,
    /// The plain variables that are raced for, if that can be told.
    pub races: Option<BTreeSet<usize>>,
    /// Executions that differ in more than the order of independent steps, where that can be told from memory, locks and the
    /// semaphore alone.
    pub inequivalent: Option<usize>,
    /// Whether records are copied: that others come in between is seen only where races are.
    pub copies: bool,
}

/// Those that a program has, and the one that creates them.
const THREADS: usize = 4;
type Clock = [u32; THREADS];

fn join(into: &mut Clock, from: &Clock) {
    into.iter_mut().zip(from).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Runs,
    Waits {
        timed: bool,
    },
    /// Woken, or has given up: it needs the mutex again.
    Returns {
        gave_up: bool,
    },
    AtBarrier,
    /// The others have come to the barrier, too.
    Leaves,
    Ended,
}

#[derive(Clone, Debug)]
struct Thread {
    at: usize,
    doing: Doing,
    register: u32,
    sum: u32,
    seen: u32,
    clock: Clock,
    /// What relaxed loads have seen is of no use without fences, and there are none.
    steps: usize,
}

/// An access to a plain variable that later ones may race with.
#[derive(Clone, Copy, Debug)]
struct Access {
    thread: usize,
    time: u32,
    writes: bool,
    /// Whether it is one of two in a line that copies from one to the other: a race of two such lines may be for either.
    copies: bool,
}

/// The last that happened to an object, as far as equivalence goes.
#[derive(Clone, Debug, Default)]
struct History {
    write: (usize, usize),
    reads: Vec<(usize, usize)>,
}

/// What a step came behind: for each object that it touches, the last write, and the reads since if it writes itself.
type Behind = (usize, (usize, usize), Vec<(usize, usize)>);

/// What all steps of an execution came behind. Equivalent executions have the same.
type Form = BTreeMap<(usize, usize), Vec<Behind>>;

#[derive(Clone, Debug)]
struct State {
    threads: Vec<Thread>,
    variables: [u32; PLAIN + ATOMIC],
    holders: [Option<usize>; MUTEXES],
    writer: Option<usize>,
    /// The threads that have the lock for reading.
    readers: Vec<usize>,
    /// Writers in line, if readers wait for them.
    waiting: usize,
    /// Who is in an atomic section.
    section: Option<usize>,
    permits: u32,
    /// What is released to whoever acquires: atomics, mutexes, the semaphore; the read-write lock by writers, and by readers;
    /// sections.
    released: [Clock; CLOCKS],
    accesses: [Vec<Access>; PLAIN],
    histories: BTreeMap<usize, History>,
    form: Form,
}

/// Locks and the semaphore as objects, behind the variables.
const MUTEX: usize = 16;
const SEMAPHORE: usize = MUTEX + MUTEXES;
const READ_WRITE: usize = SEMAPHORE + 1;

const MUTEX_CLOCKS: usize = ATOMIC;
const SEMAPHORE_CLOCK: usize = ATOMIC + MUTEXES;
const WRITERS_CLOCK: usize = SEMAPHORE_CLOCK + 1;
const READERS_CLOCK: usize = SEMAPHORE_CLOCK + 2;
const SECTION_CLOCK: usize = SEMAPHORE_CLOCK + 3;
const CLOCKS: usize = SECTION_CLOCK + 1;

/// A thread's next step: who does it, and which of several outcomes it has.
type Move = (usize, usize);

struct Oracle {
    code: Vec<Vec<Instruction>>,
    verdict: Verdict,
    forms: BTreeSet<Form>,
    counts: bool,
    prefers_writers: bool,
    /// The number of the thread that creates the others, if it has something to do.
    creator: usize,
    left: usize,
}

/// Everything that a program can come to, if it has no more than `limit` executions.
pub fn verdict(program: &Program, limit: usize) -> Option<Verdict> {
    let mut code: Vec<Vec<Instruction>> = program.threads.iter().map(|ops| instructions(ops)).collect();
    // Who creates them is one more, with one thing to do.
    let creator = code.len();
    code.extend(program.held.given_back().map(|instruction| vec![instruction]));
    let prefers_writers = program.prefers_writers;
    // Whoever gets into line commutes with others who do, and not with readers: there are no such forms here.
    let counts = code.iter().flatten().all(is_counted) && !prefers_writers;
    let copies = code.iter().flatten().any(|line| matches!(line, Instruction::WriteCopied(_)));
    let (verdict, forms) = (Verdict { copies, ..Verdict::default() }, BTreeSet::new());
    let mut oracle = Oracle { code, verdict, forms, counts, prefers_writers, creator, left: limit };
    let thread = |index: usize| {
        let mut clock = [0; THREADS];
        clock[index] = 1;
        Thread { at: 0, doing: Doing::Runs, register: 0, sum: 0, seen: 0, clock, steps: 0 }
    };
    let mut state = State {
        threads: (0..oracle.code.len()).map(thread).collect(),
        variables: [0; PLAIN + ATOMIC],
        holders: std::array::from_fn(|m| (program.held == Held::Mutex(m)).then_some(creator)),
        writer: (program.held == Held::ForWriting).then_some(creator),
        readers: if program.held == Held::ForReading { vec![creator] } else { Vec::new() },
        waiting: 0,
        section: None,
        permits: u32::from(program.permits),
        released: [[0; THREADS]; CLOCKS],
        accesses: Default::default(),
        histories: BTreeMap::new(),
        form: BTreeMap::new(),
    };
    for thread in 0..state.threads.len() {
        if !oracle.settle(&mut state, thread) {
            oracle.verdict.assertion = true;
            return Some(oracle.verdict);
        }
    }
    if oracle.code.iter().flatten().any(Instruction::goes_round) {
        return rounds::verdict(oracle, state, limit);
    }
    oracle.verdict.races = Some(BTreeSet::new());
    if !oracle.every(&state) {
        return None;
    }
    if counts && !oracle.verdict.assertion {
        oracle.verdict.inequivalent = Some(oracle.forms.len());
    }
    Some(oracle.verdict)
}

/// Whether it touches nothing but memory, locks and the semaphore, each always in the same way.
fn is_counted(instruction: &Instruction) -> bool {
    use Instruction::*;
    match instruction {
        // How many steps it takes to write a record is the compiler's affair.
        Write(x, _) => *x < SMALL,
        // The beginnings and ends of threads come before sections, or behind them.
        Enter | Leave => false,
        ReadToCopy(_) | WriteCopied(_) | Wait { .. } | Signal | Broadcast | Barrier | Await(..) => false,
        Attempt(..) | Look(..) | Peek(_) => false,
        _ => true,
    }
}

impl Oracle {
    fn every(&mut self, state: &State) -> bool {
        let moves = self.moves(state);
        self.verdict.deadlock |= self.is_bound_by_locks(state);
        if moves.is_empty() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            self.end(state);
        }
        for (thread, outcome) in moves {
            let mut next = state.clone();
            next.threads[thread].steps += 1;
            self.step(&mut next, thread, outcome);
            if !self.settle(&mut next, thread) {
                self.verdict.assertion = true;
            } else if !self.every(&next) {
                return false;
            }
        }
        true
    }

    fn end(&mut self, state: &State) {
        if self.counts {
            self.forms.insert(state.form.clone());
        }
        let remains = |thread: &&Thread| thread.doing != Doing::Ended;
        if state.threads.iter().any(|thread| remains(&thread)) {
            let mut looks = state.threads.iter().enumerate().filter(|(_, thread)| remains(thread));
            let looks = looks.any(|(index, thread)| {
                thread.doing == Doing::Runs && matches!(self.code[index][thread.at], Instruction::Await(..))
            });
            self.verdict.livelock |= looks;
            self.verdict.deadlock |= !looks;
        } else {
            let seen: Vec<u32> = state.threads[..self.creator].iter().map(|thread| thread.seen).collect();
            self.verdict.statuses.insert(status(&state.variables, &seen));
        }
    }

    /// Whether threads wait for locks that only threads among them hold.
    fn is_bound_by_locks(&self, state: &State) -> bool {
        let mut bound: Vec<usize> = (0..state.threads.len()).collect();
        loop {
            let before = bound.len();
            let held =
                |index: &usize| self.waits_for(state, *index).iter().any(|holder| bound.contains(holder));
            bound = bound.iter().copied().filter(held).collect();
            if bound.len() == before {
                return !bound.is_empty();
            }
        }
    }

    /// The threads without which a thread cannot have the lock that it is about to take.
    fn waits_for(&self, state: &State, index: usize) -> Vec<usize> {
        let thread = &state.threads[index];
        let writers =
            || (0..state.threads.len()).filter(|other| self.is_in_line(&state.threads[*other], *other));
        match thread.doing {
            Doing::Returns { .. } => state.holders[0].into_iter().collect(),
            Doing::Runs => match self.code[index][thread.at] {
                Instruction::Lock(m) => state.holders[m].into_iter().collect(),
                Instruction::ReadLock => state.writer.into_iter().chain(writers()).collect(),
                Instruction::WriteLock => {
                    state.writer.into_iter().chain(state.readers.iter().copied()).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether a thread waits to write, and readers wait for it.
    fn is_in_line(&self, thread: &Thread, index: usize) -> bool {
        self.prefers_writers
            && thread.doing == Doing::Runs
            && matches!(self.code[index][thread.at], Instruction::WriteLock)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        for (index, thread) in state.threads.iter().enumerate() {
            if state.section.is_some_and(|other| other != index) {
                continue;
            }
            let outcomes = match thread.doing {
                Doing::Ended | Doing::AtBarrier => 0,
                Doing::Leaves => 1,
                Doing::Waits { timed } => usize::from(timed),
                Doing::Returns { .. } => usize::from(state.holders[0].is_none()),
                Doing::Runs => match self.code[index][thread.at] {
                    Instruction::Lock(m) => usize::from(state.holders[m].is_none()),
                    Instruction::ReadLock => usize::from(state.writer.is_none() && state.waiting == 0),
                    Instruction::WriteLock => usize::from(state.writer.is_none() && state.readers.is_empty()),
                    Instruction::Take => usize::from(state.permits > 0),
                    Instruction::Await(a, value, _) => {
                        usize::from(state.variables[PLAIN + a] != u32::from(value))
                    }
                    Instruction::Signal => waiters(state).len().max(1),
                    _ => 1,
                },
            };
            moves.extend((0..outcomes).map(|outcome| (index, outcome)));
        }
        moves
    }

    /// Does what nobody else can notice. Whether no assertion fails.
    fn settle(&self, state: &mut State, index: usize) -> bool {
        let thread = &mut state.threads[index];
        if thread.doing != Doing::Runs {
            return true;
        }
        loop {
            match self.code[index].get(thread.at) {
                None => {
                    thread.doing = Doing::Ended;
                    return true;
                }
                Some(Instruction::Assert(value)) if thread.register == u32::from(*value) => return false,
                Some(Instruction::Assert(_)) => thread.at += 1,
                Some(Instruction::SkipUnless(value, end)) => {
                    thread.at = if thread.register == u32::from(*value) { thread.at + 1 } else { *end };
                }
                Some(Instruction::Jump(to)) => thread.at = *to,
                Some(Instruction::Queue) if !self.prefers_writers => thread.at += 1,
                Some(Instruction::BackIfNothing(to)) => {
                    thread.at = if thread.sum == 0 { *to } else { thread.at + 1 };
                    thread.sum = 0;
                }
                Some(_) => return true,
            }
        }
    }

    fn step(&mut self, state: &mut State, index: usize, outcome: usize) {
        use Instruction as I;
        match state.threads[index].doing {
            Doing::Waits { .. } => {
                state.threads[index].doing = Doing::Returns { gave_up: true };
                return;
            }
            Doing::Leaves => {
                state.threads[index].doing = Doing::Runs;
                return;
            }
            Doing::Returns { gave_up } => {
                state.holders[0] = Some(index);
                acquire(state, index, MUTEX_CLOCKS);
                let thread = &mut state.threads[index];
                let timed = self.code[index][thread.at] == (I::Wait { timed: true });
                thread.doing = Doing::Runs;
                thread.at += 1;
                if timed {
                    thread.register = u32::from(gave_up);
                    thread.seen = saw(thread.seen, thread.register);
                }
                return;
            }
            _ => {}
        }
        let instruction = self.code[index][state.threads[index].at];
        state.threads[index].at += 1;
        let mut found = None;
        match instruction {
            I::Read(x) => {
                self.access(state, index, x, false);
                found = Some(state.variables[x]);
            }
            I::ReadToAdd(x) => {
                self.access(state, index, x, false);
                state.threads[index].sum = state.variables[x] + 1;
            }
            I::Attempt(m, end) => match state.holders[m] {
                None => state.holders[m] = Some(index),
                Some(_) => state.threads[index].at = end,
            },
            I::Look(a, end) => {
                if state.variables[PLAIN + a] != 0 {
                    state.threads[index].at = end;
                }
            }
            I::Peek(x) => state.threads[index].sum = state.variables[x],
            I::ReadToWait(x, end) => {
                self.access(state, index, x, false);
                if state.variables[x] != 0 {
                    state.threads[index].at = end;
                }
            }
            I::Write(x, value) => {
                self.access(state, index, x, true);
                state.variables[x] = u32::from(value);
            }
            I::Keep(x) => {
                self.access(state, index, x, true);
                state.variables[x] = state.threads[index].register;
            }
            I::WriteSum(x) => {
                self.access(state, index, x, true);
                state.variables[x] = state.threads[index].sum;
            }
            I::ReadPair => {
                self.access(state, index, 0, false);
                self.access(state, index, 1, false);
                found = Some(state.variables[0] * 5 + state.variables[1]);
            }
            I::WritePair(value) => {
                self.access(state, index, 0, true);
                self.access(state, index, 1, true);
                (state.variables[0], state.variables[1]) = (u32::from(value), u32::from(value));
            }
            I::ReadToCopy(from) => {
                self.accesses(state, index, from, false, true);
                state.threads[index].sum = state.variables[from];
            }
            I::WriteCopied(to) => {
                self.accesses(state, index, to, true, true);
                state.variables[to] = state.threads[index].sum;
            }
            I::Load(a, order) | I::Await(a, _, order) => {
                note(state, index, PLAIN + a, false);
                load(state, index, a, order);
                if matches!(instruction, I::Load(..)) {
                    found = Some(state.variables[PLAIN + a]);
                }
            }
            I::Store(a, value, order) => {
                note(state, index, PLAIN + a, true);
                state.released[a] = [0; THREADS];
                store(state, index, a, order);
                state.variables[PLAIN + a] = u32::from(value);
            }
            I::Add(a, value, order) | I::Swap(a, value, order) => {
                note(state, index, PLAIN + a, true);
                load(state, index, a, order);
                store(state, index, a, order);
                let variable = &mut state.variables[PLAIN + a];
                found = Some(*variable);
                let sum = if matches!(instruction, I::Add(..)) { *variable } else { 0 };
                *variable = sum + u32::from(value);
            }
            I::Compare(a, old, new, order, failed) => {
                note(state, index, PLAIN + a, true);
                let there = state.variables[PLAIN + a] == u32::from(old);
                load(state, index, a, if there { order } else { failed });
                if there {
                    store(state, index, a, order);
                    state.variables[PLAIN + a] = u32::from(new);
                }
                found = Some(u32::from(there));
            }
            I::Lock(m) => {
                note(state, index, MUTEX + m, true);
                state.holders[m] = Some(index);
                acquire(state, index, MUTEX_CLOCKS + m);
            }
            I::Unlock(m) => {
                note(state, index, MUTEX + m, true);
                state.holders[m] = None;
                release(state, index, MUTEX_CLOCKS + m);
            }
            I::TryLock(m, end) => {
                note(state, index, MUTEX + m, true);
                let free = state.holders[m].is_none();
                if free {
                    state.holders[m] = Some(index);
                    acquire(state, index, MUTEX_CLOCKS + m);
                } else {
                    state.threads[index].at = end;
                }
                found = Some(u32::from(free));
            }
            // Readers who come and go are all the same to each other.
            I::ReadLock => {
                note(state, index, READ_WRITE, false);
                state.readers.push(index);
                acquire(state, index, WRITERS_CLOCK);
            }
            I::Queue => state.waiting += 1,
            I::WriteLock => {
                note(state, index, READ_WRITE, true);
                state.waiting -= usize::from(self.prefers_writers);
                state.writer = Some(index);
                acquire(state, index, WRITERS_CLOCK);
                acquire(state, index, READERS_CLOCK);
            }
            I::TryReadLock(end) => {
                note(state, index, READ_WRITE, true);
                let free = state.writer.is_none() && state.waiting == 0;
                if free {
                    state.readers.push(index);
                    acquire(state, index, WRITERS_CLOCK);
                } else {
                    state.threads[index].at = end;
                }
                found = Some(u32::from(free));
            }
            I::TryWriteLock(end) => {
                note(state, index, READ_WRITE, true);
                let free = state.writer.is_none() && state.readers.is_empty();
                if free {
                    state.writer = Some(index);
                    acquire(state, index, WRITERS_CLOCK);
                    acquire(state, index, READERS_CLOCK);
                } else {
                    state.threads[index].at = end;
                }
                found = Some(u32::from(free));
            }
            I::SharedUnlock => {
                note(state, index, READ_WRITE, state.writer == Some(index));
                if state.writer == Some(index) {
                    state.writer = None;
                    release(state, index, WRITERS_CLOCK);
                } else {
                    let own = state.readers.iter().position(|reader| *reader == index);
                    state.readers.remove(own.expect("a reader gives back what it has"));
                    release(state, index, READERS_CLOCK);
                }
            }
            I::Enter => {
                state.section = Some(index);
                acquire(state, index, SECTION_CLOCK);
            }
            I::Leave => {
                state.section = None;
                release(state, index, SECTION_CLOCK);
            }
            I::Wait { timed } => {
                state.holders[0] = None;
                release(state, index, MUTEX_CLOCKS);
                let thread = &mut state.threads[index];
                // It goes on behind this when it has been woken and has the mutex.
                thread.at -= 1;
                thread.doing = Doing::Waits { timed };
            }
            I::Signal => {
                if let Some(&waiter) = waiters(state).get(outcome) {
                    wake(state, index, waiter, Doing::Returns { gave_up: false });
                }
            }
            I::Broadcast => {
                for waiter in waiters(state) {
                    wake(state, index, waiter, Doing::Returns { gave_up: false });
                }
            }
            I::Take => {
                note(state, index, SEMAPHORE, true);
                state.permits -= 1;
                acquire(state, index, SEMAPHORE_CLOCK);
            }
            I::TryTake => {
                note(state, index, SEMAPHORE, true);
                let free = state.permits > 0;
                if free {
                    state.permits -= 1;
                    acquire(state, index, SEMAPHORE_CLOCK);
                }
                found = Some(u32::from(free));
            }
            I::Post => {
                note(state, index, SEMAPHORE, true);
                state.permits += 1;
                release(state, index, SEMAPHORE_CLOCK);
            }
            I::Barrier => {
                let waits = |other: &usize| state.threads[*other].doing == Doing::AtBarrier;
                match (0..state.threads.len()).find(waits) {
                    None => state.threads[index].doing = Doing::AtBarrier,
                    Some(other) => {
                        let clock = state.threads[other].clock;
                        wake(state, index, other, Doing::Leaves);
                        join(&mut state.threads[index].clock, &clock);
                    }
                }
            }
            I::Assert(_) | I::SkipUnless(..) | I::Jump(_) | I::BackIfNothing(_) => {
                unreachable!("settled before")
            }
        }
        if let Some(found) = found {
            let thread = &mut state.threads[index];
            thread.register = found;
            thread.seen = saw(thread.seen, found);
        }
    }

    /// An access to a plain variable, which may race with earlier ones.
    fn access(&mut self, state: &mut State, index: usize, x: usize, writes: bool) {
        self.accesses(state, index, x, writes, false);
    }

    fn accesses(&mut self, state: &mut State, index: usize, x: usize, writes: bool, copies: bool) {
        note(state, index, x, writes);
        let clock = state.threads[index].clock;
        let races = |other: &&Access| {
            other.thread != index && (writes || other.writes) && other.time > clock[other.thread]
        };
        for other in state.accesses[x].iter().filter(races) {
            let all = self.verdict.races.get_or_insert_default();
            all.insert(x);
            if copies && other.copies {
                all.extend(SMALL..PLAIN);
            }
        }
        state.accesses[x].push(Access { thread: index, time: clock[index], writes, copies });
    }
}

fn waiters(state: &State) -> Vec<usize> {
    let waits = |index: &usize| matches!(state.threads[*index].doing, Doing::Waits { .. });
    (0..state.threads.len()).filter(waits).collect()
}

fn wake(state: &mut State, index: usize, waiter: usize, doing: Doing) {
    let clock = state.threads[index].clock;
    state.threads[index].clock[index] += 1;
    join(&mut state.threads[waiter].clock, &clock);
    state.threads[waiter].doing = doing;
}

fn acquire(state: &mut State, index: usize, object: usize) {
    let released = state.released[object];
    join(&mut state.threads[index].clock, &released);
}

fn release(state: &mut State, index: usize, object: usize) {
    let clock = state.threads[index].clock;
    join(&mut state.released[object], &clock);
    state.threads[index].clock[index] += 1;
}

fn load(state: &mut State, index: usize, a: usize, order: Order) {
    if matches!(order, Order::Acquire | Order::SeqCst) {
        acquire(state, index, a);
    }
}

fn store(state: &mut State, index: usize, a: usize, order: Order) {
    if matches!(order, Order::Release | Order::SeqCst) {
        release(state, index, a);
    }
}

/// Notes what a step comes behind.
fn note(state: &mut State, index: usize, object: usize, writes: bool) {
    let event = (index + 1, state.threads[index].steps);
    let history = state.histories.entry(object).or_default();
    let mut reads = Vec::new();
    let write = history.write;
    if writes {
        reads = std::mem::take(&mut history.reads);
        reads.sort_unstable();
        history.write = event;
    } else {
        history.reads.push(event);
    }
    state.form.entry(event).or_default().push((object, write, reads));
}
