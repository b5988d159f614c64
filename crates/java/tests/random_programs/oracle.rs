//! What a program can come to, by taking every interleaving of its operations, one by one.
//!
//! It shares nothing with the machine but the meaning of Java: every read and every write is a step of its own, in the
//! order of the program (sequential consistency); a monitor has one owner, who may take it again; a waiter gives it up
//! and takes it back when it was notified, and any waiter may be the one; time may be up at any time; nobody wakes up without
//! a reason. An interrupt is only a flag: whoever may be interrupted neither waits nor parks nor joins.

use crate::code::{Cell, Code, REGISTERS, code};
use crate::program::{Comparison, Monitor, Pointer, Program};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// The shared numbers and objects when nothing moves any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// `a`, `b`, `v` and `c`.
    pub numbers: [i32; 4],
    /// The array.
    pub elements: [i32; 2],
    /// What `p` and `q` refer to, by plain and final field.
    pub pointers: [Option<(i32, i32)>; 2],
    /// Whether both refer to the same object.
    pub same: bool,
    /// What the threads wrote down at their end.
    pub results: Vec<i32>,
    /// Whether threads remain that cannot move.
    pub stuck: bool,
    /// The assertion that did not hold; then nothing else is said, because how far others are does not matter.
    pub failed: Option<usize>,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.failed {
            return write!(f, "assertion {number} fails");
        }
        let [a, b, v, c] = self.numbers;
        let [first, second] = self.elements;
        write!(f, "a={a} b={b} v={v} c={c} t={{{first},{second}}}")?;
        for (name, pointer) in ["p", "q"].iter().zip(self.pointers) {
            match pointer {
                Some((field, last)) => write!(f, " {name}=Cell{{f={field},g={last}}}")?,
                None => write!(f, " {name}=null")?,
            }
        }
        if self.same {
            f.write_str(" p==q")?;
        }
        for (thread, result) in self.results.iter().enumerate() {
            write!(f, " r{thread}={result}")?;
        }
        if self.stuck { f.write_str(" stuck") } else { Ok(()) }
    }
}

/// Everything that the program can come to; `None` if it has more states than that.
pub fn ends(program: &Program, most_states: usize) -> Option<BTreeSet<End>> {
    let mut ends = BTreeSet::new();
    let all = visit(program, most_states, |state, _, is_end| match state.failed {
        Some(number) => drop(ends.insert(End { failed: Some(number), ..End::default() })),
        None if is_end => drop(ends.insert(state.end())),
        None => {}
    });
    all.then_some(ends)
}

/// Whether threads can come to wait for each other for ever, whatever the others do: for monitors, or for the ends of threads, too.
pub fn cycles(program: &Program) -> (bool, bool) {
    let (mut of_monitors, mut of_any) = (false, false);
    visit(program, usize::MAX, |state, codes, _| {
        of_monitors |= state.failed.is_none() && state.has_cycle(codes, false);
        of_any |= state.failed.is_none() && state.has_cycle(codes, true);
    });
    (of_monitors, of_any)
}

/// Visits all states of a program, with whether each is an end. `false`: there are more than that.
fn visit(program: &Program, most_states: usize, mut see: impl FnMut(&State, &[Vec<Code>], bool)) -> bool {
    let codes: Vec<Vec<Code>> = program.threads.iter().map(|body| code(body)).collect();
    let start = State::start(&codes);
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let successors = if state.failed.is_some() { Vec::new() } else { state.successors(&codes) };
        see(&state, &codes, successors.is_empty());
        for successor in successors {
            if seen.insert(successor.clone()) {
                if seen.len() > most_states {
                    return false;
                }
                open.push(successor);
            }
        }
    }
    true
}

/// An object: 0 and 1 are the two that are only locked, the others were made by threads.
type Object = usize;
const MADE: Object = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    numbers: [i32; 4],
    elements: [i32; 2],
    pointers: [Option<Object>; 2],
    results: Vec<i32>,
    objects: Vec<Shared>,
    threads: Vec<Thread>,
    failed: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Shared {
    field: i32,
    last: i32,
    /// Who holds its monitor, and how often.
    owner: Option<(usize, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    registers: [i32; REGISTERS],
    hand: Option<Object>,
    /// The monitors of the blocks that it is in, the innermost last.
    blocks: Vec<Object>,
    permit: bool,
    interrupted: bool,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    New,
    Running,
    /// Waits for a notification, after it has given up the monitor so many times.
    Waiting(Object, u32),
    /// The same, until the time is up.
    WaitingTimed(Object, u32),
    /// Was notified, and wants the monitor back so many times.
    Notified(Object, u32),
    Ended,
}

impl State {
    fn start(codes: &[Vec<Code>]) -> State {
        let thread = Thread {
            at: 0,
            registers: [0; REGISTERS],
            hand: None,
            blocks: Vec::new(),
            permit: false,
            interrupted: false,
            status: Status::New,
        };
        let mut state = State {
            numbers: [0; 4],
            elements: [0; 2],
            pointers: [None; 2],
            results: vec![0; codes.len()],
            objects: vec![Shared::default(); MADE],
            threads: vec![thread; codes.len()],
            failed: None,
        };
        state.threads[0].status = Status::Running;
        for (thread, code) in codes.iter().enumerate() {
            state.threads[thread].registers[0] = thread as i32 + 1;
            state.run_local(thread, code);
        }
        state
    }

    /// The states after one more step of any thread.
    fn successors(&self, codes: &[Vec<Code>]) -> Vec<State> {
        let mut all = Vec::new();
        for (thread, code) in codes.iter().enumerate() {
            match self.threads[thread].status {
                Status::Running => {
                    for mut next in self.step(thread, code[self.threads[thread].at]) {
                        next.run_local(thread, code);
                        all.push(next);
                    }
                }
                Status::Notified(object, times) if self.objects[object].owner.is_none() => {
                    let mut next = self.clone();
                    next.objects[object].owner = Some((thread, times));
                    next.threads[thread].status = Status::Running;
                    next.run_local(thread, code);
                    all.push(next);
                }
                Status::WaitingTimed(..) => all.push(self.woken(&[thread])),
                _ => {}
            }
        }
        all
    }

    /// What one operation of a thread leads to; nothing if it is blocked.
    fn step(&self, thread: usize, code: Code) -> Vec<State> {
        let mut next = self.clone();
        next.threads[thread].at += 1;
        match code {
            Code::Load(to, from) => {
                let value = *next.number(thread, from);
                next.threads[thread].registers[to] = value;
            }
            Code::Store(to, from) => {
                let value = next.threads[thread].registers[from];
                *next.number(thread, to) = value;
            }
            Code::GetAndAdd(to, add) => {
                let number = next.number(thread, Cell::C);
                let old = *number;
                *number = old.wrapping_add(add);
                next.threads[thread].registers[to] = old;
            }
            Code::CompareAndSet(to, expected, new) => {
                let registers = next.threads[thread].registers;
                let number = next.number(thread, Cell::C);
                let done = *number == registers[expected];
                if done {
                    *number = registers[new];
                }
                next.threads[thread].registers[to] = i32::from(done);
            }
            Code::Enter(monitor) => {
                let object = self.object(thread, monitor);
                let times = match self.objects[object].owner {
                    None => 0,
                    Some((owner, times)) if owner == thread => times,
                    Some(_) => return vec![],
                };
                next.objects[object].owner = Some((thread, times + 1));
                next.threads[thread].blocks.push(object);
            }
            Code::Exit => next.exit(thread),
            Code::Fail(number) if next.threads[thread].blocks.is_empty() => next.failed = Some(number),
            Code::Fail(_) => {
                next.exit(thread);
                next.threads[thread].at -= 1;
            }
            Code::Wait(monitor) | Code::WaitTimed(monitor) => {
                let object = self.object(thread, monitor);
                let (owner, times) = self.objects[object].owner.expect("whoever waits has the monitor");
                assert_eq!(owner, thread, "whoever waits has the monitor");
                next.objects[object].owner = None;
                let timed = matches!(code, Code::WaitTimed(_));
                let status = if timed { Status::WaitingTimed } else { Status::Waiting };
                next.threads[thread].status = status(object, times);
            }
            Code::Notify(monitor) => {
                let object = self.object(thread, monitor);
                let waiting = next.waiting(object);
                if !waiting.is_empty() {
                    return waiting.into_iter().map(|waiter| next.woken(&[waiter])).collect();
                }
            }
            Code::NotifyAll(monitor) => {
                let waiting = next.waiting(self.object(thread, monitor));
                next = next.woken(&waiting);
            }
            Code::New => {
                next.threads[thread].hand = Some(next.objects.len());
                next.objects.push(Shared::default());
            }
            Code::Publish(pointer) => next.pointers[index(pointer)] = self.threads[thread].hand,
            Code::Take(pointer) => next.threads[thread].hand = self.pointers[index(pointer)],
            Code::Start(other) => {
                assert_eq!(self.threads[other].status, Status::New, "a thread is started once");
                next.threads[other].status = Status::Running;
            }
            Code::Join(other) => {
                if !matches!(self.threads[other].status, Status::New | Status::Ended) {
                    return vec![];
                }
            }
            Code::Park => {
                if !self.threads[thread].permit {
                    return vec![];
                }
                next.threads[thread].permit = false;
            }
            Code::Unpark(other) => {
                if self.threads[other].status != Status::New {
                    next.threads[other].permit = true;
                }
            }
            Code::Interrupt(other) => next.threads[other].interrupted = true,
            Code::Interrupted(to) => {
                next.threads[thread].registers[to] = i32::from(self.threads[thread].interrupted);
                next.threads[thread].interrupted = false;
            }
            Code::Result => {
                let [x, y, ..] = self.threads[thread].registers;
                next.results[thread] = x.wrapping_mul(1000).wrapping_add(y);
            }
            Code::End => next.threads[thread].status = Status::Ended,
            local => unreachable!("{local:?} is not for others to notice"),
        }
        vec![next]
    }

    /// Whether following each thread to the one that it waits for leads round.
    fn has_cycle(&self, codes: &[Vec<Code>], ends_count: bool) -> bool {
        let waits_for = |thread: usize| -> Option<usize> {
            let owner = |object: Object| self.objects[object].owner.map(|(owner, _)| owner);
            match self.threads[thread].status {
                Status::Notified(object, _) => owner(object),
                Status::Running => match codes[thread][self.threads[thread].at] {
                    Code::Enter(monitor) => {
                        owner(self.object(thread, monitor)).filter(|owner| *owner != thread)
                    }
                    Code::Join(other) if ends_count => {
                        let lives = !matches!(self.threads[other].status, Status::New | Status::Ended);
                        lives.then_some(other)
                    }
                    _ => None,
                },
                _ => None,
            }
        };
        (0..self.threads.len()).any(|first| {
            let mut at = Some(first);
            (0..self.threads.len()).for_each(|_| at = at.and_then(waits_for));
            at.is_some()
        })
    }

    /// Leaves the innermost block of a thread.
    fn exit(&mut self, thread: usize) {
        let object = self.threads[thread].blocks.pop().expect("a block that was entered");
        let (owner, times) = self.objects[object].owner.expect("it is locked within its block");
        self.objects[object].owner = (times > 1).then_some((owner, times - 1));
    }

    /// Runs a thread up to the next operation that others notice.
    fn run_local(&mut self, thread: usize, code: &[Code]) {
        let Thread { at, registers, hand, status, .. } = &mut self.threads[thread];
        if *status == Status::Ended {
            return;
        }
        while code[*at].is_local() {
            let mut next = *at + 1;
            match code[*at] {
                Code::Number(to, number) => registers[to] = number,
                Code::Copy(to, from) => registers[to] = registers[from],
                Code::Plus(to, add) => registers[to] = registers[to].wrapping_add(add),
                Code::Jump(to) => next = to,
                Code::JumpUnless(left, comparison, right, to) => {
                    let holds = match comparison {
                        Comparison::Equal => registers[left] == right,
                        Comparison::Different => registers[left] != right,
                        Comparison::Less => registers[left] < right,
                    };
                    if !holds {
                        next = to;
                    }
                }
                Code::JumpEmptyHanded(to) => {
                    if hand.is_none() {
                        next = to;
                    }
                }
                shared => unreachable!("{shared:?} is for others to notice"),
            }
            *at = next;
        }
    }

    fn number(&mut self, thread: usize, cell: Cell) -> &mut i32 {
        let Thread { registers, hand, .. } = &self.threads[thread];
        match cell {
            Cell::A => &mut self.numbers[0],
            Cell::B => &mut self.numbers[1],
            Cell::V => &mut self.numbers[2],
            Cell::C => &mut self.numbers[3],
            Cell::Element(index) => &mut self.elements[(registers[index] & 1) as usize],
            Cell::Field => &mut self.objects[hand.expect("something in the hand")].field,
            Cell::FinalField => &mut self.objects[hand.expect("something in the hand")].last,
        }
    }

    fn object(&self, thread: usize, monitor: Monitor) -> Object {
        match monitor {
            Monitor::M => 0,
            Monitor::N => 1,
            Monitor::InHand => self.threads[thread].hand.expect("something in the hand"),
        }
    }

    fn waiting(&self, object: Object) -> Vec<usize> {
        let waits = |thread: &usize| match self.threads[*thread].status {
            Status::Waiting(on, _) | Status::WaitingTimed(on, _) => on == object,
            _ => false,
        };
        (0..self.threads.len()).filter(waits).collect()
    }

    fn woken(&self, waiters: &[usize]) -> State {
        let mut next = self.clone();
        for &waiter in waiters {
            if let Status::Waiting(object, times) | Status::WaitingTimed(object, times) =
                next.threads[waiter].status
            {
                next.threads[waiter].status = Status::Notified(object, times);
            }
        }
        next
    }

    fn end(&self) -> End {
        let fields = |object: Object| (self.objects[object].field, self.objects[object].last);
        End {
            numbers: self.numbers,
            elements: self.elements,
            pointers: self.pointers.map(|pointer| pointer.map(fields)),
            same: self.pointers[0].is_some() && self.pointers[0] == self.pointers[1],
            results: self.results.clone(),
            stuck: self.threads.iter().any(|thread| !matches!(thread.status, Status::New | Status::Ended)),
            failed: None,
        }
    }
}

fn index(pointer: Pointer) -> usize {
    match pointer {
        Pointer::P => 0,
        Pointer::Q => 1,
    }
}
