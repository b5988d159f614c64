//! A complete front-end for a toy language: threads with a register each, and eight cells that they share. Each line of a
//! program is a thread, with operations between semicolons: `add N` and `choose N` (any value below N) change the
//! register, `expect N` fails if it holds anything else, `load N` and `store N` use a cell as a variable, `lock N` and
//! `unlock N` as a lock.
//!
//! ```
//! # use sojourner_search::{Halt, Settings, Shape, Strategy, Unobserved, explore};
//! let toy: sojourner_example_toy::Toy = "choose 2; store 0\nload 0; expect 0".parse()?;
//! let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
//! let outcome = explore(&toy, &settings, &Halt::new(), &Unobserved)?;
//! assert_eq!(outcome.found[0].finding.message, "1 is not 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

use sojourner_program::*;
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The number of cells. All numbers in a program are below it.
const CELLS: usize = 8;

const VERBS: [&str; 7] = ["add", "choose", "expect", "load", "store", "lock", "unlock"];
type Op = (&'static str, u8);

/// Makes executions of a program: the operations of each thread.
pub struct Toy(Threads, Arc<Vec<Vec<Op>>>);

impl std::str::FromStr for Toy {
    type Err = String;

    fn from_str(text: &str) -> Result<Toy, String> {
        let op = |text: &str| {
            let (name, number) = text.trim().split_once(' ').unwrap_or((text, ""));
            let verb = VERBS.into_iter().find(|verb| *verb == name);
            let number = number.parse().ok().filter(|number| usize::from(*number) < CELLS);
            verb.zip(number).ok_or_else(|| format!("'{text}' is no operation"))
        };
        let code: Result<Vec<Vec<Op>>, _> =
            text.lines().map(|line| line.split(';').map(op).collect()).collect();
        code.map(|code| Toy(Threads::new(code.len() as u32), Arc::new(code)))
    }
}

impl Load for Toy {
    type P = Execution;

    fn open(&self) -> Result<Execution, Fault> {
        Ok(Execution { code: Arc::clone(&self.1), state: vec![0; CELLS + 2 * self.1.len()], before: vec![] })
    }

    fn threads(&self) -> &Threads {
        &self.0
    }
}

/// A program, standing in some state.
pub struct Execution {
    code: Arc<Vec<Vec<Op>>>,
    /// The cells, then the position and the register of each thread. The cell of a lock is 0 if it is free.
    state: Vec<u8>,
    /// The states on the way here.
    before: Vec<Vec<u8>>,
}

/// Where the part of a state begins that belongs to a thread.
fn own(thread: u32) -> usize {
    CELLS + 2 * thread as usize
}

impl Execution {
    fn ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.code.len() as u32).map(ThreadId)
    }

    /// The next operation of a thread, whether the thread can take it, and what it touches.
    fn next(&self, thread: ThreadId) -> (&'static str, u8, Status, Footprint) {
        let position = usize::from(self.state[own(thread.0)]);
        let (verb, number) = *self.code[thread.0 as usize].get(position).unwrap_or(&("end", 0));
        let (cell, mut footprint) = (ObjectId(number.into()), Footprint::nothing());
        match verb {
            "load" => footprint.touch(cell, Mode::Read),
            "store" => footprint.touch(cell, Mode::Write),
            "lock" => footprint.touch(cell, Mode::Acquire),
            "unlock" => footprint.touch(cell, Mode::Release),
            _ => {}
        }
        let status = match verb {
            "lock" if self.state[usize::from(number)] != 0 => Status::Blocked(Some(cell)),
            "end" => Status::Finished,
            _ => Status::Ready,
        };
        (verb, number, status, footprint)
    }
}

impl Program for Execution {
    type Place = Vec<u8>;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        for thread in self.ids() {
            match self.next(thread) {
                ("choose", n, ..) => out.extend((0..n.into()).map(|value| Choice::pick(thread, value))),
                (_, _, Status::Ready, _) => out.push(Choice::run(thread)),
                _ => {}
            }
        }
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        let mut offered = Vec::new();
        self.choices(&mut offered);
        if !offered.contains(&choice) {
            return Err(Fault::Diverged { step: self.depth(), choice, why: "it is not offered".into() });
        }
        let (verb, number, _, footprint) = self.next(choice.thread);
        (step.footprint, step.words) = (footprint, format!("{verb} {number}"));
        self.before.push(self.state.clone());
        let (own, cell) = (own(choice.thread.0), usize::from(number));
        self.state[own] += 1;
        let register = self.state[own + 1];
        match verb {
            "add" => self.state[own + 1] = register.wrapping_add(number),
            "choose" => self.state[own + 1] = choice.value().unwrap_or(0) as u8,
            "load" => self.state[own + 1] = self.state[cell],
            "store" => self.state[cell] = register,
            "lock" => self.state[cell] = 1,
            "unlock" => self.state[cell] = 0,
            "expect" if register != number => {
                step.finding = Some(Finding::new(Kind::Assertion, format!("{register} is not {number}")));
            }
            _ => {}
        }
        Ok(())
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let waits = stuck && self.ids().any(|thread| self.next(thread).2 != Status::Finished);
        waits.then(|| Finding::new(Kind::Deadlock, "the threads that remain wait for locks"))
    }

    fn depth(&self) -> usize {
        self.before.len()
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        self.before.drain(depth..).take(1).for_each(|state| self.state = state);
        Ok(())
    }

    fn here(&mut self) -> Vec<u8> {
        self.state.clone()
    }

    fn go(&mut self, place: &Vec<u8>) -> Result<(), Fault> {
        (self.state, self.before) = (place.clone(), Vec::new());
        Ok(())
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        out.extend(self.ids().map(|id| {
            let (_, _, status, pending) = self.next(id);
            Thread { id, status, pending, lacks: Default::default() }
        }));
    }
}

impl Reducible for Execution {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        Ok(Promises { exact_footprints: true, judges_ends_only: true })
    }
}

impl Stateful for Execution {
    fn fingerprint(&mut self) -> u128 {
        xxh3_128(&self.state)
    }
}

impl Encode for Execution {
    fn kinds(&self) -> Vec<String> {
        vec!["cells".into(), "thread".into()]
    }

    fn encode(&mut self, out: &mut Encoded) {
        out.put(0, &self.state[..CELLS]);
        self.state[CELLS..].chunks(2).for_each(|thread| out.put(1, thread));
    }

    fn partition_key(&mut self, by: Partition) -> u64 {
        xxh3_64(match by {
            Partition::Global => &self.state,
            Partition::Local => &self.state[CELLS..],
            Partition::LocalOf(thread) => &self.state[own(thread)..][..2],
            Partition::Pc(thread) | Partition::Pcs(thread) => &self.state[own(thread)..][..1],
        })
    }
}
