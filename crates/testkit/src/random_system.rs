//! Random systems, for cases that no test author thought of.
//!
//! A system is a table of operations for each thread, drawn from a seed, and small enough for the oracle to explore it completely. It has
//! everything that a search has to deal with: guards that block, locks, data choices, loops, branches on what is shared. Assertions and
//! invariants may or may not hold, and ends may be deadlocks. Footprints are exact, so that reductions can be compared with the full
//! exploration.

use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};
use sojourner_program::Random;

/// How large a system to draw, and of what.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The number of threads, at most 8.
    pub threads: usize,
    /// The number of operations of each thread, at most 100.
    pub steps: usize,
    /// The number of shared variables, from 1 to 8.
    pub variables: usize,
    /// The number of values of each variable, from 2 to 16.
    pub values: u8,
    /// The number of locks, at most 4.
    pub locks: usize,
    /// Whether a thread may go back to an earlier operation.
    pub cycles: bool,
    /// Whether operations can fail.
    pub assertions: bool,
    /// Whether there are properties of whole states, which reductions do not keep.
    pub invariants: bool,
}

impl Shape {
    /// A shape drawn at random: of tens to some thousands of states.
    pub fn drawn(random: &mut Random) -> Shape {
        Shape {
            threads: 2 + random.below(3),
            steps: 3 + random.below(4),
            variables: 1 + random.below(3),
            values: 2 + random.below(2) as u8,
            locks: random.below(3),
            cycles: random.below(2) == 0,
            assertions: random.below(3) == 0,
            invariants: random.below(3) == 0,
        }
    }
}

/// A system drawn from a seed.
#[derive(Clone, Debug)]
pub struct RandomSystem {
    shape: Shape,
    /// For each thread and each place in its code what it may do there.
    code: Vec<Vec<Vec<Action>>>,
    /// These two variables do not have these two values at once.
    excluded: [(usize, u8); 2],
    /// This variable does not end with this value.
    bad_end: (usize, u8),
}

/// An operation and where it leads.
#[derive(Clone, Copy, Debug)]
struct Action {
    operation: Operation,
    next: u8,
}

/// What a thread does to what is shared.
#[derive(Clone, Copy, Debug)]
enum Operation {
    /// Gives the variable the value.
    Set(usize, u8),
    /// Adds to the variable, from the greatest value back to 0.
    Add(usize, u8),
    /// Gives the second variable the value of the first.
    Copy(usize, usize),
    /// Waits until the variable has the value.
    Await(usize, u8),
    /// Goes elsewhere if the variable has the value.
    Branch(usize, u8, u8),
    /// Fails if the variable has the value.
    Refuse(usize, u8),
    /// Takes the lock.
    Acquire(usize),
    /// Gives the lock back, if the thread holds it.
    Release(usize),
}

/// Where the threads are and what they share.
#[derive(Clone, Debug, State)]
pub struct Memory {
    #[state(local)]
    at: Row<u8, 8>,
    variables: Row<u8, 8>,
    /// The holder of each lock, from 1; 0 if it is free.
    holders: Row<u8, 4>,
}

impl RandomSystem {
    /// The system of that shape and seed.
    pub fn new(seed: u64, shape: Shape) -> Self {
        let mut random = Random::new(seed);
        let code = (0..shape.threads).map(|_| {
            let places = (0..shape.steps).map(|at| {
                let actions = if random.below(4) == 0 { 2 } else { 1 };
                (0..actions).map(|_| Action::drawn(&shape, at, &mut random)).collect()
            });
            places.collect()
        });
        let code = code.collect();
        let mut pair = || (random.below(shape.variables), random.below(shape.values.into()) as u8);
        RandomSystem { shape, code, excluded: [pair(), pair()], bad_end: pair() }
    }

    /// A system of any shape.
    pub fn any(seed: u64) -> Self {
        Self::new(seed, Shape::drawn(&mut Random::stream(seed, 1)))
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What the thread may do next.
    fn actions(&self, memory: &Memory, thread: usize) -> &[Action] {
        self.code[thread].get(usize::from(memory.at[thread])).map_or(&[], Vec::as_slice)
    }

    fn lock(&self, lock: usize) -> ObjectId {
        ObjectId((self.shape.variables + lock) as u64)
    }

    /// What the guards of the thread look at, but for that of one action.
    fn guards(&self, memory: &Memory, thread: usize, but: Option<u32>, out: &mut Footprint) {
        for (i, action) in self.actions(memory, thread).iter().enumerate() {
            if but == Some(i as u32) {
                continue;
            }
            match action.operation {
                Operation::Await(variable, _) => out.touch(ObjectId(variable as u64), Mode::Read),
                Operation::Acquire(lock) if but.is_none() => out.touch(self.lock(lock), Mode::Acquire),
                Operation::Acquire(lock) => out.touch(self.lock(lock), Mode::Read),
                _ => {}
            }
        }
    }
}

impl Action {
    fn drawn(shape: &Shape, at: usize, random: &mut Random) -> Action {
        let variable = random.below(shape.variables);
        let value = random.below(shape.values.into()) as u8;
        let operation = match random.below(16) {
            0..3 => Operation::Set(variable, value),
            3..6 => Operation::Add(variable, 1),
            6..8 => Operation::Copy(variable, random.below(shape.variables)),
            8 => Operation::Await(variable, value),
            9..11 => Operation::Branch(variable, value, Self::target(shape, at, random)),
            11 if shape.assertions => Operation::Refuse(variable, value),
            12..14 if shape.locks > 0 => Operation::Acquire(random.below(shape.locks)),
            14.. if shape.locks > 0 => Operation::Release(random.below(shape.locks)),
            _ => Operation::Add(variable, value),
        };
        Action { operation, next: Self::target(shape, at, random) }
    }

    /// A place to go on at: mostly the next one.
    fn target(shape: &Shape, at: usize, random: &mut Random) -> u8 {
        let target = match random.below(4) {
            0 if shape.cycles => random.below(at + 1),
            1 => at + 1 + random.below(shape.steps - at),
            _ => at + 1,
        };
        target as u8
    }
}

impl Model for RandomSystem {
    type State = Memory;

    fn initial(&self) -> Memory {
        Memory {
            at: Row::filled(self.shape.threads, 0),
            variables: Row::filled(self.shape.variables, 0),
            holders: Row::filled(self.shape.locks, 0),
        }
    }

    fn processes(&self) -> u32 {
        self.shape.threads as u32
    }

    fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
        for thread in 0..self.shape.threads {
            for (i, action) in self.actions(memory, thread).iter().enumerate() {
                let enabled = match action.operation {
                    Operation::Await(variable, value) => memory.variables[variable] == value,
                    Operation::Acquire(lock) => memory.holders[lock] == 0,
                    _ => true,
                };
                on.when(enabled, thread, i as u32);
            }
        }
    }

    fn fire(&self, memory: &mut Memory, thread: usize, action: u32) {
        let Action { operation, mut next } = self.actions(memory, thread)[action as usize];
        let variables = &mut memory.variables;
        let holder = thread as u8 + 1;
        match operation {
            Operation::Set(variable, value) => variables[variable] = value,
            Operation::Add(variable, by) => {
                variables[variable] = (variables[variable] + by) % self.shape.values;
            }
            Operation::Copy(from, to) => variables[to] = variables[from],
            Operation::Branch(variable, value, elsewhere) if variables[variable] == value => next = elsewhere,
            Operation::Refuse(variable, value) => {
                assert!(
                    variables[variable] != value,
                    "thread {thread} finds variable {variable} to be {value}"
                );
            }
            Operation::Acquire(lock) => memory.holders[lock] = holder,
            Operation::Release(lock) if memory.holders[lock] == holder => memory.holders[lock] = 0,
            Operation::Await(..) | Operation::Branch(..) | Operation::Release(_) => {}
        }
        memory.at[thread] = next;
    }

    fn may_end(&self, memory: &Memory) -> bool {
        memory.at.iter().all(|&at| usize::from(at) == self.shape.steps)
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        if self.shape.invariants {
            expect.invariant("the excluded values are not there at once", |system, memory| {
                !system.excluded.iter().all(|&(variable, value)| memory.variables[variable] == value)
            });
        }
        expect.at_end("the end is good", |system, memory| {
            memory.variables[system.bad_end.0] != system.bad_end.1
        });
        expect.goal("all reach the end", |system, memory| system.may_end(memory));
    }

    fn words(&self, memory: &Memory, thread: usize, action: u32) -> String {
        format!("{:?}", self.actions(memory, thread)[action as usize].operation)
    }

    fn footprint(&self, memory: &Memory, thread: usize, action: u32, out: &mut Footprint) -> bool {
        let variable = |variable: usize| ObjectId(variable as u64);
        self.guards(memory, thread, Some(action), out);
        match self.actions(memory, thread)[action as usize].operation {
            Operation::Set(to, _) | Operation::Add(to, _) => out.touch(variable(to), Mode::Write),
            Operation::Copy(from, to) => {
                out.touch(variable(from), Mode::Read);
                out.touch(variable(to), Mode::Write);
            }
            Operation::Await(from, _) | Operation::Branch(from, ..) | Operation::Refuse(from, _) => {
                out.touch(variable(from), Mode::Read);
            }
            Operation::Acquire(lock) => out.touch(self.lock(lock), Mode::Acquire),
            Operation::Release(lock) if memory.holders[lock] == thread as u8 + 1 => {
                out.touch(self.lock(lock), Mode::Release);
            }
            Operation::Release(_) => {}
        }
        true
    }

    fn blocked_on(&self, memory: &Memory, thread: usize, out: &mut Footprint) -> bool {
        self.guards(memory, thread, None, out);
        true
    }
}
