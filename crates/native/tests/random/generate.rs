//! Random programs of a size whose executions an interpreter can run one by one.

use crate::program::{ATOMIC, Held, MUTEXES, Op, Order, Program, SMALL, Storage};
use sojourner_program::Random;

/// What a program is made of: only few sorts of operations each, so that they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Plain,
    Pair,
    Record,
    Atomic,
    Mutex,
    Try,
    Condition,
    Semaphore,
    ReadWrite,
    Section,
    Barrier,
    Await,
    Rounds,
    Control,
}

const FAMILIES: [Family; 14] = [
    Family::Plain,
    Family::Pair,
    Family::Record,
    Family::Atomic,
    Family::Mutex,
    Family::Try,
    Family::Condition,
    Family::Semaphore,
    Family::ReadWrite,
    Family::Section,
    Family::Barrier,
    Family::Await,
    Family::Rounds,
    Family::Control,
];

impl Family {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Family> {
        FAMILIES.into_iter().find(|family| format!("{family:?}") == name)
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    families: Vec<Family>,
    /// Variables that are used.
    plain: Vec<usize>,
    relaxed: bool,
}

/// A random program, with operations of a certain sort among others, if one is given.
pub fn generate(random: &mut Random, always: Option<Family>) -> Program {
    let mut families = FAMILIES;
    random.shuffle(&mut families);
    let count = 1 + random.below(3);
    let mut families = families[..count].to_vec();
    families.push(Family::Plain);
    families.extend(always);
    let mut plain: Vec<usize> = (0..SMALL).collect();
    random.shuffle(&mut plain);
    plain.truncate(1 + random.below(2));
    let relaxed = random.below(2) == 0;
    // Three threads that go round together have far more executions than states.
    let threads = 2 + random.below(2) * usize::from(!families.contains(&Family::Rounds));
    let storage = [Storage::Static, Storage::Heap, Storage::Stack][random.below(3)];
    let permits = random.below(2) as u8;
    let prefers_writers = random.below(3) == 0;
    let held = [Held::Mutex(0), Held::Mutex(1), Held::ForReading, Held::ForWriting];
    let held = held.get(random.below(12)).copied().unwrap_or(Held::Nothing);
    let mut generator = Generator { random, families, plain, relaxed };
    let threads = (0..threads)
        .map(|_| {
            let ops = 1 + generator.random.below(if threads == 2 { 4 } else { 3 });
            (0..ops).map(|_| generator.op(2)).collect()
        })
        .collect();
    Program { threads, storage, permits, prefers_writers, held }
}

impl Generator<'_> {
    fn value(&mut self) -> u8 {
        self.random.below(3) as u8
    }

    fn plain(&mut self) -> usize {
        self.plain[self.random.below(self.plain.len())]
    }

    fn atomic(&mut self) -> usize {
        // Most programs are about one.
        self.random.below(3).min(ATOMIC) % ATOMIC
    }

    fn order(&mut self, orders: [Order; 2]) -> Order {
        match self.relaxed {
            true => [Order::Relaxed, orders[0], orders[1], Order::SeqCst][self.random.below(4)],
            false => Order::SeqCst,
        }
    }

    fn load_order(&mut self) -> Order {
        self.order([Order::Acquire; 2])
    }

    fn update_order(&mut self) -> Order {
        self.order([Order::Acquire, Order::Release])
    }

    fn body(&mut self, depth: usize) -> Vec<Op> {
        (0..1 + self.random.below(2)).map(|_| self.op(depth - 1)).collect()
    }

    fn op(&mut self, depth: usize) -> Op {
        let family = self.families[self.random.below(self.families.len())];
        let which = self.random.below(6);
        match family {
            Family::Mutex if depth > 0 => Op::Locked(self.random.below(MUTEXES), self.body(depth)),
            Family::Try if depth > 0 => match which {
                0..3 => Op::Locked(0, self.body(depth)),
                _ => Op::Tried(self.random.below(MUTEXES), self.body(depth)),
            },
            // Nobody takes the read-write lock twice: what then happens is the C library's affair.
            Family::ReadWrite if depth == 2 => {
                let body = self.body(1);
                match which {
                    0 | 1 => Op::ReadLocked(body),
                    2 | 3 => Op::WriteLocked(body),
                    4 => Op::TriedRead(body),
                    _ => Op::TriedWrite(body),
                }
            }
            // Sections are not nested.
            Family::Section if depth == 2 => Op::Section(self.body(1)),
            Family::Control if depth > 0 => match which {
                0..3 => Op::When(self.value(), self.body(depth)),
                _ => Op::Assert(2 + self.value()),
            },
            Family::Condition => {
                let x = self.plain();
                match which {
                    0 => Op::WaitIf(x),
                    1 => Op::WaitWhile(x),
                    2 => Op::TimedWait,
                    3 => Op::Broadcast,
                    4 => Op::Signal,
                    _ => Op::Locked(0, vec![Op::Write(x, 1), Op::Signal]),
                }
            }
            Family::Semaphore => match which {
                0 | 1 => Op::Take,
                2 => Op::TryTake,
                _ => Op::Post,
            },
            Family::Barrier => match which {
                0 => Op::Barrier,
                _ => self.plain_op(),
            },
            Family::Await => match which {
                0 | 1 => Op::Await(self.atomic(), 0, self.load_order()),
                _ => self.atomic_op(),
            },
            // Nobody holds a mutex who tries to have both.
            Family::Rounds if depth == 2 => match which {
                0..3 => Op::Retried(self.random.below(MUTEXES), vec![self.plain_op()]),
                3 => Op::Polled(self.random.below(MUTEXES), self.plain()),
                _ => Op::Raised(self.random.below(ATOMIC), vec![self.plain_op()]),
            },
            Family::Pair => match which {
                0 | 1 => Op::ReadPair,
                2 | 3 => Op::WritePair(self.value()),
                _ => self.plain_op(),
            },
            Family::Record => {
                let x = SMALL + self.random.below(2);
                match which {
                    0 | 1 => Op::Look(x),
                    2 | 3 => Op::Fill(x, 1 + self.value()),
                    _ => Op::Copy(x, 2 * SMALL + 1 - x),
                }
            }
            Family::Atomic => self.atomic_op(),
            _ => self.plain_op(),
        }
    }

    fn plain_op(&mut self) -> Op {
        let x = self.plain();
        match self.random.below(6) {
            0 | 1 => Op::Read(x),
            2 | 3 => Op::Write(x, 1 + self.value()),
            4 => Op::Increment(x),
            _ => Op::Keep(x),
        }
    }

    fn atomic_op(&mut self) -> Op {
        let a = self.atomic();
        match self.random.below(6) {
            0 | 1 => Op::Load(a, self.load_order()),
            2 => Op::Store(a, 1 + self.value(), self.order([Order::Release; 2])),
            3 => Op::Add(a, 1, self.update_order()),
            4 => Op::Swap(a, self.value(), self.update_order()),
            _ => {
                let (old, new) = (self.value(), self.value());
                Op::Compare(a, old, new, self.update_order(), self.load_order())
            }
        }
    }
}
